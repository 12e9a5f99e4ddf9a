/* preload: what LD_PRELOAD and /etc/ld.so.preload do to every program that is started. */
#include <string.h>

#include "base/path.h"
#include "rules/checks.h"
#include "rules/sessions.h"

static struct ea_finding *find_old(const struct ea_check *check, const char *title)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule && ea_streq((*finding)->title, title))
			return *finding;
	return NULL;
}

/* What made the loader look for REQUEST in the end, if that is a preload. */
static const struct ea_request *preload_of(const struct ea_request *request)
{
	const struct ea_map *map;

	for (map = request->requester; map; map = map->loader)
		if (map->request && map->request->kind == EA_REQUEST_PRELOAD)
			return map->request;
	return request->kind == EA_REQUEST_PRELOAD ? request : NULL;
}

/* The variable that names it; else it stands in the file of the machine. */
static bool is_in_variable(const struct ea_session *session, const char *name)
{
	const struct ea_scenario *scenario = &session->scenario;
	const char *value = ea_env_value(scenario->env, scenario->n_env, "LD_PRELOAD");

	return value && strstr(value, name);
}

static void add_fix(struct ea_check *check, struct ea_finding *finding,
		    const struct ea_session *session, const char *name)
{
	struct ea_fix *fix;

	if (is_in_variable(session, name)) {
		fix = ea_finding_fix(check, finding, "do not preload it");
		ea_fix_command(check, fix, "unset LD_PRELOAD");
		fix->variable = "LD_PRELOAD";
	} else {
		fix = ea_finding_fix(check, finding, "take it out of the machine's list");
		ea_fix_command(check, fix, "sed -i %s /etc/ld.so.preload",
			       ea_shell_word(check, ea_arena_printf(&check->world->arena, "\\|%s|d",
								    name)));
	}
}

static struct ea_finding *begin(struct ea_check *check, const struct ea_session *session,
				const struct ea_request *preload, const char *title)
{
	struct ea_finding *finding = find_old(check, title);

	if (finding) {
		ea_session_note(check, finding, session);
		return NULL;
	}
	finding = ea_finding_new(check, "%s", title);
	ea_finding_identity(check, finding, ea_path_base(preload->name));
	ea_session_note(check, finding, session);
	ea_finding_evidence(check, finding,
			    preload->map ? ea_session_path(session, preload->map) : preload->name,
			    is_in_variable(session, preload->name) ? "named by LD_PRELOAD"
								   : "named by /etc/ld.so.preload");
	return finding;
}

static void report_start(struct ea_check *check, const struct ea_session *session,
			 const struct ea_request *fatal, const struct ea_request *preload)
{
	struct ea_finding *finding =
		begin(check, session, preload,
		      ea_arena_printf(&check->world->arena,
				      "no program can be started: %s is preloaded and needs %s",
				      ea_path_base(preload->name), fatal->name));

	if (!finding)
		return;
	ea_finding_evidence(check, finding, NULL, "%s", session->error);
	add_fix(check, finding, session, preload->name);
}

/* The first need of a preloaded object that was not met ended the start of the program. */
static void check_start(struct ea_check *check, const struct ea_session *session)
{
	if (session->outcome != EA_SESSION_FAILED || session->failed_import)
		return;
	ea_vec_foreach(request, &session->requests) {
		const struct ea_request *preload = preload_of(*request);

		if (preload && (*request)->kind == EA_REQUEST_NEEDED &&
		    (*request)->outcome != EA_OUTCOME_OK) {
			report_start(check, session, *request, preload);
			return;
		}
	}
}

void ea_check_preload(struct ea_check *check)
{
	ea_vec_foreach(session, &check->world->sessions)
		check_start(check, *session);
}

static void check_ignored(struct ea_check *check, const struct ea_session *session,
			  const struct ea_request *preload)
{
	const char *error = preload->error ? preload->error : "not found";
	struct ea_finding *finding;

	finding =
		begin(check, session, preload,
		      ea_arena_printf(&check->world->arena,
				      "%s is to be preloaded, and is passed over", preload->name));
	if (!finding)
		return;
	ea_finding_evidence(check, finding, NULL, "%s", error);
	add_fix(check, finding, session, preload->name);
}

void ea_check_preload_ignored(struct ea_check *check)
{
	ea_vec_foreach(session, &check->world->sessions)
		ea_vec_foreach(request, &(*session)->requests)
			if ((*request)->kind == EA_REQUEST_PRELOAD &&
			    (*request)->outcome == EA_OUTCOME_ERROR)
				check_ignored(check, *session, *request);
}
