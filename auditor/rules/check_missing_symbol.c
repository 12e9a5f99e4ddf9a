/*
 * second-level-skew, nccl-skew, libstdcxx, mkl-skew and torch-family-pin: every file is there, but
 * one lacks a symbol that another needs. Which rule's it is, the rules' lists `lacks` say.
 */
#include <string.h>

#include "base/path.h"
#include "base/range.h"
#include "model/family.h"
#include "rules/checks.h"
#include "rules/sessions.h"

/* The rule whose matter it is that MISSING is; NULL = none names it. */
static const struct ea_rule *rule_of(const struct ea_rules *rules, const struct ea_missing *missing)
{
	for (uint32_t i = 0; i < ea_rules_count(rules); i++) {
		const struct ea_rule *rule = ea_rules_at(rules, i);

		if (rule->enabled && ea_rule_lacks(rule, missing))
			return rule;
	}
	return NULL;
}

/* What the session's first failing object lacks, if it failed for that and this rule has to say so.
 */
static const struct ea_missing *find_missing(const struct ea_check *check,
					     const struct ea_session *session)
{
	const struct ea_rule *rule;

	if (session->outcome != EA_SESSION_FAILED || !session->missing.n ||
	    !session->failed_import || !ea_session_is_judged(check->world, session))
		return NULL;
	rule = rule_of(check->rules, &session->missing.items[0]);
	if (rule ? rule != check->rule : check->rule->lacks.n > 0)
		return NULL;
	return &session->missing.items[0];
}

static struct ea_finding *find_old(const struct ea_check *check, const struct ea_map *object)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule && (*finding)->evidence.n &&
		    ea_streq((*finding)->evidence.items[0].path, object->path))
			return *finding;
	return NULL;
}

/* The object that should define it: by the name that the need gives, else of the rule's family. */
static const struct ea_map *provider_of(const struct ea_check *check,
					const struct ea_session *session,
					const struct ea_missing *missing)
{
	const char *family = check->rule->provider;

	if (missing->provider)
		return missing->provider;
	ea_vec_foreach(item, &session->requests) {
		const struct ea_map *map = (*item)->map;

		if (!map)
			continue;
		if (missing->file ? ea_streq(ea_path_base(map->path), missing->file)
				  : family && map->elf && map->elf->family &&
					    ea_streq(map->elf->family->name, family))
			return map;
	}
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
			    missing->symbol ? missing->symbol : "",
			    missing->symbol && missing->version ? " of version " : "",
			    missing->version ? missing->version : "");
	return finding;
}

static bool defines(const struct ea_elf *elf, const char *version)
{
	for (uint32_t i = 0; i < elf->n_verdefs; i++)
		if (ea_streq(elf->verdefs[i].name, version))
			return true;
	return false;
}

/* Another copy of the library that has the version; to find it first mends it. */
static void add_better(struct ea_check *check, struct ea_finding *finding,
		       const struct ea_session *session, const struct ea_missing *missing,
		       const struct ea_map *provider)
{
	const struct ea_scenario *scenario = &session->scenario;
	const char *old = ea_env_value(scenario->env, scenario->n_env, "LD_LIBRARY_PATH"), *dir;
	struct ea_arena *arena = &check->world->arena;

	if (!missing->version || !missing->file)
		return;
	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;
		struct ea_fix *fix;

		if (!copy->elf || copy->elf == provider->elf ||
		    !ea_streq(ea_path_base(copy->path), missing->file) ||
		    copy->elf->machine != provider->elf->machine ||
		    !defines(copy->elf, missing->version))
			continue;
		dir = ea_arena_dup_str(arena, ea_path_dir(copy->path));
		ea_finding_evidence(check, finding, copy->path, "has %s", missing->version);
		fix = ea_finding_fix(check, finding, "let the copy that has it be found first");
		ea_fix_command(check, fix,
			       "export LD_LIBRARY_PATH=%s${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}",
			       ea_shell_word(check, dir));
		fix->variable = "LD_LIBRARY_PATH";
		fix->value = old ? ea_arena_printf(arena, "%s:%s", dir, old) : dir;
		return;
	}
}

/* What the rule would ask conda for is installed already: it is not the answer here. */
static bool is_met(const char *spec, const struct ea_component *owner)
{
	size_t n = spec ? strcspn(spec, "<>=!") : 0;

	return spec && spec[n] && owner->version && ea_range_has(spec + n, owner->version);
}

static void add_package(struct ea_check *check, struct ea_finding *finding,
			const struct ea_session *session, const struct ea_map *provider)
{
	const struct ea_family *family = provider->elf ? provider->elf->family : NULL;
	const struct ea_component *owner = ea_session_owner(check, provider);
	struct ea_fix *fix;

	if (family)
		ea_vec_foreach(pattern, &family->packages)
			if (ea_session_fix_pin(check, finding, ea_session_culprit(session),
					       *pattern))
				return;
	if (!owner || owner->manager != EA_MANAGER_CONDA || !owner->base)
		return;
	fix = ea_finding_fix(check, finding, "take another release of the package that brings it");
	if (is_met(check->rule->install, owner))
		ea_fix_command(check, fix, "conda update -p %s %s",
			       ea_shell_word(check, owner->base), owner->name);
	else
		ea_fix_command(check, fix, "conda install -p %s %s",
			       ea_shell_word(check, owner->base),
			       check->rule->install ? ea_shell_word(check, check->rule->install)
						    : owner->name);
}

static const char *title_of(struct ea_check *check, const struct ea_session *session,
			    const struct ea_missing *missing, const struct ea_map *provider)
{
	const char *version = provider && provider->elf ? provider->elf->exact_version : NULL;

	return ea_arena_printf(
		&check->world->arena, "%s cannot be loaded: %s%s%s %s %s, which %s needs",
		ea_session_consumer(check, session),
		provider ? ea_path_base(provider->path) : "no library", version ? " " : "",
		version ? version : "", provider ? "lacks" : "has",
		missing->symbol ? missing->symbol : missing->version,
		ea_path_base(missing->object->path));
}

void ea_check_missing_symbol(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;
		const struct ea_missing *missing = find_missing(check, session);
		const struct ea_map *provider;
		struct ea_finding *finding;

		if (!missing)
			continue;
		finding = find_old(check, missing->object);
		if (finding) {
			ea_session_note(check, finding, session);
			continue;
		}
		provider = provider_of(check, session, missing);
		finding =
			begin(check, session, missing, title_of(check, session, missing, provider));
		if (provider) {
			ea_session_evidence(check, finding, session, provider);
			(void)ea_session_fix_variable(check, finding, session, provider);
			add_better(check, finding, session, missing, provider);
			add_package(check, finding, session, provider);
		}
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
		const struct ea_missing *missing = find_missing(check, session);
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
