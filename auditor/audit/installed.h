/* Which frameworks a python would import, and from where. */
#pragma once

#include "matrix/frameworks.h"
#include "model/provider.h"
#include "model/python.h"
#include "model/session.h"
#include "model/world.h"

/*
 * Fills scenario->sys_path and scenario->installed for PYTHON of WORLD (NULL: a python that is not
 * known; then nothing is installed).
 */
void ea_installed_find(struct ea_world *world, const struct ea_frameworks *frameworks,
		       const struct ea_provider *provider, const struct ea_python *python,
		       struct ea_scenario *scenario);
