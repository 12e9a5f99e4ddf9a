/* libcuda-compat, wsl-libcuda: which libcuda a session gets, where a machine has more than one. */
#include <string.h>

#include "base/path.h"
#include "base/version.h"
#include "model/family.h"
#include "rules/checks.h"
#include "rules/sessions.h"

#define WSL "/usr/lib/wsl/lib/"

static const struct ea_map *libcuda_of(const struct ea_session *session)
{
	ea_vec_foreach(map, &session->maps)
		if ((*map)->elf && (*map)->elf->family &&
		    ea_streq((*map)->elf->family->name, "cuda"))
			return *map;
	return NULL;
}

static struct ea_finding *find_old(const struct ea_check *check, const char *path)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule && (*finding)->evidence.n &&
		    ea_streq((*finding)->evidence.items[0].path, path))
			return *finding;
	return NULL;
}

/* ---- libcuda-compat ------------------------------------------------------------------------ */

static void check_compat(struct ea_check *check, const struct ea_session *session)
{
	const struct ea_map *cuda = libcuda_of(session);
	const char *driver = check->world->host.driver, *version;
	const char *file;
	struct ea_finding *finding;

	if (!driver)
		driver = session->scenario.driver_version;
	if (!cuda || !driver || !cuda->elf->fwd_compat)
		return;
	file = cuda->real ? cuda->real : cuda->path;
	version = ea_family_name_version(cuda->elf->family, ea_path_base(file));
	/* Equal: it is the driver's own, which has the same note in it. */
	if (!version || ea_version_cmp_text(version, driver) >= 0)
		return;
	finding = find_old(check, file);
	if (!finding) {
		finding = ea_finding_new(check,
					 "libcuda.so.1 is the compatibility library %s, though the "
					 "driver is newer: %s",
					 version, driver);
		ea_finding_identity(check, finding, file);
		ea_finding_evidence(check, finding, file, "is loaded in place of the driver's own");
		(void)ea_session_fix_variable(check, finding, session, cuda);
	}
	ea_session_note(check, finding, session);
}

void ea_check_libcuda_compat(struct ea_check *check)
{
	ea_vec_foreach(session, &check->world->sessions)
		check_compat(check, *session);
}

/* ---- wsl-libcuda --------------------------------------------------------------------------- */

static bool has_wsl(const struct ea_world *world)
{
	ea_vec_foreach(copy, &world->copies)
		if (ea_str_starts(ea_str((*copy)->path), WSL "libcuda.so"))
			return true;
	return false;
}

/* A driver for Linux in a WSL, where the one of Windows is mounted. */
void ea_check_wsl_libcuda(struct ea_check *check)
{
	struct ea_finding *finding = NULL;

	if (!has_wsl(check->world))
		return;
	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;

		if (!copy->elf || copy->link || !copy->family ||
		    !ea_streq(copy->family->name, "cuda") ||
		    ea_str_starts(ea_str(copy->path), WSL) || strstr(copy->path, "/stubs/") ||
		    strstr(copy->path, "/compat/"))
			continue;
		if (!finding) {
			finding = ea_finding_new(
				check, "A driver for Linux is installed beside that of WSL");
			ea_finding_identity(check, finding, copy->path);
		}
		ea_finding_evidence(
			check, finding, copy->path, "%s",
			copy->owners.n ? ea_component_text(check, copy->owners.items[0].component)
				       : "of no package");
		if (copy->owners.n && copy->owners.items[0].component->manager == EA_MANAGER_DPKG)
			ea_fix_command(check,
				       ea_finding_fix(check, finding,
						      "remove it; the driver comes from Windows"),
				       "apt-get remove %s", copy->owners.items[0].component->name);
	}
}
