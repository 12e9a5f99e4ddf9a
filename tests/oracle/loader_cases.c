/*
 * Runs cases under the real loader and under the model, and compares the two, step by step (TAP).
 *
 *	loader_cases [--root DIR] [--only NAME] [--glibc VERSION] [--verbose] [FILE…]
 *
 * --root: loader and C library of this root file system, instead of the machine's own.
 * FILE: cases; without one, all of tests/oracle/cases.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "elf/elf.h"
#include "runner.h"

struct run {
	struct runner runner;
	const char *only;
	bool verbose;
	unsigned n, failed;
};

static void report(struct run *r, const struct test_case *test, const struct ea_buf *differences)
{
	struct ea_str rest = ea_buf_str(differences), line;

	r->failed += differences->len > 0;
	printf("%s %u - %s\n", differences->len > 0 ? "not ok" : "ok", r->n, test->name);
	while (ea_str_line(&rest, &line))
		printf("#%.*s\n", (int)line.len, line.ptr);
}

static int run_case(void *arg, struct test_case *test)
{
	struct run *r = arg;
	struct ea_buf output = { 0 }, differences = { 0 };
	struct ea_err err;

	if ((r->only && !ea_streq(r->only, test->name)) || (test->musl && !r->runner.box.musl))
		return 0;
	r->n++;
	if (runner_skips(&r->runner, test)) {
		printf("ok %u - %s # SKIP not for %s\n", r->n, test->name, r->runner.libc);
		return 0;
	}
	if (runner_compare(&r->runner, test, &differences, &output, &err) != 0)
		ea_buf_printf(&differences, "  %s\n", err.text);
	if (r->verbose)
		fwrite(output.ptr, 1, output.len, stdout);
	report(r, test, &differences);
	ea_buf_release(&output);
	ea_buf_release(&differences);
	return 0;
}

static int run_all(struct run *r, const char *root, char **files, struct ea_err *err)
{
	int rc = runner_open(&r->runner, root, err);

	if (rc > 0) {
		printf("1..0 # SKIP %s\n", err->text);
		return 0;
	}
	if (!*files && rc == 0)
		rc = runner_all_cases(run_case, r, err);
	for (; *files && rc == 0; files++)
		rc = runner_cases(*files, run_case, r, err);
	if (rc != 0)
		printf("Bail out! %s\n", err->text);
	else
		printf("1..%u\n# %s: %u of %u cases differ\n", r->n, r->runner.libc, r->failed,
		       r->n);
	return rc;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "root", required_argument, NULL, 'r' },
		{ "only", required_argument, NULL, 'o' },
		{ "glibc", required_argument, NULL, 'g' },
		{ "verbose", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	struct run r = { 0 };
	const char *root = NULL;
	struct ea_err err = { 0 };
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'r':
			root = optarg;
			break;
		case 'o':
			r.only = optarg;
			break;
		case 'g':
			r.runner.how.libc_version = optarg;
			break;
		case 'v':
			r.verbose = true;
			break;
		default:
			return 2;
		}
	}
	ea_elf_init();
	c = run_all(&r, root, argv + optind, &err) != 0 || r.failed > 0;
	runner_close(&r.runner);
	return c;
}
