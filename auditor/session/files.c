/* Files by name and pattern. */
#include "session/files.h"

#include <fnmatch.h>

#include "base/path.h"

bool ea_files_exist(const struct ea_provider *provider, const char *path)
{
	struct ea_opened opened;

	return provider->dir(provider->ctx, path) == 0 ||
	       provider->open(provider->ctx, path, &opened) == 0;
}

bool ea_files_is_pattern(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

static void add_matches(const struct ea_provider *provider, struct ea_arena *arena, const char *dir,
			const char *part, struct ea_names *ret)
{
	struct ea_names names = { 0 };

	if (!ea_files_is_pattern(part)) {
		ea_vec_push(&ret->list, arena, ea_path_join(arena, dir, part));
		return;
	}
	if (!provider->list || provider->list(provider->ctx, dir, &names))
		return;
	ea_vec_foreach(name, &names.list)
		if (fnmatch(part, *name, FNM_PERIOD) == 0)
			ea_vec_push(&ret->list, arena, ea_path_join(arena, dir, *name));
}

void ea_files_glob(const struct ea_provider *provider, struct ea_arena *arena, const char *dir,
		   const char *pattern, struct ea_names *ret)
{
	struct ea_str rest = ea_str(pattern), part;
	struct ea_names found = { 0 };

	ea_vec_push(&found.list, arena, dir);
	while (ea_str_token(&rest, '/', &part)) {
		const char *text = ea_arena_dup_str(arena, part);
		struct ea_names next = { 0 };

		ea_vec_foreach(at, &found.list)
			add_matches(provider, arena, *at, text, &next);
		found = next;
	}
	ea_vec_foreach(path, &found.list)
		if (ea_files_exist(provider, *path))
			ea_vec_push(&ret->list, arena, *path);
}
