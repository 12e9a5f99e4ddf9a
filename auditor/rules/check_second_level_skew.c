/*
 * second-level-skew and torch-family-pin: every file is there, but one lacks a symbol that another
 * needs. Between CUDA's libraries that is a skew of releases; in an extension of torch it is a
 * torch that the extension was not built for.
 */
#include <string.h>

#include "base/path.h"
#include "rules/checks.h"
#include "rules/sessions.h"

/* A mangled name of torch's own interfaces. */
static bool is_of_torch(const char *symbol)
{
	static const char *const marks[] = { "_ZN3c10",	  "_ZNK3c10",	"_ZN2at",   "_ZNK2at",
					     "_ZN5torch", "_ZNK5torch", "_ZTIN3c10" };

	for (size_t i = 0; symbol && i < EA_ARRAY_SIZE(marks); i++)
		if (ea_str_starts(ea_str(symbol), marks[i]))
			return true;
	return false;
}

/* What the session's first failing object lacks, if that is what it failed for. */
static const struct ea_missing *find_missing(const struct ea_check *check,
					     const struct ea_session *session, bool of_torch)
{
	if (session->outcome != EA_SESSION_FAILED || !session->missing.n ||
	    !session->failed_import || !ea_session_is_judged(check->world, session))
		return NULL;
	return is_of_torch(session->missing.items[0].symbol) == of_torch
		       ? &session->missing.items[0]
		       : NULL;
}

static struct ea_finding *find_old(const struct ea_check *check, const struct ea_map *object)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule && (*finding)->evidence.n &&
		    ea_streq((*finding)->evidence.items[0].path, object->path))
			return *finding;
	return NULL;
}

static const struct ea_map *provider_of(const struct ea_session *session,
					const struct ea_missing *missing)
{
	if (missing->provider)
		return missing->provider;
	ea_vec_foreach(map, &session->maps)
		if (missing->file && ea_streq(ea_path_base((*map)->path), missing->file))
			return *map;
	return NULL;
}

static struct ea_finding *begin(struct ea_check *check, const struct ea_session *session,
				const struct ea_missing *missing, const char *title)
{
	struct ea_finding *finding = ea_finding_new(check, "%s", title);

	ea_finding_identity(check, finding, session->failed_import);
	ea_finding_identity(check, finding, ea_path_base(missing->object->path));
	ea_session_note(check, finding, session);
	ea_finding_evidence(check, finding, missing->object->path, "needs %s%s%s",
			    missing->symbol ? missing->symbol : "version",
			    missing->version ? " of version " : "",
			    missing->version ? missing->version : "");
	return finding;
}

void ea_check_second_level_skew(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;
		const struct ea_missing *missing = find_missing(check, session, false);
		const struct ea_map *provider;
		struct ea_finding *finding;
		const char *title;

		if (!missing)
			continue;
		finding = find_old(check, missing->object);
		if (finding) {
			ea_session_note(check, finding, session);
			continue;
		}
		provider = provider_of(session, missing);
		title = ea_arena_printf(&check->world->arena,
					"%s cannot be loaded: %s lacks what %s needs",
					ea_session_consumer(check, session),
					provider ? provider->path : "every loaded library",
					ea_path_base(missing->object->path));
		finding = begin(check, session, missing, title);
		ea_session_evidence(check, finding, session, missing->object);
		if (provider)
			ea_session_evidence(check, finding, session, provider);
		if (provider)
			(void)ea_session_fix_variable(check, finding, session, provider);
		ea_session_temper(finding, session);
	}
}

/* An index knows versions without their local part. */
static const char *public_version(struct ea_check *check, const char *version)
{
	struct ea_str text = ea_str(version ? version : "VERSION");

	text.len = ea_str_find(text, '+');
	return ea_shell_word(check, ea_arena_dup_str(&check->world->arena, text));
}

void ea_check_torch_family_pin(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;
		const struct ea_missing *missing = find_missing(check, session, true);
		const struct ea_installed *culprit = ea_session_culprit(session), *torch = NULL;
		struct ea_finding *finding;
		struct ea_fix *fix;

		if (!missing || !culprit)
			continue;
		ea_vec_foreach(installed, &session->scenario.installed)
			if (ea_streq((*installed)->framework->name, "torch"))
				torch = *installed;
		if (!torch || torch == culprit || find_old(check, missing->object))
			continue;
		finding = begin(check, session, missing,
				ea_arena_printf(&check->world->arena,
						"%s was built for another torch than %s",
						ea_session_consumer(check, session),
						torch->version ? torch->version : "this one"));
		if (culprit->component)
			ea_vec_foreach(text, &culprit->component->requires)
				if (ea_str_starts(ea_str(*text), "torch"))
					ea_finding_evidence(check, finding, NULL, "it asks for %s",
							    *text);
		fix = ea_finding_fix(check, finding, "install the one that belongs to this torch");
		ea_fix_command(check, fix, "%s install --upgrade %s torch==%s", ea_pip_of(check),
			       culprit->framework->name, public_version(check, torch->version));
		if (!ea_session_fix_pin(check, finding, culprit, "torch"))
			ea_session_temper(finding, session);
	}
}
