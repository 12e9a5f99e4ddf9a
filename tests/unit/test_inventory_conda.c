/* inventory: conda's records of every age and writer, and whose a dist-info is. */
#include "inventory_unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"

#define EMPTY_HEX "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define OTHER_HEX "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"

static void put(const struct tree *tree, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "p/conda-meta/%s", name);
	tree_file(tree, path, text);
}

/* 2016: no paths_data, no hashes, keys sorted. */
static void a_record_that_has_only_files(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_component *mkl;

	(void)state;
	put(&tree, "mkl-service-1.1.2-py27_0.json",
	    "{\n  \"build\": \"py27_0\",\n  \"build_number\": 0,\n"
	    "  \"channel\": \"http://h.example/pkgs/free/linux-64/\",\n  \"depends\": [\"mkl\"],\n"
	    "  \"files\": [\"lib/libmkl_rt.so\", \"lib/x.py\", \"lib/libmkl_rt.so\"],\n"
	    "  \"link\": {\"source\": \"/opt/pkgs/x\", \"type\": \"hard-link\"},\n"
	    "  \"name\": \"mkl-service\",\n  \"requires\": [],\n"
	    "  \"url\": \"http://h.example/pkgs/free/linux-64/mkl-service-1.1.2-py27_0.tar.bz2\",\n"
	    "  \"version\": \"1.1.2\"\n}");
	find(&found, &tree, ea_conda_read, "/p");
	assert_int_equal(found.result, 0);
	assert_int_equal(found.inv.gaps.list.n, 0);
	mkl = component(&found, "mkl-service");
	assert_int_equal(mkl->manager, EA_MANAGER_CONDA);
	assert_string_equal(mkl->version, "1.1.2");
	assert_string_equal(mkl->build, "py27_0");
	assert_string_equal(mkl->channel, "pkgs/free");
	assert_string_equal(mkl->location, "/p/conda-meta/mkl-service-1.1.2-py27_0.json");
	assert_string_equal(mkl->base, "/p");
	assert_false(mkl->requested);
	assert_int_equal(mkl->n_files, 3);
	assert_int_equal(mkl->records.n, 1);
	assert_int_equal(record(mkl, "/p/lib/libmkl_rt.so")->flags, 0);
	assert_int_equal(mkl->requires.n, 1);
}

static void paths_data_describes_files(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_component *x;

	(void)state;
	put(&tree, "x-1-0.json",
	    "{\"name\":\"x\",\"version\":\"1\",\"build\":\"0\",\"paths_data\":{\"paths\":["
	    "{\"path_type\":\"hardlink\",\"size_in_bytes\":7,\"sha256\":\"" OTHER_HEX
	    "\",\"sha256_in_prefix\":\"" EMPTY_HEX "\",\"_path\":\"lib/liba.so.1.2\"},"
	    "{\"_path\":\"lib/liba.so\",\"path_type\":\"softlink\",\"size_in_bytes\":7,"
	    "\"sha256\":\"" EMPTY_HEX "\",\"sha256_in_prefix\":\"" OTHER_HEX "\"},"
	    "{\"_path\":\"lib/libdangling.so\",\"path_type\":\"softlink\",\"size_in_bytes\":0,"
	    "\"sha256\":\"" EMPTY_HEX "\"},"
	    "{\"_path\":\"bin/python3.1\",\"path_type\":\"hardlink\",\"file_mode\":\"text\","
	    "\"size_in_bytes\":294,\"sha256\":\"" EMPTY_HEX "\"},"
	    "{\"_path\":\"lib/unlisted.so\",\"path_type\":\"hardlink\"}],\"paths_version\":1},"
	    "\"files\":[\"lib/liba.so\",\"lib/liba.so.1.2\",\"lib/libdangling.so\","
	    "\"bin/python3.1\",\"lib/undescribed.so\"]}");
	find(&found, &tree, ea_conda_read, "/p");
	x = component(&found, "x");
	assert_int_equal(x->records.n, 5);
	assert_int_equal(record(x, "/p/lib/liba.so.1.2")->flags,
			 EA_RECORD_HAS_SIZE | EA_RECORD_HAS_SHA256);
	assert_int_equal(record(x, "/p/lib/liba.so.1.2")->size, 7);
	assert_int_equal(record(x, "/p/lib/liba.so.1.2")->digest[0], 0xe3);
	assert_int_equal(record(x, "/p/lib/liba.so")->flags,
			 EA_RECORD_LINK | EA_RECORD_HAS_SIZE | EA_RECORD_HAS_SHA256);
	assert_int_equal(record(x, "/p/lib/liba.so")->digest[0], 0xe3);
	assert_int_equal(record(x, "/p/lib/libdangling.so")->flags, EA_RECORD_LINK);
	assert_int_equal(record(x, "/p/bin/python3.1")->flags,
			 EA_RECORD_REWRITTEN | EA_RECORD_HAS_SIZE | EA_RECORD_HAS_SHA256);
	assert_int_equal(record(x, "/p/lib/undescribed.so")->flags, 0);
}

/* constructor leaves paths_data empty; the reverse has not been seen, but costs nothing. */
static void one_of_both_lists_is_enough(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "a-1-0.json",
	    "{\"name\":\"a\",\"version\":\"1\",\"files\":[\"lib/a.so\"],\"paths_data\":"
	    "{\"paths\":[]}}");
	put(&tree, "b-1-0.json",
	    "{\"name\":\"b\",\"version\":\"1\",\"files\":[],\"paths_data\":{\"paths\":["
	    "{\"_path\":\"lib/b.so\",\"path_type\":\"hardlink\",\"size_in_bytes\":3},"
	    "{\"_path\":\"lib/b.py\",\"path_type\":\"hardlink\"}]}}");
	put(&tree, "cuda-runtime-12.1.0-0.json",
	    "{\"name\":\"cuda-runtime\",\"version\":\"12.1.0\",\"files\":[]}");
	find(&found, &tree, ea_conda_read, "/p");
	assert_int_equal(found.inv.components.n, 3);
	assert_int_equal(record(component(&found, "a"), "/p/lib/a.so")->flags, 0);
	assert_int_equal(record(component(&found, "b"), "/p/lib/b.so")->size, 3);
	assert_int_equal(component(&found, "b")->n_files, 2);
	assert_int_equal(component(&found, "cuda-runtime")->n_files, 0);
}

/* With conda, paths_data of a noarch package is relative to the package, `files` to the prefix. */
static void noarch_paths_are_mapped(void **state)
{
	static const char noarch[] =
		"{\"name\":\"n\",\"version\":\"1\",\"noarch\":\"python\",\"files\":"
		"[\"lib/python3.11/site-packages/n/_c.so\",\"bin/ptxas\"],"
		"\"paths_data\":{\"paths\":[{\"_path\":\"site-packages/n/_c.so\","
		"\"path_type\":\"hardlink\",\"size_in_bytes\":11},"
		"{\"_path\":\"python-scripts/ptxas\",\"path_type\":\"hardlink\","
		"\"size_in_bytes\":12}]}}";
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_component *n;

	(void)state;
	put(&tree, "n-1-py_0.json", noarch);
	put(&tree, "python-3.11.7-h0_0_cpython.json",
	    "{\"name\":\"python\",\"version\":\"3.11.7\",\"files\":[]}");
	put(&tree, "python-dateutil-2.9-0.json",
	    "{\"name\":\"python-dateutil\",\"version\":\"2.9\",\"files\":[]}");
	find(&found, &tree, ea_conda_read, "/p");
	n = component(&found, "n");
	assert_int_equal(n->records.n, 2);
	assert_int_equal(record(n, "/p/lib/python3.11/site-packages/n/_c.so")->size, 11);
	assert_int_equal(record(n, "/p/bin/ptxas")->size, 12);
	assert_int_equal(found.inv.components.n, 3);
	assert_string_equal(found.inv.components.items[0]->name, "n");
	assert_string_equal(found.inv.components.items[2]->name, "python-dateutil");
}

/* A free-threaded python says itself where packages go. */
static void the_python_may_name_its_site(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "a-1-0.json",
	    "{\"name\":\"a\",\"version\":\"1\",\"files\":[\"site-packages/a.so\"]}");
	put(&tree, "python-3.13.1-0_cp313t.json",
	    "{\"name\":\"python\",\"version\":\"3.13.1\",\"files\":[],"
	    "\"python_site_packages_path\":\"lib/python3.13t/site-packages\"}");
	find(&found, &tree, ea_conda_read, "/p");
	record(component(&found, "a"), "/p/lib/python3.13t/site-packages/a.so");
}

static void clobbered_files_are_claimed_where_they_were(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_record *loser;

	(void)state;
	put(&tree, "cudatoolkit-11.8.0-0.json",
	    "{\"name\":\"cudatoolkit\",\"version\":\"11.8.0\",\"files\":"
	    "[\"__clobbers__/cudatoolkit/lib/libcudart.so\"],\"paths_data\":{\"paths\":["
	    "{\"_path\":\"__clobbers__/cudatoolkit/lib/libcudart.so\",\"original_path\":"
	    "\"lib/libcudart.so\",\"path_type\":\"hardlink\",\"size_in_bytes\":5}]}}");
	find(&found, &tree, ea_conda_read, "/p");
	assert_int_equal(component(&found, "cudatoolkit")->records.n, 1);
	loser = record(component(&found, "cudatoolkit"), "/p/lib/libcudart.so");
	assert_int_equal(loser->flags, EA_RECORD_CLOBBERED | EA_RECORD_HAS_SIZE);
}

static void who_asked_and_which_channel(void **state)
{
	static const struct {
		const char *members;
		bool requested;
		const char *channel;
	} cases[] = {
		{ "\"requested_spec\":\"None\",\"url\":\"https://h.example/conda-forge/noarch/f\"",
		  false, "conda-forge" },
		{ "\"requested_spec\":\"a=1\",\"url\":\"https://h.example/t/tk-1/pkgs/main/"
		  "linux-64/f\"",
		  true, "pkgs/main" },
		{ "\"requested_specs\":[],\"channel\":\"https://h.example/nvidia/\"", false,
		  "nvidia" },
		{ "\"requested_specs\":[\"a\"],\"channel\":\"https://h.example/nvidia/linux-64\"",
		  true, "nvidia" },
		{ "\"_requested_specs\":[],"
		  "\"url\":\"https://h.example/nvidia/label/cuda-11.8.0/linux-64/f\"",
		  false, "nvidia/label/cuda-11.8.0" },
		{ "\"url\":\"file:///c/channel/linux-64/f\"", false, "file:///c/channel" },
		{ "\"url\":\"\",\"channel\":\"pypi\"", false, "pypi" },
		{ "\"url\":null,\"channel\":null", false, NULL },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct tree tree EA_CLEANUP(tree_free) = tree_new();
		struct found found EA_CLEANUP(found_release);
		char text[512];

		snprintf(text, sizeof(text), "{\"name\":\"a\",\"version\":\"1\",%s}",
			 cases[i].members);
		put(&tree, "a-1-0.json", text);
		find(&found, &tree, ea_conda_read, "/p");
		assert_int_equal(component(&found, "a")->requested, cases[i].requested);
		if (cases[i].channel)
			assert_string_equal(component(&found, "a")->channel, cases[i].channel);
		else
			assert_null(component(&found, "a")->channel);
	}
}

/* ---- what is no record, or cannot be read ------------------------------------------------ */

static void other_files_are_no_records(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "history", "==> now <==\n");
	put(&tree, "state", "{}");
	put(&tree, "created_at", "1.5");
	put(&tree, "pixi.json", "{\"manifest_path\":\"/x\"}");
	put(&tree, "list.json", "[]");
	find(&found, &tree, ea_conda_read, "/p");
	assert_int_equal(found.result, 0);
	assert_int_equal(found.inv.components.n + found.inv.gaps.list.n, 0);
	found_release(&found);
	find(&found, &tree, ea_conda_read, "/p/conda-meta");
	assert_int_equal(found.result, 1);
}

static void a_broken_record_is_known_by_its_name(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "cuda-nvcc_linux-64-12.6.77-h1_0.json",
	    "{\"name\":\"cuda-nvcc_linux-64\",\n\"files\":[\"bin/nvcc\",\n\"lib/li");
	put(&tree, "ok-1-0.json", "{\"name\":\"ok\",\"version\":\"1\",\"files\":[\"a.so\"]}");
	find(&found, &tree, ea_conda_read, "/p");
	assert_gap(&found, "/p/conda-meta/cuda-nvcc_linux-64-12.6.77-h1_0.json", EA_GAP_UNREAD,
		   "line 3: a string does not end");
	assert_string_equal(component(&found, "cuda-nvcc_linux-64")->version, "12.6.77");
	assert_string_equal(component(&found, "cuda-nvcc_linux-64")->build, "h1_0");
	assert_true(component(&found, "cuda-nvcc_linux-64")->no_record);
	assert_int_equal(component(&found, "cuda-nvcc_linux-64")->records.n, 0);
	assert_int_equal(component(&found, "ok")->records.n, 1);
}

static void deep_json_is_a_limit(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };

	(void)state;
	ea_buf_add_text(&text, "{\"x\":");
	for (int i = 0; i < 100000; i++)
		ea_buf_add_text(&text, "[");
	put(&tree, "deep-1-0.json", ea_buf_text(&text));
	find(&found, &tree, ea_conda_read, "/p");
	assert_gap(&found, "/p/conda-meta/deep-1-0.json", EA_GAP_LIMIT, "too deep");
}

static void a_huge_record_is_a_limit(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "huge-1-0.json", "{");
	assert_int_equal(
		truncate(tree_path(&tree, "p/conda-meta/huge-1-0.json"), (off_t)EA_LIMIT_JSON + 1),
		0);
	find(&found, &tree, ea_conda_read, "/p");
	assert_gap(&found, "/p/conda-meta/huge-1-0.json", EA_GAP_LIMIT, "is larger");
}

/* rattler makes records that only their owner may read; root may read everything. */
static void forbidden_records_are_one_gap(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "a-1-0.json", "{\"name\":\"a\",\"version\":\"1\",\"files\":[\"a.so\"]}");
	put(&tree, "b-2-0.json", "{\"name\":\"b\",\"version\":\"2\",\"files\":[\"b.so\"]}");
	assert_int_equal(chmod(tree_path(&tree, "p/conda-meta/a-1-0.json"), 0), 0);
	assert_int_equal(chmod(tree_path(&tree, "p/conda-meta/b-2-0.json"), 0), 0);
	if (geteuid() == 0)
		assert_int_equal(seteuid(65534), 0);
	find(&found, &tree, ea_conda_read, "/p");
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	assert_gap(&found, "/p/conda-meta", EA_GAP_UNREAD, "2 of 2 package records");
	assert_string_equal(component(&found, "b")->version, "2");
	assert_true(component(&found, "b")->no_record);
}

/* ---- whose dist-info --------------------------------------------------------------------- */

#define SITE "p/lib/python3.11/site-packages/"

/*
 * As conda decides: a dist-info whose RECORD a record lists is conda's, whatever INSTALLER says,
 * and so is an egg-info; the others are pip's.
 */
static void dist_infos_have_an_installer(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "owned-1-0.json",
	    "{\"name\":\"owned\",\"version\":\"1\",\"files\":[\"lib/python3.11/site-packages/"
	    "owned-1.dist-info/RECORD\",\"lib/python3.11/site-packages/egg-1.egg-info/PKG-INFO\","
	    "\"lib/python3.11/site-packages/flat-1.egg-info\"]}");
	tree_file(&tree, SITE "owned-1.dist-info/METADATA", "Name: owned\nVersion: 1\n");
	tree_file(&tree, SITE "owned-1.dist-info/INSTALLER", "pip\n");
	tree_file(&tree, SITE "egg-1.egg-info/PKG-INFO", "Name: egg\nVersion: 1\n");
	tree_file(&tree, SITE "flat-1.egg-info", "Name: flat\nVersion: 1\n");
	tree_file(&tree, SITE "other-1.dist-info/METADATA", "Name: other\nVersion: 1\n");
	tree_file(&tree, SITE "other-1.dist-info/INSTALLER", "conda");
	find(&found, &tree, ea_conda_read, "/p");
	ea_dist_info_read(found.root, "/p/lib/python3.11/site-packages", &found.inv);
	ea_conda_claim_dists(found.inv.components.items, found.inv.components.n);
	ea_vec_foreach(item, &found.inv.components)
		if ((*item)->manager == EA_MANAGER_PIP)
			assert_int_equal((*item)->conda_owned, !ea_streq((*item)->name, "other"));
	assert_int_equal(found.inv.components.n, 5);
}

/* Where a record could not be read, INSTALLER has to do. */
static void an_unreadable_record_leaves_the_installer(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "broken-1-0.json", "{");
	tree_file(&tree, SITE "a-1.dist-info/METADATA", "Name: a\nVersion: 1\n");
	tree_file(&tree, SITE "a-1.dist-info/INSTALLER", "conda");
	tree_file(&tree, SITE "b-1.dist-info/METADATA", "Name: b\nVersion: 1\n");
	tree_file(&tree, SITE "b-1.dist-info/INSTALLER", "pip\n");
	find(&found, &tree, ea_conda_read, "/p");
	ea_dist_info_read(found.root, "/p/lib/python3.11/site-packages", &found.inv);
	ea_conda_claim_dists(found.inv.components.items, found.inv.components.n);
	assert_true(component(&found, "a")->conda_owned);
	assert_false(component(&found, "b")->conda_owned);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_record_that_has_only_files),
	cmocka_unit_test(paths_data_describes_files),
	cmocka_unit_test(one_of_both_lists_is_enough),
	cmocka_unit_test(noarch_paths_are_mapped),
	cmocka_unit_test(the_python_may_name_its_site),
	cmocka_unit_test(clobbered_files_are_claimed_where_they_were),
	cmocka_unit_test(who_asked_and_which_channel),
	cmocka_unit_test(other_files_are_no_records),
	cmocka_unit_test(a_broken_record_is_known_by_its_name),
	cmocka_unit_test(deep_json_is_a_limit),
	cmocka_unit_test(a_huge_record_is_a_limit),
	cmocka_unit_test(forbidden_records_are_one_gap),
	cmocka_unit_test(dist_infos_have_an_installer),
	cmocka_unit_test(an_unreadable_record_leaves_the_installer),
};

UNIT_MAIN(tests)
