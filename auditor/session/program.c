/* Load programs: imports, uses, openers. The steps themselves are in steps.c. */
#include "session/program.h"

#include "base/path.h"
#include "base/range.h"
#include "session/files.h"
#include "session/steps.h"

#define DEEPEST 16u /* imports and openers within each other */

/* ---- openers --------------------------------------------------------------------------------- */

/* The exact version of a library, which a file beside it may have to say. */
static const char *version_of(const struct ea_program *program, const struct ea_opener *opener,
			      const struct ea_map *map)
{
	const struct ea_provider *provider = program->provider;
	struct ea_opened sibling;
	const char *path;

	if (!provider->version || !map->elf)
		return NULL;
	if (!opener->version_of || !map->real)
		return provider->version(provider->ctx, map->elf);
	path = ea_path_join(program->arena,
			    ea_arena_dup_str(program->arena, ea_path_dir(map->real)),
			    opener->version_of);
	if (provider->open(provider->ctx, path, &sibling) || !sibling.elf)
		return provider->version(provider->ctx, map->elf);
	return provider->version(provider->ctx, sibling.elf);
}

int ea_program_open(struct ea_program *program, const struct ea_opener *opener,
		    const struct ea_map *map)
{
	const struct ea_map *library = program->library;
	const char *version = program->library_version;
	int rc;

	if (program->depth >= DEEPEST)
		return 0;
	program->depth++;
	program->library = map;
	program->library_version = version_of(program, opener, map);
	rc = ea_steps_run(program, &opener->steps);
	program->library = library;
	program->library_version = version;
	program->depth--;
	return rc;
}

void ea_program_constructor(void *arg, struct ea_process *process, const struct ea_map *map)
{
	struct ea_program *program = arg;
	const struct ea_opener *opener;
	uint32_t pos = 0;

	program->process = process;
	while (program->frameworks && *map->path &&
	       (opener = ea_frameworks_opener(program->frameworks, ea_path_base(map->path),
					      EA_MOMENT_LOAD, &pos)))
		(void)ea_program_open(program, opener, map);
}

static bool was_used(const struct ea_program *program, const struct ea_map *map)
{
	ea_vec_foreach(used, &program->used)
		if (*used == map)
			return true;
	return false;
}

/* Each library does at its first use what it does; what that maps is used, too. */
static void use_libraries(struct ea_program *program)
{
	const struct ea_map *map;

	for (uint32_t i = 0;
	     program->outcome == EA_SESSION_COMPLETE && (map = ea_process_map(program->process, i));
	     i++) {
		const struct ea_opener *opener;
		uint32_t pos = 0;

		if (was_used(program, map))
			continue;
		ea_vec_push(&program->used, program->arena, map);
		while (program->outcome == EA_SESSION_COMPLETE &&
		       (opener = ea_frameworks_opener(program->frameworks, ea_path_base(map->path),
						      EA_MOMENT_USE, &pos)))
			if (ea_program_open(program, opener, map))
				program->outcome = EA_SESSION_FAILED;
	}
}

/* ---- imports --------------------------------------------------------------------------------- */

static void say_what_is_assumed(struct ea_program *program, const struct ea_installed *installed)
{
	const struct ea_framework *framework = installed->framework;

	if (!installed->version)
		program->assume(program->arg,
				ea_arena_printf(program->arena,
						"%s, whose version is unknown, loads its libraries "
						"as its newest known version does",
						framework->name));
	else if (framework->versions && !ea_bounds_have(framework->versions, installed->version))
		program->assume(program->arg,
				ea_arena_printf(program->arena,
						"%s %s loads its libraries as the versions known "
						"on %s do (%s)",
						framework->name, installed->version,
						framework->date, framework->versions));
	if (framework->verified == EA_VERIFIED_BY_SOURCE)
		program->assume(program->arg,
				ea_arena_printf(program->arena,
						"how %s loads its libraries is known from its "
						"sources alone",
						framework->name));
}

static int run_part(struct ea_program *program, const struct ea_installed *installed,
		    const struct ea_steps *steps)
{
	const struct ea_installed *outer = program->current;
	int rc;

	program->current = installed;
	rc = ea_steps_run(program, steps);
	if (rc && !program->failed_import)
		program->failed_import = installed->framework->name;
	program->current = outer;
	return rc;
}

int ea_program_import(struct ea_program *program, const struct ea_installed *installed)
{
	int rc;

	ea_vec_foreach(known, &program->imported)
		if (*known == installed)
			return 0;
	if (program->depth >= DEEPEST)
		return 0;
	ea_vec_push(&program->imported, program->arena, installed);
	say_what_is_assumed(program, installed);
	program->depth++;
	rc = run_part(program, installed, &installed->framework->import);
	program->depth--;
	return rc;
}

void ea_program_run(struct ea_program *program)
{
	const struct ea_scenario *scenario = program->scenario;

	ea_vec_foreach(item, &scenario->imports) {
		const struct ea_installed *installed = *item;

		program->failed_at = EA_STAGE_IMPORT;
		if (ea_program_import(program, installed)) {
			if (program->outcome == EA_SESSION_COMPLETE)
				program->outcome = EA_SESSION_FAILED;
			return;
		}
		if (scenario->stage != EA_STAGE_USE || !installed->framework->use.list.n)
			continue;
		program->failed_at = EA_STAGE_USE;
		if (run_part(program, installed, &installed->framework->use)) {
			if (program->outcome == EA_SESSION_COMPLETE)
				program->outcome = EA_SESSION_FAILED;
		} else if (program->outcome == EA_SESSION_COMPLETE) {
			use_libraries(program);
			if (program->outcome == EA_SESSION_FAILED)
				program->failed_import = installed->framework->name;
		}
		if (program->outcome == EA_SESSION_FAILED)
			return;
	}
}
