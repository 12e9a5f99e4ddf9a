/* scan/provider: what open(2) would give, however often and in which order it is asked. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "elf/elf.h"
#include "session_root.h"

static struct tree tree;

static int make_tree(void **state)
{
	(void)state;
	tree = tree_new();
	session_basics(&tree);
	session_library(&tree, "app/lib/liba.so.1.2", "", NULL);
	tree_link(&tree, "app/lib/liba.so.1", "liba.so.1.2");
	tree_link(&tree, "app/lib/loop", "loop");
	tree_link(&tree, "app/lib/gone", "nowhere");
	tree_link(&tree, "link", "app");
	tree_file(&tree, "app/text", "no ELF file");
	tree_dir(&tree, "app/lib/dir");
	return 0;
}

static int free_tree(void **state)
{
	(void)state;
	tree_free(&tree);
	return 0;
}

/* The kernel's answer for the same path: 0 or errno. */
static int truth(const char *path)
{
	int fd = open(tree_path(&tree, path), O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static void errors_are_those_of_the_kernel(void **state)
{
	static const char *const paths[] = {
		"app/lib/liba.so.1",
		"app/lib/no1",
		"app/lib/no2",
		"app/lib/no3",
		"app/lib/liba.so.1",
		"app/lib/dir",
		"app/lib/loop",
		"app/lib/gone",
		"link/lib/liba.so.1",
		"app/../link/lib",
		"app/lib/dir/..",
		"app/lib/dir/x",
		"app/text",
		"app/text/x",
		"none/lib/x",
		"none/../app/text",
		"app/lib/./liba.so.1",
		"app/lib/loop/x",
		"app//lib///liba.so.1",
		"app/text/..",
	};
	char too_long[300] = "app/lib/";
	struct session_root r;
	const struct tree *trees[] = { &tree };

	(void)state;
	memset(too_long + strlen(too_long), 'x', 280);
	session_open(&r, trees, 1);
	/* Twice: the second time out of memory, and from listings. */
	for (unsigned i = 0; i < 2 * (EA_ARRAY_SIZE(paths) + 1); i++) {
		const struct ea_provider *provider = ea_scan_provider(r.scan);
		unsigned at = i % (EA_ARRAY_SIZE(paths) + 1);
		const char *path = at == EA_ARRAY_SIZE(paths) ? too_long : paths[at];
		struct ea_opened opened = { 0 };
		char absolute[400];
		int error;

		snprintf(absolute, sizeof(absolute), "/%s", path);
		error = provider->open(provider->ctx, absolute, &opened);
		if (error != truth(path))
			fail_msg("%s: %s", path, strerror(error));
		if (!error)
			assert_true(opened.is_dir != (opened.elf != NULL));
	}
	session_close(&r);
}

static void one_file_is_one_elf(void **state)
{
	struct ea_opened by_link, by_name, by_folder;
	const struct tree *trees[] = { &tree };
	const struct ea_provider *provider;
	struct session_root r;

	(void)state;
	session_open(&r, trees, 1);
	provider = ea_scan_provider(r.scan);
	assert_int_equal(provider->open(provider->ctx, "/app/lib/liba.so.1", &by_link), 0);
	assert_int_equal(provider->open(provider->ctx, "/app/lib/liba.so.1.2", &by_name), 0);
	assert_int_equal(provider->open(provider->ctx, "/link/lib/liba.so.1", &by_folder), 0);
	assert_ptr_equal(by_link.elf, by_name.elf);
	assert_ptr_equal(by_link.elf, by_folder.elf);
	assert_string_equal(by_folder.real, "/app/lib/liba.so.1.2");
	assert_string_equal(by_link.elf->soname, "liba.so.1.2");
	session_close(&r);
}

/* More symbol tables than there may be open files. */
static void symbols_are_found_with_few_descriptors(void **state)
{
	const struct tree *trees[] = { &tree };
	const struct ea_provider *provider;
	const struct rlimit few = { 24, 24 };
	struct ea_opened opened[40];
	struct session_root r;

	(void)state;
	for (unsigned i = 0; i < EA_ARRAY_SIZE(opened); i++) {
		char path[64];

		snprintf(path, sizeof(path), "many/lib%u.so", i);
		session_library(&tree, path, "libc.so.6", NULL);
	}
	session_open(&r, trees, 1);
	if (setrlimit(RLIMIT_NOFILE, &few) != 0) {
		/* valgrind keeps descriptors of its own above any limit. */
		session_close(&r);
		skip();
	}
	provider = ea_scan_provider(r.scan);
	for (unsigned round = 0; round < 3; round++)
		for (unsigned i = 0; i < EA_ARRAY_SIZE(opened); i++) {
			struct ea_symbol symbol;
			char path[64];

			snprintf(path, sizeof(path), "/many/lib%u.so", i);
			assert_int_equal(provider->open(provider->ctx, path, &opened[i]), 0);
			assert_int_equal(provider->lookup(provider->ctx, opened[i].elf, "marker",
							  ea_symtab_gnu_hash("marker"), &symbol, 1),
					 1);
		}
	session_close(&r);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_are_those_of_the_kernel),
		cmocka_unit_test(one_file_is_one_elf),
		cmocka_unit_test(symbols_are_found_with_few_descriptors),
	};

	return cmocka_run_group_tests(tests, make_tree, free_tree);
}
