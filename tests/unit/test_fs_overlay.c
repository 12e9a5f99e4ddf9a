/* fs: random layers, merged by overlayfs and by us. */
#include "unit.h"

#include <sched.h>
#include <stdio.h>
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
	LAYERS = 3,
};

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

static void both_whiteout(const struct layer_pair *pair, const char *dir, char name)
{
	char path[96];

	snprintf(path, sizeof(path), "%s%c", dir, name);
	assert_int_equal(mknod(tree_path(&pair->kernel, path), S_IFCHR, makedev(0, 0)), 0);
	snprintf(path, sizeof(path), "%s.wh.%c", dir, name);
	tree_file(&pair->oci, path, "");
}

static void random_layer(const struct layer_pair *pair, const char *dir, unsigned int depth,
			 unsigned int *seed)
{
	char path[64], text[96];

	for (char name = 'a'; name <= 'd'; name++) {
		snprintf(path, sizeof(path), "%s%c", dir, name);
		switch (tree_random(seed, 10)) {
		case 0:
		case 1:
			break;
		case 2:
			both_whiteout(pair, dir, name);
			break;
		case 3:
		case 4:
			/* The text tells which layer it is. */
			snprintf(text, sizeof(text), "%s of %u", path, *seed);
			tree_file(&pair->kernel, path, text);
			tree_file(&pair->oci, path, text);
			break;
		case 5:
			tree_random_path(seed, 3, text, sizeof(text));
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
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("overlay", at->dir, "overlay", 0, path) < 0)
		return 77;
	mounted = root_by(BY_WALK, at->dir);
	for (size_t i = 0; i < LAYERS; i++) {
		if (ea_source_folder(layers[i].oci.dir, &source, NULL) < 0)
			return 1;
		ea_root_add_layer(root, source, "/", true);
	}
	for (size_t i = 0; i < PATHS; i++) {
		tree_random_path(&seed, 5, path, sizeof(path));
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
	cmocka_unit_test(layers_merge_as_overlayfs_merges),
};

UNIT_MAIN(tests)
