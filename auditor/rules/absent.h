/* Libraries that a session does not find: which of the rules has to say so. */
#pragma once

#include "rules/sessions.h"

/* X(enum suffix, slug of the rule) */
#define EA_ABSENCES(X)                \
	X(RELOCATED, "relocated")     \
	X(LAYOUT, "rpath-layout")     \
	X(NAME, "unversioned-dlopen") \
	X(NOWHERE, "soname-missing")

enum ea_absence {
#define X(name, slug) EA_ABSENCE_##name,
	EA_ABSENCES(X)
#undef X
		EA_ABSENCE_MAX_
};

struct ea_absent {
	const struct ea_request *request; /* that found no file */
	enum ea_absence kind;
	const struct ea_copy *copy; /* that would do; NULL for NOWHERE */
	const struct ea_try *at;    /* LAYOUT: the path that led nowhere */
};

/* If SESSION ended for want of a library that this check's rule has to name: true. */
bool ea_absent_find(const struct ea_check *check, const struct ea_session *session,
		    struct ea_absent *ret);

/* "torch 2.4.1 cannot be imported", in the world's arena. */
const char *ea_absent_effect(struct ea_check *check, const struct ea_session *session);

/* A finding of this rule with TITLE that SESSION was added to, or NULL. */
struct ea_finding *ea_absent_again(struct ea_check *check, const struct ea_session *session,
				   const char *title);

/* Starts one: consumer, identity and who needs the library are in it. */
struct ea_finding *ea_absent_begin(struct ea_check *check, const struct ea_session *session,
				   const struct ea_absent *absent, const char *title);
