/*
 * Layers laid over each other. Only image*.c include this.
 */
#pragma once

#include "fs/image_tar.h"
#include "fs/image_tree.h"
#include "model/gap.h"

/* A layer of an image, or the one archive that a root file system is. */
struct ea_layer_blob {
	struct ea_blob blob;
	const char *name;   /* for gaps and errors: its digest or file name */
	const char *digest; /* hex of its SHA-256, or NULL */
	bool whiteouts;
};

/*
 * Lays layer NUMBER over TREE. Files of a packed one that somebody may want to read come into
 * SPOOL. What could not be understood is a gap; -EA_E_TARGET where its digest is another, or where
 * a limit ends it.
 */
EA_MUST_CHECK int ea_layer_apply(const struct ea_layer_blob *layer, uint16_t number,
				 struct ea_tree *tree, struct ea_spool *spool, struct ea_gaps *gaps,
				 struct ea_err *err);

/* Once more over a packed layer, for a file that was not kept: 0 or a negative errno. */
int ea_layer_fetch(const struct ea_layer_blob *layer, struct ea_content *content,
		   struct ea_arena *arena, struct ea_spool *spool);
