/*
 * Which environment variables a report may show. Everything else stays out of reports: they are
 * pasted into bug trackers, and environments hold passwords and tokens.
 */
#pragma once

#include <stdbool.h>

#include "model/world.h"

/* The variables of WORLD that matter to loading, sorted by name. */
struct ea_shown_env {
	EA_VEC(struct ea_env_var) vars;
};

struct ea_shown_env ea_environment_shown(const struct ea_world *world, struct ea_arena *arena);
