/* py-shadow: a framework of the environment that its python does not import, since another stands
 * in front. */
#include <string.h>

#include "base/path.h"
#include "rules/checks.h"
#include "rules/sessions.h"

static bool brings(const struct ea_framework *framework, const struct ea_component *component)
{
	ea_vec_foreach(key, &framework->packages)
		if (ea_streq(*key, component->key))
			return true;
	return false;
}

static bool is_searched(const struct ea_session *session, const char *folder)
{
	ea_vec_foreach(path, &session->scenario.sys_path)
		if (ea_streq(*path, folder))
			return true;
	return false;
}

/* The package of the environment that INSTALLED hides; NULL if there is none. */
static const struct ea_component *hidden_by(const struct ea_check *check,
					    const struct ea_session *session,
					    const struct ea_installed *installed)
{
	ea_vec_foreach(item, &check->world->components) {
		const struct ea_component *component = *item;

		if (component->manager == EA_MANAGER_PIP && component->base &&
		    brings(installed->framework, component) &&
		    !ea_streq(component->base, installed->folder) &&
		    ea_path_within(component->base, check->world->target.path) &&
		    is_searched(session, component->base))
			return component;
	}
	return NULL;
}

static struct ea_finding *find_old(const struct ea_check *check, const char *title)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule && ea_streq((*finding)->title, title))
			return *finding;
	return NULL;
}

static void add_fix(struct ea_check *check, struct ea_finding *finding,
		    const struct ea_session *session, const struct ea_installed *installed)
{
	const struct ea_scenario *scenario = &session->scenario;
	const char *python_path = ea_env_value(scenario->env, scenario->n_env, "PYTHONPATH");
	const char *user_base = ea_env_value(scenario->env, scenario->n_env, "PYTHONUSERBASE");
	struct ea_fix *fix;

	if (python_path && strstr(python_path, installed->folder)) {
		fix = ea_finding_fix(check, finding, "do without PYTHONPATH");
		ea_fix_command(check, fix, "unset PYTHONPATH");
	} else if (strstr(installed->folder, "/.local/") ||
		   (user_base && ea_path_within(installed->folder, user_base))) {
		fix = ea_finding_fix(check, finding, "leave the user's site folder out");
		ea_fix_command(check, fix, "export PYTHONNOUSERSITE=1");
	}
}

static void check_installed(struct ea_check *check, const struct ea_session *session,
			    const struct ea_installed *installed)
{
	const struct ea_component *hidden = hidden_by(check, session, installed);
	const char *version = installed->version, *title;
	struct ea_finding *finding;

	if (!hidden || (version && ea_streq(version, hidden->version)))
		return;
	title = ea_arena_printf(&check->world->arena,
				"%s %s of %s is imported, not %s of this environment",
				installed->framework->name, version ? version : "(version unknown)",
				installed->folder, hidden->version ? hidden->version : "the one");
	finding = find_old(check, title);
	if (!finding) {
		finding = ea_finding_new(check, "%s", title);
		/* It may be the same release. */
		if (!version)
			finding->severity = EA_SEVERITY_NOTE;
		ea_finding_identity(check, finding, installed->framework->name);
		ea_finding_evidence(check, finding, installed->folder,
				    "comes first on sys.path and has %s",
				    installed->framework->name);
		ea_finding_evidence(check, finding, hidden->location, "is hidden: %s",
				    ea_component_text(check, hidden));
		add_fix(check, finding, session, installed);
	}
	ea_session_note(check, finding, session);
}

void ea_check_py_shadow(struct ea_check *check)
{
	ea_vec_foreach(session, &check->world->sessions)
		ea_vec_foreach(installed, &(*session)->scenario.imports)
			check_installed(check, *session, *installed);
}
