/* fs against the kernel: random paths in random trees, resolved in a chroot(2) and by us. */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fs_ways.h"

enum {
	TREES = 40,
	PATHS = 250, /* of each tree */
	NOBODY = 65534,
};

/* ---- random trees and paths ------------------------------------------------------------------ */

/* Each of a…e below PATH is nothing, a folder, a file or a link. */
static void random_tree(const struct tree *tree, const char *dir, unsigned int depth,
			unsigned int *seed)
{
	char path[64], target[96];

	for (char name = 'a'; name <= 'e'; name++) {
		snprintf(path, sizeof(path), "%s%c", dir, name);
		switch (tree_random(seed, 8)) {
		case 0:
			break;
		case 1:
			tree_file(tree, path, path);
			break;
		case 2:
		case 3:
		case 4:
			tree_random_path(seed, 4, target, sizeof(target));
			tree_link(tree, path, target);
			break;
		default:
			tree_dir(tree, path);
			snprintf(target, sizeof(target), "%s/", path);
			if (depth)
				random_tree(tree, target, depth - 1, seed);
			if (tree_random(seed, 10) == 0)
				chmod(tree_path(tree, path), 0);
		}
	}
}

/* ---- what the kernel says of one path -------------------------------------------------------- */

struct answer {
	int stat, lstat, readlink, real; /* 0 or errno */
	uint64_t ino, lino;
	char text[64];
	char path[PATH_MAX];
};

static void ask_kernel(const char *path, struct answer *ret)
{
	struct stat st;
	ssize_t n;

	ret->stat = stat(path, &st) < 0 ? errno : 0;
	ret->ino = st.st_ino;
	ret->lstat = lstat(path, &st) < 0 ? errno : 0;
	ret->lino = st.st_ino;
	n = readlink(path, ret->text, sizeof(ret->text) - 1);
	ret->readlink = n < 0 ? errno : 0;
	ret->text[n < 0 ? 0 : n] = '\0';
	ret->real = realpath(path, ret->path) ? 0 : errno;
}

static void become_nobody(void)
{
	if (setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0)
		_exit(1);
}

/* False where chroot is not allowed. */
static bool ask_in_chroot(const char *dir, bool nobody, char (*paths)[128], struct answer *answers)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (chroot(dir) < 0 || chdir("/") < 0)
			_exit(77);
		if (nobody)
			become_nobody();
		for (size_t i = 0; i < PATHS; i++)
			ask_kernel(paths[i], &answers[i]);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		return false;
	assert_int_equal(WEXITSTATUS(status), 0);
	return true;
}

/* ---- the same, by us ------------------------------------------------------------------------- */

/* No component of REAL but the last may be a link; the last one neither, if FOLLOW. */
static bool is_real(const struct ea_root *root, const char *real, enum ea_follow follow)
{
	char text[PATH_MAX + 1];
	struct ea_stat stat;

	for (const char *at = real; at && at[1];) {
		at = strchr(at + 1, '/');
		if (!at && follow == EA_NOFOLLOW)
			break;
		snprintf(text, sizeof(text), "%.*s", at ? (int)(at - real) : PATH_MAX, real);
		if (ea_root_stat(root, text, EA_NOFOLLOW, &stat) == 0 && stat.type == EA_FILE_LINK)
			return false;
	}
	return real[0] == '/' && !strstr(real, "//") && !strstr(real, "/../");
}

static bool agrees(const struct ea_root *root, const char *path, const struct answer *want)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 }, real = { 0 };
	struct ea_stat stat;
	int r;

	r = ea_root_stat(root, path, EA_FOLLOW, &stat);
	if (r != -want->stat || (r == 0 && stat.ino != want->ino))
		return false;
	r = ea_root_stat(root, path, EA_NOFOLLOW, &stat);
	if (r != -want->lstat || (r == 0 && stat.ino != want->lino))
		return false;
	r = ea_root_readlink(root, path, &text);
	if (r != -want->readlink || strcmp(ea_buf_text(&text), want->text) != 0)
		return false;

	r = ea_root_resolve(root, path, EA_FOLLOW, &real);
	if (r == 0 && !is_real(root, real.ptr, EA_FOLLOW))
		return false;
	/* What is missing at the end only is an answer for us, but not for realpath(). */
	if (r == 0 && want->real == ENOENT)
		return ea_root_stat(root, real.ptr, EA_NOFOLLOW, &stat) == -ENOENT;
	/* realpath() goes up by text, the kernel only where the folder may be searched. */
	if (r == 0 && strcmp(real.ptr, want->path) != 0)
		return false;
	if (r != -want->real && r != -want->stat)
		return false;

	r = ea_root_resolve(root, path, EA_NOFOLLOW, &real);
	if (want->lstat)
		return true;
	return r == 0 && is_real(root, real.ptr, EA_NOFOLLOW) &&
	       ea_root_stat(root, real.ptr, EA_NOFOLLOW, &stat) == 0 && stat.ino == want->lino;
}

static size_t compare_by(enum way way, const struct tree *tree, char (*paths)[128],
			 const struct answer *answers)
{
	struct ea_root *root = root_by(way, tree->dir);
	size_t bad = 0;

	for (size_t i = 0; i < PATHS && root; i++) {
		if (agrees(root, paths[i], &answers[i]))
			continue;
		print_error("%s: way %d: stat %d lstat %d real %d %s\n", paths[i], (int)way,
			    answers[i].stat, answers[i].lstat, answers[i].real, answers[i].path);
		bad++;
	}
	ea_root_free(root);
	return bad;
}

static bool compare_tree(unsigned int seed, bool nobody, struct answer *answers)
{
	EA_CLEANUP(tree_free) struct tree tree = tree_new();
	static char paths[PATHS][128];

	random_tree(&tree, "", 3, &seed);
	for (size_t i = 0; i < PATHS; i++)
		tree_random_path(&seed, 6, paths[i], sizeof(paths[i]));
	if (!ask_in_chroot(tree.dir, nobody, paths, answers))
		return false;
	if (nobody)
		assert_int_equal(seteuid(NOBODY), 0);
	/* Several layers do not ask whether a folder may be searched before they leave it by `..`.
	 */
	for (enum way way = 0; way < N_WAYS; way++)
		if (way != BY_LAYERS || !nobody)
			assert_int_equal(compare_by(way, &tree, paths, answers), 0);
	if (nobody)
		assert_int_equal(seteuid(0), 0);
	return true;
}

static void compare_trees(bool nobody)
{
	struct answer *answers = mmap(NULL, PATHS * sizeof(*answers), PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(answers != MAP_FAILED);
	for (unsigned int i = 1; i <= TREES; i++) {
		if (!compare_tree(i * 2654435761u, nobody, answers)) {
			print_message("needs chroot\n");
			skip();
		}
	}
	munmap(answers, PATHS * sizeof(*answers));
}

static void paths_lead_where_chroot_leads(void **state)
{
	(void)state;
	compare_trees(false);
}

static void permissions_are_the_kernels(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("needs root\n");
		skip();
	}
	compare_trees(true);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(paths_lead_where_chroot_leads),
	cmocka_unit_test(permissions_are_the_kernels),
};

UNIT_MAIN(tests)
