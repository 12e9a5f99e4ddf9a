/*
 * A user's or project's own word on rules (--config): their severities, whether they run, and
 * findings that are to be passed over. envaudit-matrix(5) describes the file.
 */
#pragma once

#include "base/err.h"
#include "base/vec.h"
#include "matrix/rules.h"

/* Findings of RULE (a class has its parts) at a path like PATH, of CONSUMER; NULL = any. */
struct ea_suppression {
	const char *rule, *path, *consumer;
	const char *reason;
	const char *until; /* last day on which it holds: YYYY-MM-DD; NULL = for ever */
	const char *where; /* FILE:LINE */
	bool used;	   /* for the caller to set */
};

struct ea_suppressions {
	EA_VEC(struct ea_suppression) list;
};

/* Which suppressions of a run, by their places, passed something over. */
struct ea_suppression_use {
	struct ea_arena *arena;
	EA_VEC(const char *) all, used;
};

struct ea_config;

/* Changes RULES as FILE says; a rule that is not there is an error with its line. */
EA_MUST_CHECK int ea_config_load(const char *file, struct ea_rules *rules, struct ea_config **ret,
				 struct ea_err *err);
void ea_config_free(struct ea_config *config); /* NULL is fine */

/* Theirs is CONFIG's memory. */
struct ea_suppressions *ea_config_suppressions(struct ea_config *config);
