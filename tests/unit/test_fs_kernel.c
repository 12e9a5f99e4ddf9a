/* fs against the kernel: random trees and paths, resolved by chroot(2) and overlayfs and by us. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "fs_ways.h"

enum {
	TREES = 40,
	PATHS = 250, /* of each tree */
	NOBODY = 65534,
};

/* ---- random trees and paths ------------------------------------------------------------------ */

static const char *const words[] = { "a", "b", "c", "d", "e", "..", ".", "nothing" };

/* A path of up to MAX components, absolute or not; DOTS: links and questions may have `..`. */
static void random_path(unsigned int *seed, unsigned int max, char *ret, size_t size)
{
	unsigned int n = 1 + tree_random(seed, max);
	size_t len = 0;

	ret[0] = '\0';
	for (unsigned int i = 0; i < n; i++) {
		const char *word = words[tree_random(seed, EA_ARRAY_SIZE(words))];
		const char *slash = i ? "/" : tree_random(seed, 2) ? "/" : "";

		if (tree_random(seed, 16) == 0)
			slash = "//";
		len += (size_t)snprintf(ret + len, size - len, "%s%s", slash, word);
	}
	if (tree_random(seed, 8) == 0)
		snprintf(ret + len, size - len, "/");
}

/* Each of a…e below PATH is nothing, a folder, a file or a link. */
static void random_tree(const struct tree *tree, const char *dir, unsigned int depth,
			unsigned int *seed)
{
	char path[64], target[96];

	for (size_t i = 0; i < 5; i++) {
		snprintf(path, sizeof(path), "%s%s", dir, words[i]);
		switch (tree_random(seed, 8)) {
		case 0:
			break;
		case 1:
			tree_file(tree, path, path);
			break;
		case 2:
		case 3:
		case 4:
			random_path(seed, 4, target, sizeof(target));
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
		random_path(&seed, 6, paths[i], sizeof(paths[i]));
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

/* ---- layers against overlayfs ---------------------------------------------------------------- */

enum { LAYERS = 3 };

/* One layer in two forms: as overlayfs wants its whiteouts, and as OCI images have them. */
struct layer_pair {
	struct tree kernel, oci;
};

static void both_dir(const struct layer_pair *pair, const char *path, bool opaque)
{
	char marker[96];

	tree_dir(&pair->kernel, path);
	tree_dir(&pair->oci, path);
	if (!opaque)
		return;
	assert_int_equal(
		setxattr(tree_path(&pair->kernel, path), "trusted.overlay.opaque", "y", 1, 0), 0);
	snprintf(marker, sizeof(marker), "%s/.wh..wh..opq", path);
	tree_file(&pair->oci, marker, "");
}

static void both_whiteout(const struct layer_pair *pair, const char *dir, const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "%s%s", dir, name);
	assert_int_equal(mknod(tree_path(&pair->kernel, path), S_IFCHR, makedev(0, 0)), 0);
	snprintf(path, sizeof(path), "%s.wh.%s", dir, name);
	tree_file(&pair->oci, path, "");
}

static void random_layer(const struct layer_pair *pair, const char *dir, unsigned int depth,
			 unsigned int *seed)
{
	char path[64], text[96];

	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s%s", dir, words[i]);
		switch (tree_random(seed, 10)) {
		case 0:
		case 1:
			break;
		case 2:
			both_whiteout(pair, dir, words[i]);
			break;
		case 3:
		case 4:
			/* The text tells which layer it is. */
			snprintf(text, sizeof(text), "%s of %u", path, *seed);
			tree_file(&pair->kernel, path, text);
			tree_file(&pair->oci, path, text);
			break;
		case 5:
			random_path(seed, 3, text, sizeof(text));
			tree_link(&pair->kernel, path, text);
			tree_link(&pair->oci, path, text);
			break;
		default:
			both_dir(pair, path, tree_random(seed, 6) == 0);
			snprintf(text, sizeof(text), "%s/", path);
			if (depth)
				random_layer(pair, text, depth - 1, seed);
		}
	}
}

/* Overlayfs lists its whiteouts, as devices, in folders that only one layer has. */
static void drop_whiteouts(char *names)
{
	char *to = names;

	for (char *at = names; *at;) {
		size_t len = strcspn(at, " ") + 1;

		if (len < 2 || at[len - 2] != '=') {
			memmove(to, at, len);
			to += len;
		}
		at += len;
	}
	*to = '\0';
}

static bool same_content(const struct ea_root *mount, const struct ea_root *root, const char *path)
{
	char want[128];
	int r, want_r;
	struct ea_stat stat, want_stat;

	for (enum ea_follow follow = EA_NOFOLLOW; follow <= EA_FOLLOW; follow++) {
		want_r = ea_root_stat(mount, path, follow, &want_stat);
		r = ea_root_stat(root, path, follow, &stat);
		if (r != want_r || (r == 0 && stat.type != want_stat.type))
			return false;
		snprintf(want, sizeof(want), "%s", real_at(mount, path, follow));
		if (strcmp(real_at(root, path, follow), want) != 0)
			return false;
	}
	snprintf(want, sizeof(want), "%s", text_at(mount, path));
	if (strcmp(text_at(root, path), want) != 0)
		return false;
	snprintf(want, sizeof(want), "%s", names_at(mount, path));
	if (want[0] != '!')
		drop_whiteouts(want);
	return strcmp(names_at(root, path), want) == 0;
}

/* In a child with its own mounts: 77 where that or overlayfs is not to be had. */
static int compare_layers(const struct layer_pair *layers, const struct tree *at, unsigned int seed)
{
	struct ea_root *root = ea_root_new(), *mounted;
	struct ea_source *source;
	char path[512];

	snprintf(path, sizeof(path), "lowerdir=%s:%s:%s", layers[2].kernel.dir,
		 layers[1].kernel.dir, layers[0].kernel.dir);
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("overlay", at->dir, "overlay", 0, path) < 0)
		return 77;
	mounted = root_by(BY_WALK, at->dir);
	for (size_t i = 0; i < LAYERS; i++) {
		if (ea_source_folder(layers[i].oci.dir, &source, NULL) < 0)
			return 1;
		ea_root_add_layer(root, source, "/", true);
	}
	for (size_t i = 0; i < PATHS; i++) {
		random_path(&seed, 5, path, sizeof(path));
		if (!same_content(mounted, root, path)) {
			print_error("%s: overlayfs %s, ", path, text_at(mounted, path));
			print_error("%s; ", names_at(mounted, path));
			print_error("we %s, %s\n", text_at(root, path), names_at(root, path));
			return 1;
		}
	}
	ea_root_free(root);
	ea_root_free(mounted);
	return 0;
}

static int compare_random_layers(unsigned int seed)
{
	EA_CLEANUP(tree_free) struct tree at = tree_new();
	struct layer_pair layers[LAYERS];
	int status = 0;
	pid_t pid;

	for (size_t i = 0; i < LAYERS; i++) {
		layers[i].kernel = tree_new();
		layers[i].oci = tree_new();
		random_layer(&layers[i], "", 3, &seed);
	}
	pid = fork();
	if (pid == 0)
		_exit(compare_layers(layers, &at, seed));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	for (size_t i = 0; i < LAYERS; i++) {
		tree_free(&layers[i].kernel);
		tree_free(&layers[i].oci);
	}
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void layers_merge_as_overlayfs_merges(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("needs root\n");
		skip();
	}
	for (unsigned int i = 1; i <= TREES; i++) {
		int status = compare_random_layers(i * 2654435761u);

		if (status == 77) {
			print_message("needs overlayfs\n");
			skip();
		}
		assert_int_equal(status, 0);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(paths_lead_where_chroot_leads),
	cmocka_unit_test(permissions_are_the_kernels),
	cmocka_unit_test(layers_merge_as_overlayfs_merges),
};

UNIT_MAIN(tests)
