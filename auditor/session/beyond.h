/*
 * Beyond a missing library: ld.so stops at the first, but who mends an environment wants to know
 * all of them, as ldd shows them.
 */
#pragma once

#include "loader/loader.h"
#include "model/session.h"

/*
 * The start of the scenario's program as ldd traces it, with the scenario's library among what the
 * program needs. NULL if nothing can be started.
 */
const struct ea_request *ea_beyond_run(const struct ea_provider *provider,
				       const struct ea_scenario *scenario,
				       const struct ea_launch *launch, struct ea_arena *arena);
