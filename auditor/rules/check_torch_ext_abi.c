/* torch-ext-abi: a compiled extension that was built against another torch. */
#include "base/path.h"
#include "rules/checks.h"
#include "rules/sessions.h"

static const struct ea_component *package_of(const struct ea_check *check, const char *library)
{
	ea_vec_foreach(copy, &check->world->copies)
		if (ea_streq((*copy)->path, library) && (*copy)->owners.n)
			return (*copy)->owners.items[0].component;
	return NULL;
}

static void report(struct ea_check *check, const struct ea_session *session)
{
	const struct ea_missing *missing = &session->missing.items[0];
	const struct ea_installed *torch = session->scenario.imports.items[0];
	const struct ea_component *package = package_of(check, session->scenario.library);
	struct ea_finding *finding;

	if (!package)
		return;
	finding = ea_finding_new(check, "%s was built against another torch than %s",
				 ea_component_text(check, package),
				 torch->version ? torch->version : "this one");
	ea_finding_identity(check, finding, package->key);
	ea_finding_identity(check, finding, ea_path_base(session->scenario.library));
	ea_session_note(check, finding, session);
	ea_finding_evidence(check, finding, session->scenario.library, "needs %s", missing->symbol);
	ea_finding_evidence(check, finding, NULL, "%s", session->error);
	if (package->manager == EA_MANAGER_PIP)
		ea_fix_command(
			check,
			ea_finding_fix(check, finding, "build it against the installed torch"),
			"%s install --force-reinstall --no-deps --no-build-isolation "
			"--no-binary %s %s",
			ea_pip_of(check), package->name, package->name);
}

void ea_check_torch_ext_abi(struct ea_check *check)
{
	const struct ea_rule *family = ea_rules_find(check->rules, "torch-family-pin");

	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;

		if (session->scenario.library && session->scenario.imports.n &&
		    session->outcome == EA_SESSION_FAILED && !session->failed_import &&
		    session->missing.n && session->missing.items[0].symbol && family &&
		    ea_rule_lacks(family, &session->missing.items[0]))
			report(check, session);
	}
}
