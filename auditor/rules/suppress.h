/* Findings that a user does not want to see (--config). */
#pragma once

#include "matrix/config.h"
#include "model/world.h"

/*
 * Takes findings that SUPPRESSIONS name out of WORLD and leaves a gap, `ignored`, with the reason
 * in place of each. TODAY is YYYY-MM-DD: what holds until an earlier day holds no more.
 */
void ea_suppress(struct ea_suppressions *suppressions, const char *today, struct ea_world *world);
