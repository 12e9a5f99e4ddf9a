/* Steps of load programs, as they stand in a matrix; part of matrix/frameworks.c. */
#pragma once

#include "matrix/cfg.h"
#include "model/family.h"
#include "model/framework.h"

struct ea_steps_reader {
	struct ea_arena *arena;
	EA_VEC(struct ea_pattern *) patterns; /* the caller frees them */
};

/* Errors are -EA_E_MATRIX. */
EA_MUST_CHECK int ea_steps_read(struct ea_steps_reader *reader, const config_setting_t *list,
				struct ea_steps *ret, struct ea_err *err);

/* RANGE, the value of KEY in the group AT, is NULL or a range of versions. */
EA_MUST_CHECK int ea_steps_check_range(const config_setting_t *at, const char *key,
				       const char *range, struct ea_err *err);
