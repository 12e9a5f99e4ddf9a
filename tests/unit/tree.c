/* Small trees on disk for tests. */
#include "tree.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

struct tree tree_new(void)
{
	const char *tmp = getenv("TMPDIR");
	struct tree tree;

	umask(022);
	snprintf(tree.dir, sizeof(tree.dir), "%s/envaudit.XXXXXX", tmp && *tmp ? tmp : P_tmpdir);
	assert_non_null(mkdtemp(tree.dir));
	assert_int_equal(chmod(tree.dir, 0755), 0);
	return tree;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static int open_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	return kind == FTW_DNR ? chmod(path, 0700) : 0;
}

void tree_free(struct tree *tree)
{
	nftw(tree->dir, open_one, 8, FTW_PHYS);
	nftw(tree->dir, remove_one, 8, FTW_PHYS | FTW_DEPTH);
}

const char *tree_path(const struct tree *tree, const char *path)
{
	static char texts[4][PATH_MAX + 256];
	static unsigned int turn;
	char *text = texts[turn++ % 4];

	snprintf(text, sizeof(texts[0]), "%s/%s", tree->dir, path);
	return text;
}

static void make_parents(const struct tree *tree, const char *path)
{
	char text[PATH_MAX];

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(text, sizeof(text), "%.*s", (int)(slash - path), path);
		mkdir(tree_path(tree, text), 0755);
	}
}

void tree_dir(const struct tree *tree, const char *path)
{
	make_parents(tree, path);
	assert_int_equal(mkdir(tree_path(tree, path), 0755), 0);
}

void tree_file(const struct tree *tree, const char *path, const char *text)
{
	int fd;

	make_parents(tree, path);
	fd = open(tree_path(tree, path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

void tree_link(const struct tree *tree, const char *path, const char *target)
{
	make_parents(tree, path);
	assert_int_equal(symlink(target, tree_path(tree, path)), 0);
}

unsigned int tree_random(unsigned int *state, unsigned int below)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state % below;
}

void tree_random_path(unsigned int *seed, unsigned int max, char *ret, size_t size)
{
	static const char *const words[] = { "a", "b", "c", "d", "e", "..", ".", "nothing" };
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
