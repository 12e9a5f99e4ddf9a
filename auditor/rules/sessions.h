/* What rules ask of sessions. */
#pragma once

#include "model/session.h"
#include "rules/finding.h"

/*
 * Only what a driver would change tells these two apart: where a session without a driver has a
 * counterpart with an assumed one, that one is judged.
 */
bool ea_session_is_judged(const struct ea_world *world, const struct ea_session *session);

/* "torch 2.4.1", "torch 2.4.1 and jax 0.4.30"; of what failed, if something failed. */
const char *ea_session_consumer(struct ea_check *check, const struct ea_session *session);

/* What of SESSION failed, as installed; NULL if nothing did. */
const struct ea_installed *ea_session_culprit(const struct ea_session *session);

/* Adds the session's name to the consumers of FINDING, once. */
void ea_session_note(struct ea_check *check, struct ea_finding *finding,
		     const struct ea_session *session);

/* The first package that records the file of MAP; NULL = none. */
const struct ea_component *ea_session_owner(const struct ea_check *check, const struct ea_map *map);

/* A line of proof on MAP: path, version, owner, and by which rule it was found. */
void ea_session_evidence(struct ea_check *check, struct ea_finding *finding,
			 const struct ea_session *session, const struct ea_map *map);

/*
 * If the variable NAME brought MAP: a fix without it, or without the folder of it that has the
 * file. False if something else did.
 */
bool ea_session_fix_variable(struct ea_check *check, struct ea_finding *finding,
			     const struct ea_session *session, const struct ea_map *map);

/* A fix: what INSTALLED requires for a package like PATTERN, in the version that it asks for. */
bool ea_session_fix_pin(struct ea_check *check, struct ea_finding *finding,
			const struct ea_installed *installed, const char *pattern);

/* What rests on a load program that is known from its sources alone is no certainty. */
void ea_session_temper(struct ea_finding *finding, const struct ea_session *session);
