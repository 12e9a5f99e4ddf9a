/* fs: several layers as one file system. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>

#include "fs_ways.h"

static void add(struct ea_root *root, const struct tree *tree, const char *at, bool whiteouts)
{
	struct ea_source *source;

	assert_int_equal(ea_source_folder(tree->dir, &source, NULL), 0);
	ea_root_add_layer(root, source, at, whiteouts);
}

static void the_upper_layer_wins(void **state)
{
	EA_CLEANUP(tree_free) struct tree low = tree_new(), top = tree_new();
	struct ea_root *root = ea_root_new();
	struct ea_stat stat;

	(void)state;
	tree_file(&low, "lib/a", "low a");
	tree_file(&low, "lib/b", "low b");
	tree_file(&low, "dir-to-file/x", "low x");
	tree_file(&low, "file-to-dir", "low file");
	tree_file(&low, "dir-to-link/x", "hidden");
	tree_link(&low, "link-to-dir", "lib");
	tree_link(&low, "to-a", "/lib/a");
	tree_file(&top, "lib/b", "top b");
	tree_file(&top, "lib/c", "top c");
	tree_file(&top, "dir-to-file", "top file");
	tree_file(&top, "file-to-dir/x", "top x");
	tree_link(&top, "dir-to-link", "lib");
	tree_file(&top, "link-to-dir/x", "no link any more");
	tree_link(&top, "lib/up", "../to-a");
	add(root, &low, "/", false);
	add(root, &top, "/", false);

	assert_string_equal(text_at(root, "/lib/a"), "low a");
	assert_string_equal(text_at(root, "/lib/b"), "top b");
	assert_string_equal(text_at(root, "/lib/c"), "top c");
	assert_string_equal(text_at(root, "/dir-to-file"), "top file");
	assert_string_equal(text_at(root, "/dir-to-file/x"), "!ENOTDIR");
	assert_string_equal(text_at(root, "/file-to-dir"), "!EISDIR");
	assert_string_equal(text_at(root, "/file-to-dir/x"), "top x");
	assert_string_equal(text_at(root, "/dir-to-link/x"), "!ENOENT");
	assert_string_equal(text_at(root, "/dir-to-link/a"), "low a");
	assert_string_equal(text_at(root, "/link-to-dir/x"), "no link any more");
	assert_string_equal(text_at(root, "/link-to-dir/a"), "!ENOENT");
	/* A link of the upper layer leads through one of the lower. */
	assert_string_equal(text_at(root, "/lib/up"), "low a");
	assert_string_equal(real_at(root, "/lib/up", EA_FOLLOW), "/lib/a");

	assert_string_equal(names_at(root, "/lib"), "a b c up@ ");
	assert_string_equal(names_at(root, "/"), "dir-to-file dir-to-link@ file-to-dir/ lib/ "
						 "link-to-dir/ to-a@ ");
	assert_string_equal(names_at(root, "/file-to-dir"), "x ");
	assert_string_equal(names_at(root, "/dir-to-link"), "a b c up@ ");
	assert_string_equal(names_at(root, "/dir-to-file"), "!ENOTDIR");

	assert_int_equal(ea_root_layer_of(root, "/lib/a"), 0);
	assert_int_equal(ea_root_layer_of(root, "/lib/b"), 1);
	assert_int_equal(ea_root_layer_of(root, "/lib"), 1);
	assert_int_equal(ea_root_layer_of(root, "/to-a"), 0);
	assert_int_equal(ea_root_layer_of(root, "/dir-to-link/a"), 0);
	assert_int_equal(ea_root_layer_of(root, "/dir-to-link"), 1);
	assert_int_equal(ea_root_layer_of(root, "/nothing"), -ENOENT);
	assert_int_equal(ea_root_stat(root, "/", EA_FOLLOW, &stat), 0);
	assert_int_equal(stat.type, EA_FILE_DIR);
	ea_root_free(root);
}

static void build_whiteouts(const struct tree *low, const struct tree *mid, const struct tree *top)
{
	char name[32];

	tree_file(low, "lib/gone", "gone");
	tree_file(low, "lib/kept", "kept");
	tree_file(low, "dir/x", "x");
	tree_file(low, "opaque/x", "x");
	tree_file(low, "opaque/deep/y", "y");
	tree_file(low, "back/x", "low x");
	tree_file(mid, "lib/.wh.gone", "");
	tree_file(mid, ".wh.dir", "");
	tree_file(mid, "opaque/.wh..wh..opq", "");
	tree_file(mid, "opaque/z", "z");
	/* A whiteout does not hide what its own layer brings, whichever is listed first. */
	for (int i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "replaced/.wh.%d", i);
		tree_file(mid, name, "");
		snprintf(name, sizeof(name), "replaced/%d", i);
		tree_file(mid, name, "mid");
		tree_file(low, name, "low");
	}
	tree_file(mid, ".wh.back", "");
	tree_file(top, "back/y", "top y");
	tree_file(top, "opaque/deep/w", "w");
}

/* As in the OCI image specification, "Whiteouts". */
static void whiteouts_hide_what_lies_below(void **state)
{
	EA_CLEANUP(tree_free) struct tree low = tree_new(), mid = tree_new(), top = tree_new();
	struct ea_root *root = ea_root_new();
	struct ea_file *file;

	(void)state;
	build_whiteouts(&low, &mid, &top);
	add(root, &low, "/", true);
	add(root, &mid, "/", true);
	add(root, &top, "/", true);

	assert_string_equal(text_at(root, "/lib/gone"), "!ENOENT");
	assert_string_equal(text_at(root, "/lib/kept"), "kept");
	assert_string_equal(text_at(root, "/lib/.wh.gone"), "!ENOENT");
	assert_string_equal(text_at(root, "/dir/x"), "!ENOENT");
	assert_string_equal(text_at(root, "/opaque/x"), "!ENOENT");
	assert_string_equal(text_at(root, "/opaque/deep/y"), "!ENOENT");
	assert_string_equal(text_at(root, "/opaque/deep/w"), "w");
	assert_string_equal(text_at(root, "/opaque/z"), "z");
	assert_string_equal(text_at(root, "/replaced/5"), "mid");
	assert_string_equal(text_at(root, "/back/x"), "!ENOENT");
	assert_string_equal(text_at(root, "/back/y"), "top y");

	assert_string_equal(names_at(root, "/"), "back/ lib/ opaque/ replaced/ ");
	assert_string_equal(names_at(root, "/replaced"), "0 1 2 3 4 5 6 7 ");
	assert_string_equal(names_at(root, "/lib"), "kept ");
	assert_string_equal(names_at(root, "/opaque"), "deep/ z ");
	assert_string_equal(names_at(root, "/opaque/deep"), "w ");
	assert_string_equal(names_at(root, "/back"), "y ");
	assert_string_equal(names_at(root, "/dir"), "!ENOENT");
	assert_int_equal(ea_root_layer_of(root, "/replaced/5"), 1);
	assert_int_equal(ea_root_layer_of(root, "/lib/kept"), 0);
	assert_int_equal(ea_root_layer_of(root, "/lib/gone"), -ENOENT);

	assert_int_equal(ea_root_open_real(root, "/lib/kept", &file), 0);
	ea_file_close(file);
	ea_root_free(root);
}

static void whiteouts_are_files_where_they_mean_nothing(void **state)
{
	EA_CLEANUP(tree_free) struct tree low = tree_new(), mid = tree_new(), top = tree_new();
	struct ea_root *root = ea_root_new();

	(void)state;
	build_whiteouts(&low, &mid, &top);
	add(root, &low, "/", false);
	add(root, &mid, "/", false);
	assert_string_equal(names_at(root, "/lib"), ".wh.gone gone kept ");
	assert_string_equal(text_at(root, "/lib/.wh.gone"), "");
	assert_string_equal(text_at(root, "/lib/gone"), "gone");
	ea_root_free(root);

	/* But those of an only layer are not shown. */
	root = ea_root_new();
	add(root, &mid, "/", true);
	assert_string_equal(names_at(root, "/"), "lib/ opaque/ replaced/ ");
	ea_root_free(root);
}

static void an_opaque_top_hides_all(void **state)
{
	EA_CLEANUP(tree_free) struct tree low = tree_new(), top = tree_new();
	struct ea_root *root = ea_root_new();

	(void)state;
	tree_file(&low, "x", "x");
	tree_file(&top, ".wh..wh..opq", "");
	tree_file(&top, "y", "y");
	add(root, &low, "/", true);
	add(root, &top, "/", true);
	assert_string_equal(names_at(root, "/"), "y ");
	assert_string_equal(text_at(root, "/x"), "!ENOENT");
	ea_root_free(root);
}

static void a_layer_may_lie_deeper(void **state)
{
	EA_CLEANUP(tree_free) struct tree low = tree_new(), driver = tree_new();
	struct ea_root *root = ea_root_new();

	(void)state;
	tree_file(&low, "usr/lib/libc.so.6", "libc");
	tree_link(&low, "usr/lib64", "lib");
	tree_file(&driver, "libcuda.so.1", "libcuda");
	tree_file(&driver, "er", "not /usr/local/newer");
	tree_link(&driver, "libcuda.so", "libcuda.so.1");
	tree_link(&driver, "libc", "/usr/lib/libc.so.6");
	add(root, &low, "/", false);
	/* The place is where the link leads, as a mount would have it: the link stays what it is.
	 */
	add(root, &driver, "/usr/lib64/driver/", false);
	add(root, &driver, "/usr/local/../local/new", false);

	assert_string_equal(text_at(root, "/usr/lib64/driver/libcuda.so"), "libcuda");
	assert_string_equal(text_at(root, "/usr/lib/driver/libcuda.so"), "libcuda");
	assert_string_equal(text_at(root, "/usr/lib64/libc.so.6"), "libc");
	assert_string_equal(text_at(root, "/usr/lib/driver/libc"), "libc");
	assert_string_equal(text_at(root, "/usr/local/new/libcuda.so"), "libcuda");
	assert_string_equal(text_at(root, "/usr/local/newer"), "!ENOENT");
	assert_string_equal(text_at(root, "/usr/local"), "!EISDIR");
	assert_string_equal(real_at(root, "/usr/local/new/../new/libcuda.so", EA_FOLLOW),
			    "/usr/local/new/libcuda.so.1");
	assert_string_equal(names_at(root, "/usr"), "lib/ lib64@ local/ ");
	assert_string_equal(names_at(root, "/usr/local"), "new/ ");
	assert_string_equal(names_at(root, "/usr/lib"), "driver/ libc.so.6 ");
	assert_string_equal(names_at(root, "/usr/lib64/driver"),
			    "er libc@ libcuda.so.1 libcuda.so@ ");
	assert_int_equal(ea_root_layer_of(root, "/usr/lib/driver/libcuda.so"), 1);
	ea_root_free(root);

	/* The only layer of a root may do so too. */
	root = ea_root_new();
	add(root, &driver, "/usr/local/new", false);
	assert_string_equal(text_at(root, "/usr/local/new/libcuda.so"), "libcuda");
	assert_string_equal(text_at(root, "/libcuda.so"), "!ENOENT");
	assert_string_equal(names_at(root, "/"), "usr/ ");
	ea_root_free(root);
}

static void a_root_without_layers_is_empty(void **state)
{
	struct ea_root *root = ea_root_new();

	(void)state;
	assert_string_equal(names_at(root, "/"), "");
	assert_string_equal(names_at(root, "/.."), "");
	assert_string_equal(text_at(root, "/x"), "!ENOENT");
	assert_string_equal(real_at(root, "/x", EA_FOLLOW), "/x");
	assert_int_equal(ea_root_layer_of(root, "/"), -ENOENT);
	ea_root_free(root);
	ea_root_free(NULL);
}

static int stop_at_second(void *arg, const struct ea_entry *entry)
{
	int *n = arg;

	(void)entry;
	return ++*n == 2 ? -ENOENT : 0;
}

/* ENOENT on purpose: a layer that has not the folder gives it too. */
static void the_callback_ends_a_listing(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();

	(void)state;
	tree_file(&tree, "a", "");
	tree_file(&tree, "b", "");
	tree_file(&tree, "c", "");
	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree.dir);
		int n = 0;

		if (!root)
			continue;
		assert_int_equal(ea_root_list(root, "/", stop_at_second, &n), -ENOENT);
		assert_int_equal(n, 2);
		ea_root_free(root);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_upper_layer_wins),
	cmocka_unit_test(whiteouts_hide_what_lies_below),
	cmocka_unit_test(whiteouts_are_files_where_they_mean_nothing),
	cmocka_unit_test(an_opaque_top_hides_all),
	cmocka_unit_test(a_layer_may_lie_deeper),
	cmocka_unit_test(a_root_without_layers_is_empty),
	cmocka_unit_test(the_callback_ends_a_listing),
};

UNIT_MAIN(tests)
