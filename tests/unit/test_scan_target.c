/* scan/target: what a folder is found to be. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scan/target.h"

static char top[64];

static int make_top(void **state)
{
	(void)state;
	snprintf(top, sizeof(top), "%s/ea-target-XXXXXX", P_tmpdir);
	return mkdtemp(top) ? 0 : -1;
}

static int remove_top(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", top);
	return system(command);
}

/* Makes folders and empty files: a name that ends in '/' is a folder. */
static void make(const char *const *names)
{
	for (; *names; names++) {
		char command[512];

		if ((*names)[strlen(*names) - 1] == '/')
			snprintf(command, sizeof(command), "mkdir -p '%s/%s'", top, *names);
		else
			snprintf(command, sizeof(command),
				 "mkdir -p \"$(dirname '%s/%s')\" && : > '%s/%s'", top, *names, top,
				 *names);
		assert_int_equal(system(command), 0);
	}
}

static int find(const char *below, struct ea_target_list *list, struct ea_arena *arena,
		struct ea_err *err)
{
	struct ea_root *root = ea_root_host();
	char path[256];
	int rc;

	snprintf(path, sizeof(path), "%s%s%s", top, *below ? "/" : "", below);
	*list = (struct ea_target_list){ 0 };
	rc = ea_target_find(root, below, path, arena, list, err);
	ea_root_free(root);
	return rc;
}

static void each_kind_is_recognised(void **state)
{
	static const struct {
		const char *files[5], *below;
		enum ea_target_kind kind;
	} cases[] = {
		{ { "v/pyvenv.cfg", "v/bin/" }, "v", EA_TARGET_VENV },
		{ { "c/conda-meta/" }, "c", EA_TARGET_CONDA },
		{ { "p/bin/python3", "p/lib/python3.11/" }, "p", EA_TARGET_PYTHON },
		{ { "t/lib64/libcudart.so.12" }, "t", EA_TARGET_TOOLKIT },
		{ { "t2/bin/nvcc" }, "t2", EA_TARGET_TOOLKIT },
		{ { "t3/targets/sbsa-linux/lib/libcudart.so" }, "t3", EA_TARGET_TOOLKIT },
		{ { "r/etc/", "r/usr/lib/", "r/var/" }, "r", EA_TARGET_ROOTFS },
		/* /usr: etc, bin and lib, but no top level. */
		{ { "u/bin/python3", "u/lib/python3.11/", "u/etc/" }, "u", EA_TARGET_PYTHON },
		{ { "s/six-1.16.0.dist-info/" }, "s", EA_TARGET_SITE },
		{ { "e/site-packages/" }, "e/site-packages", EA_TARGET_SITE },
		/* A conda environment has etc, lib, bin and var too. */
		{ { "c2/conda-meta/", "c2/etc/", "c2/lib/", "c2/bin/" }, "c2", EA_TARGET_CONDA },
		/* So may a venv that was made in a strange place. */
		{ { "v2/pyvenv.cfg", "v2/etc/", "v2/usr/", "v2/lib/" }, "v2", EA_TARGET_VENV },
	};
	struct ea_arena arena = { 0 };
	struct ea_target_list list;
	struct ea_err err;

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		make(cases[i].files);
		assert_int_equal(find(cases[i].below, &list, &arena, &err), 0);
		assert_int_equal(list.list.n, 1);
		assert_string_equal(ea_target_words[list.list.items[0].kind],
				    ea_target_words[cases[i].kind]);
	}
	ea_arena_release(&arena);
}

static void a_folder_of_environments_gives_each(void **state)
{
	static const char *const files[] = { "m/conda-meta/",	     "m/envs/b/conda-meta/",
					     "m/envs/a/conda-meta/", "m/envs/notes.txt",
					     "m/envs/empty/",	     NULL };
	static const char *const project[] = { "w/.venv/pyvenv.cfg", "w/src/",
					       "w/.pixi/envs/default/conda-meta/", NULL };
	struct ea_arena arena = { 0 };
	struct ea_target_list list;
	struct ea_err err;

	(void)state;
	make(files);
	assert_int_equal(find("m", &list, &arena, &err), 0);
	assert_int_equal(list.list.n, 3);
	assert_string_equal(list.list.items[0].name, "m");
	assert_string_equal(list.list.items[1].name, "m/envs/a");
	assert_string_equal(list.list.items[2].name, "m/envs/b");
	make(project);
	assert_int_equal(find("w", &list, &arena, &err), 0);
	assert_int_equal(list.list.n, 2);
	assert_string_equal(list.list.items[0].name, "w/.venv");
	assert_string_equal(list.list.items[1].name, "w/.pixi/envs/default");
	ea_arena_release(&arena);
}

static void an_unfit_target_says_what_was_looked_for(void **state)
{
	static const char *const files[] = { "n/readme.txt", NULL };
	struct ea_arena arena = { 0 };
	struct ea_target_list list;
	struct ea_err err;

	(void)state;
	make(files);
	assert_int_equal(find("n", &list, &arena, &err), -EA_E_TARGET);
	assert_non_null(strstr(err.text, "pyvenv.cfg"));
	assert_non_null(strstr(err.text, "conda-meta"));
	assert_int_equal(find("n/readme.txt", &list, &arena, &err), -EA_E_TARGET);
	assert_non_null(strstr(err.text, "neither an ELF file"));
	assert_int_equal(find("absent", &list, &arena, &err), -EA_E_TARGET);
	assert_non_null(strstr(err.text, "No such file"));
	assert_int_equal(find("../../dev/null", &list, &arena, &err), -EA_E_TARGET);
	ea_arena_release(&arena);
}

static void the_default_is_what_is_active(void **state)
{
	static const char *const files[] = { "d/venv/pyvenv.cfg",    "d/venv/bin/python3",
					     "d/shims/python3",	     "d/py/bin/python3",
					     "d/py/lib/python3.12/", NULL };
	struct ea_root *root = ea_root_host();
	struct ea_arena arena = { 0 };
	const char *path;
	struct ea_err err;
	char search[256], want[128];

	(void)state;
	make(files);
	assert_int_equal(ea_target_default(root, "/v", "/c", "", &arena, &path, &err), 0);
	assert_string_equal(path, "/v");
	assert_int_equal(ea_target_default(root, "", "/c", "", &arena, &path, &err), 0);
	assert_string_equal(path, "/c");
	/* A script in front of the pythons belongs to no installation. */
	snprintf(search, sizeof(search), ":rel:%s/d/shims:%s/d/venv/bin:%s/d/py/bin", top, top,
		 top);
	snprintf(want, sizeof(want), "%s/d/venv", top);
	assert_int_equal(ea_target_default(root, NULL, NULL, search, &arena, &path, &err), 0);
	assert_string_equal(path, want);
	snprintf(search, sizeof(search), "%s/d/py/bin", top);
	snprintf(want, sizeof(want), "%s/d/py", top);
	assert_int_equal(ea_target_default(root, NULL, NULL, search, &arena, &path, &err), 0);
	assert_string_equal(path, want);
	assert_int_equal(ea_target_default(root, NULL, NULL, NULL, &arena, &path, &err),
			 -EA_E_TARGET);
	ea_root_free(root);
	ea_arena_release(&arena);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_kind_is_recognised),
	cmocka_unit_test(a_folder_of_environments_gives_each),
	cmocka_unit_test(an_unfit_target_says_what_was_looked_for),
	cmocka_unit_test(the_default_is_what_is_active),
};

int main(void)
{
	return cmocka_run_group_tests(tests, make_top, remove_top);
}
