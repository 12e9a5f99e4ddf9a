/* Sessions as JSON values. */
#include "report/json_sessions.h"

static json_t *texts(const char *const *items, uint32_t n)
{
	json_t *array = ea_value_array();

	for (uint32_t i = 0; i < n; i++)
		ea_value_add(array, ea_value_text(items[i]));
	return array;
}

/* NULL for what has no file: an empty program. */
static json_t *path_of(const struct ea_session *session, const struct ea_map *map)
{
	const char *path = map ? ea_session_path(session, map) : "";

	return ea_value_text(*path ? path : NULL);
}

static json_t *tries(const struct ea_session *session, const struct ea_request *request)
{
	json_t *array = ea_value_array();

	ea_vec_foreach(try, &request->tries) {
		json_t *object = ea_value_object();

		ea_value_set(object, "path", ea_value_text(try->path));
		ea_value_set(object, "rule", ea_value_text(ea_how_words[try->how]));
		ea_value_set(object, "owner", path_of(session, try->owner));
		ea_value_set(object, "result", ea_value_text(ea_try_words[try->result]));
		ea_value_set(object, "reason", ea_value_text(try->text));
		ea_value_add(array, object);
	}
	return array;
}

static json_t *request_of(const struct ea_session *session, const struct ea_request *request)
{
	bool found = ea_request_found(request);
	json_t *object = ea_value_object();
	const char *error = request->error;

	if (!found && !error && request->outcome == EA_OUTCOME_OK)
		error = "not found";
	ea_value_set(object, "kind", ea_value_text(ea_request_words[request->kind]));
	ea_value_set(object, "name", ea_value_text(request->name));
	ea_value_set(object, "requester", path_of(session, request->requester));
	ea_value_set(object, "path", found ? path_of(session, request->map) : json_null());
	ea_value_set(object, "how", ea_value_text(ea_how_words[ea_request_how(request)]));
	ea_value_set(object, "error", ea_value_text(error));
	ea_value_set(object, "rolled_back",
		     ea_value_bool(found && !ea_session_is_mapped(session, request->map)));
	return object;
}

static json_t *alternatives(const struct ea_session *session, const struct ea_why *why)
{
	json_t *array = ea_value_array();

	ea_vec_foreach(alternative, &why->alternatives) {
		json_t *object = request_of(session, alternative->request);

		ea_value_set(object, "condition", ea_value_text(alternative->condition));
		json_object_del(object, "rolled_back");
		ea_value_add(array, object);
	}
	return array;
}

static json_t *requests(const struct ea_session *session, bool with_tries)
{
	json_t *array = ea_value_array();

	ea_vec_foreach(request, &session->requests) {
		json_t *object;

		if ((*request)->kind == EA_REQUEST_PROGRAM)
			continue;
		object = request_of(session, *request);
		if (with_tries)
			ea_value_set(object, "tries", tries(session, *request));
		ea_value_add(array, object);
	}
	return array;
}

/* Those that answer the question, with the search of each. */
static json_t *answers(const struct ea_session *session)
{
	json_t *array = ea_value_array();

	ea_vec_foreach(why, &session->whys) {
		json_t *object = request_of(session, why->request);

		ea_value_set(object, "tries", tries(session, why->request));
		ea_value_set(object, "alternatives", alternatives(session, why));
		ea_value_add(array, object);
		ea_vec_foreach(again, &why->again) {
			object = request_of(session, *again);
			ea_value_set(object, "tries", tries(session, *again));
			ea_value_set(object, "alternatives", ea_value_array());
			ea_value_add(array, object);
		}
	}
	return array;
}

static json_t *loaded(const struct ea_session *session)
{
	json_t *array = ea_value_array();

	ea_vec_foreach(item, &session->maps) {
		const struct ea_map *map = *item;
		json_t *object = ea_value_object();

		ea_value_set(object, "path", path_of(session, map));
		ea_value_set(object, "library",
			     map->elf && map->elf->id ? ea_value_number(map->elf->id - 1)
						      : json_null());
		ea_value_add(array, object);
	}
	return array;
}

static json_t *missing(const struct ea_session *session)
{
	json_t *array = ea_value_array();

	ea_vec_foreach(item, &session->missing) {
		json_t *object = ea_value_object();

		ea_value_set(object, "object", path_of(session, item->object));
		ea_value_set(object, "symbol", ea_value_text(item->symbol));
		ea_value_set(object, "version", ea_value_text(item->version));
		ea_value_set(object, "file", ea_value_text(item->file));
		ea_value_add(array, object);
	}
	return array;
}

static json_t *imports(const struct ea_scenario *scenario)
{
	json_t *array = ea_value_array();

	ea_vec_foreach(item, &scenario->imports)
		ea_value_add(array, ea_value_text((*item)->framework->name));
	return array;
}

json_t *ea_json_consumer(const struct ea_session *session, enum ea_json_requests which)
{
	const struct ea_scenario *scenario = &session->scenario;
	json_t *object = ea_value_object();

	ea_value_set(object, "id", ea_value_text(scenario->id));
	ea_value_set(object, "name", ea_value_text(scenario->name));
	ea_value_set(object, "version",
		     ea_value_text(scenario->imports.n == 1 ? scenario->imports.items[0]->version
							    : NULL));
	ea_value_set(object, "program", ea_value_text(scenario->program));
	ea_value_set(object, "python",
		     ea_value_text(scenario->is_python ? scenario->program : NULL));
	ea_value_set(object, "library", ea_value_text(scenario->library));
	ea_value_set(object, "imports", imports(scenario));
	ea_value_set(object, "stage",
		     ea_value_text(scenario->imports.n ? ea_stage_words[scenario->stage] : NULL));
	ea_value_set(object, "env", ea_value_text("as-is"));
	ea_value_set(object, "driver",
		     ea_value_text(scenario->imports.n ? ea_driver_words[scenario->driver] : NULL));
	ea_value_set(object, "libc", ea_value_text(session->libc));
	ea_value_set(object, "libc_version", ea_value_text(session->libc_version));
	ea_value_set(object, "outcome", ea_value_text(ea_session_outcome_words[session->outcome]));
	ea_value_set(object, "error", ea_value_text(session->error));
	ea_value_set(object, "messages", texts(session->messages.items, session->messages.n));
	ea_value_set(object, "missing", missing(session));
	ea_value_set(object, "assumptions",
		     texts(session->assumptions.items, session->assumptions.n));
	ea_value_set(object, "requests",
		     which == EA_JSON_ANSWERS ? answers(session)
					      : requests(session, which == EA_JSON_SEARCHES));
	ea_value_set(object, "loaded", loaded(session));
	return object;
}
