/*
 * The cases of the loader model once more, as a user asks them: the program of each is started
 *under the real loader, and `envaudit tree --format json -v` is asked what that would give (TAP).
 *
 *	loader_cli [--root DIR] [--only NAME]
 *
 * What a case opens with dlopen, its program here needs from the start, so that the command line
 *can say it.
 */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "elf/elf.h"
#include "runner.h"

#define MAX_ARGS 64

struct run {
	struct runner runner;
	const char *only;
	char *program, *matrices;
	const char *cpu;
	unsigned n, failed;
};

/* ---- what envaudit says
 * --------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* The only consumer of the only target; NULL if there is none. */
static json_t *consumer_of(json_t *report)
{
	json_t *target = json_array_get(json_object_get(report, "targets"), 0);

	return json_array_get(json_object_get(target, "consumers"), 0);
}

static void add_text(struct ea_arena *arena, struct lines *lines, const char *text)
{
	ea_vec_push(lines, arena, ea_arena_dup(arena, text ? text : "(null)"));
}

static void add_tries(struct ea_arena *arena, struct step *step, const json_t *request)
{
	const json_t *try;
	size_t i;

	json_array_foreach(json_object_get(request, "tries"), i, try)
		if (!ea_streq(text_of(try, "rule"), "path"))
			add_text(arena, &step->tries, text_of(try, "path"));
}

static void read_consumer(struct ea_arena *arena, const json_t *consumer, struct step *step)
{
	const json_t *item;
	size_t i;

	json_array_foreach(json_object_get(consumer, "requests"), i, item)
		add_tries(arena, step, item);
	json_array_foreach(json_object_get(consumer, "messages"), i, item)
		add_text(arena, &step->messages, json_string_value(item));
	json_array_foreach(json_object_get(consumer, "loaded"), i, item)
		add_text(arena, &step->maps, text_of(item, "path"));
	step->result = ea_streq(text_of(consumer, "outcome"), "complete") ? "started" : "failed";
}

static int said_by_envaudit(const struct run *r, const struct test_case *test,
			    struct ea_arena *arena, struct step *ret, struct ea_err *err)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf output = { 0 };
	const char *argv[MAX_ARGS] = { r->program, "tree", "--format", "json",		 "-v",
				       "--cpu",	   NULL,   "--root",   r->runner.box.dir };
	size_t n = 9;
	json_t *report;
	int status;

	argv[6] = r->cpu;
	ea_vec_foreach(variable, &test->env) {
		if (n + 4 > MAX_ARGS)
			return ea_err_set(err, -E2BIG, "more variables than this test can pass on");
		argv[n++] = "--set-env";
		argv[n++] = ea_arena_printf(arena, "%s=%s", variable->name, variable->value);
	}
	argv[n++] = SANDBOX_PROGRAM;
	status = ask(&(struct question){ .argv = argv }, &output);
	if (status < 0 || (status > 0 && status != 3))
		return ea_err_set(err, -EIO, "envaudit ends with status %d", status);
	report = json_loadb(output.ptr, output.len, 0, NULL);
	if (!consumer_of(report)) {
		json_decref(report);
		return ea_err_set(err, -EIO, "envaudit gives no consumer");
	}
	read_consumer(arena, consumer_of(report), ret);
	json_decref(report);
	return 0;
}

/* ---- comparison
 * ----------------------------------------------------------------------------------- */

/* Of a start that fails, envaudit also says what would have been tried later. */
static void compare(struct ea_arena *arena, struct step *real, struct step *said,
		    struct ea_buf *differences)
{
	struct transcript a = { 0 }, b = { 0 };
	bool started = ea_streq(real->result, "started");

	for (uint32_t i = 0, n = real->maps.n; i < n; i++) {
		if (i == 0)
			real->maps.n = 0;
		if (!ea_str_starts(ea_str(real->maps.items[i]), "linux-vdso"))
			real->maps.items[real->maps.n++] =
				*real->maps.items[i] ? real->maps.items[i] : SANDBOX_PROGRAM;
	}
	if (!started) {
		real->result = "failed";
		said->maps.n = real->maps.n = 0;
		if (said->tries.n > real->tries.n)
			said->tries.n = real->tries.n;
	}
	real->binds.n = real->inits.n = 0;
	ea_vec_push(&a, arena, *real);
	ea_vec_push(&b, arena, *said);
	transcript_compare(&a, &b, differences);
}

static int compare_case(struct run *r, const struct test_case *test, struct ea_buf *differences,
			struct ea_err *err)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	EA_CLEANUP(ea_buf_release) struct ea_buf output = { 0 };
	struct transcript real = { 0 };
	struct step said = { 0 };
	int status, rc = runner_run_real(&r->runner, test, &output, &status, err);

	if (rc == 0)
		rc = said_by_envaudit(r, test, &arena, &said, err);
	if (rc == 0) {
		transcript_of_output(&arena, &r->runner.box, ea_buf_str(&output), status, &real);
		compare(&arena, &real.items[0], &said, differences);
	}
	runner_clear(&r->runner);
	return rc;
}

static int run_case(void *arg, struct test_case *test)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf differences = { 0 };
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	struct run *r = arg;
	struct ea_str rest, line;
	struct ea_err err;

	if ((r->only && !ea_streq(r->only, test->name)) || (test->musl && !r->runner.box.musl))
		return 0;
	r->n++;
	if (runner_skips(&r->runner, test)) {
		printf("ok %u - %s # SKIP not for %s\n", r->n, test->name, r->runner.libc);
		return 0;
	}
	ask_for_start(test, &arena);
	if (compare_case(r, test, &differences, &err) != 0)
		ea_buf_printf(&differences, "  %s\n", err.text);
	r->failed += differences.len > 0;
	printf("%s %u - %s\n", differences.len > 0 ? "not ok" : "ok", r->n, test->name);
	for (rest = ea_buf_str(&differences); ea_str_line(&rest, &line);)
		printf("#%.*s\n", (int)line.len, line.ptr);
	return 0;
}

/* ---- all
 * ------------------------------------------------------------------------------------------ */

static int run_all(struct run *r, const char *root, struct ea_err *err)
{
	int rc;

	r->cpu = ask_cpu();
	r->program = ask_path("top_builddir", "envaudit");
	r->matrices = ask_path("top_srcdir", "matrices");
	if (!r->cpu || !r->program || !r->matrices) {
		printf("1..0 # SKIP %s\n", r->cpu ? "the program is not built"
						  : "--cpu has no name for this processor");
		return 0;
	}
	setenv("ENVAUDIT_DATADIR", r->matrices, 1);
	rc = runner_open(&r->runner, root, err);
	if (rc > 0) {
		printf("1..0 # SKIP %s\n", err->text);
		return 0;
	}
	if (rc == 0)
		rc = runner_all_cases(run_case, r, err);
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
		{ NULL, 0, NULL, 0 },
	};
	struct run r = { 0 };
	const char *root = NULL;
	struct ea_err err = { 0 };
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'r')
			root = optarg;
		else if (c == 'o')
			r.only = optarg;
		else
			return 2;
	}
	ea_elf_init();
	c = run_all(&r, root, &err) != 0 || r.failed > 0;
	runner_close(&r.runner);
	free(r.program);
	free(r.matrices);
	return c;
}
