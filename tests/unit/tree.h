/*
 * Small trees on disk for tests, in a folder of their own below $TMPDIR. PATH is always relative to
 * the tree; folders above it are made. A failure ends the test.
 */
#pragma once

#include <stddef.h>

struct tree {
	char dir[128];
};

/* Folders are 0755 whatever the umask is. */
struct tree tree_new(void);
void tree_free(struct tree *tree); /* removes it with all that is below; also for EA_CLEANUP */

void tree_dir(const struct tree *tree, const char *path);
void tree_file(const struct tree *tree, const char *path, const char *text);
void tree_link(const struct tree *tree, const char *path, const char *target);

/* The host's path of PATH; valid until the fourth call after. */
const char *tree_path(const struct tree *tree, const char *path);

/* Numbers that look random and are the same each time. STATE is not 0. */
unsigned int tree_random(unsigned int *state, unsigned int below);

/* Up to MAX components out of a…e, `.`, `..` and one that is nowhere; absolute or not. */
void tree_random_path(unsigned int *state, unsigned int max, char *ret, size_t size);
