/*
 * A pool of workers over one queue of jobs; jobs may queue further jobs. The only user of threads.
 *
 * Each worker owns an arena and a list of gaps, which the caller takes over when all is done. Jobs
 * run in no order: results must not depend on it.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "model/gap.h"

struct ea_pool;

struct ea_worker {
	struct ea_pool *pool;
	struct ea_arena arena;	 /* lives as long as the results */
	struct ea_arena scratch; /* emptied after every job */
	struct ea_gaps gaps;
	void *data; /* the caller's, one per worker */
};

/* Embedded first in the caller's own struct; allocated by the caller, freed by run(). */
struct ea_job {
	struct ea_job *next;
	void (*run)(struct ea_worker *worker, struct ea_job *job);
};

struct ea_pool *ea_pool_new(unsigned n_workers);

/* 0 .. n-1; only before ea_pool_run() and after it. */
struct ea_worker *ea_pool_worker(struct ea_pool *pool, unsigned index);
unsigned ea_pool_size(const struct ea_pool *pool);

/* Queues a job; from the caller before ea_pool_run(), from jobs while it runs. */
void ea_pool_push(struct ea_pool *pool, struct ea_job *job);

/* Runs until no job is left; worker 0 is the calling thread. TICK (or NULL) is called by it now and
 * then. */
void ea_pool_run(struct ea_pool *pool, void (*tick)(void *arg), void *arg);

/* The workers' arenas must have been taken over before (ea_arena_absorb). NULL is fine. */
void ea_pool_free(struct ea_pool *pool);
