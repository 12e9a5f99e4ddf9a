/* loader/process: a process and its fork go their own ways, each as if it were alone. */
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>

#include "files.h"
#include "loader/loader.h"
#include "session_root.h"

#define LIBRARIES 6u
#define STEPS	  8u

static const char glibc[] = "/lib64/ld-linux-x86-64.so.2", musl[] = "/lib/ld-musl-x86_64.so.1";

static struct tree tree;
static struct ea_root *root;
static struct files *files;
static struct ea_arena arena;

/* Some need others; libe needs something that is not there. */
static int make_tree(void **state)
{
	static const struct {
		const char *path, *needed;
	} libraries[LIBRARIES] = {
		{ "one/liba.so", "libb.so" },
		{ "one/libb.so", "libc.so.6" },
		{ "two/libc.so", "libb.so libd.so" },
		{ "two/libd.so", "" },
		{ "two/libe.so", "libd.so libgone.so" },
		{ "two/libf.so", "liba.so" },
	};
	struct ea_err err;

	(void)state;
	tree = tree_new();
	session_basics(&tree);
	session_musl(&tree);
	for (size_t i = 0; i < LIBRARIES; i++)
		session_library(&tree, libraries[i].path, libraries[i].needed,
				ea_arena_printf(&arena, "/of-its-own-%zu", i));
	assert_int_equal(ea_root_folder(tree.dir, &root, &err), 0);
	files = files_new(root);
	return 0;
}

static int free_tree(void **state)
{
	(void)state;
	files_free(files);
	ea_root_free(root);
	ea_arena_release(&arena);
	tree_free(&tree);
	return 0;
}

static struct ea_process *start(const char *interp)
{
	static const struct ea_env_var env[] = { { "LD_LIBRARY_PATH", "/one:/two" } };
	struct ea_launch *launch = ea_arena_new(&arena, struct ea_launch);
	struct ea_process_setup setup = { .provider = files_provider(files), .arena = &arena };
	const struct ea_request *request;
	struct ea_process *process;
	struct ea_err err;

	*launch = (struct ea_launch){
		.interp = interp,
		.env = env,
		.n_env = 1,
		.cpu.level = 1,
	};
	setup.launch = launch;
	assert_int_equal(ea_process_start(&setup, &process, &request, &err), 0);
	assert_int_equal(request->outcome, EA_OUTCOME_OK);
	return process;
}

struct step {
	unsigned library, flags;
};

static struct step random_step(unsigned *seed)
{
	static const unsigned flags[] = { RTLD_NOW, RTLD_LAZY | RTLD_GLOBAL,
					  RTLD_NOW | RTLD_NOLOAD };

	return (struct step){ tree_random(seed, LIBRARIES),
			      flags[tree_random(seed, EA_ARRAY_SIZE(flags))] };
}

static void say_tries(const struct ea_request *request, struct ea_buf *out)
{
	ea_vec_foreach(try, &request->tries)
		ea_buf_printf(out, "  %s\n", try->path);
	ea_vec_foreach(nested, &request->nested)
		say_tries(*nested, out);
}

/* Says what the step gave and what is loaded after it. */
static void take(struct ea_process *process, struct step step, struct ea_buf *out)
{
	char name[] = "lib?.so";
	const struct ea_request *request;
	const struct ea_map *map;

	name[3] = (char)('a' + step.library);
	request = ea_process_dlopen(process, name, (int)step.flags, NULL);
	ea_buf_printf(out, "%s %x: %d %s\n", name, step.flags, request->outcome,
		      request->error ? request->error : "");
	say_tries(request, out);
	for (uint32_t i = 0; (map = ea_process_map(process, i)); i++)
		ea_buf_printf(out, " %s", map->path);
	ea_buf_add_char(out, '\n');
}

/*
 * A process takes COMMON steps and is forked; then it goes on with some steps and the fork with
 * others, in turn. Both have to end as processes do that were never forked.
 */
static void check(const char *interp, unsigned *seed, unsigned common)
{
	struct ea_process *process[2] = { start(interp), NULL };
	struct ea_process *alone[2] = { start(interp), start(interp) };
	struct ea_buf said[2] = { 0 }, expected[2] = { 0 };

	for (unsigned i = 0; i < STEPS; i++) {
		struct step step = random_step(seed);

		if (i == common)
			process[1] = ea_process_fork(process[0]);
		for (unsigned k = 0; k < 2; k++) {
			if (i >= common)
				step = random_step(seed);
			take(alone[k], step, &expected[k]);
			if (process[k])
				take(process[k], step, &said[k]);
			if (!process[1])
				ea_buf_clear(&expected[1]);
		}
	}
	for (unsigned k = 0; k < 2; k++) {
		assert_string_equal(ea_buf_text(&said[k]), ea_buf_text(&expected[k]));
		ea_buf_release(&said[k]);
		ea_buf_release(&expected[k]);
	}
}

static void forks_are_independent(void **state)
{
	unsigned seed = 7;

	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		check(glibc, &seed, round % STEPS);
		check(musl, &seed, round % STEPS);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(forks_are_independent),
	};

	return cmocka_run_group_tests(tests, make_tree, free_tree);
}
