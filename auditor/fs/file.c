/* Files of a root: what may be opened, bounded reads. */
#include "fs/root.h"

#include <errno.h>

int ea_stat_check_regular(const struct ea_stat *stat)
{
	switch (stat->type) {
	case EA_FILE_REGULAR:
		return 0;
	case EA_FILE_DIR:
		return -EISDIR;
	case EA_FILE_LINK:
		return -ELOOP;
	case EA_FILE_UNKNOWN:
	case EA_FILE_OTHER:
		break;
	}
	return -EPERM;
}

long ea_file_read(struct ea_file *file, void *buf, size_t len, uint64_t off)
{
	return file->ops->read_at(file, buf, len, off);
}

int ea_file_read_full(struct ea_file *file, void *buf, size_t len, uint64_t off)
{
	long n = ea_file_read(file, buf, len, off);

	if (n < 0)
		return (int)n;
	return (size_t)n == len ? 0 : -ENODATA;
}

void ea_file_close(struct ea_file *file)
{
	if (file)
		file->ops->close(file);
}

void ea_file_close_ptr(struct ea_file **file)
{
	ea_file_close(*file);
}

/* The size that stat gave is a hint only: files of /proc have none, others grow. */
int ea_root_read(const struct ea_root *root, const char *path, size_t limit, struct ea_buf *ret)
{
	EA_CLEANUP(ea_file_close_ptr) struct ea_file *file = NULL;
	size_t start = ret->len, piece;
	int r = ea_root_open(root, path, &file);
	long n;

	if (r < 0)
		return r;
	if (file->stat.size > limit)
		return -EFBIG;
	piece = file->stat.size ? (size_t)file->stat.size + 1 : 4096;
	do {
		char *at = ea_buf_reserve(ret, piece);

		n = ea_file_read(file, at, piece, ret->len - start);
		if (n > 0)
			ret->len += (size_t)n;
		if (n < 0 || ret->len - start > limit) {
			ret->len = start;
			r = n < 0 ? (int)n : -EFBIG;
		}
		ret->ptr[ret->len] = '\0';
	} while (r == 0 && (size_t)n == piece);
	return r;
}
