/* Rules as data: matrices/rules/<slug>.cfg, one file each ('/' of a slug is '-' in the file name).
 */
#pragma once

#include "base/err.h"
#include "base/vec.h"
#include "model/finding.h"

struct ea_rules;

/* Reads every *.cfg of DIR, sorted by slug; a code or slug that stands twice is an error. */
EA_MUST_CHECK int ea_rules_load(const char *dir, struct ea_rules **ret, struct ea_err *err);
void ea_rules_free(struct ea_rules *rules);

/* Only whether FILE is a valid rule. */
EA_MUST_CHECK int ea_rules_check(const char *file, struct ea_err *err);

/* NULL if there is none. */
const struct ea_rule *ea_rules_find(const struct ea_rules *rules, const char *slug);

/*
 * Sets the severity (-1: as it is) and whether it runs, of the rule and, if it is a class, of its
 * parts; 1 if there is none.
 */
int ea_rules_change(struct ea_rules *rules, const char *slug, int severity, bool enabled);

uint32_t ea_rules_count(const struct ea_rules *rules);
const struct ea_rule *ea_rules_at(const struct ea_rules *rules, uint32_t index);
