/* Why a session gets the file that it gets. */
#include "session/why.h"

#include <errno.h>

#include "base/path.h"
#include "session/session.h"
#include "session/view.h"

struct asker {
	const struct ea_provider *provider;
	const struct ea_libraries *libraries;
	const struct ea_frameworks *frameworks;
	const char *library;
	struct ea_arena *arena;
	struct ea_session *session;
};

/* ---- which requests are meant ---------------------------------------------------------------- */

static bool is_family(const struct ea_family *family, const char *text)
{
	return family && (ea_streq(family->name, text) || ea_streq(family->set, text));
}

/* NAME is TEXT, with or without what stands behind ".so" and "lib" in front. */
static bool is_name(const char *name, const char *text)
{
	struct ea_str stem = { name, ea_str_find_str(ea_str(name), EA_STR(".so")) };

	return ea_streq(name, text) || ea_str_is(stem, text) ||
	       (ea_str_starts(stem, "lib") && ea_str_is(ea_str_skip(stem, 3), text)) ||
	       (ea_str_ends(ea_str(text), ".so") && stem.len + 3 == strlen(text) &&
		memcmp(name, text, stem.len) == 0);
}

static bool is_meant(const struct asker *asker, const struct ea_request *request)
{
	const struct ea_map *map = request->map;
	const char *base = ea_path_base(request->name), *text = asker->library;

	if (request->kind == EA_REQUEST_PROGRAM)
		return false;
	if (ea_streq(request->name, text) || is_name(base, text) ||
	    is_family(ea_libraries_find(asker->libraries, NULL, base), text))
		return true;
	if (!map || !map->elf)
		return false;
	return ea_streq(map->path, text) || ea_streq(map->real, text) ||
	       is_name(ea_path_base(map->path), text) ||
	       (map->elf->soname && is_name(map->elf->soname, text)) ||
	       is_family(map->elf->family, text);
}

/* ---- what would be otherwise ----------------------------------------------------------------- */

/* The request of SESSION that stands for REQUEST of another session. */
static const struct ea_request *counterpart(const struct ea_session *session,
					    const struct ea_session *other,
					    const struct ea_request *request)
{
	const struct ea_request *same_name = NULL;

	ea_vec_foreach(item, &session->requests) {
		const struct ea_request *candidate = *item;

		if (!ea_streq(candidate->name, request->name) ||
		    candidate->kind == EA_REQUEST_PROGRAM)
			continue;
		if (!same_name)
			same_name = candidate;
		if (candidate->requester && request->requester &&
		    ea_streq(ea_session_path(session, candidate->requester),
			     ea_session_path(other, request->requester)))
			return candidate;
	}
	return same_name;
}

static bool same_result(const struct ea_request *a, const struct ea_request *b)
{
	if (!a || !ea_request_found(a) || !ea_request_found(b))
		return a && ea_request_found(a) == ea_request_found(b);
	return a->map->elf == b->map->elf && ea_streq(a->map->path, b->map->path);
}

static void add_alternative(const struct asker *asker, struct ea_why *why, const char *condition,
			    const struct ea_provider *provider, const struct ea_scenario *scenario)
{
	const struct ea_request *request;
	struct ea_session *session;

	if (ea_session_run(provider, asker->frameworks, scenario, asker->arena, &session, NULL))
		return;
	request = counterpart(session, asker->session, why->request);
	if (request && !same_result(request, why->request))
		ea_vec_push(&why->alternatives, asker->arena,
			    ((struct ea_alternative){ condition, request }));
}

static void without_variable(const struct asker *asker, struct ea_why *why, const char *name)
{
	struct ea_scenario scenario = asker->session->scenario;
	struct ea_env_var *env = ea_arena_array(asker->arena, struct ea_env_var, scenario.n_env);
	size_t n = 0;

	for (size_t i = 0; i < scenario.n_env; i++)
		if (!ea_streq(scenario.env[i].name, name))
			env[n++] = scenario.env[i];
	if (n == scenario.n_env)
		return;
	scenario.env = env;
	scenario.n_env = n;
	add_alternative(asker, why, ea_arena_printf(asker->arena, "without %s", name),
			asker->provider, &scenario);
}

/* A world in which one file is not there. */
struct without {
	struct ea_view view;
	const char *real;
};

static int without_open(void *ctx, const char *path, struct ea_opened *ret)
{
	const struct without *w = ctx;
	struct ea_opened opened;
	int error = w->view.base->open(w->view.base->ctx, path, &opened);

	if (!error && ea_streq(opened.real, w->real))
		return ENOENT;
	if (!error)
		*ret = opened;
	return error;
}

static void without_winner(const struct asker *asker, struct ea_why *why)
{
	struct without w = { .real = why->request->map->real };

	/* What was named by its path has no runner-up. */
	if (why->request->how == EA_HOW_PATH || !w.real)
		return;
	ea_view_init(&w.view, asker->provider);
	w.view.provider.open = without_open;
	add_alternative(asker, why, "without that file", &w.view.provider,
			&asker->session->scenario);
}

/* ---- the answer ------------------------------------------------------------------------------ */

static struct ea_why *why_of(const struct asker *asker, const struct ea_request *request)
{
	struct ea_why *why;

	ea_vec_foreach(old, &asker->session->whys)
		if (old->request == request)
			return old;
	why = ea_vec_add(&asker->session->whys, asker->arena);
	why->request = request;
	return why;
}

void ea_session_why(const struct ea_provider *provider, const struct ea_libraries *libraries,
		    const struct ea_frameworks *frameworks, const char *library,
		    struct ea_arena *arena, struct ea_session *session)
{
	const struct asker asker = { provider, libraries, frameworks, library, arena, session };

	ea_vec_foreach(item, &session->requests) {
		const struct ea_request *request = *item, *first = request;
		struct ea_why *why;

		if (!is_meant(&asker, request))
			continue;
		/* Who got a file that was there gets the answer of who brought it. */
		if (request->map && request->map->request)
			first = request->map->request;
		why = why_of(&asker, first);
		if (first != request)
			ea_vec_push(&why->again, arena, request);
	}
	ea_vec_foreach(why, &session->whys) {
		without_variable(&asker, why, "LD_LIBRARY_PATH");
		without_variable(&asker, why, "LD_PRELOAD");
		if (ea_request_found(why->request))
			without_winner(&asker, why);
	}
}
