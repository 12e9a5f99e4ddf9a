/* Which imports a session has. */
#include "audit/chosen.h"

#include <string.h>

#include "base/limits.h"
#include "base/path.h"

struct chooser {
	const struct ea_frameworks *frameworks;
	const struct ea_provider *provider;
	const struct ea_scenario *scenario;
	const char *cwd;
	struct ea_arena *arena;
};

static const struct ea_installed *find_installed(const struct chooser *chooser,
						 const struct ea_framework *framework)
{
	ea_vec_foreach(installed, &chooser->scenario->installed)
		if ((*installed)->framework == framework)
			return *installed;
	return NULL;
}

static void add_once(const struct chooser *chooser, struct ea_choice *choice,
		     const struct ea_installed *installed)
{
	ea_vec_foreach(old, &choice->imports)
		if (*old == installed)
			return;
	ea_vec_push(&choice->imports, chooser->arena, installed);
}

/* ---- Python files ---------------------------------------------------------------------------- */

static size_t word_length(struct ea_str text)
{
	static const char chars[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
	size_t n = 0;

	while (n < text.len && strchr(chars, text.ptr[n]))
		n++;
	return n;
}

/* A dotted name: the framework that is imported as it, or as the package it lies in. */
static void add_module(const struct chooser *chooser, struct ea_choice *choice, struct ea_str name)
{
	const struct ea_framework *framework = NULL;

	while (name.len && !framework) {
		framework = ea_frameworks_find(chooser->frameworks,
					       ea_arena_dup_str(chooser->arena, name));
		while (name.len && name.ptr[--name.len] != '.')
			;
	}
	if (framework && find_installed(chooser, framework))
		add_once(chooser, choice, find_installed(chooser, framework));
}

/* import a, b.c as d; from a.b import c. */
static void add_line(const struct chooser *chooser, struct ea_choice *choice, struct ea_str line)
{
	struct ea_str part;

	line = ea_str_trim(line);
	if (ea_str_starts(line, "from ")) {
		line = ea_str_trim(ea_str_skip(line, 5));
		line.len = word_length(line);
		add_module(chooser, choice, line);
	} else if (ea_str_starts(line, "import ")) {
		line = ea_str_skip(line, 7);
		while (ea_str_token(&line, ',', &part)) {
			part = ea_str_trim(part);
			part.len = word_length(part);
			add_module(chooser, choice, part);
		}
	}
}

static int read_script(const struct chooser *chooser, struct ea_choice *choice, const char *name,
		       struct ea_err *err)
{
	const struct ea_provider *provider = chooser->provider;
	const char *path = *name == '/' ? name
					: ea_path_join(chooser->arena,
						       chooser->cwd ? chooser->cwd : "/", name);
	struct ea_str text, line;
	int error = provider->read(provider->ctx, path, EA_LIMIT_RECORD, &text);

	if (error)
		return ea_err_errno(err, error, "--for %s: cannot read it", name);
	while (ea_str_line(&text, &line))
		add_line(chooser, choice, line);
	if (choice->imports.n)
		return 0;
	return ea_err_set(err, EA_E_USAGE,
			  "--for %s: it imports no framework that is known and installed", name);
}

/* ---- names ----------------------------------------------------------------------------------- */

static int add_name(const struct chooser *chooser, struct ea_choice *choice, struct ea_str text,
		    struct ea_err *err)
{
	const char *name = ea_arena_dup_str(chooser->arena, ea_str_trim(text));
	const struct ea_framework *framework = ea_frameworks_find(chooser->frameworks, name);
	const struct ea_installed *installed;

	if (ea_str_ends(ea_str(name), ".py"))
		return read_script(chooser, choice, name, err);
	if (!framework)
		return ea_err_set(err, EA_E_USAGE,
				  "--for %s: no such framework is known; matrices/frameworks has "
				  "them",
				  name);
	installed = find_installed(chooser, framework);
	if (!installed)
		return ea_err_set(err, EA_E_USAGE, "--for %s: this python does not find it", name);
	add_once(chooser, choice, installed);
	return 0;
}

int ea_choices_find(const char *text, const struct ea_frameworks *frameworks,
		    const struct ea_provider *provider, const struct ea_scenario *scenario,
		    const char *cwd, struct ea_arena *arena, struct ea_choices *ret,
		    struct ea_err *err)
{
	const struct chooser chooser = { frameworks, provider, scenario, cwd, arena };
	struct ea_str rest = ea_str(text), group, name;

	*ret = (struct ea_choices){ 0 };
	if (!text)
		ea_vec_foreach(installed, &scenario->installed) {
			struct ea_choice *choice = ea_vec_add(&ret->list, arena);

			choice->name = (*installed)->framework->name;
			add_once(&chooser, choice, *installed);
		}
	while (text && ea_str_token(&rest, ',', &group)) {
		struct ea_choice *choice = ea_vec_add(&ret->list, arena);

		choice->name = ea_arena_dup_str(arena, ea_str_trim(group));
		while (ea_str_token(&group, '+', &name)) {
			int rc = add_name(&chooser, choice, name, err);

			if (rc)
				return rc;
		}
	}
	return 0;
}
