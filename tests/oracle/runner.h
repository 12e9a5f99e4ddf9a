/* Runs one case both ways and compares; shared by the cases, the fuzzer and the mutations. */
#pragma once

#include "transcript.h"

struct runner {
	struct sandbox box;
	struct ea_root *root;
	struct files *files;
	struct prediction how;
	unsigned minor; /* of the loader's glibc; 0 = musl */
	char libc[32];	/* "glibc 2.36", "musl 1.2.3" */
};

/* As sandbox_open(), with the driver beside the tests; 1 = this machine does not allow it. */
int runner_open(struct runner *r, const char *root, struct ea_err *err);

/* As sandbox_open_host(). */
int runner_open_host(struct runner *r, struct ea_err *err);
void runner_close(struct runner *r);

/* The case is for another version or libc, or needs what the root has not. */
bool runner_skips(const struct runner *r, const struct test_case *test);

/*
 * Appends the differences to DIFFERENCES: 0, also if there are some, or a negative error. OUTPUT,
 * if not NULL, gets what the real loader wrote.
 */
int runner_compare(struct runner *r, const struct test_case *test, struct ea_buf *differences,
		   struct ea_buf *output, struct ea_err *err);

/* What the real loader wrote is read once, then compared with the model under each of many
 * settings. */
int runner_run_real(struct runner *r, const struct test_case *test, struct ea_buf *output,
		    int *ret_status, struct ea_err *err);
int runner_run_model(struct runner *r, const struct test_case *test, struct ea_str output,
		     int status, struct ea_buf *differences, struct ea_err *err);
void runner_clear(struct runner *r);

/* Calls FN for each case of a file, or of all files of tests/oracle/cases. */
int runner_cases(const char *path, int (*fn)(void *arg, struct test_case *test), void *arg,
		 struct ea_err *err);
int runner_all_cases(int (*fn)(void *arg, struct test_case *test), void *arg, struct ea_err *err);
