/* Files that are named in the installed text of a framework. */
#include "session/listed.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"

/* The part of the text between `from` and `to`; false if the text is of another form. */
static bool find_list(struct ea_program *program, const struct ea_listing *listing,
		      struct ea_str *ret)
{
	const struct ea_provider *provider = program->provider;
	struct ea_match match;
	struct ea_str text;

	ea_vec_foreach(folder, &program->scenario->sys_path) {
		const char *path = ea_path_join(program->arena, *folder, listing->file);

		if (provider->read(provider->ctx, path, EA_LIMIT_RECORD, &text))
			continue;
		if (!ea_pattern_match(listing->from, text, &match))
			return false;
		text = ea_str_skip(text,
				   (size_t)(match.group[0].ptr - text.ptr) + match.group[0].len);
		if (!ea_pattern_match(listing->to, text, &match))
			return false;
		*ret = (struct ea_str){ text.ptr, (size_t)(match.group[0].ptr - text.ptr) };
		return true;
	}
	return false;
}

static void add_major(struct ea_buf *path, const struct ea_program *program)
{
	const char *cuda = program->current ? program->current->cuda : NULL;
	struct ea_str text = ea_str(cuda ? cuda : "");

	text.len = ea_str_find(text, '.');
	ea_buf_add(path, text.ptr, text.len);
}

/* TEMPLATE with the groups of an entry in it. */
static const char *fill(const struct ea_program *program, const char *template,
			const struct ea_match *match)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf path = { 0 };

	for (const char *at = template; *at; at++) {
		if (at[0] == '{' && at[1] >= '1' && at[1] <= '9' && at[2] == '}') {
			const struct ea_str *group = &match->group[at[1] - '0'];

			if (group->ptr)
				ea_buf_add(&path, group->ptr, group->len);
			at += 2;
		} else if (strncmp(at, "{cuda}", 6) == 0) {
			add_major(&path, program);
			at += 5;
		} else {
			ea_buf_add(&path, at, 1);
		}
	}
	return ea_arena_dup_str(program->arena, ea_buf_str(&path));
}

/* The next entry of REST; false at its end. */
static bool next_item(const struct ea_listing *listing, struct ea_str *rest, struct ea_match *ret)
{
	if (!ea_pattern_match(listing->item, *rest, ret) || !ret->group[0].len)
		return false;
	*rest = ea_str_skip(*rest, (size_t)(ret->group[0].ptr - rest->ptr) + ret->group[0].len);
	return true;
}

/* The error names an entry: by what stands in front of the first dot of its file name. */
static bool is_of_list(struct ea_program *program, const struct ea_listing *listing,
		       struct ea_str list)
{
	const char *error = program->error ? program->error : "";
	struct ea_match match;

	while (next_item(listing, &list, &match)) {
		const char *name = fill(program, listing->paths.items[0], &match);
		struct ea_str stem = ea_str(ea_path_base(name));

		stem.len = ea_str_find(stem, '.');
		if (ea_str_find_str(ea_str(error), stem) < strlen(error))
			return true;
	}
	return false;
}

int ea_listed_run(struct ea_program *program, const struct ea_listing *listing, int flags,
		  const struct ea_map *caller)
{
	struct ea_str list;
	struct ea_match match;

	if (!find_list(program, listing, &list)) {
		program->assume(program->arg,
				ea_arena_printf(program->arena,
						"%s preloads nothing: its text is of a form that "
						"is not known",
						listing->file));
		return listing->of_error ? 1 : 0;
	}
	if (listing->of_error && !is_of_list(program, listing, list))
		return 1;
	while (next_item(listing, &list, &match)) {
		struct ea_names paths = { 0 };
		int rc;

		ea_vec_foreach(template, &listing->paths)
			ea_vec_push(&paths.list, program->arena, fill(program, *template, &match));
		rc = ea_steps_preload(program, &paths, flags, caller, listing->required,
				      ea_path_base(paths.list.items[0]));
		if (rc)
			return rc;
	}
	return 0;
}
