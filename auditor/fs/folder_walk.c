/*
 * The folder source without openat2: descends with a descriptor of the current folder and never
 * lets the kernel follow a link, so that a tree which changes meanwhile cannot lead out of the
 * folder.
 */
#include "fs/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "fs/walk.h"

struct descent {
	struct ea_path_walk walk;
	int top; /* not owned */
	int cur; /* current folder; may be `top` */
};

static void move_to(struct descent *descent, int fd)
{
	if (descent->cur != descent->top)
		close(descent->cur);
	descent->cur = fd;
}

int ea_folder_readlink(int dir, const char *name, struct ea_buf *ret_text)
{
	char *at = ea_buf_reserve(ret_text, EA_LIMIT_PATH);
	ssize_t n = readlinkat(dir, name, at, EA_LIMIT_PATH);

	if (n < 0)
		return -errno;
	if (n >= (ssize_t)EA_LIMIT_PATH)
		return -ENAMETOOLONG;
	at[n] = '\0';
	ret_text->len += (size_t)n;
	return 0;
}

static int peek(struct ea_path_walk *walk, const char *name, struct ea_buf *ret_link)
{
	struct descent *descent = (struct descent *)walk;
	int r = ea_folder_readlink(descent->cur, name, ret_link);

	if (r == -EINVAL)
		return 0;
	return r < 0 ? r : 1;
}

static int enter(struct ea_path_walk *walk, const char *name, struct ea_buf *ret_link)
{
	struct descent *descent = (struct descent *)walk;
	int fd = openat(descent->cur, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int r;

	if (fd >= 0) {
		move_to(descent, fd);
		return 0;
	}
	if (errno != ENOTDIR && errno != ELOOP)
		return -errno;
	r = peek(walk, name, ret_link);
	return r == 0 ? -ENOTDIR : r;
}

/*
 * The inode is compared, not the number of folders gone down: one that was moved meanwhile may have
 * fewer above it than its path says.
 */
static int up(struct ea_path_walk *walk)
{
	struct descent *descent = (struct descent *)walk;
	struct stat top, cur;
	int fd;

	if (descent->cur == descent->top)
		return 0;
	if (fstat(descent->top, &top) < 0 || fstat(descent->cur, &cur) < 0)
		return -errno;
	if (top.st_dev == cur.st_dev && top.st_ino == cur.st_ino)
		return 0;
	fd = openat(descent->cur, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	move_to(descent, fd);
	return 0;
}

static int to_top(struct ea_path_walk *walk)
{
	struct descent *descent = (struct descent *)walk;

	move_to(descent, descent->top);
	return 0;
}

static const struct ea_path_walk_ops descent_ops = {
	.enter = enter,
	.peek = peek,
	.up = up,
	.top = to_top,
};

static void descent_release(struct descent *descent)
{
	move_to(descent, descent->top);
	ea_path_walk_release(&descent->walk);
}

/* Opens what the descent came to. */
static int open_here(const struct descent *descent, int flags)
{
	const struct ea_path_walk *walk = &descent->walk;
	const char *name = walk->name.len ? walk->name.ptr : ".";
	int fd = openat(descent->cur, name,
			flags | O_NOFOLLOW | O_CLOEXEC | (walk->want_dir ? O_DIRECTORY : 0));

	return fd < 0 ? -errno : fd;
}

int ea_folder_walk_open(int top, const char *path, int flags, enum ea_follow follow)
{
	struct descent descent = { .walk.ops = &descent_ops, .top = top, .cur = top };
	int r = ea_path_walk_run(&descent.walk, path, follow);

	if (r == 0)
		r = open_here(&descent, flags);
	descent_release(&descent);
	return r;
}

int ea_folder_walk_resolve(int top, const char *path, enum ea_follow follow,
			   struct ea_buf *ret_real)
{
	struct descent descent = { .walk.ops = &descent_ops, .top = top, .cur = top };
	const struct ea_path_walk *walk = &descent.walk;
	int r = ea_path_walk_run(&descent.walk, path, follow);

	/* A slash at the end holds for what exists; a last component that is missing may be named
	 * so. */
	if (r == 0 && walk->want_dir) {
		int fd = open_here(&descent, O_PATH);

		if (fd >= 0)
			close(fd);
		else if (fd != -ENOENT)
			r = fd;
	}
	if (r == 0)
		ea_path_walk_text(walk, ret_real);
	descent_release(&descent);
	return r;
}
