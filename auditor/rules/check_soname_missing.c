/* soname-missing: a library that a framework needs is nowhere where the loader looks. */
#include <string.h>

#include "base/path.h"
#include "base/str.h"
#include "model/family.h"
#include "rules/checks.h"
#include "rules/sessions.h"

/* The request below FAILED that found no file. */
static const struct ea_request *find_missing(const struct ea_request *failed)
{
	if (!failed || failed->outcome == EA_OUTCOME_OK)
		return NULL;
	ea_vec_foreach(nested, &failed->nested)
		if (!(*nested)->map && (*nested)->kind == EA_REQUEST_NEEDED &&
		    (*nested)->outcome == EA_OUTCOME_ERROR)
			return *nested;
	return failed->map ? NULL : failed;
}

static bool is_absent(const struct ea_request *request)
{
	return request->error && strstr(request->error, "cannot open shared object file") != NULL;
}

/* The driver's own libraries come with a machine, not with an environment. */
static bool is_of_driver(const char *name)
{
	return ea_str_starts(ea_str(name), "libcuda.so") ||
	       ea_str_starts(ea_str(name), "libnvidia-");
}

/* "libcudnn" of "libcudnn.so.9". */
static struct ea_str stem_of(const char *name)
{
	struct ea_str text = ea_str(ea_path_base(name));

	text.len = ea_str_find_str(text, EA_STR(".so"));
	return text;
}

/* Copies with the same name up to ".so" that are there all the same. */
static void add_others(struct ea_check *check, struct ea_finding *finding, const char *name)
{
	struct ea_str stem = stem_of(name);
	unsigned n = 0;

	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;

		if (copy->link || !copy->elf || !ea_str_eq(stem_of(copy->path), stem) || ++n > 4)
			continue;
		if (copy->owners.n)
			ea_finding_evidence(
				check, finding, copy->path, "is there instead, %s, of %s",
				copy->elf->exact_version ? copy->elf->exact_version
							 : "of unknown version",
				ea_component_text(check, copy->owners.items[0].component));
		else
			ea_finding_evidence(check, finding, copy->path, "is there instead, %s",
					    copy->elf->exact_version ? copy->elf->exact_version
								     : "of unknown version");
	}
}

/* A package name that brings libraries of this name: "nvidia-cudnn-cu*" for libcudnn.so.9. */
static const char *package_of(struct ea_check *check, const char *name)
{
	ea_vec_foreach(item, &check->world->elfs) {
		const struct ea_family *family = (*item)->family;

		if (!family || !family->packages.n)
			continue;
		ea_vec_foreach(pattern, &family->names) {
			struct ea_str want = ea_str(*pattern);

			if (ea_str_eq(want, stem_of(name)))
				return family->packages.items[0];
		}
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

static void report(struct ea_check *check, const struct ea_session *session,
		   const struct ea_request *missing)
{
	const struct ea_installed *culprit = ea_session_culprit(session);
	const char *requester = missing->requester && missing->kind == EA_REQUEST_NEEDED
					? ea_session_path(session, missing->requester)
					: "";
	const char *title = ea_arena_printf(&check->world->arena, "%s cannot %s: %s is not found",
					    ea_session_consumer(check, session),
					    session->failed_at == EA_STAGE_IMPORT ? "be imported"
										  : "use the GPU",
					    missing->name);
	struct ea_finding *finding = find_old(check, title);
	const char *package;

	if (finding) {
		ea_session_note(check, finding, session);
		return;
	}
	finding = ea_finding_new(check, "%s", title);
	ea_finding_identity(check, finding, session->failed_import);
	ea_finding_identity(check, finding, missing->name);
	ea_session_note(check, finding, session);
	if (*requester)
		ea_finding_evidence(check, finding, requester, "needs %s", missing->name);
	ea_finding_evidence(check, finding, NULL, "the loader looked for it in %u places",
			    missing->tries.n);
	add_others(check, finding, missing->name);
	package = package_of(check, missing->name);
	if (package)
		(void)ea_session_fix_pin(check, finding, culprit, package);
	if (missing->requester && missing->requester->request)
		(void)ea_session_fix_variable(check, finding, session, missing->requester);
	ea_session_temper(finding, session);
}

void ea_check_soname_missing(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;
		const struct ea_request *missing = find_missing(session->failed);

		if (session->outcome == EA_SESSION_FAILED && missing && session->failed_import &&
		    ea_session_is_judged(check->world, session) && is_absent(missing) &&
		    !is_of_driver(missing->name))
			report(check, session, missing);
	}
}
