/* Compiled extensions of torch. */
#include "audit/extensions.h"

#include "base/limits.h"
#include "base/path.h"
#include "matrix/frameworks.h"

static bool imports_torch(const struct ea_scenario *scenario)
{
	return scenario->imports.n == 1 && !scenario->library &&
	       scenario->driver != EA_DRIVER_ASSUMED &&
	       ea_streq(scenario->imports.items[0]->framework->name, "torch");
}

static bool needs_torch(const struct ea_elf *elf)
{
	for (uint32_t i = 0; i < elf->n_needed; i++)
		if (ea_str_starts(ea_str(elf->needed[i]), "libtorch") ||
		    ea_streq(elf->needed[i], "libc10.so"))
			return true;
	return false;
}

static bool is_of_framework(const struct ea_frameworks *frameworks,
			    const struct ea_component *component)
{
	for (uint32_t i = 0; i < ea_frameworks_count(frameworks); i++)
		ea_vec_foreach(key, &ea_frameworks_at(frameworks, i)->packages)
			if (ea_streq(*key, component->key))
				return true;
	return false;
}

/* The package whose extension COPY is; NULL if it is none, or one that a load program knows. */
static const struct ea_component *package_of(const struct ea_frameworks *frameworks,
					     const struct ea_copy *copy)
{
	const struct ea_component *component;

	if (!copy->elf || copy->link || !copy->owners.n || !needs_torch(copy->elf))
		return NULL;
	component = copy->owners.items[0].component;
	if ((component->manager != EA_MANAGER_PIP && component->manager != EA_MANAGER_CONDA) ||
	    !component->key || is_of_framework(frameworks, component))
		return NULL;
	return component;
}

void ea_extensions_find(struct ea_world *world, const struct ea_frameworks *frameworks,
			struct ea_scenarios *ret)
{
	const struct ea_scenario *torch = NULL;
	struct ea_scenario scenario;
	uint32_t n = 0;

	ea_vec_foreach(known, &ret->list)
		if (!torch && imports_torch(known))
			torch = known;
	if (!torch)
		return;
	scenario = *torch;
	scenario.stage = EA_STAGE_IMPORT;
	ea_vec_foreach(item, &world->copies) {
		const struct ea_component *package = package_of(frameworks, *item);

		if (!package)
			continue;
		if (n++ >= EA_LIMIT_EXTENSIONS) {
			ea_gaps_add(&world->gaps, (*item)->path, EA_GAP_LIMIT,
				    "is not opened: more than %u extensions of torch are there",
				    EA_LIMIT_EXTENSIONS);
			continue;
		}
		scenario.id = ea_arena_printf(&world->arena, "%s/%s", package->name,
					      ea_path_base((*item)->path));
		scenario.name = package->name;
		scenario.library = (*item)->path;
		ea_vec_push(&ret->list, &world->arena, scenario);
	}
}
