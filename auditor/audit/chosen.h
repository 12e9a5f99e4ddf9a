/* Which imports a session has: --for, or every framework by itself. */
#pragma once

#include "audit/installed.h"

struct ea_choice {
	const char *name; /* "torch", "torch+jax", "train.py" */
	EA_VEC(const struct ea_installed *) imports;
};

struct ea_choices {
	EA_VEC(struct ea_choice) list;
};

/*
 * TEXT is a list of names with ',' between, each a framework, several with '+' for one process, or
 * a Python file (relative to CWD) whose imports count in the order in which they stand. NULL: every
 * installed framework by itself. -EA_E_USAGE: one is not known, or not installed.
 */
EA_MUST_CHECK int ea_choices_find(const char *text, const struct ea_frameworks *frameworks,
				  const struct ea_provider *provider,
				  const struct ea_scenario *scenario, const char *cwd,
				  struct ea_arena *arena, struct ea_choices *ret,
				  struct ea_err *err);
