/* kmod-mismatch/too-old: a CUDA runtime that the machine's driver is too old for. */
#include <string.h>

#include "base/path.h"
#include "base/version.h"
#include "model/family.h"
#include "rules/checks.h"
#include "rules/sessions.h"

/* The driver that SESSION meets: the machine's, or the one that was named to be assumed. */
static const char *driver_of(const struct ea_check *check, const struct ea_session *session)
{
	return session->scenario.driver == EA_DRIVER_PRESENT ? check->world->host.driver
							     : session->scenario.driver_version;
}

static const struct ea_map *runtime_of(const struct ea_session *session)
{
	ea_vec_foreach(map, &session->maps)
		if ((*map)->elf && (*map)->elf->family && (*map)->elf->exact_version &&
		    ea_streq((*map)->elf->family->name, "cudart"))
			return *map;
	return NULL;
}

/* What the runtime that is mapped, or the build of the framework, says of CUDA. */
static const char *cuda_of(const struct ea_session *session, const struct ea_map *runtime)
{
	if (runtime)
		return runtime->elf->exact_version;
	ea_vec_foreach(item, &session->scenario.imports)
		if ((*item)->cuda)
			return (*item)->cuda;
	return NULL;
}

static struct ea_finding *find_old(const struct ea_check *check, const char *title)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule && ea_streq((*finding)->title, title))
			return *finding;
	return NULL;
}

/* A newer libcuda than the driver: a package for forward compatibility, which has rules of its own.
 */
static bool has_compat(const struct ea_session *session, const char *driver)
{
	ea_vec_foreach(item, &session->maps) {
		const struct ea_map *map = *item;
		const char *version;

		if (!map->elf || !map->elf->fwd_compat || !map->elf->family)
			continue;
		version = ea_family_name_version(map->elf->family,
						 ea_path_base(map->real ? map->real : map->path));
		if (version && ea_version_cmp_text(version, driver) > 0)
			return true;
	}
	return false;
}

static void check_session(struct ea_check *check, const struct ea_session *session)
{
	const char *driver = driver_of(check, session), *cuda, *title;
	const struct ea_map *runtime = runtime_of(session);
	const struct ea_cuda_major *needed;
	struct ea_finding *finding;
	int rc;

	cuda = cuda_of(session, runtime);
	if (!driver || !cuda || has_compat(session, driver) ||
	    !ea_session_is_judged(check->world, session))
		return;
	rc = ea_compat_cuda_major(check->facts, cuda, &needed, check->err);
	if (rc < 0)
		check->rc = rc;
	if (rc || ea_version_cmp_text(driver, needed->driver) >= 0)
		return;
	title = ea_arena_printf(&check->world->arena,
				"%s runs on CUDA %s, which needs a driver from %s on; this is %s",
				ea_session_consumer(check, session), cuda, needed->driver, driver);
	finding = find_old(check, title);
	if (!finding) {
		finding = ea_finding_new(check, "%s", title);
		ea_finding_identity(check, finding, session->scenario.name);
		if (runtime)
			ea_session_evidence(check, finding, session, runtime);
		ea_finding_evidence(check, finding, NULL, "source: %s, %s", needed->row.source,
				    needed->row.date);
		(void)ea_finding_fix(check, finding,
				     ea_arena_printf(&check->world->arena,
						     "install a driver from %s on, or a build for "
						     "an older CUDA",
						     needed->driver));
	}
	ea_session_note(check, finding, session);
}

void ea_check_driver_too_old(struct ea_check *check)
{
	ea_vec_foreach(session, &check->world->sessions)
		if (!check->rc)
			check_session(check, *session);
}
