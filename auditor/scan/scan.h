/*
 * Scan: from a target to its world. Walks the target and the folders around it that the loader can
 * reach from there, reads package records, follows links, attaches owners, chooses versions.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "fs/root.h"
#include "matrix/libraries.h"
#include "model/world.h"

struct ea_scan_options {
	const struct ea_libraries *libraries;
	bool deep;     /* open every file, not only those that look like libraries */
	bool verify;   /* hash every recorded library */
	bool arches;   /* read which GPUs each library has code for */
	unsigned jobs; /* workers; 0 = as many as there are processors, at most 8 */
	void (*progress)(void *arg, const char *what, uint64_t done);
	void *progress_arg;
};

/*
 * WORLD is initialised, its target and environment are set; it lives in ROOT. What cannot be read
 * is a gap in it; an error is only what leaves no world at all.
 */
EA_MUST_CHECK int ea_scan_run(struct ea_root *root, const struct ea_scan_options *options,
			      struct ea_world *world, struct ea_err *err);
