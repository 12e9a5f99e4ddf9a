/* scan/around: a walk takes the folders that ld.so.conf names along, and no others. */
#include "session_root.h"

static bool has_copy(const struct ea_world *world, const char *path)
{
	ea_vec_foreach(copy, &world->copies)
		if (ea_streq((*copy)->path, path))
			return true;
	return false;
}

static void scan(struct session_root *r, const struct tree *tree)
{
	const struct tree *trees[] = { tree };
	struct ea_scan_options options = { .jobs = 1 };
	struct ea_err err;

	session_open(r, trees, 1);
	ea_scan_free(r->scan);
	ea_world_release(&r->world);
	ea_world_init(&r->world);
	r->world.target = (struct ea_target){ .name = "/opt/venv",
					      .kind = EA_TARGET_VENV,
					      .path = "/opt/venv",
					      .called = "/opt/venv",
					      .root = "/" };
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
	scan(&r, &tree);
	assert_true(has_copy(&r.world, "/opt/direct/libcudart.so.12"));
	assert_true(has_copy(&r.world, "/opt/included/libcudart.so.12"));
	assert_true(has_copy(&r.world, "/usr/lib64/libcudart.so.12"));
	assert_false(has_copy(&r.world, "/opt/other/libcudart.so.12"));
	session_close(&r);
	tree_free(&tree);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(folders_of_ld_so_conf_are_walked),
};

UNIT_MAIN(tests)
