/* What lies around a target: folders that the loader can reach from it. */
#pragma once

#include "model/world.h"
#include "scan/walk.h"

/* Queues them for names of known families only. The target's own trees must be queued before. */
void ea_around_queue(struct ea_walk *walk, const struct ea_world *world);
