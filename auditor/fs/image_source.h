/* The merged tree of an image as a source. Only image*.c include this. */
#pragma once

#include "fs/image_layer.h"

/*
 * Lays LAYERS over each other. They and SPOOL must outlive the source. See ea_layer_apply() for the
 * errors.
 */
EA_MUST_CHECK int ea_source_layers(const struct ea_layer_blob *layers, uint32_t n,
				   struct ea_spool *spool, struct ea_gaps *gaps,
				   struct ea_source **ret_source, struct ea_err *err);

/* Where the bytes of a file of such a source stand, if in one piece; -EIO if not. */
int ea_image_file_blob(const struct ea_file *file, struct ea_blob *ret);
