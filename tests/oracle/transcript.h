/*
 * What a loader did with a case, step by step, in a form in which two accounts can be compared:
 * what the real one said under LD_DEBUG and to the driver, and what the model says.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "case.h"
#include "files.h"
#include "sandbox.h"

#define CRASHED "killed by a signal" /* a result */

struct lines {
	const char **items;
	uint32_t n, cap;
};

/* The start of the program, then each dlopen. */
struct step {
	const char *result; /* "started", "ok PATH", "null", "error TEXT"; how the process ended */
	struct lines tries; /* paths that were tried, in order */
	struct lines binds; /* "FROM SYMBOL [VERSION] TO" */
	struct lines inits; /* objects whose constructors ran */
	struct lines messages; /* what the loader printed */
	struct lines maps;     /* what is loaded afterwards, in order */
};

struct transcript {
	struct step *items;
	uint32_t n, cap;
};

/* Out of what sandbox_run() gave. */
void transcript_of_output(struct ea_arena *arena, const struct sandbox *box, struct ea_str output,
			  int status, struct transcript *ret);

/* A constructor that is known to dlopen, by the SONAME of its object. */
struct constructor {
	const char *soname, *opens; /* NULL ends a table */
	int flags;
};

struct prediction {
	uint64_t flip;		  /* policies to turn round */
	const char *libc_version; /* NULL = the root's own */
	const struct constructor *constructors;
};

/* Out of the model. */
int transcript_of_model(struct ea_arena *arena, const struct sandbox *box,
			const struct test_case *test, const struct files *files,
			const struct prediction *how, struct transcript *ret, struct ea_err *err);

/* Appends the differences to OUT; true if there are none. */
bool transcript_compare(const struct transcript *real, const struct transcript *model,
			struct ea_buf *out);
