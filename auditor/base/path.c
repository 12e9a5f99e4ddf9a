/* Paths as text. */
#include "base/path.h"

#include <string.h>

const char *ea_path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

struct ea_str ea_path_dir(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return EA_STR("");
	return (struct ea_str){ path, slash == path ? 1 : (size_t)(slash - path) };
}

char *ea_path_join(struct ea_arena *arena, const char *dir, const char *name)
{
	size_t dir_len = strlen(dir), name_len = strlen(name);
	bool slash = dir_len && dir[dir_len - 1] != '/';
	char *path = ea_arena_alloc(arena, dir_len + slash + name_len + 1);

	memcpy(path, dir, dir_len);
	if (slash)
		path[dir_len] = '/';
	memcpy(path + dir_len + slash, name, name_len + 1);
	return path;
}

static void add_component(struct ea_buf *out, struct ea_str part)
{
	if (part.len == 0 || ea_str_is(part, "."))
		return;
	if (ea_str_is(part, "..")) {
		while (out->len && out->ptr[--out->len] != '/')
			;
		if (out->ptr)
			out->ptr[out->len] = '\0';
		return;
	}
	ea_buf_add_char(out, '/');
	ea_buf_add_str(out, part);
}

void ea_path_normalize(struct ea_buf *out, const char *base, struct ea_str rel)
{
	struct ea_str rest = ea_str(base), part;

	ea_buf_clear(out);
	if (rel.len == 0 || rel.ptr[0] != '/')
		while (ea_str_token(&rest, '/', &part))
			add_component(out, part);
	rest = rel;
	while (ea_str_token(&rest, '/', &part))
		add_component(out, part);
	if (!out->len)
		ea_buf_add_char(out, '/');
}

bool ea_path_within(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	if (n == 1 && dir[0] == '/')
		return path[0] == '/';
	return strncmp(path, dir, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/* The end is ".so", or VERSIONED ".so." and a number, and not that of another kind of file. */
static bool has_library_suffix(struct ea_str name, bool *versioned)
{
	/* Most names of a tree have no ".so" at all: look for the 's' only after a dot. */
	for (size_t i = 1; i + 3 <= name.len; i++) {
		if (name.ptr[i] != '.' || name.ptr[i + 1] != 's' || name.ptr[i + 2] != 'o')
			continue;
		*versioned = i + 3 < name.len;
		if (!*versioned)
			return true;
		if (name.ptr[i + 3] == '.' && i + 4 < name.len && name.ptr[i + 4] >= '0' &&
		    name.ptr[i + 4] <= '9')
			return !ea_str_ends(name, ".py") && !ea_str_ends(name, ".pyc") &&
			       !ea_str_ends(name, ".gz") && !ea_str_ends(name, ".xz");
	}
	return false;
}

bool ea_path_may_be_library(struct ea_str name)
{
	bool versioned;

	return has_library_suffix(name, &versioned);
}

bool ea_path_is_library_name(struct ea_str name)
{
	bool versioned;

	return has_library_suffix(name, &versioned) &&
	       (!versioned || ea_str_starts(name, "lib") || ea_str_starts(name, "ld"));
}
