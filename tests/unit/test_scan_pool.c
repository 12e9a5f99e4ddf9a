/* scan/pool and scan/seen: every job runs once, jobs queue jobs, inodes are claimed once. */
#include "unit.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "scan/pool.h"
#include "scan/seen.h"

struct tree_job {
	struct ea_job job;
	unsigned depth;
	_Atomic unsigned *runs;
};

static void push_tree(struct ea_pool *pool, unsigned depth, _Atomic unsigned *runs);

static void run_tree(struct ea_worker *worker, struct ea_job *job)
{
	struct tree_job *tree = (struct tree_job *)job;

	(*tree->runs)++;
	ea_gaps_add(&worker->gaps, NULL, EA_GAP_IGNORED, "depth %u", tree->depth);
	assert_non_null(ea_arena_alloc(&worker->scratch, 100));
	for (int i = 0; i < 3 && tree->depth; i++)
		push_tree(worker->pool, tree->depth - 1, tree->runs);
	free(tree);
}

static void push_tree(struct ea_pool *pool, unsigned depth, _Atomic unsigned *runs)
{
	struct tree_job *tree = malloc(sizeof(*tree));

	assert_non_null(tree);
	*tree = (struct tree_job){ .job.run = run_tree, .depth = depth, .runs = runs };
	ea_pool_push(pool, &tree->job);
}

static void runs_every_job_with_any_number_of_workers(void **state)
{
	static const unsigned workers[] = { 1, 2, 8 };

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(workers); i++) {
		struct ea_pool *pool = ea_pool_new(workers[i]);
		_Atomic unsigned runs = 0;
		unsigned gaps = 0;

		push_tree(pool, 7, &runs);
		ea_pool_run(pool, NULL, NULL);
		/* 1 + 3 + 9 + … + 3^7 */
		assert_int_equal(runs, 3280);
		for (unsigned w = 0; w < ea_pool_size(pool); w++)
			gaps += ea_pool_worker(pool, w)->gaps.list.n;
		assert_int_equal(gaps, 3280);
		/* A pool can be run again. */
		push_tree(pool, 0, &runs);
		ea_pool_run(pool, NULL, NULL);
		assert_int_equal(runs, 3281);
		ea_pool_free(pool);
	}
}

static void an_inode_has_one_filler(void **state)
{
	struct ea_seen seen;
	struct ea_elf *elf;
	bool first;

	(void)state;
	ea_seen_init(&seen);
	elf = ea_seen_elf(&seen, 1, 2, &first);
	assert_true(first);
	assert_ptr_equal(ea_seen_elf(&seen, 1, 2, &first), elf);
	assert_false(first);
	ea_seen_unclaim(&seen, 1, 2);
	assert_ptr_equal(ea_seen_elf(&seen, 1, 2, &first), elf);
	assert_true(first);
	assert_ptr_not_equal(ea_seen_elf(&seen, 2, 2, &first), elf);
	assert_true(first);
	assert_true(ea_seen_first(&seen, "/a"));
	assert_false(ea_seen_first(&seen, "/a"));
	assert_true(ea_seen_first(&seen, "/ab"));
	ea_seen_release(&seen);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(runs_every_job_with_any_number_of_workers),
	cmocka_unit_test(an_inode_has_one_filler),
};

UNIT_MAIN(tests)
