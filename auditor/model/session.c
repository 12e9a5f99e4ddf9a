/* Sessions: looking at them. */
#include "model/session.h"

const char *const ea_stage_words[EA_STAGE_MAX_] = {
#define X(name, word) [EA_STAGE_##name] = (word),
	EA_STAGES(X)
#undef X
};

const char *const ea_driver_words[EA_DRIVER_MAX_] = {
#define X(name, word) [EA_DRIVER_##name] = (word),
	EA_DRIVERS(X)
#undef X
};

const char *const ea_session_outcome_words[EA_SESSION_OUTCOME_MAX_] = {
#define X(name, word) [EA_SESSION_##name] = (word),
	EA_SESSION_OUTCOMES(X)
#undef X
};

const struct ea_request *ea_session_opening(const struct ea_session *session)
{
	const char *library = session->scenario.library;

	ea_vec_foreach(item, &session->requests) {
		const struct ea_request *request = *item;

		if (library && request->kind != EA_REQUEST_PROGRAM && request->requester &&
		    request->requester->kind == EA_MAP_PROGRAM && ea_streq(request->name, library))
			return request;
	}
	return NULL;
}

bool ea_session_is_mapped(const struct ea_session *session, const struct ea_map *map)
{
	ea_vec_foreach(item, &session->maps)
		if (*item == map ||
		    (map->elf && (*item)->elf == map->elf && ea_streq((*item)->path, map->path)))
			return true;
	return false;
}

const char *ea_session_path(const struct ea_session *session, const struct ea_map *map)
{
	if (map->kind != EA_MAP_PROGRAM)
		return map->path;
	return session->scenario.program ? session->scenario.program : "";
}
