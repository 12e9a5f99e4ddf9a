/* A compressed tar archive as a source that cannot seek. */
#include "tar_source.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/path.h"
#include "base/vec.h"
#include "fs/root.h"
#include "unit.h"

enum {
	BEGINNING = 4096, /* kept of each file, so that a reader can see what it is */
	CHUNK = 65536,
};

/* Bytes of a file that are wanted: `have` of them are there. */
struct range {
	uint64_t off, len, have;
	unsigned char *data;
};

struct node {
	const char *path, *link;
	struct ea_stat stat;
	EA_VEC(struct range) ranges;
};

struct tar {
	struct ea_source source;
	const char *archive;
	const struct ea_want *want;
	struct ea_arena arena;
	EA_VEC(struct node) nodes;
	unsigned int passes;
};

struct tar_file {
	struct ea_file file;
	struct tar *tar;
	struct node *node;
};

/* ---- what is kept of a file ------------------------------------------------------------------ */

static void add_range(struct tar *tar, struct node *node, uint64_t off, uint64_t len)
{
	struct range *range = ea_vec_add(&node->ranges, &tar->arena);

	*range = (struct range){ off, len, 0, ea_arena_alloc(&tar->arena, len) };
}

static long tar_read_at(struct ea_file *file, void *buf, size_t len, uint64_t off)
{
	struct tar_file *tar_file = (struct tar_file *)file;
	struct node *node = tar_file->node;

	if (off >= file->stat.size)
		return 0;
	if (len > file->stat.size - off)
		len = file->stat.size - off;
	ea_vec_foreach(range, &node->ranges) {
		if (off < range->off || !ea_range_ok(off - range->off, len, range->len))
			continue;
		if (range->have < range->len)
			return -EA_E_AGAIN;
		memcpy(buf, range->data + (off - range->off), len);
		return (long)len;
	}
	add_range(tar_file->tar, node, off, len);
	return -EA_E_AGAIN;
}

static void tar_file_close(struct ea_file *file)
{
	free(file);
}

static const struct ea_file_ops tar_file_ops = {
	.read_at = tar_read_at,
	.close = tar_file_close,
};

static struct ea_file *open_node(struct tar *tar, struct node *node)
{
	struct tar_file *file = ea_xmalloc(sizeof(*file));

	*file = (struct tar_file){ { &tar_file_ops, node->stat, -1 }, tar, node };
	return &file->file;
}

/* ---- a pass ---------------------------------------------------------------------------------- */

/* Takes what the chunk at OFF has of the ranges; true if one became whole. */
static bool fill_ranges(struct node *node, const unsigned char *chunk, uint64_t off, uint64_t len)
{
	bool whole = false;

	ea_vec_foreach(range, &node->ranges) {
		uint64_t next = range->off + range->have, n;

		if (range->have == range->len || next < off || next >= off + len)
			continue;
		n = off + len - next;
		if (n > range->len - range->have)
			n = range->len - range->have;
		memcpy(range->data + range->have, chunk + (next - off), n);
		range->have += n;
		whole |= range->have == range->len;
	}
	return whole;
}

static void pass_file(struct tar *tar, struct node *node, struct archive *archive)
{
	static unsigned char chunk[CHUNK];
	struct ea_file *file = open_node(tar, node);
	bool wanted = tar->want && tar->passes == 1;
	uint64_t off = 0;
	long n;

	while ((n = archive_read_data(archive, chunk, sizeof(chunk))) > 0) {
		/* What the reader asks for next may stand in the same chunk. */
		while (fill_ranges(node, chunk, off, (uint64_t)n))
			if (wanted)
				wanted = tar->want->read(tar->want->arg, node->path, file) ==
					 -EA_E_AGAIN;
		off += (uint64_t)n;
	}
	assert_int_equal(n, 0);
	ea_file_close(file);
}

static struct node *find(struct tar *tar, const char *path)
{
	ea_vec_foreach(node, &tar->nodes)
		if (strcmp(node->path, path) == 0)
			return node;
	return NULL;
}

static struct node *add_node(struct tar *tar, const char *path, struct archive_entry *entry)
{
	struct node *node = ea_vec_add(&tar->nodes, &tar->arena);
	unsigned int type = archive_entry_filetype(entry);

	node->path = ea_arena_dup(&tar->arena, path);
	node->link = ea_arena_dup(&tar->arena, archive_entry_symlink(entry));
	node->stat = (struct ea_stat){
		.type = type == AE_IFREG   ? EA_FILE_REGULAR
			: type == AE_IFDIR ? EA_FILE_DIR
			: type == AE_IFLNK ? EA_FILE_LINK
					   : EA_FILE_OTHER,
		.ino = tar->nodes.n,
		.size = (uint64_t)archive_entry_size(entry),
		.mode = archive_entry_perm(entry),
		.nlink = 1,
	};
	if (type == AE_IFREG && node->stat.size)
		add_range(tar, node, 0, node->stat.size < BEGINNING ? node->stat.size : BEGINNING);
	return node;
}

static void pass(struct tar *tar)
{
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	struct ea_buf path = { 0 };
	int r;

	tar->passes++;
	archive_read_support_filter_gzip(archive);
	archive_read_support_format_tar(archive);
	assert_int_equal(archive_read_open_filename(archive, tar->archive, 10240), ARCHIVE_OK);
	while ((r = archive_read_next_header(archive, &entry)) == ARCHIVE_OK) {
		struct node *node;

		ea_path_normalize(&path, "/", ea_str(archive_entry_pathname(entry)));
		node = find(tar, path.ptr);
		if (!node)
			node = add_node(tar, path.ptr, entry);
		if (node->stat.type == EA_FILE_REGULAR)
			pass_file(tar, node, archive);
	}
	assert_int_equal(r, ARCHIVE_EOF);
	archive_read_free(archive);
	ea_buf_release(&path);
}

/* ---- the source ------------------------------------------------------------------------------ */

static int tar_stat(struct ea_source *source, const char *path, enum ea_follow follow,
		    struct ea_stat *ret)
{
	const struct node *node = find((struct tar *)source, path);

	assert_int_equal(follow, EA_NOFOLLOW);
	if (!node)
		return -ENOENT;
	*ret = node->stat;
	return 0;
}

static int tar_readlink(struct ea_source *source, const char *path, struct ea_buf *ret_text)
{
	const struct node *node = find((struct tar *)source, path);

	if (!node || !node->link)
		return node ? -EINVAL : -ENOENT;
	ea_buf_add_text(ret_text, node->link);
	return 0;
}

static int tar_list(struct ea_source *source, const char *path, ea_list_fn fn, void *arg)
{
	struct tar *tar = (struct tar *)source;
	const struct node *dir = find(tar, path);
	int r = 0;

	if (!dir || dir->stat.type != EA_FILE_DIR)
		return dir ? -ENOTDIR : -ENOENT;
	ea_vec_foreach(node, &tar->nodes)
		if (r == 0 && node != dir && ea_str_is(ea_path_dir(node->path), path))
			r = fn(arg, &(struct ea_entry){ ea_path_base(node->path), node->stat.type,
							node->stat.ino });
	return r;
}

static int tar_open(struct ea_source *source, const char *path, enum ea_follow follow,
		    struct ea_file **ret_file)
{
	struct node *node = find((struct tar *)source, path);
	int r = node ? ea_stat_check_regular(&node->stat) : -ENOENT;

	assert_int_equal(follow, EA_NOFOLLOW);
	if (r == 0)
		*ret_file = open_node((struct tar *)source, node);
	return r;
}

static int tar_advance(struct ea_source *source, struct ea_err *err)
{
	struct tar *tar = (struct tar *)source;
	bool asked = false;

	(void)err;
	ea_vec_foreach(node, &tar->nodes)
		ea_vec_foreach(range, &node->ranges)
			if (range->have < range->len) {
				range->have = 0;
				asked = true;
			}
	if (!asked)
		return 1;
	pass(tar);
	return 0;
}

static void tar_free(struct ea_source *source)
{
	ea_arena_release(&((struct tar *)source)->arena);
	free(source);
}

static const struct ea_source_ops tar_ops = {
	.name = "tar",
	.stat = tar_stat,
	.readlink = tar_readlink,
	.list = tar_list,
	.open = tar_open,
	.advance = tar_advance,
	.free = tar_free,
};

struct ea_source *tar_source_new(const char *archive, const struct ea_want *want)
{
	struct tar *tar = ea_xmalloc(sizeof(*tar));
	struct node *top;

	*tar = (struct tar){ .source.ops = &tar_ops, .want = want };
	tar->archive = ea_arena_dup(&tar->arena, archive);
	top = ea_vec_add(&tar->nodes, &tar->arena);
	top->path = "/";
	top->stat = (struct ea_stat){ .type = EA_FILE_DIR, .mode = 0755, .nlink = 2 };
	pass(tar);
	return &tar->source;
}

unsigned int tar_source_passes(const struct ea_source *source)
{
	return ((const struct tar *)source)->passes;
}
