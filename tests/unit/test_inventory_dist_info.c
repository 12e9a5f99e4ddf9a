/* inventory: dist-info and egg-info of a site-packages folder, and what half-done work leaves. */
#include "inventory_unit.h"

#include <unistd.h>

#include "base/limits.h"

#define SITE "/venv/lib/python3.11/site-packages"

/* SHA-256 of nothing, as wheels and as everyone else write it. */
#define EMPTY_BASE64 "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
static const uint8_t empty_sha256[32] = {
	0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4,
	0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b,
	0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
};

static void put(const struct tree *tree, const char *path, const char *text)
{
	char full[512];

	snprintf(full, sizeof(full), "%s/%s", &SITE[1], path);
	tree_file(tree, full, text);
}

static void a_wheel_as_pip_leaves_it(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_component *torch;
	const struct ea_record *library;

	(void)state;
	put(&tree, "torch-2.4.1+cu121.dist-info/METADATA",
	    "Metadata-Version: 2.1\nName: torch\nVersion: 2.4.1+cu121\n"
	    "License: BSD\n  Name: not a header\n\tVersion: 0\n"
	    "Requires-Dist: filelock\n"
	    "requires-dist: nvidia-cublas-cu12 (==12.1.3.1) ;\n platform_system == \"Linux\"\n"
	    "Requires-Dist: opt-einsum>=3.3 ; extra == 'opt-einsum'\n"
	    "\nName: of the description\nRequires-Dist: neither\n");
	put(&tree, "torch-2.4.1+cu121.dist-info/RECORD",
	    "../../../bin/torchrun,sha256=" EMPTY_BASE64 ",10\n"
	    "../../../bin/python3.11,,\n"
	    "torch/__init__.py,sha256=" EMPTY_BASE64 ",99\n"
	    "torch/lib/libtorch.so,sha256=" EMPTY_BASE64 ",1234567890123\r\n"
	    "\"torch/lib/odd, \"\"name\"\".so\",sha256=" EMPTY_BASE64 ",5\n"
	    "torch/lib/libshort.so.1\n"
	    "torch/lib/md5.so,md5=abc,7\n"
	    "torch/./lib/../lib/dots.so,,\n"
	    "../../../../elsewhere/libout.so,,\n"
	    "/etc/libabs.so,,\n"
	    "torch-2.4.1+cu121.dist-info/RECORD,,\n");
	put(&tree, "torch-2.4.1+cu121.dist-info/INSTALLER", "pip\n");
	put(&tree, "torch-2.4.1+cu121.dist-info/REQUESTED", "");
	put(&tree, "torch/lib/libtorch.so", "x");
	find(&found, &tree, ea_dist_info_read, SITE);
	assert_int_equal(found.result, 0);
	assert_int_equal(found.inv.gaps.list.n, 0);
	assert_int_equal(found.inv.leftovers.n, 0);
	torch = component(&found, "torch");
	assert_string_equal(torch->version, "2.4.1+cu121");
	assert_string_equal(torch->installer, "pip");
	assert_true(torch->requested && !torch->editable && !torch->no_record);
	assert_int_equal(torch->manager, EA_MANAGER_PIP);
	assert_string_equal(torch->location, SITE "/torch-2.4.1+cu121.dist-info");
	assert_string_equal(torch->base, SITE);
	assert_int_equal(torch->requires.n, 2);
	assert_string_equal(torch->requires.items[0], "filelock");
	assert_string_equal(torch->requires.items[1],
			    "nvidia-cublas-cu12 (==12.1.3.1) ; platform_system == \"Linux\"");
	assert_int_equal(torch->n_files, 11);
	assert_int_equal(torch->records.n, 9);
	library = record(torch, SITE "/torch/lib/libtorch.so");
	assert_true(library->size == 1234567890123);
	assert_memory_equal(library->digest, empty_sha256, 32);
	assert_int_equal(library->flags, EA_RECORD_HAS_SIZE | EA_RECORD_HAS_SHA256);
	assert_int_equal(record(torch, SITE "/torch/lib/odd, \"name\".so")->size, 5);
	assert_int_equal(record(torch, SITE "/torch/lib/libshort.so.1")->flags, 0);
	assert_int_equal(record(torch, SITE "/torch/lib/md5.so")->flags, EA_RECORD_HAS_SIZE);
	assert_int_equal(record(torch, SITE "/torch/lib/dots.so")->flags, 0);
	assert_int_equal(record(torch, "/venv/bin/python3.11")->flags, 0);
	assert_int_equal(record(torch, "/venv/bin/torchrun")->size, 10);
	assert_int_equal(record(torch, "/elsewhere/libout.so")->flags, EA_RECORD_OUTSIDE);
	assert_int_equal(record(torch, "/etc/libabs.so")->flags, EA_RECORD_OUTSIDE);
}

static void editable_and_local_sources(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "mine-1.dist-info/METADATA", "Name: mine\nVersion: 1\n");
	put(&tree, "mine-1.dist-info/direct_url.json",
	    "{\"url\": \"file:///src/mine\", \"dir_info\": {\"x\": [1], \"editable\": true}}");
	put(&tree, "built-1.dist-info/METADATA", "Name: built\nVersion: 1\n");
	put(&tree, "built-1.dist-info/direct_url.json",
	    "{\"dir_info\": {}, \"url\": \"https://u:secret@h.example/b.whl\"}");
	put(&tree, "bad-1.dist-info/METADATA", "Name: bad\nVersion: 1\n");
	put(&tree, "bad-1.dist-info/direct_url.json", "{\n\"url\": ");
	find(&found, &tree, ea_dist_info_read, SITE);
	assert_true(component(&found, "mine")->editable);
	assert_string_equal(component(&found, "mine")->direct_url, "file:///src/mine");
	assert_true(component(&found, "mine")->no_record);
	assert_false(component(&found, "built")->editable);
	assert_string_equal(component(&found, "built")->direct_url, "https://h.example/b.whl");
	assert_gap(&found, SITE "/bad-1.dist-info/direct_url.json", EA_GAP_UNREAD, "line 2: ");
}

static void egg_infos_are_folders_or_files(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_component *folder;

	(void)state;
	put(&tree, "Old_Thing-1.5-py3.9.egg-info/PKG-INFO", "Name: Old.Thing\nVersion: 1.5\n");
	put(&tree, "Old_Thing-1.5-py3.9.egg-info/installed-files.txt",
	    "../old/_c.so\n../../../../bin/old\nPKG-INFO\n");
	put(&tree, "Old_Thing-1.5-py3.9.egg-info/requires.txt",
	    "numpy>=1.2\n\nsix\n[extra]\nscipy\n\n[:python_version < \"3\"]\nfutures\n");
	put(&tree, "old/_c.so", "");
	put(&tree, "older-0.1-py2.7.egg-info",
	    "Metadata-Version: 1.0\nName: older\nVersion: 0.1\n");
	find(&found, &tree, ea_dist_info_read, SITE);
	assert_int_equal(found.inv.gaps.list.n + found.inv.leftovers.n, 0);
	folder = component(&found, "Old.Thing");
	assert_string_equal(folder->key, "old-thing");
	assert_int_equal(folder->n_files, 3);
	assert_int_equal(folder->records.n, 1);
	assert_int_equal(record(folder, SITE "/old/_c.so")->flags, 0);
	assert_int_equal(folder->requires.n, 3);
	assert_string_equal(folder->requires.items[1], "six");
	assert_string_equal(folder->requires.items[2], "futures; python_version < \"3\"");
	assert_string_equal(component(&found, "older")->version, "0.1");
	assert_true(component(&found, "older")->no_record);
}

static void only_direct_children_count(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "setuptools/_vendor/wheel-0.45.1.dist-info/METADATA", "Name: wheel\n");
	find(&found, &tree, ea_dist_info_read, SITE);
	assert_int_equal(found.result, 0);
	assert_int_equal(found.inv.components.n, 0);
	found_release(&found);
	find(&found, &tree, ea_dist_info_read, "/no/such/folder");
	assert_int_equal(found.result, 1);
	assert_int_equal(found.inv.gaps.list.n, 0);
}

static const struct ea_leftover *leftover(const struct found *found, enum ea_leftover_kind kind)
{
	ea_vec_foreach(item, &found->inv.leftovers)
		if (item->kind == kind)
			return item;
	fail_msg("no leftover of kind %d", kind);
	abort();
}

static void leftovers_are_found(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	const struct ea_leftover *twins;

	(void)state;
	put(&tree, "torch-2.0.0.dist-info/METADATA", "Name: torch\nVersion: 2.0.0\n");
	put(&tree, "torch-2.1.0.dist-info/METADATA", "Name: torch\nVersion: 2.1.0\n");
	put(&tree, "~orch/__init__.py", "");
	put(&tree, "bare-3.dist-info/RECORD", "bare.py,,\n");
	put(&tree, "gone-1.dist-info/METADATA", "Name: gone\nVersion: 1\n");
	put(&tree, "gone-1.dist-info/RECORD", "gone/a.so,,\ngone/b.so.1,,\ngone/__init__.py,,\n");
	put(&tree, "half-1.dist-info/METADATA", "Name: half\nVersion: 1\n");
	put(&tree, "half-1.dist-info/RECORD", "half/a.so,,\nhalf/b.so,,\n");
	put(&tree, "half/b.so", "");
	put(&tree, "pure-1.dist-info/METADATA", "Name: pure\nVersion: 1\n");
	put(&tree, "pure-1.dist-info/RECORD", "pure.py,,\n");
	find(&found, &tree, ea_dist_info_read, SITE);
	assert_int_equal(found.inv.leftovers.n, 4);
	twins = leftover(&found, EA_LEFTOVER_TWO_VERSIONS);
	assert_string_equal(twins->component->version, "2.1.0");
	assert_string_equal(twins->other->version, "2.0.0");
	assert_string_equal(leftover(&found, EA_LEFTOVER_PIP_TEMP)->path, SITE "/~orch");
	assert_string_equal(leftover(&found, EA_LEFTOVER_NO_METADATA)->component->name, "bare");
	assert_string_equal(leftover(&found, EA_LEFTOVER_NO_METADATA)->component->version, "3");
	assert_string_equal(leftover(&found, EA_LEFTOVER_NO_FILES)->component->name, "gone");
}

/* ---- hostile input ----------------------------------------------------------------------- */

static void broken_lines_are_one_gap(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "x-1.dist-info/METADATA", "Name: x\nVersion: 1\n");
	put(&tree, "x-1.dist-info/RECORD",
	    "x/a.so,,\n\"x/open.so,,\n\"x/b\"c.so,,\n,sha256=x,1\n\nx/b.so,,\n");
	put(&tree, "x/a.so", "");
	find(&found, &tree, ea_dist_info_read, SITE);
	assert_gap(&found, SITE "/x-1.dist-info/RECORD", EA_GAP_UNREAD, "line 2 ");
	assert_non_null(strstr(found.inv.gaps.list.items[0].reason, "3 such lines"));
	assert_int_equal(component(&found, "x")->records.n, 2);
}

/* A file that begins with TEXT and goes on with a hole. */
static void put_large(const struct tree *tree, const char *path, const char *text, off_t size)
{
	char full[512];

	put(tree, path, text);
	snprintf(full, sizeof(full), "%s/%s", &SITE[1], path);
	assert_int_equal(truncate(tree_path(tree, full), size), 0);
}

static void a_header_without_end_is_a_limit(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put_large(&tree, "x-1.dist-info/METADATA", "Name: x\nVersion: 1\nLicense: ", 200 << 20);
	put_large(&tree, "y-1.dist-info/METADATA", "Name: y\nVersion: 1\n\n", 200 << 20);
	find(&found, &tree, ea_dist_info_read, SITE);
	assert_gap(&found, SITE "/x-1.dist-info/METADATA", EA_GAP_LIMIT, "is larger");
	assert_string_equal(component(&found, "x")->version, "1");
	assert_true(found.arena.total < 1 << 20);
}

static void a_record_of_gigabytes_is_a_limit(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "x-1.dist-info/METADATA", "Name: x\nVersion: 1\n");
	put_large(&tree, "x-1.dist-info/RECORD", "x/a.so,,\n", (off_t)EA_LIMIT_RECORD * 8);
	put(&tree, "x/a.so", "");
	find(&found, &tree, ea_dist_info_read, SITE);
	assert_int_equal(found.inv.gaps.list.n, 2); /* the limit, and the line that is all NULs */
	assert_int_equal(found.inv.gaps.list.items[0].kind, EA_GAP_LIMIT);
	assert_int_equal(component(&found, "x")->records.n, 1);
	assert_true(found.arena.total < 1 << 20);
}

static void too_many_libraries_are_a_limit(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };

	(void)state;
	for (unsigned i = 0; i < EA_LIMIT_RECORDS + 10; i++)
		ea_buf_printf(&text, "x/%u.so,,\n", i);
	put(&tree, "x-1.dist-info/METADATA", "Name: x\nVersion: 1\n");
	put(&tree, "x-1.dist-info/RECORD", ea_buf_text(&text));
	/* One of those that were not kept is there, so the package's files are not gone. */
	put(&tree, "x/65540.so", "");
	find(&found, &tree, ea_dist_info_read, SITE);
	assert_gap(&found, SITE "/x-1.dist-info", EA_GAP_LIMIT, "65536");
	assert_int_equal(found.inv.leftovers.n, 0);
	assert_int_equal(component(&found, "x")->records.n, EA_LIMIT_RECORDS);
	assert_int_equal(component(&found, "x")->n_files, EA_LIMIT_RECORDS + 10);
}

static void what_is_no_file_is_a_gap(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);

	(void)state;
	put(&tree, "x-1.dist-info/METADATA", "Name: x\nVersion: 1\n");
	tree_dir(&tree, "venv/lib/python3.11/site-packages/x-1.dist-info/RECORD");
	put(&tree, "z-1.dist-info/METADATA", "Name: z\nVersion: 1\n");
	find(&found, &tree, ea_dist_info_read, SITE);
	assert_gap(&found, SITE "/x-1.dist-info/RECORD", EA_GAP_UNREAD, "directory");
	assert_true(component(&found, "x")->no_record);
	assert_string_equal(component(&found, "z")->version, "1");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_wheel_as_pip_leaves_it),
	cmocka_unit_test(editable_and_local_sources),
	cmocka_unit_test(egg_infos_are_folders_or_files),
	cmocka_unit_test(only_direct_children_count),
	cmocka_unit_test(leftovers_are_found),
	cmocka_unit_test(broken_lines_are_one_gap),
	cmocka_unit_test(a_header_without_end_is_a_limit),
	cmocka_unit_test(a_record_of_gigabytes_is_a_limit),
	cmocka_unit_test(too_many_libraries_are_a_limit),
	cmocka_unit_test(what_is_no_file_is_a_gap),
};

UNIT_MAIN(tests)
