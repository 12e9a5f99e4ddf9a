/* Requests: names of the enums. */
#include "model/request.h"

const char *const ea_how_words[EA_HOW_MAX_] = {
#define X(name, word, text) [EA_HOW_##name] = word,
	EA_HOWS(X)
#undef X
};

const char *const ea_how_texts[EA_HOW_MAX_] = {
#define X(name, word, text) [EA_HOW_##name] = text,
	EA_HOWS(X)
#undef X
};

const char *const ea_request_words[EA_REQUEST_KIND_MAX_] = {
#define X(name, word) [EA_REQUEST_##name] = word,
	EA_REQUEST_KINDS(X)
#undef X
};

const char *const ea_try_words[EA_TRY_RESULT_MAX_] = {
#define X(name, word) [EA_TRY_##name] = word,
	EA_TRY_RESULTS(X)
#undef X
};

bool ea_request_found(const struct ea_request *request)
{
	return request->map && request->map->kind != EA_MAP_FAKED;
}

enum ea_how ea_request_how(const struct ea_request *request)
{
	if (request->kind == EA_REQUEST_PRELOAD && request->is_new)
		return EA_HOW_PRELOAD;
	return request->how;
}
