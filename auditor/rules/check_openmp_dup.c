/* openmp-dup: two OpenMP runtimes of one make in a process, which the second refuses. */
#include "base/path.h"
#include "model/family.h"
#include "rules/checks.h"
#include "rules/sessions.h"

/* Intel's runtime and LLVM's are one program under two names; GNU's gets on with either. */
static bool is_kmp(const struct ea_map *map)
{
	const struct ea_family *family = map->elf ? map->elf->family : NULL;

	return family && (ea_streq(family->name, "libiomp5") || ea_streq(family->name, "libomp"));
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

		if (ea_env_value(scenario->env, scenario->n_env, "KMP_DUPLICATE_LIB_OK"))
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
