/* Building findings: what every check uses. */
#pragma once

#include "base/attr.h"
#include "matrix/compat.h"
#include "matrix/rules.h"
#include "model/request.h"
#include "model/world.h"

/* What a check works on. */
struct ea_check {
	struct ea_world *world;
	const struct ea_rules *rules;
	struct ea_matrix *facts;
	struct ea_err *err; /* of rc */
	int rc;		    /* not 0: the run ends with it */
	const struct ea_rule *rule;
	uint64_t identity; /* of the finding being built */
};

/*
 * Starts a finding with the rule's severity and reason; it belongs to the world from now on. What
 * makes it the same finding on another day or machine goes into the identity: the rule is in
 * already, a path is taken relative to the target, versions and host names must stay out.
 */
EA_PRINTF(2, 3) struct ea_finding *ea_finding_new(struct ea_check *check, const char *title, ...);
void ea_finding_identity(struct ea_check *check, struct ea_finding *finding, const char *text);

/* A line of proof. PATH may be NULL, so may FMT. */
EA_PRINTF(4, 5)
void ea_finding_evidence(struct ea_check *check, struct ea_finding *finding, const char *path,
			 const char *fmt, ...);

/* A fix; add commands to it in the order in which they have to be run. */
struct ea_fix *ea_finding_fix(struct ea_check *check, struct ea_finding *finding, const char *text);
EA_PRINTF(3, 4)
void ea_fix_command(struct ea_check *check, struct ea_fix *fix, const char *fmt, ...);

/* TEXT as one word of a shell command line, quoted where needed. */
const char *ea_shell_word(struct ea_check *check, const char *text);

/* The pip (or the like) of the target, as the user would call it: "VENV/bin/python -m pip". */
const char *ea_pip_of(struct ea_check *check);

/* The package that recorded the missing file that the dangling link COPY names; NULL if none. */
const struct ea_component *ea_recorder_of_target(const struct ea_world *world,
						 const struct ea_copy *copy);

/* "NAME VERSION", or NAME alone. */
const char *ea_component_text(struct ea_check *check, const struct ea_component *component);

/* The rule's list `lacks` names the symbol or the version. */
bool ea_rule_lacks(const struct ea_rule *rule, const struct ea_missing *missing);
