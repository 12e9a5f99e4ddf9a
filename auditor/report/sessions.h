/* Sessions for a person: trees of what is loaded, and why a library comes from where it comes. */
#pragma once

#include "model/session.h"
#include "model/world.h"
#include "report/layout.h"
#include "report/report.h"

/* Each session of WORLD: who asked for what, and which file that gave. */
void ea_sessions_tree(const struct ea_layout *layout, const struct ea_report_options *options,
		      const struct ea_world *world);

/* The answers of each session that has some (ea_session.whys). */
void ea_sessions_why(const struct ea_layout *layout, const struct ea_report_options *options,
		     const struct ea_world *world);

/* ---- what both say --------------------------------------------------------------------------- */

/* What was started how, what came of it, and what was assumed for it. */
void ea_sessions_head(const struct ea_layout *layout, const struct ea_world *world,
		      const struct ea_session *session);

/* "the empty program", or the path of a map. */
const char *ea_sessions_name(const struct ea_session *session, const struct ea_map *map);

/* By which rule a request found its file; for one that found it loaded, the rule of the first. */
const char *ea_sessions_rule(const struct ea_request *request);
