/* Following a path component by component. */
#include "fs/walk.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"

/* What is still to be gone: `text` from `at` on. */
struct rest {
	struct ea_buf text;
	size_t at;
	unsigned int links;
};

/* Puts the text of a link in front of the rest. */
static int follow_link(struct ea_path_walk *walk, struct rest *rest, struct ea_buf *link)
{
	struct ea_buf text;

	if (++rest->links > EA_LIMIT_LINKS)
		return -ELOOP;
	if (!link->len)
		return -ENOENT;
	ea_buf_add_text(link, ea_buf_text(&rest->text) + rest->at);
	text = rest->text;
	rest->text = *link;
	rest->at = 0;
	*link = text;
	ea_buf_clear(link);
	ea_buf_clear(&walk->name);
	if (rest->text.ptr[0] != '/')
		return 0;
	ea_buf_clear(&walk->real);
	return walk->ops->top(walk);
}

static int go_up(struct ea_path_walk *walk)
{
	const char *slash = strrchr(ea_buf_text(&walk->real), '/');

	if (slash) {
		walk->real.len = (size_t)(slash - walk->real.ptr);
		walk->real.ptr[walk->real.len] = '\0';
	}
	return walk->ops->up(walk);
}

static void go_down(struct ea_path_walk *walk)
{
	ea_buf_add_char(&walk->real, '/');
	ea_buf_add_str(&walk->real, ea_buf_str(&walk->name));
	ea_buf_clear(&walk->name);
}

/* 1 = the path is at its end. */
static int step(struct ea_path_walk *walk, struct rest *rest, enum ea_follow follow,
		struct ea_buf *link)
{
	const char *at = ea_buf_text(&rest->text) + rest->at;
	size_t slashes = strspn(at, "/"), len = strcspn(at + slashes, "/");
	struct ea_str name = { at + slashes, len };
	bool last;
	int r;

	rest->at += slashes + len;
	if (!len)
		return 1;
	if (ea_str_is(name, "."))
		return 0;
	if (ea_str_is(name, ".."))
		return go_up(walk);

	at = name.ptr + len;
	last = at[strspn(at, "/")] == '\0';
	walk->want_dir = last && *at;
	ea_buf_add_str(&walk->name, name);
	if (last && !walk->want_dir && follow == EA_NOFOLLOW)
		return 1;
	if (last)
		r = walk->ops->peek(walk, walk->name.ptr, link);
	else
		r = walk->ops->enter(walk, walk->name.ptr, link);
	if (r == 1)
		return follow_link(walk, rest, link);
	if (last)
		return r == 0 || r == -ENOENT ? 1 : r;
	if (r == 0)
		go_down(walk);
	return r;
}

int ea_path_walk_run(struct ea_path_walk *walk, const char *path, enum ea_follow follow)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf link = { 0 };
	struct rest rest = { 0 };
	int r = 0;

	if (!*path)
		return -ENOENT;
	if (strlen(path) >= EA_LIMIT_PATH)
		return -ENAMETOOLONG;
	ea_buf_add_text(&rest.text, path);
	while (r == 0)
		r = step(walk, &rest, follow, &link);
	ea_buf_release(&rest.text);
	return r < 0 ? r : 0;
}

void ea_path_walk_text(const struct ea_path_walk *walk, struct ea_buf *ret_path)
{
	ea_buf_clear(ret_path);
	ea_buf_add_str(ret_path, ea_buf_str(&walk->real));
	if (walk->name.len || !walk->real.len)
		ea_buf_add_char(ret_path, '/');
	ea_buf_add_str(ret_path, ea_buf_str(&walk->name));
}

void ea_path_walk_release(struct ea_path_walk *walk)
{
	ea_buf_release(&walk->real);
	ea_buf_release(&walk->name);
}
