/* A source whose files are in memory, for fuzzing what reads a root. There are no links. */
#pragma once

#include <stddef.h>

#include "fs/source.h"

struct memory_file {
	const char *path; /* absolute; the folders above it exist by that */
	const void *data;
	size_t size;
};

/* FILES and what they point to must live as long as the source. */
struct ea_source *memory_source_new(const struct memory_file *files, size_t n);
