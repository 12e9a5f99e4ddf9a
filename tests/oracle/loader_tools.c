/*
 * How many of the loader's cases other tools get right, beside envaudit, and how long they take. A
 *line for each tool; for people to read (make bench).
 *
 *	loader_tools
 *
 * Right is: the files that the real loader maps when the program starts and no others, or, where it
 *does not start, any complaint. Of the tools, those that run in the sandbox get what the real
 *loader gets.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ask.h"
#include "elf/elf.h"
#include "runner.h"
#include "sandbox_files.h"

#define LIBTREE "/drv/libtree"

struct tool {
	const char *name;
	const char *argv[12]; /* "@" stands for the folder of the sandbox */
	const char *env[2];   /* beside that of the case */
	bool outside;	      /* it does not run in the sandbox */
	bool options;	      /* it takes the case's variables as --set-env */
	bool missing;	      /* this machine has it not */
	unsigned right;
	double seconds;
};

static struct tool tools[] = {
	{ .name = "envaudit tree",
	  .argv = { NULL, "tree", "--cpu", NULL, "--format", "json", "--root", "@",
		    SANDBOX_PROGRAM },
	  .outside = true,
	  .options = true },
	{ .name = "ldd", .argv = { SANDBOX_PROGRAM }, .env = { "LD_TRACE_LOADED_OBJECTS=1" } },
	{ .name = "ldd -r",
	  .argv = { SANDBOX_PROGRAM },
	  .env = { "LD_TRACE_LOADED_OBJECTS=1", "LD_WARN=yes" } },
	{ .name = "libtree", .argv = { LIBTREE, "-vvv", "-p", SANDBOX_PROGRAM } },
};

struct run {
	struct runner runner;
	struct ea_arena arena;
	unsigned n;
};

/* ---- what is right
 * -------------------------------------------------------------------------------- */

static bool is_of_all(const struct run *r, struct ea_str path)
{
	return ea_str_is(path, SANDBOX_PROGRAM) || ea_str_is(path, r->runner.box.interp) ||
	       ea_str_starts(path, "linux-vdso") || ea_str_starts(path, "/drv/");
}

static bool holds(const struct lines *lines, struct ea_str path)
{
	for (uint32_t i = 0; i < lines->n; i++)
		if (ea_str_is(path, lines->items[i]))
			return true;
	return false;
}

/* Absolute paths in LINE, each up to a blank; the folder of the sandbox in front is cut off. */
static void paths_in(const struct run *r, struct ea_str line, struct ea_arena *arena,
		     struct lines *ret)
{
	size_t skip = strlen(r->runner.box.dir);

	for (size_t at = 0, end; at < line.len; at = end + 1) {
		struct ea_str word;

		for (end = at; end < line.len && !strchr(" \t\x1b\"", line.ptr[end]);)
			end++;
		word = (struct ea_str){ line.ptr + at, end - at };
		if (ea_str_starts(word, r->runner.box.dir))
			word = ea_str_skip(word, skip);
		while (word.len && word.ptr[word.len - 1] == ':')
			word.len--;
		if (word.len > 1 && *word.ptr == '/' && !is_of_all(r, word) && !holds(ret, word))
			ea_vec_push(ret, arena, ea_arena_dup_str(arena, word));
	}
}

static bool complains(struct ea_str output, int status)
{
	static const char *const words[] = { "not found",  "undefined symbol",
					     "cannot ",	   "error",
					     "ERROR",	   "fails",
					     "lower than", "None",
					     "ignored",	   "invalid",
					     "required",   "says",
					     "unmapped",   "\"failed\"" };

	for (size_t i = 0; i < EA_ARRAY_SIZE(words); i++)
		if (ea_str_find_str(output, ea_str(words[i])) < output.len)
			return true;
	return status != 0;
}

static bool is_right(const struct run *r, const struct step *real, struct ea_str output, int status)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	struct lines said = { 0 };
	struct ea_str line, loaded = EA_STR("\"loaded\"");
	size_t at = ea_str_find_str(output, loaded);
	uint32_t n = 0;

	if (!ea_streq(real->result, "started"))
		return complains(output, status);
	/* Of JSON only this list is what is mapped. */
	if (at < output.len)
		output = ea_str_skip(output, at);
	while (ea_str_line(&output, &line))
		if (!complains(line, 0))
			paths_in(r, line, &arena, &said);
	for (uint32_t i = 0; i < real->maps.n; i++) {
		struct ea_str path = ea_str(real->maps.items[i]);

		if (!path.len || is_of_all(r, path))
			continue;
		n++;
		if (!holds(&said, path))
			return false;
	}
	return said.n == n;
}

/* ---- asking
 * --------------------------------------------------------------------------------------- */

static const char **arguments(const struct run *r, const struct tool *tool,
			      const struct test_case *test, struct ea_arena *arena)
{
	const char **argv = ea_arena_array(arena, const char *, 13 + 2 * test->env.n);
	size_t n = 0;

	for (size_t i = 0; tool->argv[i]; i++)
		argv[n++] = ea_streq(tool->argv[i], "@") ? r->runner.box.dir : tool->argv[i];
	for (uint32_t i = 0; tool->options && i < test->env.n; i++) {
		argv[n++] = "--set-env";
		argv[n++] = ea_arena_printf(arena, "%s=%s", test->env.items[i].name,
					    test->env.items[i].value);
	}
	return argv;
}

static const char **variables(const struct tool *tool, const struct test_case *test,
			      struct ea_arena *arena)
{
	const char **env = ea_arena_array(arena, const char *, 4 + test->env.n);
	size_t n = 0;

	for (uint32_t i = 0; !tool->options && i < test->env.n; i++)
		env[n++] = ea_arena_printf(arena, "%s=%s", test->env.items[i].name,
					   test->env.items[i].value);
	for (size_t i = 0; i < EA_ARRAY_SIZE(tool->env) && tool->env[i]; i++)
		env[n++] = tool->env[i];
	if (tool->options)
		env[n++] =
			ea_arena_printf(arena, "ENVAUDIT_DATADIR=%s", getenv("ENVAUDIT_DATADIR"));
	return env;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void ask_tool(const struct run *r, struct tool *tool, const struct test_case *test,
		     const struct step *real)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	EA_CLEANUP(ea_buf_release) struct ea_buf output = { 0 };
	const struct question question = {
		.argv = arguments(r, tool, test, &arena),
		.env = variables(tool, test, &arena),
		.root = tool->outside ? NULL : r->runner.box.dir,
		.seconds = 3,
		.errors = true,
	};
	double begin = now();
	int status = ask(&question, &output);

	tool->seconds += now() - begin;
	tool->right += is_right(r, real, ea_buf_str(&output), status);
}

/* Tools other than the loader know the folders of a distribution by this file alone. */
static void write_conf(const struct run *r)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	const char *dir = r->runner.box.dir, *lib = r->runner.box.lib_dir;
	const char *path = ea_arena_printf(&arena, "%s/etc/ld.so.conf", dir);

	sandbox_write(path, ea_arena_printf(&arena, "%s\n", lib), strlen(lib) + 1, 0644);
}

static int run_case(void *arg, struct test_case *test)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	EA_CLEANUP(ea_buf_release) struct ea_buf output = { 0 };
	struct run *r = arg;
	struct transcript real = { 0 };
	struct ea_err err;
	int status, rc;

	if (test->musl || runner_skips(&r->runner, test))
		return 0;
	ask_for_start(test, &arena);
	rc = runner_run_real(&r->runner, test, &output, &status, &err);
	if (rc == 0) {
		transcript_of_output(&arena, &r->runner.box, ea_buf_str(&output), status, &real);
		r->n++;
		write_conf(r);
		for (size_t i = 0; i < EA_ARRAY_SIZE(tools); i++)
			if (!tools[i].missing)
				ask_tool(r, &tools[i], test, &real.items[0]);
	}
	runner_clear(&r->runner);
	return rc;
}

/* ---- all
 * ------------------------------------------------------------------------------------------ */

static void find_tools(struct run *r)
{
	char *matrices = ask_path("top_srcdir", "matrices");

	setenv("ENVAUDIT_DATADIR", matrices ? matrices : "", 1);
	free(matrices);
	tools[0].argv[0] = ask_path("top_builddir", "envaudit");
	tools[0].argv[3] = ask_cpu();
	tools[0].missing = !tools[0].argv[0] || !tools[0].argv[3];
	tools[3].missing =
		sandbox_copy("/usr/bin/libtree",
			     ea_arena_printf(&r->arena, "%s" LIBTREE, r->runner.box.dir)) != 0;
}

int main(void)
{
	struct run r = { 0 };
	struct ea_err err = { 0 };
	int rc;

	ea_elf_init();
	rc = runner_open(&r.runner, NULL, &err);
	if (rc > 0) {
		printf("  skipped: %s\n", err.text);
		return 0;
	}
	if (rc == 0) {
		find_tools(&r);
		rc = runner_all_cases(run_case, &r, &err);
	}
	if (rc != 0) {
		printf("  %s\n", err.text);
		return 1;
	}
	for (size_t i = 0; i < EA_ARRAY_SIZE(tools); i++)
		if (tools[i].missing)
			printf("  %-16s is not installed\n", tools[i].name);
		else
			printf("  %-16s%5u of %u right %8.1f ms each\n", tools[i].name,
			       tools[i].right, r.n, tools[i].seconds * 1000 / r.n);
	runner_close(&r.runner);
	return 0;
}
