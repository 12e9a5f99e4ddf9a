/*
 * Scan: from a target to its world. It walks the target and the folders around it that the loader
 * can reach from there, reads package records, follows links, attaches owners, chooses versions. It
 * lives as long as somebody wants to ask for further files.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "fs/root.h"
#include "matrix/libraries.h"
#include "model/provider.h"
#include "model/world.h"

struct ea_scan;

struct ea_scan_options {
	const struct ea_libraries *libraries;
	bool on_demand; /* no walk: the world gets what the provider is asked for */
	bool packages;	/* read who owns what, and what the machine is */
	bool deep;	/* open every file, not only those that look like libraries */
	bool verify;	/* hash every recorded library */
	bool arches;	/* read which GPUs each library has code for */
	unsigned jobs;	/* workers; 0 = as many as there are processors, at most 8 */
	void (*progress)(void *arg, const char *what, uint64_t done);
	void *progress_arg;
};

/*
 * WORLD is initialised, its target and environment are set; it lives in ROOT. Both must outlive the
 * scan. What cannot be read is a gap in the world; an error is only what leaves no world at all.
 */
EA_MUST_CHECK int ea_scan_new(struct ea_root *root, const struct ea_scan_options *options,
			      struct ea_world *world, struct ea_scan **ret_scan,
			      struct ea_err *err);
void ea_scan_free(struct ea_scan *scan); /* NULL is fine */

/* Answers the loader out of the world, and adds to it what it has to read for that. */
const struct ea_provider *ea_scan_provider(struct ea_scan *scan);

/* Numbers the copies that came by the provider, finds their owners, chooses their versions. */
void ea_scan_settle(struct ea_scan *scan);
