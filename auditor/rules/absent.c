/* Libraries that a session does not find: which of the rules has to say so. */
#include "rules/absent.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"

static const char *const slugs[] = {
#define X(name, slug) slug,
	EA_ABSENCES(X)
#undef X
};

/* The request below FAILED that found no file. */
static const struct ea_request *find_missing(const struct ea_request *failed)
{
	if (!failed || failed->outcome == EA_OUTCOME_OK)
		return NULL;
	ea_vec_foreach(nested, &failed->nested)
		if (!(*nested)->map && (*nested)->kind == EA_REQUEST_NEEDED &&
		    (*nested)->outcome == EA_OUTCOME_ERROR)
			return *nested;
	return failed->map ? NULL : failed;
}

static bool is_absent(const struct ea_request *request)
{
	return request->error && strstr(request->error, "cannot open shared object file") != NULL;
}

/* The driver's own libraries come with a machine, not with an environment. */
static bool is_of_driver(const char *name)
{
	return ea_str_starts(ea_str(name), "libcuda.so") ||
	       ea_str_starts(ea_str(name), "libnvidia-");
}

/* COPY could be loaded beside what REQUEST's caller is made for. */
static bool is_usable(const struct ea_copy *copy, const struct ea_request *request)
{
	const struct ea_elf *elf = copy->elf,
			    *caller = request->requester ? request->requester->elf : NULL;

	return elf && elf->format == EA_FORMAT_ELF && !elf->faults &&
	       (!caller || caller->machine == elf->machine);
}

static bool ends_with_path(const char *path, const char *tail)
{
	size_t n = strlen(path), m = strlen(tail);

	return n > m && path[n - m - 1] == '/' && strcmp(path + n - m, tail) == 0;
}

/* ---- opened through a link ------------------------------------------------------------------- */

static bool searches_beside_itself(const struct ea_elf *elf)
{
	const char *path = elf->runpath ? elf->runpath : elf->rpath;

	return path && strstr(path, "ORIGIN");
}

/* It lies beside the file of the caller, but $ORIGIN is the folder of the link to that. */
static const struct ea_copy *beside_target(const struct ea_world *world,
					   const struct ea_request *request)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf path = { 0 };
	const struct ea_map *caller = request->requester;

	if (!caller || !caller->real || !caller->elf || !searches_beside_itself(caller->elf))
		return NULL;
	ea_path_normalize(&path, "/", ea_str(caller->path));
	if (ea_streq(ea_buf_text(&path), caller->real))
		return NULL;
	ea_vec_foreach(copy, &world->copies)
		if (ea_str_eq(ea_path_dir((*copy)->path), ea_path_dir(caller->real)) &&
		    ea_streq(ea_path_base((*copy)->path), ea_path_base(request->name)) &&
		    is_usable(*copy, request))
			return *copy;
	return NULL;
}

/* ---- another layout -------------------------------------------------------------------------- */

/* "nvidia/nccl/lib/libnccl.so.2" of "…/torch/lib/../../nvidia/nccl/lib/libnccl.so.2". */
static const char *tail_of(const char *path)
{
	const char *tail = NULL, *at = path;

	while ((at = strstr(at, "/../")))
		tail = at += 3;
	return tail && strchr(tail + 1, '/') ? tail + 1 : NULL;
}

/* A search path that climbs out of its package ends where nothing is, and elsewhere is the same. */
static const struct ea_copy *elsewhere(const struct ea_world *world,
				       const struct ea_request *request, const struct ea_try **ret)
{
	ea_vec_foreach(item, &request->tries) {
		const char *tail = tail_of(item->path);

		if (!tail || item->result != EA_TRY_ABSENT ||
		    (item->how != EA_HOW_RPATH && item->how != EA_HOW_RUNPATH))
			continue;
		ea_vec_foreach(copy, &world->copies)
			if (ends_with_path((*copy)->path, tail) && is_usable(*copy, request)) {
				*ret = item;
				return *copy;
			}
	}
	return NULL;
}

/* ---- another name ---------------------------------------------------------------------------- */

static bool is_digest(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isxdigit((unsigned char)text[i]))
			return false;
	return n >= 8;
}

/* FILE is NAME with a version behind it, or with the digest that a repaired wheel puts into it. */
static bool is_name_of(const char *file, const char *name)
{
	const char *so = strstr(name, ".so"), *file_so = strstr(file, ".so");
	size_t stem = so ? (size_t)(so - name) : 0, n = strlen(name);

	if (!so || !file_so || strncmp(file, name, stem) != 0)
		return false;
	if (so[3] == '\0' && strncmp(file, name, n) == 0 && file[n] == '.')
		return true;
	return file[stem] == '-' && (size_t)(file_so - file) > stem &&
	       is_digest(file + stem + 1, (size_t)(file_so - file) - stem - 1) &&
	       ea_str_starts(ea_str(file_so), so);
}

static const struct ea_copy *by_other_name(const struct ea_world *world,
					   const struct ea_request *request)
{
	if (request->kind != EA_REQUEST_DLOPEN || strchr(request->name, '/'))
		return NULL;
	ea_vec_foreach(copy, &world->copies)
		if (!(*copy)->link && is_name_of(ea_path_base((*copy)->path), request->name) &&
		    is_usable(*copy, request))
			return *copy;
	return NULL;
}

/* ---- which it is ----------------------------------------------------------------------------- */

static void classify(const struct ea_check *check, struct ea_absent *absent)
{
	const struct ea_world *world = check->world;

	absent->kind = EA_ABSENCE_RELOCATED;
	absent->copy = beside_target(world, absent->request);
	if (absent->copy)
		return;
	absent->kind = EA_ABSENCE_LAYOUT;
	absent->copy = elsewhere(world, absent->request, &absent->at);
	if (absent->copy)
		return;
	absent->kind = EA_ABSENCE_NAME;
	absent->copy = by_other_name(world, absent->request);
	if (!absent->copy)
		absent->kind = EA_ABSENCE_NOWHERE;
}

bool ea_absent_find(const struct ea_check *check, const struct ea_session *session,
		    struct ea_absent *ret)
{
	const struct ea_rule *rule;

	*ret = (struct ea_absent){ .request = find_missing(session->failed) };
	if (session->outcome != EA_SESSION_FAILED || !session->failed_import || !ret->request ||
	    !ea_session_is_judged(check->world, session) || !is_absent(ret->request) ||
	    is_of_driver(ret->request->name))
		return false;
	classify(check, ret);
	rule = ea_rules_find(check->rules, slugs[ret->kind]);
	/* What a rule that is switched off would say is still true: nothing is found there. */
	if (!rule || !rule->enabled)
		ret->kind = EA_ABSENCE_NOWHERE;
	return ea_streq(check->rule->slug, slugs[ret->kind]);
}

/* ---- findings -------------------------------------------------------------------------------- */

const char *ea_absent_effect(struct ea_check *check, const struct ea_session *session)
{
	return ea_arena_printf(
		&check->world->arena, "%s cannot %s", ea_session_consumer(check, session),
		session->failed_at == EA_STAGE_IMPORT ? "be imported" : "use the GPU");
}

struct ea_finding *ea_absent_again(struct ea_check *check, const struct ea_session *session,
				   const char *title)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule && ea_streq((*finding)->title, title)) {
			ea_session_note(check, *finding, session);
			return *finding;
		}
	return NULL;
}

struct ea_finding *ea_absent_begin(struct ea_check *check, const struct ea_session *session,
				   const struct ea_absent *absent, const char *title)
{
	const struct ea_request *request = absent->request;
	struct ea_finding *finding = ea_finding_new(check, "%s", title);
	const char *path = request->requester ? ea_session_path(session, request->requester) : "";

	ea_finding_identity(check, finding, session->failed_import);
	ea_finding_identity(check, finding, request->name);
	ea_session_note(check, finding, session);
	if (*path && (request->kind == EA_REQUEST_NEEDED || absent->kind != EA_ABSENCE_NOWHERE))
		ea_finding_evidence(check, finding,
				    strstr(path, "/../") && request->requester->real &&
						    absent->kind != EA_ABSENCE_RELOCATED
					    ? request->requester->real
					    : path,
				    "%s %s", request->kind == EA_REQUEST_NEEDED ? "needs" : "opens",
				    request->name);
	ea_finding_evidence(check, finding, NULL, "the loader looked for it in %u places",
			    request->tries.n);
	return finding;
}
