/*
 * Makes a world of what the workers of a walk found: everything in order of paths, links followed,
 * owners attached, versions chosen. Runs on one thread, after the walk.
 */
#pragma once

#include "model/world.h"
#include "scan/paths.h"
#include "scan/walk.h"

/*
 * Takes over the memory of the pool's workers. PATHS becomes the index of the world's copies; a
 * link's target that the walk did not meet is read now and becomes a copy too.
 */
void ea_merge(struct ea_walk *walk, struct ea_world *world, struct ea_paths *paths);

/* Adds what one job of the inventory found; its memory must live as long as the world's. */
void ea_merge_inventory(struct ea_world *world, const struct ea_inventory *inv);

/* Orders and numbers everything again after something was added. */
void ea_merge_number(struct ea_world *world);

/* Takes over the gaps and the memory of the workers after they read more. */
void ea_merge_memory(struct ea_walk *walk, struct ea_world *world);

/* Attaches to each copy the packages that record it. May be called again after more records came.
 */
void ea_merge_owners(const struct ea_root *root, struct ea_world *world,
		     const struct ea_paths *paths);

/* Adds what file names, packages and siblings say to the claims, and chooses each elf's version. */
void ea_merge_versions(struct ea_world *world);

/* Fills world->duplicates. */
void ea_merge_duplicates(const struct ea_root *root, struct ea_world *world);
