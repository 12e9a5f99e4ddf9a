/* session/: what a root of several layers gives the loader. */
#include "session_root.h"

static struct tree lower, upper;

static int make_trees(void **state)
{
	(void)state;
	lower = tree_new();
	upper = tree_new();
	session_basics(&lower);
	return 0;
}

static int free_trees(void **state)
{
	(void)state;
	tree_free(&lower);
	tree_free(&upper);
	return 0;
}

static void open_lower(struct session_root *r)
{
	const struct tree *trees[] = { &lower };

	session_open(r, trees, 1);
}

static void open_both(struct session_root *r)
{
	const struct tree *trees[] = { &lower, &upper };

	session_open(r, trees, 2);
}

/* Another libcudart in its place, as a fix would put it there: it needs a further library. */
static void overlay_changes_what_is_loaded(void **state)
{
	struct ea_session *session;
	struct session_root r;

	(void)state;
	session_library(&lower, "app/libuser.so", "libcudart.so.12 libc.so.6", "$ORIGIN");
	session_library(&lower, "app/libcudart.so.12", "libc.so.6", NULL);
	session_library(&upper, "app/libcudart.so.12", "libextra.so.1 libc.so.6", "$ORIGIN");
	session_library(&upper, "app/libextra.so.1", "", NULL);
	open_lower(&r);
	session = session_of(&r, "/app/libuser.so");
	assert_int_equal(session->outcome, EA_SESSION_COMPLETE);
	assert_string_equal(session_path(session, "libextra.so.1"), "-");
	session_close(&r);
	open_both(&r);
	session = session_of(&r, "/app/libuser.so");
	assert_int_equal(session->outcome, EA_SESSION_COMPLETE);
	assert_string_equal(session_path(session, "libcudart.so.12"), "/app/libcudart.so.12");
	assert_string_equal(session_path(session, "libextra.so.1"), "/app/libextra.so.1");
	session_close(&r);
}

/* What a container toolkit mounts: libcuda comes from a layer of its own. */
static void driver_layer_brings_libcuda(void **state)
{
	static const char text[] = "libcuda.so.1: cannot open shared object file: No such file or "
				   "directory";
	struct ea_session *session;
	struct session_root r;

	(void)state;
	session_library(&lower, "app/libtorch.so", "libcuda.so.1 libgone.so.3 libc.so.6", NULL);
	session_library(&lower, "app/libtorch2.so", "libcuda.so.1 libc.so.6", NULL);
	session_library(&upper, "usr/lib/libcuda.so.550.54.14", "libc.so.6", NULL);
	tree_link(&upper, "usr/lib/libcuda.so.1", "libcuda.so.550.54.14");
	open_lower(&r);
	session = session_of(&r, "/app/libtorch2.so");
	assert_int_equal(session->outcome, EA_SESSION_FAILED);
	assert_string_equal(session->error, text);
	session_close(&r);
	open_both(&r);
	session = session_of(&r, "/app/libtorch2.so");
	assert_int_equal(session->outcome, EA_SESSION_COMPLETE);
	assert_string_equal(session_path(session, "libcuda.so.1"), "/usr/lib/libcuda.so.1");
	session_close(&r);
}

/* ld.so ends at the first missing library; the session names them all. */
static void all_that_is_missing_is_named(void **state)
{
	struct ea_session *session;
	struct session_root r;

	(void)state;
	session_library(&lower, "app/libbroken.so", "libone.so.1 libhere.so.1 libtwo.so.2",
			"$ORIGIN");
	session_library(&lower, "app/libhere.so.1", "libthree.so.3", NULL);
	open_lower(&r);
	session = session_of(&r, "/app/libbroken.so");
	assert_int_equal(session->outcome, EA_SESSION_FAILED);
	assert_true(session->beyond);
	assert_non_null(strstr(session->error, "libone.so.1: cannot open"));
	assert_null(session_path(session, "libone.so.1"));
	assert_null(session_path(session, "libtwo.so.2"));
	assert_null(session_path(session, "libthree.so.3"));
	assert_string_equal(session_path(session, "libhere.so.1"), "/app/libhere.so.1");
	/* What failed is not mapped any more; the program and its libc are. */
	assert_int_equal(session->maps.n, 3);
	session_close(&r);
}

static void copies_that_are_loaded_are_reached(void **state)
{
	struct session_root r;
	unsigned reached = 0;

	(void)state;
	session_library(&lower, "app/libalone.so", "libc.so.6", NULL);
	open_lower(&r);
	(void)session_of(&r, "/app/libalone.so");
	(void)session_of(&r, "/app/libuser.so");
	ea_scan_settle(r.scan);
	ea_sessions_reach(&r.world);
	ea_vec_foreach(copy, &r.world.copies) {
		assert_int_equal((*copy)->id, copy - r.world.copies.items + 1);
		reached += (*copy)->reach == EA_REACH_SOME;
	}
	/* The loader, libc, libalone, libuser, libcudart. */
	assert_int_equal(reached, 5);
	session_close(&r);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(overlay_changes_what_is_loaded),
		cmocka_unit_test(driver_layer_brings_libcuda),
		cmocka_unit_test(all_that_is_missing_is_named),
		cmocka_unit_test(copies_that_are_loaded_are_reached),
	};

	return cmocka_run_group_tests(tests, make_trees, free_trees);
}
