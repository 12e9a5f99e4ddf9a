/* A file of a root that lies in memory, for tests of elf/ with made-up and damaged content. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "fs/root.h"

struct memory_file {
	struct ea_file file; /* first: the callbacks get its address */
	const uint8_t *bytes;
	uint64_t end; /* reads end here, whatever stat says */
	int error;    /* what reads give from FAIL_AT on; 0 = nothing fails */
	uint64_t fail_at;
	unsigned reads;
};

static inline long memory_read(struct ea_file *file, void *buf, size_t len, uint64_t off)
{
	struct memory_file *m = (struct memory_file *)(void *)file;

	m->reads++;
	if (m->error && off + len > m->fail_at)
		return m->error;
	if (off >= m->end)
		return 0;
	if (len > m->end - off)
		len = (size_t)(m->end - off);
	memcpy(buf, m->bytes + off, len);
	return (long)len;
}

static inline void memory_close(struct ea_file *file)
{
	(void)file;
}

static const struct ea_file_ops memory_ops = { .read_at = memory_read, .close = memory_close };

static inline void memory_file_init(struct memory_file *m, const void *bytes, size_t size)
{
	*m = (struct memory_file){
		.file = { .ops = &memory_ops,
			  .stat = { .type = EA_FILE_REGULAR, .dev = 7, .ino = 42, .size = size },
			  .fd = -1 },
		.bytes = bytes,
		.end = size,
	};
}

/* The whole content of a file of this machine. */
static inline void memory_load(const char *path, struct ea_buf *ret)
{
	struct ea_root *root = ea_root_host();

	if (ea_root_read(root, path, 64u << 20, ret) != 0)
		abort();
	ea_root_free(root);
}
