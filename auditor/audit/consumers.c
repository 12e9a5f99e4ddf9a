/* Which sessions a target has. */
#include "audit/consumers.h"

#include <elf.h>

#include "audit/chosen.h"
#include "base/path.h"

struct finder {
	struct ea_world *world;
	const struct ea_audit_options *options;
	const struct ea_frameworks *frameworks;
	const struct ea_provider *provider;
	struct ea_scenario draft; /* what all scenarios have in common */
	struct ea_scenarios *ret;
};

static void add(struct finder *finder, struct ea_scenario scenario)
{
	ea_vec_push(&finder->ret->list, &finder->world->arena, scenario);
}

/* ---- pythons --------------------------------------------------------------------------------- */

/* The target's own python; the one that it is built upon stands in the list, too. */
static const struct ea_python *own_python(const struct ea_world *world)
{
	ea_vec_foreach(python, &world->pythons)
		if (ea_path_within(world->target.called, (*python)->prefix) ||
		    ea_path_within((*python)->prefix, world->target.path))
			return *python;
	return world->pythons.n ? world->pythons.items[0] : NULL;
}

static bool is_program(const struct finder *finder, const char *path)
{
	struct ea_opened opened;

	return finder->provider->open(finder->provider->ctx, path, &opened) == 0 && opened.elf &&
	       opened.elf->format == EA_FORMAT_ELF;
}

/* Sets the program to --python's or the target's interpreter; 1 if there is none. */
static int set_python(struct finder *finder, struct ea_scenario *scenario,
		      const struct ea_python **ret_python, struct ea_err *err)
{
	const struct ea_python *python = own_python(finder->world);
	const char *named = finder->options->python;

	*ret_python = named ? NULL : python;

	if (named) {
		if (!is_program(finder, named))
			return ea_err_set(
				err, EA_E_USAGE,
				"--python %s: no ELF program; name the interpreter itself", named);
		scenario->program = named;
		ea_vec_foreach(known, &finder->world->pythons)
			if (ea_streq((*known)->exe, named) || ea_streq((*known)->real_exe, named)) {
				scenario->python_version = (*known)->version;
				*ret_python = *known;
			}
	} else if (python) {
		scenario->program = python->exe;
		scenario->python_version = python->version;
		if (!is_program(finder, python->exe))
			return 1;
	} else {
		return 1;
	}
	scenario->is_python = true;
	return 0;
}

static const char *advice(enum ea_target_kind kind)
{
	if (kind == EA_TARGET_SITE)
		return "a site-packages folder has no program: name the interpreter that uses it "
		       "with --python, or one of its libraries as the target";
	if (kind == EA_TARGET_TOOLKIT)
		return "a CUDA toolkit has no program of its own: name one of its libraries or "
		       "programs as the target";
	return "no python was found that could be run: name one with --python, or a program or "
	       "library as the target";
}

static int stage_of(const struct finder *finder, enum ea_stage *ret, struct ea_err *err)
{
	const char *word = finder->options->stage;

	*ret = EA_STAGE_USE;
	if (!word)
		return 0;
	for (int i = 0; i < EA_STAGE_MAX_; i++)
		if (ea_streq(word, ea_stage_words[i])) {
			*ret = (enum ea_stage)i;
			return 0;
		}
	return ea_err_set(err, EA_E_USAGE, "--stage %s: there are import and use", word);
}

/* What the python imports: a session for each choice, or its start alone if there is nothing. */
static int add_imports(struct finder *finder, struct ea_scenario *scenario, struct ea_err *err)
{
	struct ea_choices choices;
	int rc = stage_of(finder, &scenario->stage, err);

	if (!rc)
		rc = ea_choices_find(finder->options->imports, finder->frameworks, finder->provider,
				     scenario, scenario->cwd, &finder->world->arena, &choices, err);
	if (rc)
		return rc;
	ea_vec_foreach(choice, &choices.list) {
		scenario->id = scenario->name = choice->name;
		scenario->imports.items = choice->imports.items;
		scenario->imports.n = choice->imports.n;
		add(finder, *scenario);
	}
	if (!choices.list.n) {
		scenario->id = "python";
		scenario->name = ea_path_base(scenario->program);
		add(finder, *scenario);
	}
	return 0;
}

static int add_interpreter(struct finder *finder, struct ea_err *err)
{
	struct ea_scenario scenario = finder->draft;
	const struct ea_python *python;
	int rc = set_python(finder, &scenario, &python, err);

	if (rc > 0 && scenario.program)
		return ea_err_set(err, EA_E_TARGET,
				  "%s: its python %s is no program that can be read",
				  finder->world->target.name, scenario.program);
	if (rc > 0)
		return ea_err_set(err, EA_E_TARGET, "%s: %s", finder->world->target.name,
				  advice(finder->world->target.kind));
	if (rc < 0)
		return rc;
	ea_installed_find(finder->world, finder->frameworks, finder->provider, python, &scenario);
	return add_imports(finder, &scenario, err);
}

/* ---- one ELF file ---------------------------------------------------------------------------- */

/* libc and some modules can be run, too, but nobody does: a SONAME or the name says what it is. */
static bool is_executable(const struct ea_elf *elf, const char *path)
{
	return elf->type == ET_EXEC || (elf->dt_flags_1 & DF_1_PIE) ||
	       (elf->interp && !elf->soname &&
		!ea_path_is_library_name(ea_str(ea_path_base(path))));
}

static int add_library(struct finder *finder, const struct ea_elf *elf, struct ea_err *err)
{
	struct ea_scenario scenario = finder->draft;
	const struct ea_python *python;
	int rc = set_python(finder, &scenario, &python, err);

	if (rc < 0)
		return rc;
	if (rc > 0 && scenario.program)
		ea_vec_push(&scenario.assumptions, &finder->world->arena,
			    ea_arena_printf(&finder->world->arena,
					    "an empty program stands for %s, which is no program "
					    "that can be read",
					    scenario.program));
	if (rc > 0)
		scenario.program = scenario.python_version = NULL;
	scenario.id = "library";
	scenario.name = ea_path_base(finder->world->target.called);
	scenario.library = finder->world->target.called;
	scenario.machine = elf->machine;
	scenario.elf_class = elf->ident[EI_CLASS];
	add(finder, scenario);
	return 0;
}

static int add_elf(struct finder *finder, struct ea_err *err)
{
	const struct ea_target *target = &finder->world->target;
	struct ea_scenario scenario = finder->draft;
	struct ea_opened opened;

	if (finder->provider->open(finder->provider->ctx, target->called, &opened) || !opened.elf)
		return ea_err_set(err, EA_E_TARGET, "%s: cannot be read", target->name);
	if (finder->options->imports)
		return ea_err_set(err, EA_E_USAGE,
				  "--for %s: %s is one file, which imports nothing; name the "
				  "environment whose python does",
				  finder->options->imports, target->name);
	if (!is_executable(opened.elf, target->called))
		return add_library(finder, opened.elf, err);
	scenario.id = "program";
	scenario.name = ea_path_base(target->called);
	scenario.program = target->called;
	add(finder, scenario);
	return 0;
}

int ea_consumers_find(struct ea_world *world, const struct ea_audit_options *options,
		      const struct ea_frameworks *frameworks, const struct ea_provider *provider,
		      const char *cwd, struct ea_scenarios *ret, struct ea_err *err)
{
	struct finder finder = {
		.world = world,
		.options = options,
		.frameworks = frameworks,
		.provider = provider,
		.draft = { .env = world->environment.items,
			   .n_env = world->environment.n,
			   .cpu = options->cpu,
			   .libc_version = options->glibc,
			   .cwd = cwd },
		.ret = ret,
	};

	*ret = (struct ea_scenarios){ 0 };
	return world->target.kind == EA_TARGET_ELF ? add_elf(&finder, err)
						   : add_interpreter(&finder, err);
}
