/* Asks a program what it thinks of a case; shared by the tests that run one beside the real loader.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "case.h"

struct question {
	const char **argv; /* the first is the file to run; NULL ends it */
	const char **env;  /* NULL = this process's */
	const char *root;  /* to run in; NULL = this process's */
	unsigned seconds;  /* after which a signal ends it; 0 = none does */
	bool errors;	   /* what it writes to standard error is taken, too */
};

/* OUTPUT gets what it writes; its exit status, or -errno (-EIO: a signal ended it). */
int ask(const struct question *question, struct ea_buf *output);

/* Makes the program need from the start what the case opens with dlopen, so that no call is left.
 */
void ask_for_start(struct test_case *test, struct ea_arena *arena);

/* REST below the folder that the environment variable names; NULL if there is no such file. To be
 * freed. */
char *ask_path(const char *variable, const char *rest);

/* The name of this machine's processor, as --cpu has it; NULL if there is none that fits. */
const char *ask_cpu(void);
