/* Roots over one folder by each way that there is, so that every test runs through all of them. */
#pragma once

#include "fs/root.h"
#include "tree.h"

enum way {
	BY_OPENAT2,
	BY_WALK,
	BY_LAYERS, /* with an empty layer below: the root resolves, not the source */
	N_WAYS,
};

/* NULL where the machine has not that way. */
struct ea_root *root_by(enum way way, const char *dir);

/* The text of a file, or "!ENOENT" and the like; valid until the next call. */
const char *text_at(const struct ea_root *root, const char *path);

/* As text_at(): the path that it resolves to. */
const char *real_at(const struct ea_root *root, const char *path, enum ea_follow follow);

/* Sorted names, folders with a / after it, links with @, FIFOs and the like with =, then a blank.
 */
const char *names_at(const struct ea_root *root, const char *path);
