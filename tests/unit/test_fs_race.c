/* fs: a tree that changes while it is read never leads out of its root. */
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fs_ways.h"

/* A child that calls SWAP over and over, as long as this test lives. */
static pid_t keep_swapping(void (*swap)(const struct tree *tree), const struct tree *tree)
{
	pid_t pid = fork();

	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (pid == 0)
		swap(tree);
	assert_true(pid > 0);
	return pid;
}

/* Reads PATH while the tree changes: "inside" or nothing, but never "outside". */
static void read_meanwhile(const struct tree *tree, void (*swap)(const struct tree *tree),
			   const char *path, int reads)
{
	pid_t pid = keep_swapping(swap, tree);
	bool outside = false;

	for (enum way way = 0; way < N_WAYS; way++) {
		struct ea_root *root = root_by(way, tree_path(tree, "up/root"));

		for (int i = 0; i < reads && root; i++)
			outside |= strcmp(text_at(root, path), "outside") == 0;
		ea_root_free(root);
	}
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_false(outside);
}

static void swap_folder_and_link(const struct tree *tree)
{
	renameat2(AT_FDCWD, tree_path(tree, "up/root/dir"), AT_FDCWD,
		  tree_path(tree, "up/root/link"), RENAME_EXCHANGE);
}

static void a_folder_that_becomes_a_link(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();

	(void)state;
	tree_file(&tree, "outside/file", "outside");
	tree_file(&tree, "up/root/dir/file", "inside");
	tree_link(&tree, "up/root/link", tree_path(&tree, "outside"));
	read_meanwhile(&tree, swap_folder_and_link, "/dir/file", 20000);
}

static void move_up_and_down(const struct tree *tree)
{
	rename(tree_path(tree, "up/root/a/b/c"), tree_path(tree, "up/root/c"));
	rename(tree_path(tree, "up/root/c"), tree_path(tree, "up/root/a/b/c"));
}

/*
 * Counted from where it was, `..` would lead above the root, to the outer "file". The path stays in
 * the folder for a while so that it is often moved just then.
 */
static void a_folder_that_moves_up(void **state)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	EA_CLEANUP(ea_buf_release) struct ea_buf path = { 0 };

	(void)state;
	tree_dir(&tree, "up/root/a/b/c/d");
	tree_file(&tree, "file", "outside");
	tree_file(&tree, "up/root/file", "inside");
	ea_buf_add_text(&path, "/a/b/c");
	for (int i = 0; i < 50; i++)
		ea_buf_add_text(&path, "/d/..");
	ea_buf_add_text(&path, "/../../../file");
	read_meanwhile(&tree, move_up_and_down, path.ptr, 5000);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_folder_that_becomes_a_link),
	cmocka_unit_test(a_folder_that_moves_up),
};

UNIT_MAIN(tests)
