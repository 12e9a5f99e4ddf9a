/*
 * Fixes that can be tried: a change of a variable is made in a copy of each scenario, the sessions
 * are run again, and the rules look at what came of it. Nothing of the target changes.
 */
#pragma once

#include "matrix/frameworks.h"
#include "matrix/matrix.h"
#include "matrix/rules.h"
#include "model/provider.h"
#include "model/world.h"

/* What sessions and rules ran on; all must outlive the call. */
struct ea_fix_ground {
	const struct ea_provider *provider;
	const struct ea_frameworks *frameworks;
	const struct ea_rules *rules;
	struct ea_matrix *facts;
};

/*
 * Sets `rechecked` of each fix of WORLD after which its finding is gone and no other error or
 * warning has come, and takes away those that leave their finding as it is. At most
 * EA_LIMIT_TRIED_FIXES different changes are tried. Sessions, other findings and gaps of WORLD are
 * the same afterwards.
 */
EA_MUST_CHECK int ea_fixes_recheck(const struct ea_fix_ground *ground, struct ea_world *world,
				   struct ea_err *err);
