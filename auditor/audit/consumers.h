/* Which sessions a target has: its consumers, each as a scenario. */
#pragma once

#include "audit/audit.h"
#include "matrix/frameworks.h"
#include "model/provider.h"
#include "model/session.h"

struct ea_scenarios {
	EA_VEC(struct ea_scenario) list;
};

/*
 * What is run for the target of WORLD; lives in its arena. CWD is the working folder inside the
 * root. -EA_E_TARGET: nothing in it can be run, the text says what to name instead.
 */
EA_MUST_CHECK int ea_consumers_find(struct ea_world *world, const struct ea_audit_options *options,
				    const struct ea_frameworks *frameworks,
				    const struct ea_provider *provider, const char *cwd,
				    struct ea_scenarios *ret, struct ea_err *err);
