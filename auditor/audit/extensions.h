/* Compiled extensions of torch that no load program knows: packages whose libraries need torch's.
 */
#pragma once

#include "audit/consumers.h"

/*
 * Adds to RET a scenario for each such library (at most EA_LIMIT_EXTENSIONS): torch is imported,
 * then the library opened. Without a scenario among those of RET that imports torch alone, nothing.
 */
void ea_extensions_find(struct ea_world *world, const struct ea_frameworks *frameworks,
			struct ea_scenarios *ret);
