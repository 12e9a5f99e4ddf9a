/*
 * What the parts of an image archive share: where its blobs are, and the list of images that the
 * manifests give. Only image*.c include this.
 */
#pragma once

#include <jansson.h>

#include "fs/image.h"
#include "fs/image_layer.h"

struct ea_image_parts {
	struct ea_image image;
	EA_VEC(struct ea_layer_blob) layers;
};

struct ea_images {
	struct ea_image_options options;
	struct ea_arena arena;
	struct ea_gaps gaps;  /* of the archive itself */
	struct ea_root *root; /* the archive or layout folder: blobs are its files */
	struct ea_spool spool;
	int fd;	   /* the archive; -1: a folder */
	bool bare; /* no image: `root` is the file system, and belongs to who asks for it */
	const char *name;
	EA_VEC(struct ea_file *) files; /* that hold blobs */
	EA_VEC(struct ea_image_parts *) list;
};

/* ---- image_store.c --------------------------------------------------------------------------- */

bool ea_images_has(const struct ea_images *images, const char *name);

/* The file NAME as a blob. -EA_E_TARGET: absent, or not in one piece. */
EA_MUST_CHECK int ea_images_blob(struct ea_images *images, const char *name,
				 struct ea_blob *ret_blob, struct ea_err *err);

/*
 * The file NAME as JSON; DIGEST (hex, or NULL) is what its SHA-256 must be. An owned reference; an
 * object or an array.
 */
EA_MUST_CHECK int ea_images_json(struct ea_images *images, const char *name, const char *digest,
				 json_t **ret_json, struct ea_err *err);

/* "sha256:HEX" as the name of its blob; NULL if it is not that. *RET_HEX: the digits. */
const char *ea_images_blob_name(struct ea_images *images, const char *digest, const char **ret_hex);

/* For EA_CLEANUP. */
void ea_json_decref_ptr(json_t **json);

/* A text of OBJECT in the arena, or NULL. */
const char *ea_images_text(struct ea_images *images, const json_t *object, const char *key);

/* A layer more: its file NAME, DIGEST (hex) of the file as it stands there, or NULL. */
EA_MUST_CHECK int ea_images_add_layer(struct ea_images *images, struct ea_image_parts *parts,
				      const char *name, const char *digest, struct ea_err *err);

/* ---- image_config.c -------------------------------------------------------------------------- */

/* What an image's configuration says; DIFF_IDS: it also names the digests of unpacked layers. */
void ea_image_take_config(struct ea_images *images, struct ea_image_parts *parts,
			  const json_t *config);

/* ---- image_manifest.c, image_legacy.c: they fill `list` -------------------------------------- */

/* manifest.json of `docker save`. */
EA_MUST_CHECK int ea_images_read_docker(struct ea_images *images, struct ea_err *err);
/* `repositories` of `docker save` before 1.10. */
EA_MUST_CHECK int ea_images_read_legacy(struct ea_images *images, struct ea_err *err);
/* index.json of an OCI layout. */
EA_MUST_CHECK int ea_images_read_oci(struct ea_images *images, struct ea_err *err);
