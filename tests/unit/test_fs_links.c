/* fs: links stay inside the root, by each way of resolving them. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>

#include "fs_ways.h"

static void build(const struct tree *t)
{
	tree_file(t, "etc/name", "inside");
	tree_file(t, "usr/lib/libx.so.1.2", "libx");
	tree_dir(t, "empty");
	tree_link(t, "lib", "usr/lib");
	tree_link(t, "lib64", "/usr/lib");
	tree_link(t, "usr/lib/libx.so.1", "libx.so.1.2");
	tree_link(t, "usr/lib/libx.so", "libx.so.1");
	tree_link(t, "usr/lib/abs", "/etc/name");
	tree_link(t, "usr/lib/up", "../../../../../../etc/name");
	tree_link(t, "usr/lib/outside", "/../../../../../../../../etc/passwd");
	tree_link(t, "slashed", "usr/lib/");
	tree_link(t, "file-slashed", "etc/name/");
	tree_link(t, "top", "/");
	tree_link(t, "self", "self");
	tree_link(t, "ping", "pong");
	tree_link(t, "pong", "ping");
	tree_link(t, "dangling", "usr/nowhere");
	tree_link(t, "dangling-deep", "no/where");
	tree_link(t, "through-file", "etc/name/x");
}

/* What openat2(2) with RESOLVE_IN_ROOT gives; test_fs_kernel.c asks the kernel itself, at random.
 */
static const struct {
	const char *path, *text, *follow, *nofollow;
} cases[] = {
	{ "/etc/name", "inside", "/etc/name", "/etc/name" },
	{ "//etc///name", "inside", "/etc/name", "/etc/name" },
	{ "/etc/./name", "inside", "/etc/name", "/etc/name" },
	{ "/../../etc/../etc/name", "inside", "/etc/name", "/etc/name" },
	{ "/lib/libx.so", "libx", "/usr/lib/libx.so.1.2", "/usr/lib/libx.so" },
	{ "/lib64/libx.so", "libx", "/usr/lib/libx.so.1.2", "/usr/lib/libx.so" },
	{ "/slashed/libx.so", "libx", "/usr/lib/libx.so.1.2", "/usr/lib/libx.so" },
	{ "/top/top/top/lib/libx.so", "libx", "/usr/lib/libx.so.1.2", "/usr/lib/libx.so" },
	{ "/lib/abs", "inside", "/etc/name", "/usr/lib/abs" },
	{ "/lib/up", "inside", "/etc/name", "/usr/lib/up" },
	{ "/lib/../etc/name", "!ENOENT", "!ENOENT", "!ENOENT" }, /* lib/.. is /usr */
	{ "/lib/../lib/abs", "inside", "/etc/name", "/usr/lib/abs" },
	{ "/lib/outside", "!ENOENT", "/etc/passwd", "/usr/lib/outside" },
	{ "/", "!EISDIR", "/", "/" },
	{ "/..", "!EISDIR", "/", "/" },
	{ "/top", "!EISDIR", "/", "/top" },
	{ "/lib", "!EISDIR", "/usr/lib", "/lib" },
	{ "/lib/", "!EISDIR", "/usr/lib", "/usr/lib" },
	{ "/lib/.", "!EISDIR", "/usr/lib", "/usr/lib" },
	{ "/slashed", "!EISDIR", "/usr/lib", "/slashed" },
	{ "/etc/name/", "!ENOTDIR", "!ENOTDIR", "!ENOTDIR" },
	{ "/etc/name/.", "!ENOTDIR", "!ENOTDIR", "!ENOTDIR" },
	{ "/etc/name/..", "!ENOTDIR", "!ENOTDIR", "!ENOTDIR" },
	{ "/etc/name/x", "!ENOTDIR", "!ENOTDIR", "!ENOTDIR" },
	{ "/file-slashed", "!ENOTDIR", "!ENOTDIR", "/file-slashed" },
	{ "/through-file", "!ENOTDIR", "!ENOTDIR", "/through-file" },
	{ "/self", "!ELOOP", "!ELOOP", "/self" },
	{ "/ping/x", "!ELOOP", "!ELOOP", "!ELOOP" },
	{ "/ping/", "!ELOOP", "!ELOOP", "!ELOOP" },
	{ "/dangling", "!ENOENT", "/usr/nowhere", "/dangling" },
	{ "/dangling/", "!ENOENT", "/usr/nowhere", "/usr/nowhere" },
	{ "/dangling-deep", "!ENOENT", "!ENOENT", "/dangling-deep" },
	{ "/nothing", "!ENOENT", "/nothing", "/nothing" },
	{ "/no/thing", "!ENOENT", "!ENOENT", "!ENOENT" },
	{ "", "!ENOENT", "!ENOENT", "!ENOENT" },
};

static void check_cases(const struct ea_root *root)
{
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		assert_string_equal(text_at(root, cases[i].path), cases[i].text);
		assert_string_equal(real_at(root, cases[i].path, EA_FOLLOW), cases[i].follow);
		assert_string_equal(real_at(root, cases[i].path, EA_NOFOLLOW), cases[i].nofollow);
	}
}

static void check_stat_and_readlink(const struct ea_root *root)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	struct ea_stat stat;

	assert_int_equal(ea_root_stat(root, "/lib", EA_NOFOLLOW, &stat), 0);
	assert_int_equal(stat.type, EA_FILE_LINK);
	assert_int_equal(ea_root_stat(root, "/lib", EA_FOLLOW, &stat), 0);
	assert_int_equal(stat.type, EA_FILE_DIR);
	assert_int_equal(ea_root_stat(root, "/lib/", EA_NOFOLLOW, &stat), 0);
	assert_int_equal(stat.type, EA_FILE_DIR);
	assert_int_equal(ea_root_stat(root, "/lib/libx.so", EA_FOLLOW, &stat), 0);
	assert_int_equal(stat.size, 4);
	assert_int_equal(ea_root_stat(root, "/dangling", EA_FOLLOW, &stat), -ENOENT);

	ea_buf_add_text(&text, "-> ");
	assert_int_equal(ea_root_readlink(root, "/lib64/libx.so", &text), 0);
	assert_string_equal(text.ptr, "-> libx.so.1");
	assert_int_equal(ea_root_readlink(root, "/etc/name", &text), -EINVAL);
	assert_int_equal(ea_root_readlink(root, "/etc", &text), -EINVAL);
	assert_int_equal(ea_root_readlink(root, "/lib/", &text), -EINVAL);
	assert_int_equal(ea_root_readlink(root, "/nothing", &text), -ENOENT);
	assert_string_equal(text.ptr, "-> libx.so.1");
}

static void check_list(const struct ea_root *root)
{
	assert_string_equal(names_at(root, "/lib64"),
			    "abs@ libx.so.1.2 libx.so.1@ libx.so@ outside@ up@ ");
	assert_string_equal(names_at(root, "/empty"), "");
	assert_string_equal(names_at(root, "/etc/name"), "!ENOTDIR");
	assert_string_equal(names_at(root, "/nothing"), "!ENOENT");
}

static void links_stay_inside(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();

	(void)state;
	build(&tree);
	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree.dir);

		if (!root)
			continue;
		check_cases(root);
		check_stat_and_readlink(root);
		check_list(root);
		ea_root_free(root);
	}
}

/* The kernel follows 40 links and no more. */
static void forty_links_are_followed(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	char name[16], target[16];

	(void)state;
	tree_file(&tree, "l0", "end");
	for (int i = 1; i <= 41; i++) {
		snprintf(name, sizeof(name), "l%d", i);
		snprintf(target, sizeof(target), "l%d", i - 1);
		tree_link(&tree, name, target);
	}
	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree.dir);

		if (!root)
			continue;
		assert_string_equal(text_at(root, "/l40"), "end");
		assert_string_equal(real_at(root, "/l40", EA_FOLLOW), "/l0");
		assert_string_equal(text_at(root, "/l41"), "!ELOOP");
		assert_string_equal(real_at(root, "/l41", EA_FOLLOW), "!ELOOP");
		ea_root_free(root);
	}
}

/* Of a path as a whole 4096 bytes are the limit, of a component 255; links may lead further. */
static void long_paths(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	EA_CLEANUP(ea_buf_release) struct ea_buf path = { 0 };
	char name[300];

	(void)state;
	memset(name, 'n', sizeof(name));
	name[255] = '\0';
	tree_file(&tree, name, "long");
	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree.dir);

		if (!root)
			continue;
		ea_buf_clear(&path);
		for (size_t i = 0; i < (4095 - 256) / 2; i++)
			ea_buf_add_text(&path, "/.");
		ea_buf_printf(&path, "//%s", name);
		assert_int_equal(path.len, 4095);
		assert_string_equal(text_at(root, path.ptr), "long");
		ea_buf_add_char(&path, '/');
		assert_string_equal(text_at(root, path.ptr), "!ENAMETOOLONG");
		assert_string_equal(real_at(root, path.ptr, EA_FOLLOW), "!ENAMETOOLONG");
		ea_buf_clear(&path);
		ea_buf_printf(&path, "/%sn", name);
		assert_string_equal(text_at(root, path.ptr), "!ENAMETOOLONG");
		ea_root_free(root);
	}
}

/* On the host the same functions give what the kernel gives. */
static void the_host_is_a_root(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	struct ea_root *root = ea_root_host();
	struct ea_source *source;
	EA_CLEANUP(ea_buf_release) struct ea_buf real = { 0 };

	(void)state;
	tree_file(&tree, "etc/name", "inside");
	tree_link(&tree, "etc/link", "name");
	ea_buf_printf(&real, "%s/etc/name", real_at(root, tree.dir, EA_FOLLOW));
	assert_string_equal(text_at(root, tree_path(&tree, "etc/link")), "inside");
	assert_string_equal(real_at(root, tree_path(&tree, "etc/link"), EA_FOLLOW), real.ptr);
	assert_string_equal(names_at(root, tree_path(&tree, "etc")), "link@ name ");
	assert_string_equal(real_at(root, "/../..", EA_FOLLOW), "/");
	ea_root_free(root);

	/* The same as the lowest of several layers. */
	root = ea_root_new();
	assert_int_equal(ea_source_folder("//", &source, NULL), 0);
	ea_root_add_layer(root, source, "/", false);
	assert_int_equal(ea_source_folder(tree.dir, &source, NULL), 0);
	ea_root_add_layer(root, source, tree_path(&tree, "etc/mounted"), false);
	assert_string_equal(text_at(root, tree_path(&tree, "etc/mounted/etc/link")), "inside");
	assert_string_equal(names_at(root, tree_path(&tree, "etc")), "link@ mounted/ name ");
	ea_root_free(root);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(links_stay_inside),
	cmocka_unit_test(forty_links_are_followed),
	cmocka_unit_test(long_paths),
	cmocka_unit_test(the_host_is_a_root),
};

UNIT_MAIN(tests)
