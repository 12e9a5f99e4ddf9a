/*
 * The walk: one pass over folders of a root by the workers of a pool. Every candidate is read once,
 * package records on the way are read by the inventory's jobs. Results lie with the workers, in no
 * order; scan/merge.h makes a world of them.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "fs/root.h"
#include "inventory/inventory.h"
#include "matrix/libraries.h"
#include "scan/pool.h"
#include "scan/seen.h"

enum ea_walk_mode {
	EA_WALK_TREE,	  /* the folder and all below it, every candidate */
	EA_WALK_FAMILIES, /* this folder alone, only names of known families */
};

struct ea_walk {
	const struct ea_root *root;
	const struct ea_libraries *libraries;
	struct ea_pool *pool;
	bool deep;   /* every regular file is a candidate */
	bool arches; /* read which GPUs a library has code for */
	struct ea_seen seen;
	_Atomic uint64_t n_files; /* entries seen so far */
};

/* What the workers found: worker->data. */
struct ea_walk_found {
	EA_VEC(struct ea_copy *) copies;
	EA_VEC(struct ea_inventory *) inventories;
	EA_VEC(struct ea_job *) again; /* jobs that wait for ea_root_advance() */
};

/* Prepares the pool's workers. ROOT, LIBRARIES and POOL must outlive the walk. */
void ea_walk_init(struct ea_walk *walk, const struct ea_root *root,
		  const struct ea_libraries *libraries, struct ea_pool *pool);
void ea_walk_release(struct ea_walk *walk);

/*
 * Queues a folder; a folder is walked once however often it is queued or met, in the mode of the
 * first time, so queue trees first. PATH may hold links; 1 = it does not exist.
 */
int ea_walk_folder(struct ea_walk *walk, const char *path, enum ea_walk_mode mode);

/* Queues one file, whatever its name. */
void ea_walk_file(struct ea_walk *walk, const char *path);

/* Queues a job of the inventory for FOLDER, once for each pair of both. */
void ea_walk_inventory(struct ea_walk *walk, ea_inventory_fn fn, const char *folder);

/* Queues what is to be read of a site-packages folder besides its libraries. */
void ea_walk_site(struct ea_walk *walk, const char *folder);

/* Runs what is queued, and streamed layers again until nothing is asked for any more. */
EA_MUST_CHECK int ea_walk_run(struct ea_walk *walk, struct ea_root *root, void (*tick)(void *arg),
			      void *arg, struct ea_err *err);

/*
 * Reads one file as a candidate outside the walk (a link's target, a file that the loader tries):
 * NULL when there is nothing to keep of it. REAL must be resolved. Not for use while workers run.
 */
struct ea_copy *ea_walk_read(struct ea_walk *walk, struct ea_worker *worker, const char *real);
