/* Steps that open nothing by themselves: calls of what is mapped, and checks of its version. */
#include <fnmatch.h>

#include "base/version.h"
#include "session/steps.h"

static int call(struct ea_program *program, const struct ea_opener *opener)
{
	ea_vec_foreach(pattern, &opener->library) {
		const struct ea_map *map = ea_steps_mapped(program, *pattern);

		if (map)
			return ea_program_open(program, opener, map);
	}
	return 0;
}

int ea_steps_call(struct ea_program *program, const struct ea_step *step)
{
	ea_vec_foreach(name, &step->names) {
		const struct ea_opener *opener;
		uint32_t pos = 0;

		while ((opener = ea_frameworks_named(program->frameworks, *name, &pos))) {
			int rc = call(program, opener);

			if (rc)
				return rc;
		}
	}
	return 0;
}

/* Version of "nvidia-cudnn-cu12==9.1.0.70; platform…" among what the framework requires. */
static const char *pinned(const struct ea_program *program, const char *pattern)
{
	const struct ea_component *component =
		program->current ? program->current->component : NULL;

	if (!component)
		return NULL;
	ea_vec_foreach(item, &component->requires) {
		struct ea_str text = ea_str(ea_requirement_text(program->arena, *item));
		size_t at = ea_str_find_str(text, EA_STR("=="));
		const char *name = ea_arena_dup_str(program->arena, ea_requirement_name(*item));

		if (at == text.len || fnmatch(pattern, name, 0) != 0)
			continue;
		text = ea_str_skip(text, at + 2);
		text.len = strspn(text.ptr, "0123456789.");
		return ea_arena_dup_str(program->arena, text);
	}
	return NULL;
}

int ea_steps_check(struct ea_program *program, const struct ea_step *step)
{
	const char *wanted = pinned(program, step->pin);
	const struct ea_provider *provider = program->provider;
	struct ea_version want, have;

	ea_vec_foreach(pattern, &step->names) {
		const struct ea_map *map = ea_steps_mapped(program, *pattern);
		const char *version = map && map->elf && provider->version
					      ? provider->version(provider->ctx, map->elf)
					      : NULL;

		if (!wanted || !version || ea_version_parse(ea_str(wanted), &want) ||
		    ea_version_parse(ea_str(version), &have))
			continue;
		if (have.part[0] == want.part[0] && have.part[1] >= want.part[1])
			continue;
		return ea_steps_fail(
			program,
			ea_arena_printf(program->arena,
					"version incompatibility: %s was built with %s, but "
					"%s is %s",
					program->current->framework->name, wanted, map->path,
					version),
			map->request);
	}
	return 0;
}
