/*
 * Lines of a file of any size, in bounded memory: one block is held, and a line longer than a block
 * is given as its beginning.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "fs/root.h"

struct ea_lines {
	struct ea_file *file;
	char *block;
	size_t pos, len; /* what is left in it */
	uint64_t offset, limit;
	unsigned long number; /* of the line given last, from 1 */
	bool cut;	      /* that line was longer than a block */
	bool ended;
	int error; /* why the lines ended early: a negative errno; -EFBIG: LIMIT bytes were read */
};

/* 0 or a negative errno. A zeroed struct is one that is closed. */
EA_MUST_CHECK int ea_lines_open(const struct ea_root *root, const char *path, uint64_t limit,
				struct ea_lines *ret);
void ea_lines_close(struct ea_lines *lines);

/* The next line without LF or CRLF, valid until the next call. */
bool ea_lines_next(struct ea_lines *lines, struct ea_str *ret_line);
