/* toolchain: the CUDA toolkit that is compiled with, against the CUDA of a framework. */
#include <fnmatch.h>
#include <string.h>

#include "base/path.h"
#include "base/version.h"
#include "rules/checks.h"
#include "rules/sessions.h"

/* Where frameworks take the toolkit from, in this order: the variables, PATH, the usual place. */
static const char *const variables[] = { "CUDA_HOME", "CUDA_PATH" };

#define USUAL "/usr/local/cuda"

struct choice {
	const char *variable; /* that names it; NULL for USUAL */
	const char *value;
	const struct ea_cuda_root *root; /* NULL: the value names no toolkit */
};

/* DIR without slashes at its end is PATH. */
static bool is_folder(struct ea_str dir, const char *path)
{
	while (dir.len > 1 && dir.ptr[dir.len - 1] == '/')
		dir.len--;
	return ea_str_is(dir, path);
}

static const struct ea_cuda_root *find_root(const struct ea_world *world, struct ea_str dir)
{
	ea_vec_foreach(item, &world->cuda_roots) {
		const struct ea_cuda_root *root = *item;

		if (root->broken)
			continue;
		if (is_folder(dir, root->path))
			return root;
		ea_vec_foreach(link, &root->links)
			if (is_folder(dir, *link))
				return root;
	}
	return NULL;
}

/* The first folder "…/bin" of PATH that belongs to a toolkit. */
static const struct ea_cuda_root *find_on_path(const struct ea_world *world, const char *path)
{
	struct ea_str rest = ea_str(path), dir;

	while (ea_str_token(&rest, ':', &dir)) {
		const struct ea_cuda_root *root;

		while (dir.len > 1 && dir.ptr[dir.len - 1] == '/')
			dir.len--;
		if (dir.len < 5 || strncmp(dir.ptr + dir.len - 4, "/bin", 4) != 0)
			continue;
		dir.len -= 4;
		root = find_root(world, dir);
		if (root)
			return root;
	}
	return NULL;
}

static bool choose(const struct ea_world *world, const struct ea_scenario *scenario,
		   struct choice *ret)
{
	const char *path = ea_env_value(scenario->env, scenario->n_env, "PATH");

	for (size_t i = 0; i < EA_ARRAY_SIZE(variables); i++) {
		const char *value = ea_env_value(scenario->env, scenario->n_env, variables[i]);

		if (!value || !*value)
			continue;
		*ret = (struct choice){ variables[i], value, find_root(world, ea_str(value)) };
		return true;
	}
	*ret = (struct choice){ "PATH", path, path ? find_on_path(world, path) : NULL };
	if (!ret->root)
		*ret = (struct choice){ NULL, USUAL, find_root(world, ea_str(USUAL)) };
	return ret->root != NULL;
}

static bool is_variable(const struct choice *choice)
{
	return choice->variable && !ea_streq(choice->variable, "PATH");
}

/* The first import of SESSION that was built for a CUDA. */
static const struct ea_installed *with_cuda(const struct ea_session *session)
{
	ea_vec_foreach(installed, &session->scenario.imports)
		if ((*installed)->cuda)
			return *installed;
	return NULL;
}

/* A package that compiles for the GPU when it is used. */
static const struct ea_component *find_compiler(const struct ea_check *check)
{
	ea_vec_foreach(component, &check->world->components)
		if ((*component)->manager == EA_MANAGER_PIP && (*component)->key)
			ea_vec_foreach(pattern, &check->rule->packages)
				if (fnmatch(*pattern, (*component)->key, 0) == 0)
					return *component;
	return NULL;
}

static struct ea_finding *find_old(const struct ea_check *check, const char *title)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule && ea_streq((*finding)->title, title))
			return *finding;
	return NULL;
}

void ea_check_toolchain(struct ea_check *check)
{
	ea_vec_foreach(session, &check->world->sessions) {
		struct ea_finding *finding;
		struct choice choice;
		const char *title;

		if (!with_cuda(*session) || !choose(check->world, &(*session)->scenario, &choice) ||
		    !is_variable(&choice) || choice.root)
			continue;
		title = ea_arena_printf(&check->world->arena, "%s=%s names no CUDA toolkit",
					choice.variable, choice.value);
		finding = find_old(check, title);
		if (!finding) {
			finding = ea_finding_new(check, "%s", title);
			ea_finding_identity(check, finding, choice.variable);
			ea_finding_evidence(check, finding, choice.value,
					    "has no nvcc and no version.json");
			ea_fix_command(check,
				       ea_finding_fix(check, finding, "do without the variable"),
				       "unset %s", choice.variable);
		}
		ea_session_note(check, finding, *session);
	}
}

static bool same_major(const char *a, const char *b)
{
	struct ea_version one, two;

	/* What is not known is no fault. */
	return ea_version_parse(ea_str(a), &one) || ea_version_parse(ea_str(b), &two) ||
	       one.part[0] == two.part[0];
}

static void report_other(struct ea_check *check, const struct ea_session *session,
			 const struct choice *choice, const struct ea_installed *installed,
			 const struct ea_component *compiler)
{
	const char *title =
		ea_arena_printf(&check->world->arena,
				"%s %s is built for CUDA %s, and %s has CUDA %s to compile with",
				installed->framework->name,
				installed->version ? installed->version : "", installed->cuda,
				choice->variable ? choice->variable : USUAL, choice->root->version);
	struct ea_finding *finding = find_old(check, title);

	if (!finding) {
		finding = ea_finding_new(check, "%s", title);
		if (!is_variable(choice))
			finding->severity = EA_SEVERITY_NOTE;
		ea_finding_identity(check, finding, installed->framework->name);
		ea_finding_identity(check, finding, choice->variable ? choice->variable : USUAL);
		ea_finding_evidence(check, finding, choice->root->path, "CUDA %s",
				    choice->root->version);
		if (compiler)
			ea_finding_evidence(check, finding, compiler->location,
					    "%s compiles when it is used",
					    ea_component_text(check, compiler));
		(void)ea_finding_fix(check, finding,
				     ea_arena_printf(&check->world->arena,
						     "let CUDA_HOME name a toolkit of CUDA %s",
						     installed->cuda));
	}
	ea_session_note(check, finding, session);
}

void ea_check_toolchain_other(struct ea_check *check)
{
	const struct ea_component *compiler = find_compiler(check);

	ea_vec_foreach(session, &check->world->sessions) {
		const struct ea_installed *installed = with_cuda(*session);
		struct choice choice;

		if (!installed || !choose(check->world, &(*session)->scenario, &choice) ||
		    !choice.root || !choice.root->version ||
		    same_major(choice.root->version, installed->cuda) ||
		    (!is_variable(&choice) && !compiler))
			continue;
		report_other(check, *session, &choice, installed, compiler);
	}
}
