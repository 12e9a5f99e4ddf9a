/*
 * Container images as roots: an archive of `docker save` (old and new form), an OCI archive or
 * layout folder, a root file system as tar (`docker export`). Nothing is unpacked: files are read
 * where they stand in an archive that can be read at any place. Of a compressed layer, what
 * somebody may want to read goes to a temporary file without a name.
 */
#pragma once

#include "base/vec.h"
#include "fs/root.h"
#include "model/gap.h"

struct ea_image_options {
	const char *platform; /* "linux/arm64" or "linux/arm/v7"; NULL = this machine's */
	uint64_t tmp_limit;   /* bytes of the temporary file, and of each unpacked layer */
	bool verify;	      /* also read unpacked layers whole and compare their digests */
};

struct ea_image_layer {
	const char *digest;	/* "sha256:…", or the file's name where none is said */
	const char *created_by; /* line of the history; NULL = unknown */
};

/* One image, as its configuration has it. Texts are NULL where it says nothing. */
struct ea_image {
	const char *name;     /* "app:1.0", else a digest; NULL for a bare root file system */
	const char *platform; /* "linux/amd64" */
	const char *user, *working_dir;
	EA_VEC(const char *) env; /* NAME=VALUE */
	EA_VEC(const char *) entrypoint, cmd;
	EA_VEC(struct ea_image_layer) layers;
};

struct ea_images;

/*
 * PATH on the host: a file or folder; NULL: what comes from standard input. 1 = neither an image
 * nor a tar archive; -EA_E_TARGET: one that cannot be used, the text says why.
 */
EA_MUST_CHECK int ea_images_open(const char *path, const struct ea_image_options *options,
				 struct ea_images **ret, struct ea_err *err);
void ea_images_free(struct ea_images *images); /* NULL is fine; after the roots */

uint32_t ea_images_count(const struct ea_images *images);
const struct ea_image *ea_images_get(const struct ea_images *images, uint32_t i);

/*
 * Its merged file system. Entries that could not be understood come into GAPS; a digest that is
 * not the one it should be is an error. IMAGES must outlive the root.
 */
EA_MUST_CHECK int ea_images_root(struct ea_images *images, uint32_t i, struct ea_gaps *gaps,
				 struct ea_root **ret_root, struct ea_err *err);
