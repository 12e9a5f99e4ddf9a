/*
 * Several layers as one file system. Only root.c and layers_*.c include this.
 *
 * Which layer a path comes from is found going down from the top. In each folder a number is kept:
 * the lowest layer that shows through, because a whiteout, an opaque folder or something that is no
 * folder in an upper layer hides all below it.
 */
#pragma once

#include "fs/walk.h"

struct ea_layer {
	struct ea_source *source;
	char *at; /* where its "/" appears; "" is the top */
	bool whiteouts;
};

struct ea_root {
	struct ea_layer *layers; /* the lowest first */
	size_t n_layers;
	struct ea_source *direct; /* the only source, where it resolves paths itself; else NULL */
};

/* A path that was found. */
struct ea_place {
	size_t layer;	     /* the uppermost that has it; n_layers for a top that no layer has */
	size_t lowest;	     /* of a folder: the lowest layer that shows through in it */
	struct ea_stat stat; /* of the uppermost */
	struct ea_buf path;  /* real path; "" for the top */
};

/* Where PATH is: 0 or a negative errno; release RET->path in both cases. */
int ea_layers_find(const struct ea_root *root, const char *path, enum ea_follow follow,
		   struct ea_place *ret);

/* As ea_root_resolve() and ea_root_list(). */
int ea_layers_resolve(const struct ea_root *root, const char *path, enum ea_follow follow,
		      struct ea_buf *ret_real);
int ea_layers_list(const struct ea_root *root, const char *path, ea_list_fn fn, void *arg);

/* ---- one layer ------------------------------------------------------------------------------- */

/* PATH (real; "" for the top) as the layer's source calls it, or NULL where it is not inside. */
const char *ea_layer_path(const struct ea_layer *layer, const char *path);

/* PATH lies above the place where the layer begins: a folder that the layer implies. */
bool ea_layer_implies(const struct ea_layer *layer, const char *path);

/* PATH in this layer alone, implied folders too. */
int ea_layer_stat(const struct ea_layer *layer, const char *path, struct ea_stat *ret);
