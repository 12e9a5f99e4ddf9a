/* Which frameworks a python would import, and from where. */
#include "audit/installed.h"

#include <string.h>

#include "base/path.h"
#include "base/version.h"
#include "inventory/sys_path.h"
#include "model/component.h"

struct finder {
	struct ea_world *world;
	const struct ea_provider *provider;
	struct ea_scenario *scenario;
};

/* ---- sys.path -------------------------------------------------------------------------------- */

static bool same_release(const char *a, const char *b)
{
	struct ea_version one, two;

	return a && b && !ea_version_parse(ea_str(a), &one) && !ea_version_parse(ea_str(b), &two) &&
	       one.part[0] == two.part[0] && one.part[1] == two.part[1];
}

/* The python that a venv stands on: of several in one prefix, that of its release. */
static const struct ea_python *base_of(const struct ea_world *world, const struct ea_python *python)
{
	ea_vec_foreach(base, &world->pythons)
		if (*base != python && ea_streq((*base)->prefix, python->base_prefix) &&
		    same_release((*base)->version, python->version))
			return *base;
	return NULL;
}

static void set_sys_path(struct finder *finder, const struct ea_python *python)
{
	const struct ea_sys_path_setup setup = {
		.provider = finder->provider,
		.python = python,
		.base = base_of(finder->world, python),
		.env = finder->scenario->env,
		.n_env = finder->scenario->n_env,
		.cwd = finder->scenario->cwd,
		.arena = &finder->world->arena,
		.gaps = &finder->world->gaps,
	};
	struct ea_names found = { 0 };

	ea_sys_path_find(&setup, &found);
	ea_vec_foreach(path, &found.list)
		if (finder->provider->dir(finder->provider->ctx, *path) == 0)
			ea_vec_push(&finder->scenario->sys_path, &finder->world->arena, *path);
}

/* ---- frameworks ------------------------------------------------------------------------------ */

/* FOLDER has the module, as a package or a file. */
static bool has_module(struct finder *finder, const char *folder, const char *module)
{
	const struct ea_provider *provider = finder->provider;
	char *path = ea_path_join(&finder->world->arena, folder, module);
	struct ea_opened opened;

	for (char *at = path + strlen(folder); *at; at++)
		if (*at == '.')
			*at = '/';
	return provider->dir(provider->ctx, path) == 0 ||
	       provider->open(provider->ctx, ea_arena_printf(&finder->world->arena, "%s.py", path),
			      &opened) == 0;
}

static bool brings(const struct ea_framework *framework, const struct ea_component *component)
{
	ea_vec_foreach(key, &framework->packages)
		if (ea_streq(*key, component->key))
			return true;
	return false;
}

/* 12.1 of "2.4.1+cu121"; NULL if it says nothing. */
static const char *cuda_of(const char *version, struct ea_arena *arena)
{
	const char *local = version ? strstr(version, "+cu") : NULL;
	size_t n = local ? strspn(local + 3, "0123456789") : 0;

	if (n < 3)
		return NULL;
	return ea_arena_printf(arena, "%.*s.%.1s", (int)(n - 1), local + 3, local + 3 + n - 1);
}

static void set_version(struct finder *finder, struct ea_installed *installed)
{
	ea_vec_foreach(component, &finder->world->components)
		if (brings(installed->framework, *component) && (*component)->base &&
		    ea_path_within((*component)->base, installed->folder)) {
			installed->component = *component;
			installed->version = (*component)->version;
		}
	ea_vec_foreach(claim, &finder->world->claims) {
		if (!ea_streq(claim->framework, installed->framework->name) ||
		    !ea_path_within(claim->path, installed->folder))
			continue;
		if (ea_streq(claim->what, "version") && claim->value)
			installed->version = claim->value;
		if (ea_streq(claim->what, "cuda"))
			installed->cuda = claim->value;
	}
	if (!installed->cuda)
		installed->cuda = cuda_of(installed->version, &finder->world->arena);
}

static void find_framework(struct finder *finder, const struct ea_framework *framework)
{
	ea_vec_foreach(folder, &finder->scenario->sys_path)
		ea_vec_foreach(module, &framework->modules) {
			struct ea_installed *installed;

			if (!has_module(finder, *folder, *module))
				continue;
			installed = ea_arena_new(&finder->world->arena, struct ea_installed);
			installed->framework = framework;
			installed->folder = *folder;
			set_version(finder, installed);
			ea_vec_push(&finder->scenario->installed, &finder->world->arena, installed);
			return;
		}
}

void ea_installed_find(struct ea_world *world, const struct ea_frameworks *frameworks,
		       const struct ea_provider *provider, const struct ea_python *python,
		       struct ea_scenario *scenario)
{
	struct finder finder = { .world = world, .provider = provider, .scenario = scenario };

	if (!python || !frameworks)
		return;
	set_sys_path(&finder, python);
	for (uint32_t i = 0; i < ea_frameworks_count(frameworks); i++)
		find_framework(&finder, ea_frameworks_at(frameworks, i));
}
