/*
 * Sessions: scenarios run through the loader model. A session is a function of the world and the
 * scenario; nothing here has global state.
 */
#pragma once

#include "base/err.h"
#include "matrix/frameworks.h"
#include "model/provider.h"
#include "model/session.h"
#include "model/world.h"

/*
 * Runs SCENARIO, in which libraries open others as FRAMEWORKS says (NULL: none does); what it gives
 * lives in ARENA. That the program does not start, or a library does not load, is a result.
 * -EA_E_USAGE: there is no such processor; -EA_E_TARGET: the root has no loader for it, or no such
 * version of it is known.
 */
EA_MUST_CHECK int ea_session_run(const struct ea_provider *provider,
				 const struct ea_frameworks *frameworks,
				 const struct ea_scenario *scenario, struct ea_arena *arena,
				 struct ea_session **ret_session, struct ea_err *err);

/* Marks the copies of WORLD that its sessions get from the loader (ea_copy.reach). */
void ea_sessions_reach(struct ea_world *world);
