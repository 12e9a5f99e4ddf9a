/* A pool of workers over one last-in first-out queue, which keeps the queue short in deep trees. */
#include "scan/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct ea_pool {
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct ea_job *jobs;
	unsigned pending; /* queued or running */
	unsigned idle;	  /* waiting for work */
	unsigned n_workers;
	struct ea_worker *workers;
	void (*tick)(void *arg);
	void *tick_arg;
};

struct ea_pool *ea_pool_new(unsigned n_workers)
{
	struct ea_pool *pool = ea_xmalloc(sizeof(*pool));

	*pool = (struct ea_pool){ .n_workers = n_workers ? n_workers : 1 };
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->wake, NULL);
	pool->workers = ea_xmalloc(sizeof(*pool->workers) * pool->n_workers);
	for (unsigned i = 0; i < pool->n_workers; i++) {
		struct ea_worker *worker = &pool->workers[i];

		*worker = (struct ea_worker){ .pool = pool };
		worker->gaps.arena = &worker->arena;
	}
	return pool;
}

struct ea_worker *ea_pool_worker(struct ea_pool *pool, unsigned index)
{
	return &pool->workers[index];
}

unsigned ea_pool_size(const struct ea_pool *pool)
{
	return pool->n_workers;
}

void ea_pool_push(struct ea_pool *pool, struct ea_job *job)
{
	pthread_mutex_lock(&pool->lock);
	job->next = pool->jobs;
	pool->jobs = job;
	pool->pending++;
	if (pool->idle)
		pthread_cond_signal(&pool->wake);
	pthread_mutex_unlock(&pool->lock);
}

static struct ea_job *take_job(struct ea_pool *pool)
{
	struct ea_job *job;

	pthread_mutex_lock(&pool->lock);
	while (!pool->jobs && pool->pending) {
		pool->idle++;
		pthread_cond_wait(&pool->wake, &pool->lock);
		pool->idle--;
	}
	job = pool->jobs;
	if (job)
		pool->jobs = job->next;
	pthread_mutex_unlock(&pool->lock);
	return job;
}

static void finish_job(struct ea_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	if (--pool->pending == 0)
		pthread_cond_broadcast(&pool->wake);
	pthread_mutex_unlock(&pool->lock);
}

static void work(struct ea_worker *worker)
{
	struct ea_pool *pool = worker->pool;
	struct ea_job *job;

	while ((job = take_job(pool))) {
		job->run(worker, job);
		ea_arena_reset(&worker->scratch);
		finish_job(pool);
		if (pool->tick && worker == &pool->workers[0])
			pool->tick(pool->tick_arg);
	}
}

static void *thread_main(void *arg)
{
	work(arg);
	return NULL;
}

void ea_pool_run(struct ea_pool *pool, void (*tick)(void *arg), void *arg)
{
	pthread_t *threads = ea_xmalloc(sizeof(*threads) * pool->n_workers);
	unsigned started = 1;

	pool->tick = tick;
	pool->tick_arg = arg;
	/* Where no further thread can be had, the work is done by those that there are. */
	while (started < pool->n_workers &&
	       pthread_create(&threads[started], NULL, thread_main, &pool->workers[started]) == 0)
		started++;
	work(&pool->workers[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

void ea_pool_free(struct ea_pool *pool)
{
	if (!pool)
		return;
	for (unsigned i = 0; i < pool->n_workers; i++) {
		ea_arena_release(&pool->workers[i].arena);
		ea_arena_release(&pool->workers[i].scratch);
	}
	free(pool->workers);
	pthread_cond_destroy(&pool->wake);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}
