/* One case, both ways. */
#include "runner.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "loader/facts.h"

/* musl knows its version as a string of its own. */
static void name_musl(struct runner *r)
{
	struct ea_arena arena = { 0 };
	struct ea_loader_facts facts;

	if (ea_loader_facts_read(files_provider(r->files), r->box.interp, &arena, &facts) == 0)
		snprintf(r->libc, sizeof(r->libc), "musl %s", facts.version);
	ea_arena_release(&arena);
}

static unsigned find_minor(const struct ea_provider *provider, const char *interp)
{
	struct ea_str words = EA_STR("release version 2."), loader;
	size_t at;

	if (provider->read(provider->ctx, interp, 64 << 20, &loader) != 0)
		return 0;
	at = ea_str_find_str(loader, words);
	/* Only loaders before 2.33 do not know their own version. */
	return at < loader.len ? (unsigned)strtoul(loader.ptr + at + words.len, NULL, 10) : 31;
}

/* Reads the files of the base into the provider, where they stay. */
static int prepare(struct runner *r, struct ea_err *err)
{
	const struct test_case empty = { .name = "empty" };
	struct ea_arena arena = { 0 };
	struct transcript transcript = { 0 };
	int rc = ea_root_folder(r->box.dir, &r->root, err);

	if (rc != 0)
		return rc;
	r->files = files_new(r->root);
	if (r->box.musl) {
		name_musl(r);
	} else {
		r->minor = find_minor(files_provider(r->files), r->box.interp);
		snprintf(r->libc, sizeof(r->libc), "glibc 2.%u", r->minor);
	}
	rc = sandbox_build(&r->box, &empty, err);
	if (rc == 0)
		rc = transcript_of_model(&arena, &r->box, &empty, r->files, &r->how, &transcript,
					 err);
	ea_arena_release(&arena);
	runner_clear(r);
	return rc;
}

static char *driver_path(struct ea_arena *arena)
{
	const char *top = getenv("top_builddir");

	return ea_arena_printf(arena, "%s/tests/oracle/driver.so", top ? top : ".");
}

int runner_open(struct runner *r, const char *root, struct ea_err *err)
{
	struct ea_arena arena = { 0 };
	int rc = sandbox_open(&r->box, root, driver_path(&arena), err);

	ea_arena_release(&arena);
	return rc == 0 ? prepare(r, err) : rc;
}

int runner_open_host(struct runner *r, struct ea_err *err)
{
	struct ea_arena arena = { 0 };
	int rc = sandbox_open_host(&r->box, driver_path(&arena), err);

	ea_arena_release(&arena);
	r->box.no_bindings = true;
	return rc == 0 ? prepare(r, err) : rc;
}

void runner_close(struct runner *r)
{
	if (r->files)
		files_free(r->files);
	ea_root_free(r->root);
	ea_arena_release(&r->box.scratch);
	ea_arena_release(&r->box.arena);
}

bool runner_skips(const struct runner *r, const struct test_case *test)
{
	ea_vec_foreach(item, &test->items)
		if (item->kind == ITEM_LDCONFIG && !r->box.has_ldconfig)
			return true;
	ea_vec_foreach(opening, &test->openings)
		if (r->box.emulated && ea_str_starts(ea_str(opening->name), "linux-vdso"))
			return true;
	if (r->box.musl || test->musl)
		return !r->box.musl || test->oldest > 0;
	return (test->oldest && r->minor < test->oldest) ||
	       (test->newest && r->minor > test->newest);
}

int runner_run_real(struct runner *r, const struct test_case *test, struct ea_buf *output,
		    int *ret_status, struct ea_err *err)
{
	int rc = sandbox_build(&r->box, test, err);

	return rc == 0 ? sandbox_run(&r->box, test, output, ret_status, err) : rc;
}

int runner_run_model(struct runner *r, const struct test_case *test, struct ea_str output,
		     int status, struct ea_buf *differences, struct ea_err *err)
{
	struct ea_arena arena = { 0 };
	struct transcript real = { 0 }, model = { 0 };
	int rc;

	transcript_of_output(&arena, &r->box, output, status, &real);
	rc = transcript_of_model(&arena, &r->box, test, r->files, &r->how, &model, err);
	if (rc == 0)
		transcript_compare(&real, &model, differences);
	ea_arena_release(&arena);
	return rc;
}

void runner_clear(struct runner *r)
{
	files_forget(r->files);
	sandbox_clear(&r->box);
}

int runner_compare(struct runner *r, const struct test_case *test, struct ea_buf *differences,
		   struct ea_buf *output, struct ea_err *err)
{
	struct ea_buf own = { 0 }, *text = output ? output : &own;
	int status, rc = runner_run_real(r, test, text, &status, err);

	if (rc == 0)
		rc = runner_run_model(r, test, ea_buf_str(text), status, differences, err);
	runner_clear(r);
	ea_buf_release(&own);
	return rc;
}

int runner_cases(const char *path, int (*fn)(void *arg, struct test_case *test), void *arg,
		 struct ea_err *err)
{
	struct ea_root *host = ea_root_host();
	struct ea_arena arena = { 0 };
	struct ea_buf text = { 0 };
	char *full = realpath(path, NULL);
	int rc = full ? ea_root_read(host, full, 1 << 24, &text) : -ENOENT;

	if (rc != 0)
		rc = ea_err_errno(err, -rc, "%s", path);
	else
		rc = case_parse(&arena, ea_buf_str(&text), path, fn, arg, err);
	free(full);
	ea_buf_release(&text);
	ea_arena_release(&arena);
	ea_root_free(host);
	return rc;
}

int runner_all_cases(int (*fn)(void *arg, struct test_case *test), void *arg, struct ea_err *err)
{
	const char *top = getenv("top_srcdir");
	struct ea_arena arena = { 0 };
	glob_t found = { 0 };
	int rc = 0;

	glob(ea_arena_printf(&arena, "%s/tests/oracle/cases/*.cases", top ? top : "."), 0, NULL,
	     &found);
	if (found.gl_pathc == 0)
		rc = ea_err_set(err, -ENOENT, "no cases below %s", top ? top : ".");
	for (size_t i = 0; i < found.gl_pathc && rc == 0; i++)
		rc = runner_cases(found.gl_pathv[i], fn, arg, err);
	globfree(&found);
	ea_arena_release(&arena);
	return rc;
}
