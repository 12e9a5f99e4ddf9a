/* Lines of a file, block by block. */
#include "inventory/lines.h"

#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"

#define BLOCK_SIZE 65536u

int ea_lines_open(const struct ea_root *root, const char *path, uint64_t limit,
		  struct ea_lines *ret)
{
	struct ea_file *file;
	int rc = ea_root_open(root, path, &file);

	if (rc < 0)
		return rc;
	*ret = (struct ea_lines){ .file = file, .block = ea_xmalloc(BLOCK_SIZE), .limit = limit };
	return 0;
}

void ea_lines_close(struct ea_lines *lines)
{
	ea_file_close(lines->file);
	free(lines->block);
	*lines = (struct ea_lines){ 0 };
}

/* Moves what is left to the front and reads on; false when nothing came. */
static bool fill(struct ea_lines *lines)
{
	long n;

	if (lines->ended)
		return false;
	if (lines->offset >= lines->limit) {
		lines->ended = true;
		lines->error = lines->offset < lines->file->stat.size ? -EFBIG : 0;
		return false;
	}
	if (lines->pos)
		memmove(lines->block, lines->block + lines->pos, lines->len);
	lines->pos = 0;
	n = ea_file_read(lines->file, lines->block + lines->len, BLOCK_SIZE - lines->len,
			 lines->offset);
	if (n <= 0) {
		lines->ended = true;
		lines->error = (int)n;
		return false;
	}
	lines->offset += (uint64_t)n;
	lines->len += (size_t)n;
	return true;
}

/* Position of the next LF in what is left, or len. Bytes before FROM are known to have none. */
static size_t find_lf(const struct ea_lines *lines, size_t from)
{
	const char *start = lines->block + lines->pos;
	const char *hit = memchr(start + from, '\n', lines->len - from);

	return hit ? (size_t)(hit - start) : lines->len;
}

/* Drops everything up to the next LF. */
static void skip_line(struct ea_lines *lines)
{
	do {
		size_t at = find_lf(lines, 0);

		if (at < lines->len) {
			lines->pos += at + 1;
			lines->len -= at + 1;
			return;
		}
		lines->pos = lines->len = 0;
	} while (fill(lines));
}

bool ea_lines_next(struct ea_lines *lines, struct ea_str *ret_line)
{
	size_t at = 0, seen;

	if (lines->cut)
		skip_line(lines);
	lines->cut = false;
	do {
		seen = at;
		at = find_lf(lines, seen);
	} while (at == lines->len && lines->len < BLOCK_SIZE && fill(lines));
	if (at == lines->len && !lines->len)
		return false;
	*ret_line = (struct ea_str){ lines->block + lines->pos, at };
	if (at == lines->len && at == BLOCK_SIZE) {
		lines->cut = true;
	} else {
		size_t used = at < lines->len ? at + 1 : at;

		lines->pos += used;
		lines->len -= used;
	}
	if (at && ret_line->ptr[at - 1] == '\r')
		ret_line->len--;
	lines->number++;
	return true;
}
