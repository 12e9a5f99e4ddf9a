/* Sessions as JSON values: the `consumers` of the report. */
#pragma once

#include "model/session.h"
#include "report/values.h"

/* Which requests of a session are written. */
enum ea_json_requests {
	EA_JSON_ANSWERS,  /* those that answer `why`, each with what was tried */
	EA_JSON_REQUESTS, /* all */
	EA_JSON_SEARCHES, /* all, each with what was tried */
};

json_t *ea_json_consumer(const struct ea_session *session, enum ea_json_requests which);
