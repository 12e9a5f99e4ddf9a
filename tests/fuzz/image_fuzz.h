/* What the targets of images share: tar archives in memory. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "fs/image.h"
#include "fs/image_source.h"
#include "fuzz_target.h"

/* One member: NAME and LINK are cut to what a header holds. */
static inline void add_member(struct ea_buf *tar, char type, const char *name, const char *link,
			      const void *data, size_t size)
{
	static const char zeros[512];
	unsigned char header[512] = { 0 };
	unsigned sum = 0;

	strncpy((char *)header, name, 100);
	snprintf((char *)header + 100, 8, "%07o", 0644u);
	snprintf((char *)header + 124, 12, "%011zo", size);
	memset(header + 148, ' ', 8);
	header[156] = (unsigned char)type;
	strncpy((char *)header + 157, link, 100);
	memcpy(header + 257,
	       "ustar\0"
	       "00",
	       8);
	for (size_t i = 0; i < sizeof(header); i++)
		sum += header[i];
	snprintf((char *)header + 148, 8, "%06o", sum);
	ea_buf_add(tar, header, sizeof(header));
	ea_buf_add(tar, data, size);
	ea_buf_add(tar, zeros, (512 - size % 512) % 512);
}

/* A file without a name that holds it; to be closed. */
static inline int memory_file(const void *data, size_t size)
{
	int fd = memfd_create("image", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	return fd;
}

/* Every file is read; what a listing shows must be there. */
static inline int read_entry(void *arg, const struct ea_entry *entry)
{
	void **args = arg;
	const struct ea_root *root = args[0];
	struct ea_buf path = { 0 };
	struct ea_stat stat;
	struct ea_file *file;
	char bytes[64];

	ea_buf_printf(&path, "%s/%s", (const char *)args[1], entry->name);
	if (ea_root_stat(root, path.ptr, EA_NOFOLLOW, &stat) != 0 && path.len < 4096)
		abort();
	(void)ea_root_stat(root, path.ptr, EA_FOLLOW, &stat);
	if (entry->type == EA_FILE_REGULAR && ea_root_open(root, path.ptr, &file) == 0) {
		(void)ea_file_read(file, bytes, sizeof(bytes), 0);
		ea_file_close(file);
	}
	if (entry->type == EA_FILE_DIR && path.len < 256) {
		void *below[] = { args[0], path.ptr };

		(void)ea_root_list(root, path.ptr, read_entry, below);
	}
	ea_buf_release(&path);
	return 0;
}

static inline void read_all(const struct ea_root *root)
{
	void *args[] = { (void *)(uintptr_t)root, (void *)(uintptr_t) "" };

	(void)ea_root_list(root, "/", read_entry, args);
}
