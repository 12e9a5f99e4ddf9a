/* Owners: which packages record which copies. */
#include "scan/merge.h"

#include <stdlib.h>

#include "base/path.h"
#include "base/table.h"

/*
 * Where a recorded folder really is: dpkg writes /lib/x86_64-linux-gnu on systems where /lib is a
 * link to usr/lib. Each folder is resolved once.
 */
struct folder {
	char *name;
	char *real; /* NULL = it does not exist */
	UT_hash_handle hh;
};

struct owners {
	const struct ea_root *root;
	const struct ea_paths *paths;
	struct ea_arena scratch;
	struct folder *folders;
};

static const char *real_folder(struct owners *o, struct ea_str dir)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf real = { 0 };
	struct folder *folder;

	HASH_FIND(hh, o->folders, dir.ptr, (unsigned)dir.len, folder);
	if (folder)
		return folder->real;
	folder = ea_arena_new(&o->scratch, struct folder);
	folder->name = ea_arena_dup_str(&o->scratch, dir);
	if (ea_root_resolve(o->root, folder->name, EA_FOLLOW, &real) == 0)
		folder->real = ea_arena_dup_str(&o->scratch, ea_buf_str(&real));
	HASH_ADD_KEYPTR(hh, o->folders, folder->name, (unsigned)dir.len, folder);
	return folder->real;
}

static struct ea_copy *find_copy(struct owners *o, const char *path)
{
	struct ea_copy *copy = ea_paths_find(o->paths, path);
	const char *dir;

	if (copy)
		return copy;
	dir = real_folder(o, ea_path_dir(path));
	return dir ? ea_paths_find(o->paths, ea_path_join(&o->scratch, dir, ea_path_base(path)))
		   : NULL;
}

static bool is_owned_by(const struct ea_copy *copy, const struct ea_component *component)
{
	ea_vec_foreach(owner, &copy->owners)
		if (owner->component == component)
			return true;
	return false;
}

static void claim(struct owners *o, struct ea_world *world, const struct ea_component *component,
		  struct ea_record *record)
{
	struct ea_copy *copy;
	struct ea_stat st;

	if (record->flags & EA_RECORD_OUTSIDE)
		return;
	copy = find_copy(o, record->path);
	if (copy) {
		if (!is_owned_by(copy, component))
			ea_vec_push(&copy->owners, &world->arena,
				    ((struct ea_owner){ component, record }));
	} else if (ea_path_may_be_library(ea_str(ea_path_base(record->path))) &&
		   ea_path_within(record->path, world->target.path) &&
		   ea_root_stat(o->root, record->path, EA_NOFOLLOW, &st)) {
		record->flags |= EA_RECORD_MISSING;
	}
}

void ea_merge_owners(const struct ea_root *root, struct ea_world *world,
		     const struct ea_paths *paths)
{
	struct owners o = { .root = root, .paths = paths };

	ea_vec_foreach(component, &world->components)
		ea_vec_foreach(record, &(*component)->records)
			claim(&o, world, *component, record);
	HASH_CLEAR(hh, o.folders);
	ea_arena_release(&o.scratch);
}
