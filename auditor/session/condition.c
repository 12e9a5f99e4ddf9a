/* The conditions of steps. */
#include "session/condition.h"

#include <fnmatch.h>

#include "base/limits.h"
#include "base/path.h"
#include "base/range.h"
#include "session/files.h"

/* An unknown version counts as the newest. */
static bool version_holds(const char *version, const char *range)
{
	return !range || ea_bounds_have(range, version ? version : "9999");
}

static bool is_set(const struct ea_program *program, const char *name)
{
	const struct ea_scenario *scenario = program->scenario;
	const char *value = ea_env_value(scenario->env, scenario->n_env, name);

	return value && *value;
}

static bool is_loaded(const struct ea_program *program, const char *pattern)
{
	const struct ea_map *map;

	for (uint32_t i = 0; (map = ea_process_map(program->process, i)); i++)
		if (fnmatch(pattern, strchr(pattern, '/') ? map->path : ea_path_base(map->path),
			    0) == 0)
			return true;
	return false;
}

static bool exists(const struct ea_program *program, const char *name)
{
	ea_vec_foreach(folder, &program->scenario->sys_path) {
		struct ea_names found = { 0 };

		ea_files_glob(program->provider, program->arena, *folder, name, &found);
		if (found.list.n)
			return true;
	}
	return false;
}

/* The first file along sys.path that it names decides. */
static bool text_holds(const struct ea_program *program, const struct ea_condition *when)
{
	const struct ea_provider *provider = program->provider;

	ea_vec_foreach(folder, &program->scenario->sys_path) {
		struct ea_names found = { 0 };
		struct ea_str text;

		ea_files_glob(provider, program->arena, *folder, when->text, &found);
		if (!found.list.n ||
		    provider->read(provider->ctx, found.list.items[0], EA_LIMIT_RECORD, &text))
			continue;
		return (!when->has || ea_pattern_match(when->has, text, NULL)) &&
		       (!when->lacks || !ea_pattern_match(when->lacks, text, NULL));
	}
	return false;
}

bool ea_condition_holds(const struct ea_program *program, const struct ea_condition *when)
{
	const struct ea_installed *current = program->current;

	return version_holds(current ? current->version : NULL, when->version) &&
	       version_holds(current ? current->cuda : NULL, when->cuda) &&
	       (!when->set || is_set(program, when->set)) &&
	       (!when->unset || !is_set(program, when->unset)) &&
	       (!when->loaded || is_loaded(program, when->loaded)) &&
	       (!when->missing || !is_loaded(program, when->missing)) &&
	       (!when->file || exists(program, when->file)) &&
	       (!when->no_file || !exists(program, when->no_file)) &&
	       (!when->text || text_holds(program, when));
}
