/* What rules ask of sessions. */
#include "rules/sessions.h"

#include <fnmatch.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"

bool ea_session_is_judged(const struct ea_world *world, const struct ea_session *session)
{
	if (session->outcome != EA_SESSION_NO_DRIVER)
		return session->scenario.imports.n != 0;
	ea_vec_foreach(other, &world->sessions)
		if ((*other)->scenario.driver == EA_DRIVER_ASSUMED &&
		    ea_streq((*other)->scenario.name, session->scenario.name))
			return false;
	return true;
}

const struct ea_installed *ea_session_culprit(const struct ea_session *session)
{
	ea_vec_foreach(installed, &session->scenario.installed)
		if (session->failed_import &&
		    ea_streq((*installed)->framework->name, session->failed_import))
			return *installed;
	return NULL;
}

static void add_installed(struct ea_buf *text, const struct ea_installed *installed)
{
	ea_buf_add_text(text, installed->framework->name);
	if (installed->version)
		ea_buf_printf(text, " %s", installed->version);
}

const char *ea_session_consumer(struct ea_check *check, const struct ea_session *session)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	const struct ea_installed *culprit = ea_session_culprit(session);

	if (culprit) {
		add_installed(&text, culprit);
	} else {
		ea_vec_foreach(installed, &session->scenario.imports) {
			if (text.len)
				ea_buf_add_text(&text, " and ");
			add_installed(&text, *installed);
		}
	}
	return ea_arena_dup_str(&check->world->arena, ea_buf_str(&text));
}

void ea_session_note(struct ea_check *check, struct ea_finding *finding,
		     const struct ea_session *session)
{
	ea_vec_foreach(id, &finding->consumers)
		if (ea_streq(*id, session->scenario.id))
			return;
	ea_vec_push(&finding->consumers, &check->world->arena, session->scenario.id);
}

const struct ea_component *ea_session_owner(const struct ea_check *check, const struct ea_map *map)
{
	const struct ea_component *found = NULL;

	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;

		if (copy->elf != map->elf || !copy->owners.n || !map->elf)
			continue;
		if (ea_streq(copy->real, map->real))
			return copy->owners.items[0].component;
		found = copy->owners.items[0].component;
	}
	return found;
}

void ea_session_evidence(struct ea_check *check, struct ea_finding *finding,
			 const struct ea_session *session, const struct ea_map *map)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	const struct ea_component *owner = ea_session_owner(check, map);
	const struct ea_request *request = map->request;

	ea_buf_add_text(&text, map->elf && map->elf->exact_version ? map->elf->exact_version
								   : "unknown version");
	if (owner)
		ea_buf_printf(&text, ", of %s", ea_component_text(check, owner));
	if (request && ea_request_how(request) == EA_HOW_PATH)
		ea_buf_add_text(&text, "; opened by its path");
	else if (request && ea_request_how(request) == EA_HOW_PRELOAD)
		ea_buf_add_text(&text, "; preloaded");
	else if (request)
		ea_buf_printf(&text, "; found by %s", ea_how_texts[ea_request_how(request)]);
	if (request && request->requester && *ea_session_path(session, request->requester) &&
	    request->kind == EA_REQUEST_NEEDED)
		ea_buf_printf(&text, ", wanted by %s",
			      ea_path_base(ea_session_path(session, request->requester)));
	/* A path out of $ORIGIN goes up and down again, where the real one is short. */
	ea_finding_evidence(check, finding,
			    map->real && strstr(map->path, "/../") ? map->real : map->path, "%s",
			    ea_buf_text(&text));
}

/* VALUE without the folder DIR. */
static const char *without_folder(struct ea_check *check, const char *value, struct ea_str dir)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	struct ea_str rest = ea_str(value), part;

	while (ea_str_token(&rest, ':', &part)) {
		struct ea_str bare = part;

		while (bare.len > 1 && bare.ptr[bare.len - 1] == '/')
			bare.len--;
		if (ea_str_eq(bare, dir))
			continue;
		if (text.len)
			ea_buf_add_char(&text, ':');
		ea_buf_add(&text, part.ptr, part.len);
	}
	return ea_arena_dup_str(&check->world->arena, ea_buf_str(&text));
}

bool ea_session_fix_variable(struct ea_check *check, struct ea_finding *finding,
			     const struct ea_session *session, const struct ea_map *map)
{
	const struct ea_request *request = map->request;
	enum ea_how how = request ? ea_request_how(request) : EA_HOW_NOT_FOUND;
	const struct ea_scenario *scenario = &session->scenario;
	const char *value = ea_env_value(scenario->env, scenario->n_env, "LD_LIBRARY_PATH"), *rest;
	struct ea_fix *fix;

	if (how == EA_HOW_PRELOAD) {
		fix = ea_finding_fix(check, finding, "do not preload it");
		ea_fix_command(check, fix, "unset LD_PRELOAD");
		fix->variable = "LD_PRELOAD";
		return true;
	}
	if (how != EA_HOW_LD_LIBRARY_PATH || !value)
		return false;
	rest = without_folder(check, value, ea_path_dir(map->path));
	fix = ea_finding_fix(check, finding, "take its folder off LD_LIBRARY_PATH");
	fix->variable = "LD_LIBRARY_PATH";
	fix->value = *rest ? rest : NULL;
	if (*rest)
		ea_fix_command(check, fix, "export LD_LIBRARY_PATH=%s", ea_shell_word(check, rest));
	else
		ea_fix_command(check, fix, "unset LD_LIBRARY_PATH");
	return true;
}

bool ea_session_fix_pin(struct ea_check *check, struct ea_finding *finding,
			const struct ea_installed *installed, const char *pattern)
{
	if (!installed || !installed->component || installed->component->manager != EA_MANAGER_PIP)
		return false;
	ea_vec_foreach(item, &installed->component->requires) {
		struct ea_arena *arena = &check->world->arena;
		struct ea_fix *fix;

		if (fnmatch(pattern, ea_arena_dup_str(arena, ea_requirement_name(*item)), 0) != 0)
			continue;
		fix = ea_finding_fix(check, finding, "install what it asks for");
		ea_fix_command(check, fix, "%s install %s", ea_pip_of(check),
			       ea_shell_word(check, ea_requirement_text(arena, *item)));
		return true;
	}
	return false;
}

void ea_session_temper(struct ea_finding *finding, const struct ea_session *session)
{
	const struct ea_installed *culprit = ea_session_culprit(session);

	if (!culprit || culprit->framework->verified != EA_VERIFIED_BY_SOURCE)
		return;
	finding->confidence = EA_CONFIDENCE_LOW;
	if (finding->severity > EA_SEVERITY_WARNING)
		finding->severity = EA_SEVERITY_WARNING;
}
