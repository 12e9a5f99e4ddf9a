/* scan/around: a walk takes the folders that ld.so.conf names along, and no others. */
#include "session_root.h"

static unsigned count(const struct ea_world *world, const char *path)
{
	unsigned n = 0;

	ea_vec_foreach(copy, &world->copies)
		n += ea_streq((*copy)->path, path);
	return n;
}

static void scan(struct session_root *r, const struct tree *tree, const char *target,
		 enum ea_target_kind kind)
{
	const struct tree *trees[] = { tree };
	struct ea_scan_options options = { .jobs = 1 };
	struct ea_err err;

	session_open(r, trees, 1);
	ea_scan_free(r->scan);
	ea_world_release(&r->world);
	ea_world_init(&r->world);
	r->world.target = (struct ea_target){
		.name = target, .kind = kind, .path = target, .called = target, .root = "/"
	};
	options.libraries = r->libraries;
	assert_int_equal(ea_scan_new(r->root, &options, &r->world, &r->scan, &err), 0);
}

static void folders_of_ld_so_conf_are_walked(void **state)
{
	struct tree tree = tree_new();
	struct session_root r;

	(void)state;
	tree_file(&tree, "opt/venv/pyvenv.cfg", "");
	tree_file(&tree, "etc/ld.so.conf", "/opt/direct\ninclude ld.so.conf.d/*.conf\n");
	tree_file(&tree, "etc/ld.so.conf.d/cuda.conf", "/opt/included # CUDA\n");
	session_library(&tree, "opt/direct/libcudart.so.12", "", NULL);
	session_library(&tree, "opt/included/libcudart.so.12", "", NULL);
	session_library(&tree, "opt/other/libcudart.so.12", "", NULL);
	session_library(&tree, "usr/lib64/libcudart.so.12", "", NULL);
	scan(&r, &tree, "/opt/venv", EA_TARGET_VENV);
	assert_int_equal(count(&r.world, "/opt/direct/libcudart.so.12"), 1);
	assert_int_equal(count(&r.world, "/opt/included/libcudart.so.12"), 1);
	assert_int_equal(count(&r.world, "/usr/lib64/libcudart.so.12"), 1);
	assert_int_equal(count(&r.world, "/opt/other/libcudart.so.12"), 0);
	session_close(&r);
	tree_free(&tree);
}

static void a_file_that_is_met_twice_is_one_copy(void **state)
{
	struct tree tree = tree_new();
	struct session_root r;

	(void)state;
	tree_file(&tree, "etc/ld.so.conf", "/opt/direct\n");
	session_library(&tree, "opt/direct/libcudart.so.12", "", NULL);
	scan(&r, &tree, "/opt/direct/libcudart.so.12", EA_TARGET_ELF);
	assert_int_equal(count(&r.world, "/opt/direct/libcudart.so.12"), 1);
	assert_int_equal(r.world.elfs.n, 1);
	session_close(&r);
	tree_free(&tree);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(folders_of_ld_so_conf_are_walked),
	cmocka_unit_test(a_file_that_is_met_twice_is_one_copy),
};

UNIT_MAIN(tests)
