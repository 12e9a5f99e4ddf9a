/*
 * Runs cases under the real loader and under the model, and compares the two, step by step (TAP).
 *
 *	loader_cases [--root DIR] [--only NAME] [--glibc VERSION] [--verbose] [FILE…]
 *
 * --root: loader and C library of this root file system, instead of the machine's own.
 * FILE: cases; without one, all of tests/oracle/cases.
 */
#include <getopt.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf.h"
#include "transcript.h"

struct runner {
	struct sandbox box;
	struct ea_root *root;
	struct files *files;
	const char *only;
	bool verbose;
	struct prediction how;
	unsigned minor; /* of the loader's version */
	unsigned run, failed;
};

static bool is_for(const struct runner *r, const struct test_case *test)
{
	if (test->musl)
		return false;
	return (test->oldest == 0 || r->minor >= test->oldest) &&
	       (test->newest == 0 || r->minor <= test->newest);
}

static void report(struct runner *r, const struct test_case *test, const struct ea_buf *differences)
{
	struct ea_str rest = ea_buf_str(differences), line;

	r->failed += differences->len > 0;
	printf("%s %u - %s\n", differences->len > 0 ? "not ok" : "ok", r->run, test->name);
	while (ea_str_line(&rest, &line))
		printf("#%.*s\n", (int)line.len, line.ptr);
}

static int run_case(void *arg, struct test_case *test)
{
	struct runner *r = arg;
	struct ea_arena arena = { 0 };
	struct ea_buf output = { 0 }, differences = { 0 };
	struct transcript real = { 0 }, model = { 0 };
	struct ea_err err;
	int status, rc;

	if (r->only && !ea_streq(r->only, test->name))
		return 0;
	r->run++;
	if (!is_for(r, test)) {
		printf("ok %u - %s # SKIP not for glibc 2.%u\n", r->run, test->name, r->minor);
		return 0;
	}
	rc = sandbox_build(&r->box, test, &err);
	if (rc == 0)
		rc = sandbox_run(&r->box, test, &output, &status, &err);
	if (rc == 0) {
		transcript_of_output(&arena, &r->box, ea_buf_str(&output), status, &real);
		rc = transcript_of_model(&arena, &r->box, test, r->files, &r->how, &model, &err);
	}
	if (r->verbose)
		fwrite(output.ptr, 1, output.len, stdout);
	if (rc < 0)
		ea_buf_printf(&differences, "  %s\n", err.text);
	else
		transcript_compare(&real, &model, &differences);
	report(r, test, &differences);
	files_forget(r->files);
	sandbox_clear(&r->box);
	ea_buf_release(&output);
	ea_buf_release(&differences);
	ea_arena_release(&arena);
	return 0;
}

/* Reads the files of the base into the provider, and the loader's version. */
static int prepare(struct runner *r, struct ea_err *err)
{
	struct test_case empty = { .name = "empty" };
	struct ea_arena arena = { 0 };
	struct transcript transcript = { 0 };
	struct ea_str loader;
	const struct ea_provider *provider;
	size_t at;
	int rc;

	rc = ea_root_folder(r->box.dir, &r->root, err);
	if (rc != 0)
		return rc;
	r->files = files_new(r->root);
	provider = files_provider(r->files);
	if (provider->read(provider->ctx, r->box.interp, 64 << 20, &loader) == 0) {
		at = ea_str_find_str(loader, EA_STR("release version 2."));
		if (at < loader.len)
			r->minor = (unsigned)strtoul(loader.ptr + at + 18, NULL, 10);
		else
			r->minor = 31;
	}
	rc = sandbox_build(&r->box, &empty, err);
	if (rc == 0)
		rc = transcript_of_model(&arena, &r->box, &empty, r->files, &r->how, &transcript,
					 err);
	sandbox_clear(&r->box);
	files_forget(r->files);
	ea_arena_release(&arena);
	return rc;
}

static int read_cases(struct runner *r, const char *path, struct ea_err *err)
{
	struct ea_root *host = ea_root_host();
	struct ea_arena arena = { 0 };
	struct ea_buf text = { 0 };
	char *full = realpath(path, NULL);
	int rc = full ? ea_root_read(host, full, 1 << 24, &text) : -2;

	if (rc != 0)
		rc = ea_err_errno(err, -rc, "%s", path);
	else
		rc = case_parse(&arena, ea_buf_str(&text), path, run_case, r, err);
	free(full);
	ea_buf_release(&text);
	ea_arena_release(&arena);
	ea_root_free(host);
	return rc;
}

/* All cases of the source folder. */
static int read_all(struct runner *r, struct ea_err *err)
{
	const char *top = getenv("top_srcdir");
	struct ea_arena arena = { 0 };
	glob_t found = { 0 };
	int rc = 0;

	glob(ea_arena_printf(&arena, "%s/tests/oracle/cases/*.cases", top ? top : "."), 0, NULL,
	     &found);
	for (size_t i = 0; i < found.gl_pathc && rc == 0; i++)
		rc = read_cases(r, found.gl_pathv[i], err);
	globfree(&found);
	ea_arena_release(&arena);
	return rc;
}

static int run(struct runner *r, const char *root, char **files, struct ea_err *err)
{
	const char *top = getenv("top_builddir");
	struct ea_arena arena = { 0 };
	int rc = sandbox_open(&r->box, root,
			      ea_arena_printf(&arena, "%s/tests/oracle/driver.so", top ? top : "."),
			      err);

	ea_arena_release(&arena);
	if (rc > 0) {
		printf("1..0 # SKIP %s\n", err->text);
		return 0;
	}
	if (rc == 0)
		rc = prepare(r, err);
	if (!*files && rc == 0)
		rc = read_all(r, err);
	for (; *files && rc == 0; files++)
		rc = read_cases(r, *files, err);
	if (rc != 0)
		printf("Bail out! %s\n", err->text);
	else
		printf("1..%u\n# glibc 2.%u: %u of %u cases differ\n", r->run, r->minor, r->failed,
		       r->run);
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
	struct runner r = { 0 };
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
			r.how.libc_version = optarg;
			break;
		case 'v':
			r.verbose = true;
			break;
		default:
			return 2;
		}
	}
	ea_elf_init();
	c = run(&r, root, argv + optind, &err) != 0 || r.failed > 0;
	if (r.files)
		files_free(r.files);
	ea_root_free(r.root);
	ea_arena_release(&r.box.arena);
	return c;
}
