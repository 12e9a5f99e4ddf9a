/* A line on the terminal for the one who waits; gone when the report comes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct ea_progress {
	bool enabled; /* standard error is a terminal, and nobody asked for quiet */
	bool shown;   /* there is something to wipe away */
	struct timespec start, last;
};

void ea_progress_start(struct ea_progress *progress, bool quiet);

/* The callback of struct ea_audit_options; ARG is the struct. */
void ea_progress_tell(void *arg, const char *what, uint64_t done);

void ea_progress_wipe(struct ea_progress *progress);
