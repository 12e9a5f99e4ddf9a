/* known-bad: versions that are known to be bad, alone or together (matrices/known_bad.cfg). */
#include <string.h>

#include "base/range.h"
#include "model/family.h"
#include "rules/checks.h"
#include "rules/sessions.h"

/* Version of WHAT as SESSION has it: a library that is mapped, a framework, a package. */
struct found {
	const struct ea_map *map;
	const struct ea_component *component;
	const char *version;
};

static bool is_of(const struct ea_map *map, const char *what)
{
	const struct ea_family *family = map->elf ? map->elf->family : NULL;

	return family && map->elf->exact_version &&
	       (ea_streq(family->name, what) || ea_streq(family->set, what));
}

static bool find_package(const struct ea_check *check, const char *name, struct found *ret)
{
	ea_vec_foreach(item, &check->world->components) {
		const struct ea_component *component = *item;

		if (!component->version || !component->name || !ea_streq(component->name, name))
			continue;
		*ret = (struct found){ .component = component, .version = component->version };
		return true;
	}
	return false;
}

static bool find(const struct ea_check *check, const struct ea_session *session, const char *what,
		 struct found *ret)
{
	ea_vec_foreach(map, &session->maps)
		if (is_of(*map, what)) {
			*ret = (struct found){ .map = *map, .version = (*map)->elf->exact_version };
			return true;
		}
	ea_vec_foreach(item, &session->scenario.imports)
		if ((*item)->version && ea_streq((*item)->framework->name, what)) {
			*ret = (struct found){ .component = (*item)->component,
					       .version = (*item)->version };
			return true;
		}
	return find_package(check, what, ret);
}

static bool imports(const struct ea_session *session, const char *name)
{
	ea_vec_foreach(item, &session->scenario.imports)
		if (ea_streq((*item)->framework->name, name))
			return true;
	return false;
}

static struct ea_finding *find_old(const struct ea_check *check, const char *title)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule && ea_streq((*finding)->title, title))
			return *finding;
	return NULL;
}

static void add_proof(struct ea_check *check, struct ea_finding *finding,
		      const struct ea_session *session, const struct found *found)
{
	if (found->map)
		ea_session_evidence(check, finding, session, found->map);
	else if (found->component)
		ea_finding_evidence(check, finding, found->component->location, "%s",
				    ea_component_text(check, found->component));
}

/* SESSION is NULL for what is reported wherever it is installed. */
static void report(struct ea_check *check, const struct ea_known_bad *bad,
		   const struct ea_session *session, const struct found *what,
		   const struct found *with)
{
	const char *title =
		ea_arena_printf(&check->world->arena, "%s %s%s%s%s%s: %s", bad->what, what->version,
				with ? " with " : "", with ? bad->with : "", with ? " " : "",
				with ? with->version : "", bad->symptom);
	struct ea_finding *finding = find_old(check, title);

	if (!finding) {
		finding = ea_finding_new(check, "%s", title);
		if (bad->severity)
			finding->severity = (enum ea_severity)(bad->severity - 1);
		ea_finding_identity(check, finding, bad->what);
		if (bad->with)
			ea_finding_identity(check, finding, bad->with);
		add_proof(check, finding, session, what);
		if (with)
			add_proof(check, finding, session, with);
		ea_finding_evidence(check, finding, NULL, "source: %s, %s", bad->row.source,
				    bad->row.date);
		(void)ea_finding_fix(check, finding, bad->fix);
	}
	if (session)
		ea_session_note(check, finding, session);
}

static void check_session(struct ea_check *check, const struct ea_known_bad *bad,
			  const struct ea_session *session)
{
	struct found what, with;

	if (session->outcome == EA_SESSION_FAILED || !imports(session, bad->consumer) ||
	    !ea_session_is_judged(check->world, session) ||
	    !find(check, session, bad->what, &what) || !ea_range_has(bad->version, what.version))
		return;
	if (!bad->with)
		report(check, bad, session, &what, NULL);
	else if (find(check, session, bad->with, &with) &&
		 (!bad->with_version || ea_range_has(bad->with_version, with.version)))
		report(check, bad, session, &what, &with);
}

void ea_check_known_bad(struct ea_check *check)
{
	const struct ea_row_list *rows;
	struct found what;

	check->rc = ea_matrix_rows(check->facts, EA_TABLE_KNOWN_BAD, NULL, &rows, check->err);
	if (check->rc)
		return;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_known_bad *bad = (const void *)*row;

		/* What depends on the GPU is nothing that an environment tells. */
		if (!bad->consumer || bad->sm)
			continue;
		if (!ea_streq(bad->consumer, "any"))
			ea_vec_foreach(session, &check->world->sessions)
				check_session(check, bad, *session);
		else if (find_package(check, bad->what, &what) &&
			 ea_range_has(bad->version, what.version))
			report(check, bad, NULL, &what, NULL);
	}
}
