/* Sessions as JSON values: the `consumers` of the report. */
#pragma once

#include "model/session.h"
#include "report/values.h"

/* WHY: only the requests that answer it, each with what was tried. */
json_t *ea_json_consumer(const struct ea_session *session, bool why);
