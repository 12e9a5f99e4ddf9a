/* Files in memory as a source. */
#include "memory_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/path.h"

struct memory_source {
	struct ea_source base;
	const struct memory_file *files;
	size_t n;
};

struct open_file {
	struct ea_file base;
	const struct memory_file *file;
};

static const struct memory_file *find(const struct memory_source *source, const char *path)
{
	for (size_t i = 0; i < source->n; i++)
		if (strcmp(source->files[i].path, path) == 0)
			return &source->files[i];
	return NULL;
}

static int memory_stat(struct ea_source *base, const char *path, enum ea_follow follow,
		       struct ea_stat *ret)
{
	struct memory_source *source = (struct memory_source *)base;
	const struct memory_file *file = find(source, path);

	(void)follow;
	*ret = (struct ea_stat){ .dev = 1, .mode = 0755, .nlink = 1 };
	if (file) {
		ret->type = EA_FILE_REGULAR;
		ret->ino = (uint64_t)(file - source->files) + 1;
		ret->size = file->size;
		return 0;
	}
	for (size_t i = 0; i < source->n; i++) {
		if (!ea_path_within(source->files[i].path, path))
			continue;
		ret->type = EA_FILE_DIR;
		ret->ino = 1000 + strlen(path); /* paths of one length share one: nobody compares */
		return 0;
	}
	return -ENOENT;
}

static int memory_readlink(struct ea_source *base, const char *path, struct ea_buf *ret_text)
{
	(void)base, (void)path, (void)ret_text;
	return -EINVAL;
}

/* The component of a file's path that lies directly in a folder; seen before if an earlier file has
 * it. */
static int memory_list(struct ea_source *base, const char *path, ea_list_fn fn, void *arg)
{
	struct memory_source *source = (struct memory_source *)base;
	size_t skip = strcmp(path, "/") == 0 ? 1 : strlen(path) + 1;
	struct ea_stat stat;
	int rc = memory_stat(base, path, EA_NOFOLLOW, &stat);

	if (rc == 0 && stat.type != EA_FILE_DIR)
		return -ENOTDIR;
	for (size_t i = 0; rc == 0 && i < source->n; i++) {
		char name[256], child[512];
		bool seen = false;

		if (!ea_path_within(source->files[i].path, path))
			continue;
		snprintf(name, sizeof(name), "%.*s",
			 (int)strcspn(source->files[i].path + skip, "/"),
			 source->files[i].path + skip);
		snprintf(child, sizeof(child), "%.*s%s", (int)skip, source->files[i].path, name);
		for (size_t j = 0; j < i; j++)
			seen |= ea_path_within(source->files[j].path, child);
		if (seen || memory_stat(base, child, EA_NOFOLLOW, &stat) < 0)
			continue;
		rc = fn(arg,
			&(struct ea_entry){ .name = name, .type = stat.type, .ino = stat.ino });
	}
	return rc;
}

static long memory_read(struct ea_file *base, void *buf, size_t len, uint64_t off)
{
	const struct memory_file *file = ((struct open_file *)base)->file;

	if (off >= file->size)
		return 0;
	if (len > file->size - off)
		len = file->size - (size_t)off;
	memcpy(buf, (const char *)file->data + off, len);
	return (long)len;
}

static void memory_close(struct ea_file *base)
{
	free(base);
}

static const struct ea_file_ops file_ops = { memory_read, memory_close };

static int memory_open(struct ea_source *base, const char *path, enum ea_follow follow,
		       struct ea_file **ret_file)
{
	struct open_file *file;
	struct ea_stat stat;
	int rc = memory_stat(base, path, follow, &stat);

	if (rc < 0)
		return rc;
	if (stat.type != EA_FILE_REGULAR)
		return -EISDIR;
	file = ea_xmalloc(sizeof(*file));
	*file = (struct open_file){ { &file_ops, stat, -1 },
				    find((struct memory_source *)base, path) };
	*ret_file = &file->base;
	return 0;
}

static void memory_free(struct ea_source *base)
{
	free(base);
}

static const struct ea_source_ops ops = {
	.name = "memory",
	.stat = memory_stat,
	.readlink = memory_readlink,
	.list = memory_list,
	.open = memory_open,
	.free = memory_free,
};

struct ea_source *memory_source_new(const struct memory_file *files, size_t n)
{
	struct memory_source *source = ea_xmalloc(sizeof(*source));

	*source = (struct memory_source){ { &ops }, files, n };
	return &source->base;
}
