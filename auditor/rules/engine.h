/* Runs every enabled rule over a world. */
#pragma once

#include "matrix/rules.h"
#include "model/world.h"
#include "rules/finding.h"

/* A rule's check: looks at check->world and adds findings to it. */
struct ea_rule_check {
	const char *slug;
	void (*run)(struct ea_check *check);
};

/* The checks, in the order in which they run; ends with a NULL slug. */
extern const struct ea_rule_check ea_rule_checks[];

/* Findings are added in order of severity, rule and identity. A check without its cfg file is an
 * error, and so is a table of FACTS that a check asks and that is invalid. */
EA_MUST_CHECK int ea_rules_run(const struct ea_rules *rules, struct ea_matrix *facts,
			       struct ea_world *world, struct ea_err *err);
