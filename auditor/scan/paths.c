/* Copies by path. */
#include "scan/paths.h"

#include "base/table.h"

struct ea_paths_entry {
	struct ea_copy *copy;
	UT_hash_handle hh;
};

void ea_paths_add(struct ea_paths *paths, struct ea_arena *arena, struct ea_copy *copy)
{
	struct ea_paths_entry *entry = ea_arena_new(arena, struct ea_paths_entry);

	entry->copy = copy;
	HASH_ADD_KEYPTR(hh, paths->entries, copy->path, (unsigned)strlen(copy->path), entry);
}

struct ea_copy *ea_paths_find(const struct ea_paths *paths, const char *path)
{
	struct ea_paths_entry *entry;

	HASH_FIND(hh, paths->entries, path, (unsigned)strlen(path), entry);
	return entry ? entry->copy : NULL;
}

void ea_paths_release(struct ea_paths *paths)
{
	HASH_CLEAR(hh, paths->entries);
}
