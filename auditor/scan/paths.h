/* Copies by path. */
#pragma once

#include "model/copy.h"
#include "model/world.h"

struct ea_paths_entry;

/* Zeroed when empty. Entries live in the arena given to add. */
struct ea_paths {
	struct ea_paths_entry *entries;
};

void ea_paths_add(struct ea_paths *paths, struct ea_arena *arena, struct ea_copy *copy);
struct ea_copy *ea_paths_find(const struct ea_paths *paths, const char *path);
void ea_paths_release(struct ea_paths *paths);
