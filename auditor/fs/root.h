/*
 * A root: the file system that a target lives in, read through one interface. It is an ordered list
 * of layers; the host, a folder, image layers, mounted driver files and the overlay in which a fix
 * is tried are all layers of one kind. Paths are absolute as seen inside the root; symbolic links,
 * absolute ones too, never lead out of it, `..` at the top stays at the top.
 *
 * A root is built once, then only read: all reading functions may be called by several threads at
 * once. They return 0 or a negative errno (ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG, EIO…).
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "fs/source.h"

struct ea_root;

/* The host's own file system, links resolved by the kernel. */
struct ea_root *ea_root_host(void);

/* A host folder as root: nothing outside it is ever opened. */
EA_MUST_CHECK int ea_root_folder(const char *dir, struct ea_root **ret_root, struct ea_err *err);

/* A root without layers; add some, the later ones lie above the earlier ones. */
struct ea_root *ea_root_new(void);

/*
 * Lays SOURCE (owned from now on) over the root: its "/" appears at AT, where links in AT are those
 * of the layers below; folders above it come into being. Entries named `.wh.NAME` and
 * `.wh..wh..opq` of a source are whiteouts as the OCI image specification defines them if
 * WHITEOUTS. Folders merge, everything else of an upper layer hides what lies below.
 */
void ea_root_add_layer(struct ea_root *root, struct ea_source *source, const char *at,
		       bool whiteouts);

void ea_root_free(struct ea_root *root); /* NULL is fine */

/* Sources. The folder may be "/" (the whole host as a layer). */
EA_MUST_CHECK int ea_source_folder(const char *dir, struct ea_source **ret_source,
				   struct ea_err *err);

/* ---- reading: PATH may hold symbolic links anywhere ------------------------------------------ */

int ea_root_stat(const struct ea_root *root, const char *path, enum ea_follow follow,
		 struct ea_stat *ret);

/* The text of a link, appended; -EINVAL if PATH is none. */
int ea_root_readlink(const struct ea_root *root, const char *path, struct ea_buf *ret_text);

/* RET_REAL becomes the path after all links, every component existing but perhaps not the last. */
int ea_root_resolve(const struct ea_root *root, const char *path, enum ea_follow follow,
		    struct ea_buf *ret_real);

/* Entries of all layers merged, whiteouts applied; each name once, in no order. */
int ea_root_list(const struct ea_root *root, const char *path, ea_list_fn fn, void *arg);

/*
 * Opens a regular file. Anything else is never opened: -EISDIR for a folder, -EPERM for devices,
 * FIFOs and sockets. Opening does not block and does not change access times where that can be
 * avoided.
 */
int ea_root_open(const struct ea_root *root, const char *path, struct ea_file **ret_file);

/*
 * As above, in fewer steps, for what ea_root_list() of a resolved folder gave as EA_FILE_REGULAR.
 * The last component is not followed; what is no regular file any more is closed unread.
 */
int ea_root_open_real(const struct ea_root *root, const char *real_path, struct ea_file **ret_file);

/* Index of the layer that brings PATH (not followed), 0 being the lowest; -ENOENT. */
int ea_root_layer_of(const struct ea_root *root, const char *path);

/* Number of the image's layer that brings PATH (not followed); -ENOENT if it is of no image. */
int ea_root_image_layer(const struct ea_root *root, const char *path);

/*
 * One more pass over streamed layers for what was asked; 1 = nothing was asked, all is there. No
 * other thread may use the root meanwhile; open files stay valid.
 */
EA_MUST_CHECK int ea_root_advance(struct ea_root *root, struct ea_err *err);

/* ---- files ----------------------------------------------------------------------------------- */

/* Up to LEN bytes at OFF: see ea_file_ops.read_at. */
long ea_file_read(struct ea_file *file, void *buf, size_t len, uint64_t off);

/* Exactly LEN bytes: 0, -ENODATA when the file ends before, another negative errno. */
int ea_file_read_full(struct ea_file *file, void *buf, size_t len, uint64_t off);

void ea_file_close(struct ea_file *file); /* NULL is fine */

/* For EA_CLEANUP. */
void ea_file_close_ptr(struct ea_file **file);

/*
 * A whole small file, appended to RET (which ends in a NUL that is not counted): -EFBIG when it is
 * larger than LIMIT, else 0 or a negative errno.
 */
int ea_root_read(const struct ea_root *root, const char *path, size_t limit, struct ea_buf *ret);
