/*
 * The folder source: a descriptor of a folder, or the host itself. It keeps every path inside by
 * one of three ways; which one, is found out when the source is made. Only root.c and tests ask for
 * one.
 */
#pragma once

#include "fs/source.h"

enum ea_folder_way {
	EA_FOLDER_HOST,	   /* plain system calls: the folder is "/" */
	EA_FOLDER_OPENAT2, /* the kernel resolves inside the folder (Linux 5.6) */
	EA_FOLDER_WALK,	   /* component by component: older kernels, and where seccomp forbids it */
};

/* As ea_source_folder(); -ENOSYS if WAY is openat2 and this machine has none. */
EA_MUST_CHECK int ea_source_folder_by(const char *dir, enum ea_folder_way way,
				      struct ea_source **ret_source, struct ea_err *err);

/* ---- folder_walk.c: between the parts of the folder source ----------------------------------- */

/* openat(2) of PATH with TOP as the top of all paths: a descriptor or a negative errno. */
int ea_folder_walk_open(int top, const char *path, int flags, enum ea_follow follow);

/* As ea_source_ops.resolve. */
int ea_folder_walk_resolve(int top, const char *path, enum ea_follow follow,
			   struct ea_buf *ret_real);

/* The text of a link, appended: 0 or a negative errno. NAME may be "" if DIR is a link itself. */
int ea_folder_readlink(int dir, const char *name, struct ea_buf *ret_text);
