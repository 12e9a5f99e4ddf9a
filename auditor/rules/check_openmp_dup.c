/* openmp-dup: two OpenMP runtimes of one make in a process, which the second refuses. */
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "model/family.h"
#include "rules/checks.h"
#include "rules/sessions.h"

static const char *family_of(const struct ea_map *map)
{
	const struct ea_family *family = map && map->elf ? map->elf->family : NULL;

	return family ? family->name : NULL;
}

/* KMP_DUPLICATE_LIB_OK=0 and the like forbid it still, as the runtime reads them. */
static bool is_allowed(const struct ea_scenario *scenario)
{
	static const char *const words[] = { "0", "false", "off", "no", "disabled" };
	const char *value = ea_env_value(scenario->env, scenario->n_env, "KMP_DUPLICATE_LIB_OK");

	for (size_t i = 0; value && i < EA_ARRAY_SIZE(words); i++)
		if (strcasecmp(value, words[i]) == 0)
			return false;
	return value && *value;
}

/* Intel's runtime and LLVM's are one program under two names; GNU's gets on with either. */
static bool is_kmp(const struct ea_map *map)
{
	const char *family = family_of(map);

	return family && (ea_streq(family, "libiomp5") || ea_streq(family, "libomp"));
}

static struct ea_finding *find_old(const struct ea_check *check, const char *path)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule && (*finding)->evidence.n &&
		    ea_streq((*finding)->evidence.items[0].path, path))
			return *finding;
	return NULL;
}

static void report(struct ea_check *check, const struct ea_session *session,
		   const struct ea_map *first, const struct ea_map *second)
{
	struct ea_finding *finding = find_old(check, first->path);
	struct ea_fix *fix;

	if (!finding) {
		finding = ea_finding_new(check, "%s loads two OpenMP runtimes: %s and %s",
					 ea_session_consumer(check, session),
					 ea_path_base(first->path), ea_path_base(second->path));
		ea_finding_identity(check, finding, ea_path_base(first->path));
		ea_finding_identity(check, finding, ea_path_base(second->path));
		ea_session_evidence(check, finding, session, first);
		ea_session_evidence(check, finding, session, second);
		(void)ea_session_fix_variable(check, finding, session, second);
		fix = ea_finding_fix(check, finding,
				     "go on all the same; results are not vouched for");
		ea_fix_command(check, fix, "export KMP_DUPLICATE_LIB_OK=TRUE");
	}
	ea_session_note(check, finding, session);
}

void ea_check_openmp_dup(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;
		const struct ea_scenario *scenario = &session->scenario;
		const struct ea_map *first = NULL;

		if (is_allowed(scenario))
			continue;
		ea_vec_foreach(map, &session->maps) {
			if (!is_kmp(*map) || (first && (*map)->elf == first->elf))
				continue;
			if (first)
				report(check, session, first, *map);
			else
				first = *map;
		}
	}
}

/* ---- one library that is linked against two ------------------------------------------------- */

/* What OBJECT's need of a runtime of FAMILY gave; NULL if it has none. */
static const struct ea_map *need_of(const struct ea_session *session, const struct ea_map *object,
				    const char *family)
{
	ea_vec_foreach(request, &session->requests)
		if ((*request)->kind == EA_REQUEST_NEEDED && (*request)->requester == object &&
		    ea_streq(family_of((*request)->map), family))
			return (*request)->map;
	return NULL;
}

void ea_check_openmp_linked(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;

		ea_vec_foreach(object, &session->maps) {
			const struct ea_map *llvm = need_of(session, *object, "libomp");
			const struct ea_map *gnu =
				llvm ? need_of(session, *object, "libgomp") : NULL;
			struct ea_finding *finding;

			if (!gnu || gnu->elf == llvm->elf)
				continue;
			finding = find_old(check, (*object)->path);
			if (!finding) {
				finding = ea_finding_new(
					check, "%s of %s is linked against two OpenMP runtimes",
					ea_path_base((*object)->path),
					ea_session_consumer(check, session));
				ea_finding_identity(check, finding, ea_path_base((*object)->path));
				ea_finding_evidence(check, finding, (*object)->path,
						    "needs libomp and libgomp");
				ea_session_evidence(check, finding, session, llvm);
				ea_session_evidence(check, finding, session, gnu);
			}
			ea_session_note(check, finding, session);
		}
	}
}

/* ---- the threading layer of MKL -------------------------------------------------------------- */

static const struct ea_component *find_service(const struct ea_check *check)
{
	ea_vec_foreach(component, &check->world->components)
		ea_vec_foreach(key, &check->rule->packages)
			if (ea_streq((*component)->key, *key))
				return *component;
	return NULL;
}

void ea_check_openmp_layer(struct ea_check *check)
{
	const struct ea_component *service = find_service(check);

	ea_vec_foreach(item, &check->world->sessions) {
		const struct ea_session *session = *item;
		const struct ea_scenario *scenario = &session->scenario;
		const char *layer =
			ea_env_value(scenario->env, scenario->n_env, "MKL_THREADING_LAYER");
		struct ea_finding *finding;

		if (!service || !layer || strcasecmp(layer, "INTEL") != 0 ||
		    ea_env_value(scenario->env, scenario->n_env, "MKL_SERVICE_FORCE_INTEL"))
			continue;
		ea_vec_foreach(map, &session->maps) {
			struct ea_fix *fix;

			if (!ea_streq(family_of(*map), "libgomp"))
				continue;
			finding = find_old(check, (*map)->path);
			if (!finding) {
				finding = ea_finding_new(check,
							 "MKL_THREADING_LAYER=%s, and %s loads %s",
							 layer, ea_session_consumer(check, session),
							 ea_path_base((*map)->path));
				ea_finding_identity(check, finding, "MKL_THREADING_LAYER");
				ea_session_evidence(check, finding, session, *map);
				ea_finding_evidence(check, finding, service->location,
						    "%s refuses this when it is imported later",
						    ea_component_text(check, service));
				fix = ea_finding_fix(check, finding, "let MKL use the same one");
				ea_fix_command(check, fix, "export MKL_THREADING_LAYER=GNU");
			}
			ea_session_note(check, finding, session);
			break;
		}
	}
}
