/* The folder source: the host, or one folder of it as a whole file system. */
#include "fs/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef HAVE_LINUX_OPENAT2_H
#include <linux/openat2.h>
#endif

#include "base/arena.h"
#include "fs/root.h"

/* Entries are fetched in pieces of this size: nearly every folder comes whole. */
#define LIST_BYTES 65536u

struct folder {
	struct ea_source source;
	enum ea_folder_way way;
	int top;
	uid_t user;
	/*
	 * O_NOATIME is for the owner only, whom a call would have to find out: what held for the
	 * last file is tried with the next.
	 */
	atomic_bool noatime;
};

/* ---- opening --------------------------------------------------------------------------------- */

#if defined(HAVE_LINUX_OPENAT2_H) && defined(SYS_openat2)
static int openat2_inside(int top, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	long fd = -1;

	/* EAGAIN: something was renamed or mounted while a `..` was resolved. */
	for (int tries = 0; tries < 16 && fd < 0; tries++) {
		fd = syscall(SYS_openat2, top, path, &how, sizeof(how));
		if (fd < 0 && errno != EAGAIN && errno != EINTR)
			break;
	}
	return fd < 0 ? -errno : (int)fd;
}
#else
static int openat2_inside(int top, const char *path, int flags)
{
	(void)top;
	(void)path;
	(void)flags;
	return -ENOSYS;
}
#endif

/* A descriptor or a negative errno. */
static int open_inside(const struct folder *folder, const char *path, int flags,
		       enum ea_follow follow)
{
	int fd;

	flags |= O_CLOEXEC | (follow == EA_NOFOLLOW ? O_NOFOLLOW : 0);
	switch (folder->way) {
	case EA_FOLDER_OPENAT2:
		fd = openat2_inside(folder->top, path, flags);
		if (fd != -EAGAIN)
			return fd;
		break;
	case EA_FOLDER_HOST:
		do {
			fd = openat(folder->top, path, flags);
		} while (fd < 0 && errno == EINTR);
		return fd < 0 ? -errno : fd;
	case EA_FOLDER_WALK:
		break;
	}
	return ea_folder_walk_open(folder->top, path, flags, follow);
}

static void set_noatime(struct folder *folder, bool value)
{
	if (atomic_load_explicit(&folder->noatime, memory_order_relaxed) != value)
		atomic_store_explicit(&folder->noatime, value, memory_order_relaxed);
}

/* For reading, without a change of the access time where that is allowed. */
static int open_to_read(struct folder *folder, const char *path, int flags, enum ea_follow follow)
{
	int fd;

	flags |= O_RDONLY | O_NOCTTY | O_NONBLOCK;
	if (atomic_load_explicit(&folder->noatime, memory_order_relaxed)) {
		fd = open_inside(folder, path, flags | O_NOATIME, follow);
		if (fd != -EPERM)
			return fd;
		set_noatime(folder, false);
	}
	return open_inside(folder, path, flags, follow);
}

/* ---- stat, readlink -------------------------------------------------------------------------- */

static enum ea_file_type type_of(mode_t mode)
{
	if (S_ISREG(mode))
		return EA_FILE_REGULAR;
	if (S_ISDIR(mode))
		return EA_FILE_DIR;
	return S_ISLNK(mode) ? EA_FILE_LINK : EA_FILE_OTHER;
}

static void take_stat(const struct stat *st, struct ea_stat *ret)
{
	*ret = (struct ea_stat){
		.type = type_of(st->st_mode),
		.dev = st->st_dev,
		.ino = st->st_ino,
		.size = (uint64_t)st->st_size,
		.mode = st->st_mode & 07777,
		.nlink = (uint32_t)st->st_nlink,
	};
}

static int folder_stat(struct ea_source *source, const char *path, enum ea_follow follow,
		       struct ea_stat *ret)
{
	const struct folder *folder = (const struct folder *)source;
	struct stat st;
	int fd, r = 0;

	if (folder->way == EA_FOLDER_HOST) {
		if (fstatat(folder->top, path, &st, follow == EA_FOLLOW ? 0 : AT_SYMLINK_NOFOLLOW) <
		    0)
			return -errno;
	} else {
		fd = open_inside(folder, path, O_PATH, follow);
		if (fd < 0)
			return fd;
		if (fstat(fd, &st) < 0)
			r = -errno;
		close(fd);
	}
	if (r == 0)
		take_stat(&st, ret);
	return r;
}

static int folder_readlink(struct ea_source *source, const char *path, struct ea_buf *ret_text)
{
	const struct folder *folder = (const struct folder *)source;
	int fd, r;

	if (folder->way == EA_FOLDER_HOST)
		return ea_folder_readlink(folder->top, path, ret_text);
	fd = open_inside(folder, path, O_PATH, EA_NOFOLLOW);
	if (fd < 0)
		return fd;
	r = ea_folder_readlink(fd, "", ret_text);
	close(fd);
	/* ENOENT is what the kernel says of a descriptor that is no link. */
	return r == -ENOENT ? -EINVAL : r;
}

static int folder_resolve(struct ea_source *source, const char *path, enum ea_follow follow,
			  struct ea_buf *ret_real)
{
	return ea_folder_walk_resolve(((const struct folder *)source)->top, path, follow, ret_real);
}

/* ---- list ------------------------------------------------------------------------------------ */

/* struct linux_dirent64 of getdents64(2), which no header has. */
struct dent {
	uint64_t ino;
	int64_t off;
	uint16_t reclen;
	uint8_t type;
	char name[];
};

static enum ea_file_type type_of_dent(uint8_t type)
{
	switch (type) {
	case DT_UNKNOWN:
		return EA_FILE_UNKNOWN;
	case DT_REG:
		return EA_FILE_REGULAR;
	case DT_DIR:
		return EA_FILE_DIR;
	case DT_LNK:
		return EA_FILE_LINK;
	default:
		return EA_FILE_OTHER;
	}
}

static int give_entries(const char *data, size_t len, ea_list_fn fn, void *arg)
{
	int r = 0;

	for (size_t at = 0; at < len && r == 0;) {
		const struct dent *dent = (const void *)(data + at);
		const char *name = dent->name;

		at += dent->reclen;
		if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])))
			continue;
		r = fn(arg, &(struct ea_entry){ name, type_of_dent(dent->type), dent->ino });
	}
	return r;
}

static int folder_list(struct ea_source *source, const char *path, ea_list_fn fn, void *arg)
{
	EA_CLEANUP(ea_free_ptr) char *data = NULL;
	int fd = open_to_read((struct folder *)source, path, O_DIRECTORY, EA_FOLLOW);
	int r = 0;
	long n;

	if (fd < 0)
		return fd;
	data = ea_xmalloc(LIST_BYTES);
	while (r == 0 && (n = syscall(SYS_getdents64, fd, data, LIST_BYTES)) != 0)
		r = n < 0 ? -errno : give_entries(data, (size_t)n, fn, arg);
	close(fd);
	return r;
}

/* ---- files ----------------------------------------------------------------------------------- */

static long file_read_at(struct ea_file *file, void *buf, size_t len, uint64_t off)
{
	size_t got = 0;

	/* The kernel refuses ranges that no file can have. */
	if (off >= INT64_MAX)
		return 0;
	if (len > INT64_MAX - off)
		len = (size_t)(INT64_MAX - off);
	while (got < len) {
		ssize_t n = pread(file->fd, (char *)buf + got, len - got, (off_t)(off + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		got += (size_t)n;
		/* At the size it had when opened no further call is needed to see the end. */
		if (n == 0 || off + got == file->stat.size)
			break;
	}
	return (long)got;
}

static void file_close(struct ea_file *file)
{
	close(file->fd);
	free(file);
}

static const struct ea_file_ops file_ops = {
	.read_at = file_read_at,
	.close = file_close,
};

static int folder_open(struct ea_source *source, const char *path, enum ea_follow follow,
		       struct ea_file **ret_file)
{
	struct folder *folder = (struct folder *)source;
	struct ea_stat stat;
	struct stat st;
	int fd, r;

	if (follow == EA_FOLLOW) {
		r = folder_stat(source, path, follow, &stat);
		if (r == 0)
			r = ea_stat_check_regular(&stat);
		if (r < 0)
			return r;
	}
	fd = open_to_read(folder, path, 0, follow);
	if (fd < 0)
		return fd;
	/* It may have become something else since it was seen. */
	r = fstat(fd, &st) < 0 ? -errno : 0;
	if (r == 0) {
		take_stat(&st, &stat);
		r = ea_stat_check_regular(&stat);
	}
	if (r < 0) {
		close(fd);
		return r;
	}
	if (st.st_uid == folder->user)
		set_noatime(folder, true);
	*ret_file = ea_xmalloc(sizeof(**ret_file));
	**ret_file = (struct ea_file){ .ops = &file_ops, .stat = stat, .fd = fd };
	return 0;
}

/* ---- making one ------------------------------------------------------------------------------ */

static void folder_free(struct ea_source *source)
{
	struct folder *folder = (struct folder *)source;

	close(folder->top);
	free(folder);
}

static const struct ea_source_ops folder_ops = {
	.name = "folder",
	.stat = folder_stat,
	.readlink = folder_readlink,
	.list = folder_list,
	.open = folder_open,
	.resolve = folder_resolve,
	.free = folder_free,
};

int ea_source_folder_by(const char *dir, enum ea_folder_way way, struct ea_source **ret_source,
			struct ea_err *err)
{
	struct folder *folder;
	int top = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

	if (top < 0)
		return ea_err_errno(err, errno, "%s", dir);
	if (way == EA_FOLDER_OPENAT2) {
		fd = openat2_inside(top, "/", O_PATH | O_CLOEXEC);
		if (fd < 0) {
			close(top);
			return ea_err_set(err, ENOSYS, "%s: no openat2", dir);
		}
		close(fd);
	}
	folder = ea_xmalloc(sizeof(*folder));
	*folder = (struct folder){
		.source.ops = &folder_ops,
		.way = way,
		.top = top,
		.user = geteuid(),
		.noatime = true,
	};
	*ret_source = &folder->source;
	return 0;
}

int ea_source_folder(const char *dir, struct ea_source **ret_source, struct ea_err *err)
{
	int r;

	if (dir[0] && !dir[strspn(dir, "/")])
		return ea_source_folder_by("/", EA_FOLDER_HOST, ret_source, err);
	r = ea_source_folder_by(dir, EA_FOLDER_OPENAT2, ret_source, err);
	if (r == -ENOSYS)
		r = ea_source_folder_by(dir, EA_FOLDER_WALK, ret_source, err);
	return r;
}
