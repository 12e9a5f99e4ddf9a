/* Symptoms as data: which lines of a log mean trouble, and which rules may know the cause. */
#pragma once

#include "base/err.h"
#include "base/pattern.h"
#include "base/vec.h"

struct ea_cause {
	const char *rule; /* slug of a class; NULL = nothing that an audit of files can see */
	const char *text; /* a clause */
};

struct ea_symptom {
	const char *name;
	const char *title;
	EA_VEC(struct ea_pattern *) patterns;
	EA_VEC(struct ea_cause) causes; /* the likeliest first */
};

struct ea_symptoms;

EA_MUST_CHECK int ea_symptoms_load(const char *file, struct ea_symptoms **ret, struct ea_err *err);
void ea_symptoms_free(struct ea_symptoms *symptoms); /* NULL is fine */

/*
 * The first symptom that LINE shows, or NULL. Group 1 of RET, where the pattern has one, is what
 * the line complains of: a library.
 */
const struct ea_symptom *ea_symptoms_match(const struct ea_symptoms *symptoms, struct ea_str line,
					   struct ea_match *ret);
