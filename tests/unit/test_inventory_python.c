/* inventory: pythons of virtual environments, conda prefixes and plain installations. */
#include "inventory_unit.h"

static const struct ea_python *only_python(const struct found *found)
{
	assert_int_equal(found->result, 0);
	assert_int_equal(found->inv.pythons.n, 1);
	assert_int_equal(found->inv.gaps.list.n, 0);
	return found->inv.pythons.items[0];
}

static void assert_sites(const struct ea_python *python, const char *want)
{
	struct ea_buf sites EA_CLEANUP(ea_buf_release) = { 0 };

	ea_vec_foreach(site, &python->sites)
		ea_buf_printf(&sites, "%s%s", sites.len ? ":" : "", *site);
	assert_string_equal(ea_buf_text(&sites), want);
}

static void a_venv_stands_on_its_home(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_python *python;

	(void)state;
	tree_file(
		&tree, "v/pyvenv.cfg",
		"home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.7\n"
		"executable = /usr/bin/python3.11\ncommand = /usr/bin/python3 -m venv --x=y /v\n");
	tree_file(&tree, "usr/bin/python3.11", "");
	tree_link(&tree, "v/bin/python", "python3");
	tree_link(&tree, "v/bin/python3", "/usr/bin/python3.11");
	tree_dir(&tree, "v/lib/python3.11/site-packages");
	tree_link(&tree, "v/lib64", "lib");
	find(&found, &tree, ea_python_read, "/v");
	python = only_python(&found);
	assert_true(python->is_venv && !python->is_conda && !python->system_site);
	assert_string_equal(python->exe, "/v/bin/python");
	assert_string_equal(python->real_exe, "/usr/bin/python3.11");
	assert_string_equal(python->version, "3.11.7");
	assert_string_equal(python->prefix, "/v");
	assert_string_equal(python->base_prefix, "/usr");
	assert_sites(python, "/v/lib/python3.11/site-packages");
}

/* site.py takes keys in any case, the last one of a kind, and a missing one as "true". */
static void pyvenv_cfg_is_read_as_python_reads_it(void **state)
{
	static const struct {
		const char *text;
		bool system_site;
		const char *version, *base_prefix;
	} cases[] = {
		{ "home = /b/bin/\nversion_info = 3.12.3.final.0\n", true, "3.12.3.final.0", "/b" },
		{ "HOME=/b/bin\nInclude-System-Site-Packages=TRUE\nversion=3.12\n", true, "3.12",
		  "/b" },
		{ "home = /a/bin\nhome = /b/bin\r\nuv = 0.5\nversion_info = 3.12.3\n"
		  "include-system-site-packages = no\n",
		  false, "3.12.3", "/b" },
		{ "version = 3.12.1\nno separator\n = \ninclude-system-site-packages = true\n"
		  "include-system-site-packages = false\n",
		  false, "3.12.1", "/v" },
		{ "", true, "3.12", "/v" },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct tree tree EA_CLEANUP(tree_free) = tree_new();
		struct found found EA_CLEANUP(found_release);
		const struct ea_python *python;

		tree_file(&tree, "v/pyvenv.cfg", cases[i].text);
		tree_dir(&tree, "v/lib/python3.12/site-packages");
		find(&found, &tree, ea_python_read, "/v");
		python = only_python(&found);
		assert_int_equal(python->system_site, cases[i].system_site);
		assert_string_equal(python->version, cases[i].version);
		assert_string_equal(python->base_prefix, cases[i].base_prefix);
		assert_null(python->real_exe);
		assert_sites(python, "/v/lib/python3.12/site-packages");
	}
}

static void a_venv_whose_base_is_gone(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_file(&tree, "v/pyvenv.cfg", "home = /gone/bin\nversion = 3.11.7\n");
	tree_link(&tree, "v/bin/python", "/gone/bin/python3.11");
	find(&found, &tree, ea_python_read, "/v");
	assert_string_equal(only_python(&found)->exe, "/v/bin/python");
	assert_null(only_python(&found)->real_exe);
}

static void free_threaded_folders_end_in_t(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_file(&tree, "v/pyvenv.cfg", "home = /b/bin\nversion = 3.13.1\n");
	tree_dir(&tree, "v/lib/python3.13t/site-packages");
	find(&found, &tree, ea_python_read, "/v");
	assert_sites(only_python(&found), "/v/lib/python3.13t/site-packages");
}

/* conda links bin/python3.1 to python3.10. */
static void a_conda_prefix_has_one_python(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_python *python;

	(void)state;
	tree_file(&tree, "c/conda-meta/history", "");
	tree_file(&tree, "c/bin/python3.10", "");
	tree_link(&tree, "c/bin/python", "python3.10");
	tree_link(&tree, "c/bin/python3", "python3.10");
	tree_link(&tree, "c/bin/python3.1", "python3.10");
	tree_file(&tree, "c/bin/python3.10-config", "");
	tree_dir(&tree, "c/lib/python3.10/site-packages");
	find(&found, &tree, ea_python_read, "/c");
	python = only_python(&found);
	assert_true(python->is_conda && !python->is_venv);
	assert_string_equal(python->exe, "/c/bin/python");
	assert_string_equal(python->real_exe, "/c/bin/python3.10");
	assert_string_equal(python->version, "3.10");
	assert_string_equal(python->base_prefix, "/c");
	assert_sites(python, "/c/lib/python3.10/site-packages");
}

static void debian_has_dist_packages(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_python *python;

	(void)state;
	tree_file(&tree, "usr/bin/python3.11", "");
	tree_link(&tree, "usr/bin/python3", "python3.11");
	tree_dir(&tree, "usr/lib/python3/dist-packages");
	tree_dir(&tree, "usr/lib/python3.11/dist-packages");
	tree_dir(&tree, "usr/local/lib/python3.11/dist-packages");
	tree_dir(&tree, "usr/lib/python3.11/site-packages");
	find(&found, &tree, ea_python_read, "/usr");
	python = only_python(&found);
	assert_string_equal(python->exe, "/usr/bin/python3");
	assert_sites(python,
		     "/usr/local/lib/python3.11/dist-packages:/usr/lib/python3/dist-packages:"
		     "/usr/lib/python3.11/dist-packages");
}

static void fedora_looks_in_lib64_first(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_file(&tree, "usr/bin/python3.9", "");
	tree_dir(&tree, "usr/lib64/python3.9/site-packages");
	tree_dir(&tree, "usr/lib/python3.9/site-packages");
	tree_dir(&tree, "usr/local/lib/python3.9/site-packages");
	find(&found, &tree, ea_python_read, "/usr");
	assert_string_equal(only_python(&found)->exe, "/usr/bin/python3.9");
	assert_sites(only_python(&found),
		     "/usr/local/lib/python3.9/site-packages:/usr/lib64/python3.9/site-packages:"
		     "/usr/lib/python3.9/site-packages");
}

static void one_prefix_may_have_several(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_file(&tree, "p/bin/python3.9", "a");
	tree_file(&tree, "p/bin/python3.12", "b");
	tree_link(&tree, "p/bin/python3", "python3.12");
	find(&found, &tree, ea_python_read, "/p");
	assert_int_equal(found.inv.pythons.n, 2);
	assert_string_equal(found.inv.pythons.items[0]->exe, "/p/bin/python3");
	assert_string_equal(found.inv.pythons.items[0]->version, "3.12");
	assert_string_equal(found.inv.pythons.items[1]->exe, "/p/bin/python3.9");
}

static void a_folder_without_python(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	tree_dir(&tree, "p/bin");
	find(&found, &tree, ea_python_read, "/p");
	assert_int_equal(found.result, 1);
	assert_int_equal(found.inv.pythons.n + found.inv.gaps.list.n, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_venv_stands_on_its_home),
	cmocka_unit_test(pyvenv_cfg_is_read_as_python_reads_it),
	cmocka_unit_test(a_venv_whose_base_is_gone),
	cmocka_unit_test(free_threaded_folders_end_in_t),
	cmocka_unit_test(a_conda_prefix_has_one_python),
	cmocka_unit_test(debian_has_dist_packages),
	cmocka_unit_test(fedora_looks_in_lib64_first),
	cmocka_unit_test(one_prefix_may_have_several),
	cmocka_unit_test(a_folder_without_python),
};

UNIT_MAIN(tests)
