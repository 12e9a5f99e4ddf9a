/*
 * Dotted version numbers as libraries and packages carry them: "12.4.5.8", "9.1.0", "580.159.04",
 * "2.4.1+cu121", "1.8.0.post2", "2.9.0rc1".
 *
 * Order: numbers one by one, a missing one counting as 0; then dev < a < b < rc < release < post,
 * as PEP 440 has it. A local part after '+' is kept apart and does not take part in the order.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum ea_version_phase {
	EA_PHASE_DEV = -4,
	EA_PHASE_ALPHA = -3,
	EA_PHASE_BETA = -2,
	EA_PHASE_RC = -1,
	EA_PHASE_RELEASE = 0,
	EA_PHASE_POST = 1,
};

struct ea_version {
	uint32_t part[8];
	uint8_t n;    /* parts that were written */
	int8_t phase; /* enum ea_version_phase */
	uint32_t phase_number;
	struct ea_str local; /* into the parsed text; empty if none */
};

/* 0, or 1 when TEXT is no version (it must start with a digit; an epoch is not taken). */
int ea_version_parse(struct ea_str text, struct ea_version *ret_version);

/* Below, equal or above 0. */
int ea_version_cmp(const struct ea_version *a, const struct ea_version *b);

/* As ea_version_cmp() on texts; a text that is no version is below every version. */
int ea_version_cmp_text(const char *a, const char *b);

/*
 * Two statements about one file do not contradict each other: the shorter is a prefix of the longer
 * ("9.1" and "9.1.0.70"). Texts that are no versions agree only when equal.
 */
bool ea_version_agrees(const char *a, const char *b);
