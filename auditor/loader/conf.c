/* ld.so.conf, as parse_conf() of glibc's elf/ldconfig.c reads it. */
#include "loader/conf.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/path.h"

struct folder_id {
	uint64_t dev, ino;
};

struct reading {
	const struct ea_root *root;
	struct ea_arena *arena;
	struct ea_loader_conf conf;
	EA_VEC(struct folder_id) ids; /* of conf.dirs */
	uint32_t n_files;
};

/* Paths under way while a pattern is expanded. */
struct paths {
	EA_VEC(const char *) list;
};

static void note_gap(struct reading *r, const char *path, int error)
{
	struct ea_loader_conf_gap *gap = ea_vec_add(&r->conf.gaps, r->arena);

	*gap = (struct ea_loader_conf_gap){ ea_arena_dup(r->arena, path), error };
}

/* isspace(3) of the C locale. */
static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void add_dir(struct reading *r, struct ea_str text, const char *file, uint32_t line)
{
	struct ea_stat stat;
	const char *path;

	while (text.len > 0 && is_space(text.ptr[text.len - 1]))
		text.len--;
	while (text.len > 0 && text.ptr[text.len - 1] == '/')
		text.len--;
	if (text.len == 0)
		return;
	path = ea_arena_dup_str(r->arena, text);
	if (*path != '/')
		path = ea_path_join(r->arena, "/", path);
	if (ea_root_stat(r->root, path, EA_FOLLOW, &stat) != 0 || stat.type != EA_FILE_DIR)
		return;
	ea_vec_foreach(id, &r->ids)
		if (id->dev == stat.dev && id->ino == stat.ino)
			return;
	ea_vec_push(&r->ids, r->arena, ((struct folder_id){ stat.dev, stat.ino }));
	ea_vec_push(&r->conf.dirs, r->arena, ((struct ea_loader_conf_dir){ path, file, line }));
}

/* ---- include ------------------------------------------------------------------------------------
 */

struct match {
	struct reading *r;
	struct paths *paths;
	const char *dir, *pattern;
};

static int match_entry(void *arg, const struct ea_entry *entry)
{
	struct match *m = arg;

	if (fnmatch(m->pattern, entry->name, FNM_PERIOD) != 0)
		return 0;
	ea_vec_push(&m->paths->list, m->r->arena, ea_path_join(m->r->arena, m->dir, entry->name));
	return m->paths->list.n >= EA_LIMIT_CONF_FILES ? 1 : 0;
}

/* One more component of the pattern, for each of the folders that the earlier ones gave. */
static void expand_component(struct reading *r, struct paths *paths, const char *component)
{
	struct paths next = { 0 };

	ea_vec_foreach(dir, &paths->list) {
		struct match match = { r, &next, *dir, component };

		if (next.list.n >= EA_LIMIT_CONF_FILES) {
			note_gap(r, *dir, -E2BIG);
			break;
		}
		if (!strpbrk(component, "*?[\\"))
			ea_vec_push(&next.list, r->arena, ea_path_join(r->arena, *dir, component));
		else
			(void)ea_root_list(r->root, *dir, match_entry, &match);
	}
	*paths = next;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void read_file(struct reading *r, const char *path, unsigned depth);

static void include(struct reading *r, struct ea_str pattern, const char *file, unsigned depth)
{
	struct paths paths = { 0 };
	struct ea_str component;

	if (pattern.ptr[0] == '/')
		ea_vec_push(&paths.list, r->arena, "/");
	else
		ea_vec_push(&paths.list, r->arena, ea_arena_dup_str(r->arena, ea_path_dir(file)));
	while (ea_str_token(&pattern, '/', &component))
		if (component.len > 0)
			expand_component(r, &paths, ea_arena_dup_str(r->arena, component));
	if (paths.list.n > 1)
		qsort(paths.list.items, paths.list.n, sizeof(*paths.list.items), compare_paths);
	ea_vec_foreach(path, &paths.list)
		read_file(r, *path, depth + 1);
}

static void include_all(struct reading *r, struct ea_str words, const char *file, unsigned depth)
{
	while (words.len > 0) {
		size_t len = 0;

		while (len < words.len && !is_blank(words.ptr[len]))
			len++;
		if (len > 0)
			include(r, (struct ea_str){ words.ptr, len }, file, depth);
		words = ea_str_skip(words, len + 1);
	}
}

/* The line ends where a C string would, and before a comment. */
static void read_line(struct reading *r, struct ea_str line, const char *file, uint32_t number,
		      unsigned depth)
{
	line.len = ea_str_find(line, '\0');
	line.len = ea_str_find(line, '#');
	while (line.len > 0 && is_space(line.ptr[0]))
		line = ea_str_skip(line, 1);
	if (ea_str_starts(line, "include") && line.len > 7 && is_blank(line.ptr[7]))
		include_all(r, ea_str_skip(line, 8), file, depth);
	else if (line.len <= 5 || strncasecmp(line.ptr, "hwcap", 5) != 0 ||
		 !is_blank(line.ptr[5])) /* such lines have had no effect since 2.32 */
		add_dir(r, line, file, number);
}

static void read_file(struct reading *r, const char *path, unsigned depth)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	struct ea_str rest, line;
	uint32_t number = 0;
	int error;

	if (depth > EA_LIMIT_CONF_DEPTH || r->n_files >= EA_LIMIT_CONF_FILES) {
		note_gap(r, path, depth > EA_LIMIT_CONF_DEPTH ? -ELOOP : -E2BIG);
		return;
	}
	error = ea_root_read(r->root, path, EA_LIMIT_TEXT, &text);
	if (error != 0) {
		/* Patterns also give folders; ldconfig finds no line in them. */
		if (error != -ENOENT && error != -EISDIR)
			note_gap(r, path, error);
		return;
	}
	r->n_files++;
	path = ea_arena_dup(r->arena, path);
	rest = ea_buf_str(&text);
	while (rest.len > 0) {
		line = (struct ea_str){ rest.ptr, ea_str_find(rest, '\n') };
		rest = ea_str_skip(rest, line.len + 1);
		read_line(r, line, path, ++number, depth);
	}
}

int ea_loader_conf_read(const struct ea_root *root, const char *path, struct ea_arena *arena,
			struct ea_loader_conf *ret)
{
	struct reading r = { .root = root, .arena = arena };

	read_file(&r, path, 0);
	if (r.n_files == 0 && r.conf.gaps.n == 0)
		return 1;
	*ret = r.conf;
	return 0;
}
