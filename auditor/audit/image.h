/* Container images as targets: their file systems, and what they say of their processes. */
#pragma once

#include "audit/audit.h"
#include "fs/image.h"

/*
 * The archive or layout folder NAME, "-" being standard input. 1 = something else; errors as
 * ea_images_open().
 */
EA_MUST_CHECK int ea_audit_open_images(const char *name, const struct ea_audit_options *options,
				       struct ea_images **ret, struct ea_err *err);

/* Puts the environment, layers and GAPS of IMAGE into WORLD. */
void ea_audit_image_world(const struct ea_image *image, const struct ea_audit_options *options,
			  const struct ea_gaps *gaps, struct ea_world *world);

/* What report and messages call it: the archive, and the image where there are more. */
const char *ea_audit_image_name(const char *name, const struct ea_images *images, uint32_t i,
				struct ea_arena *arena);
