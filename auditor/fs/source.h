/*
 * A source: where the files of one layer of a root come from (the host, a folder, an archive). This
 * is what a new kind of source implements; everything else uses fs/root.h.
 *
 * Paths given to a source are absolute inside it. As a rule they are normalized and no component
 * but the last is a symbolic link: the root has resolved them, and passes EA_NOFOLLOW. A source
 * that has `resolve` also takes paths with links, `.` and `..` anywhere and keeps them inside
 * itself; it is asked directly where it is the only layer of a root. All functions return 0 or a
 * negative errno, and all but `advance` and `free` may be called by several threads at once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

enum ea_file_type {
	EA_FILE_UNKNOWN, /* the listing did not say: stat decides */
	EA_FILE_REGULAR,
	EA_FILE_DIR,
	EA_FILE_LINK,
	EA_FILE_OTHER, /* FIFO, socket, device: never opened */
};

struct ea_stat {
	enum ea_file_type type;
	uint64_t dev, ino, size;
	uint32_t mode; /* permission bits */
	uint32_t nlink;
};

struct ea_entry {
	const char *name; /* valid during the call */
	enum ea_file_type type;
	uint64_t ino;
};

/* 0 for a regular file, else what ea_root_open() gives for the type: -EISDIR, -ELOOP, -EPERM. */
int ea_stat_check_regular(const struct ea_stat *stat);

enum ea_follow {
	EA_NOFOLLOW, /* the last component itself */
	EA_FOLLOW,   /* where it leads */
};

/* Called for each entry but `.` and `..`, in no order; not 0 ends the listing with that value. */
typedef int (*ea_list_fn)(void *arg, const struct ea_entry *entry);

struct ea_file;

struct ea_file_ops {
	/*
	 * Up to LEN bytes at OFF: the number read, less only at the end of the file, or a negative
	 * errno, but never -EINTR. -EA_E_AGAIN: a streamed source has noted the range and has it
	 * after ea_root_advance().
	 */
	long (*read_at)(struct ea_file *file, void *buf, size_t len, uint64_t off);
	void (*close)(struct ea_file *file);
};

struct ea_file {
	const struct ea_file_ops *ops;
	struct ea_stat stat; /* as it was when opened */
	int fd;		     /* a descriptor that preads the same bytes, or -1 */
};

struct ea_source;

struct ea_source_ops {
	const char *name; /* "folder", "tar" */
	int (*stat)(struct ea_source *source, const char *path, enum ea_follow follow,
		    struct ea_stat *ret);
	/* The text of a link, appended; -EINVAL if PATH is none. */
	int (*readlink)(struct ea_source *source, const char *path, struct ea_buf *ret_text);
	int (*list)(struct ea_source *source, const char *path, ea_list_fn fn, void *arg);
	/*
	 * EA_NOFOLLOW: PATH has just been seen to be a regular file. EA_FOLLOW: it may be anything,
	 * which has to be found out before it is opened. See ea_root_open() for the errors.
	 */
	int (*open)(struct ea_source *source, const char *path, enum ea_follow follow,
		    struct ea_file **ret_file);
	/* Optional: see above and ea_root_resolve(). RET_REAL is empty before. */
	int (*resolve)(struct ea_source *source, const char *path, enum ea_follow follow,
		       struct ea_buf *ret_real);
	/* Optional: one more pass to fetch what read_at asked for; 1 = nothing was asked. */
	int (*advance)(struct ea_source *source, struct ea_err *err);
	/* Optional: number of the image layer that brought PATH (real), or -ENOENT. */
	int (*layer_of)(struct ea_source *source, const char *path);
	void (*free)(struct ea_source *source);
};

/* Embedded first in each kind's own struct. */
struct ea_source {
	const struct ea_source_ops *ops;
};

/*
 * What a source that cannot seek may be given when it is made, so that one pass over its stream is
 * enough: READ does with the regular file PATH what will be done with it later. The source calls it
 * when the beginning of the file has come by; while it returns -EA_E_AGAIN, a read_at() asked for
 * bytes that are not there yet, and it is called again when they are. Any other result ends it.
 * Bytes that have been passed already wait for ea_root_advance().
 */
struct ea_want {
	int (*read)(void *arg, const char *path, struct ea_file *file);
	void *arg;
};
