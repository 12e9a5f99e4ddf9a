/*
 * Follows a path component by component as the kernel does: links, absolute ones too, stay below
 * the top, `..` at the top stays there, more than EA_LIMIT_LINKS links are -ELOOP. What a component
 * is, the user says: layers.c looks through layers, folder_walk.c holds a descriptor of the current
 * folder.
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "fs/source.h"

struct ea_path_walk;

struct ea_path_walk_ops {
	/*
	 * NAME of the current folder becomes the current folder: 0. 1: it is a link, its text is
	 * appended to RET_LINK. Else a negative errno, -ENOTDIR where NAME is something else.
	 */
	int (*enter)(struct ea_path_walk *walk, const char *name, struct ea_buf *ret_link);
	/* 1: NAME of the current folder is a link, as above; 0: it is something else. */
	int (*peek)(struct ea_path_walk *walk, const char *name, struct ea_buf *ret_link);
	/* The folder above becomes the current one; at the top the same. */
	int (*up)(struct ea_path_walk *walk);
	/* The top becomes the current folder. */
	int (*top)(struct ea_path_walk *walk);
};

/* Starts at the top: `real` and `name` empty. Embedded first in each user's own struct. */
struct ea_path_walk {
	const struct ea_path_walk_ops *ops;
	struct ea_buf real; /* current folder; empty at the top */
	struct ea_buf name; /* last component, in that folder; empty if the path is the folder */
	bool want_dir;	    /* a slash follows the last component: it must be a folder */
};

/*
 * Goes PATH until the last component, which need not exist; with EA_FOLLOW (or if a slash follows)
 * it is no link. 0 or a negative errno.
 */
int ea_path_walk_run(struct ea_path_walk *walk, const char *path, enum ea_follow follow);

/* Where it came to: `real` and `name` in one. */
void ea_path_walk_text(const struct ea_path_walk *walk, struct ea_buf *ret_path);

void ea_path_walk_release(struct ea_path_walk *walk);
