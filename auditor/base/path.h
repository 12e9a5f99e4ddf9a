/* Paths as text, without looking at any file system. All paths inside a root start with '/'. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* Last component ("" for "/" and ""); never changes or copies the text. */
const char *ea_path_base(const char *path);

/* Everything before the last component without its slash; "/" for "/x", "" for "x". */
struct ea_str ea_path_dir(const char *path);

/* DIR/NAME with exactly one slash between. */
char *ea_path_join(struct ea_arena *arena, const char *dir, const char *name);

/*
 * BASE/REL with `.`, `..` and double slashes worked out as text (`..` at the top stays at the top);
 * an absolute REL stands alone. Right only where no component is a symbolic link.
 */
void ea_path_normalize(struct ea_buf *out, const char *base, struct ea_str rel);

/* PATH is DIR or lies below it. Both absolute and normalized. */
bool ea_path_within(const char *path, const char *dir);

/*
 * The name is one that a shared library can have: `*.so`, or `lib*.so.N…` and `ld*.so.N…`, N a
 * digit, without the suffix of a debugger's script or of a compressed file. (Programs have no dot
 * and are decided by their bytes.)
 */
bool ea_path_is_library_name(struct ea_str name);

/* Also "nvshmem_bootstrap_uid.so.3" and "README.libx.so.3": their bytes must say what they are. */
bool ea_path_may_be_library(struct ea_str name);
