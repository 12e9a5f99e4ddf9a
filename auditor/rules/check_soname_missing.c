/* soname-missing: a library that a framework needs is nowhere where the loader looks. */
#include <string.h>

#include "base/path.h"
#include "base/str.h"
#include "model/family.h"
#include "rules/absent.h"
#include "rules/checks.h"

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

static void report(struct ea_check *check, const struct ea_session *session,
		   const struct ea_absent *absent)
{
	const struct ea_request *missing = absent->request;
	const char *title = ea_arena_printf(&check->world->arena, "%s: %s is not found",
					    ea_absent_effect(check, session), missing->name);
	struct ea_finding *finding = ea_absent_again(check, session, title);
	const char *package;

	if (finding)
		return;
	finding = ea_absent_begin(check, session, absent, title);
	add_others(check, finding, missing->name);
	package = package_of(check, missing->name);
	if (package)
		(void)ea_session_fix_pin(check, finding, ea_session_culprit(session), package);
	if (missing->requester && missing->requester->request)
		(void)ea_session_fix_variable(check, finding, session, missing->requester);
	ea_session_temper(finding, session);
}

void ea_check_soname_missing(struct ea_check *check)
{
	ea_vec_foreach(session, &check->world->sessions) {
		struct ea_absent absent;

		if (ea_absent_find(check, *session, &absent))
			report(check, *session, &absent);
	}
}
