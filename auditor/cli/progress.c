/* Progress on standard error. */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#define PATIENCE 0.5 /* seconds of work that need no word */
#define INTERVAL 0.1 /* seconds between two words */

static double seconds_since(const struct timespec *start, const struct timespec *now)
{
	return (double)(now->tv_sec - start->tv_sec) +
	       (double)(now->tv_nsec - start->tv_nsec) / 1e9;
}

void ea_progress_start(struct ea_progress *progress, bool quiet)
{
	*progress = (struct ea_progress){ .enabled = !quiet && isatty(STDERR_FILENO) };
	clock_gettime(CLOCK_MONOTONIC, &progress->start);
}

void ea_progress_tell(void *arg, const char *what, uint64_t done)
{
	struct ea_progress *progress = arg;
	struct timespec now;

	if (!progress->enabled)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (seconds_since(&progress->start, &now) < PATIENCE ||
	    seconds_since(&progress->last, &now) < INTERVAL)
		return;
	progress->last = now;
	progress->shown = true;
	fprintf(stderr, "\r\033[K%s: %llu", what, (unsigned long long)done);
	fflush(stderr);
}

void ea_progress_wipe(struct ea_progress *progress)
{
	if (progress->shown) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	progress->shown = false;
}
