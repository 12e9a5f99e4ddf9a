/* kmod-mismatch, libcuda-stub, driver-files-in-image: the driver's libraries and their places. */
#include "rules/checks.h"

#include <string.h>

#include "base/path.h"

static bool is_driver_family(const struct ea_copy *copy)
{
	return copy->family && ea_streq(copy->family->set, "driver");
}

/* ---- kmod-mismatch ---------------------------------------------------------------------- */

static bool has_driver_of(const struct ea_world *world, const char *version)
{
	ea_vec_foreach(item, &world->components)
		if ((*item)->manager == EA_MANAGER_DRIVER && ea_streq((*item)->version, version))
			return true;
	return false;
}

void ea_check_kmod_mismatch(struct ea_check *check)
{
	const struct ea_host *host = &check->world->host;
	struct ea_finding *finding;
	struct ea_fix *fix;

	if (!host->driver || !host->driver_user || ea_streq(host->driver, host->driver_user) ||
	    has_driver_of(check->world, host->driver))
		return;
	finding = ea_finding_new(check, "The driver's libraries are %s, the kernel module is %s",
				 host->driver_user, host->driver);
	ea_finding_identity(check, finding, "driver");
	ea_vec_foreach(item, &check->world->components)
		if ((*item)->manager == EA_MANAGER_DRIVER)
			ea_finding_evidence(check, finding, (*item)->location,
					    "holds libraries of driver %s", (*item)->version);
	ea_finding_evidence(check, finding, NULL, "the loaded kernel module says %s", host->driver);
	fix = ea_finding_fix(
		check, finding,
		"load the module that belongs to the libraries: start the machine anew");
	ea_fix_command(check, fix, "reboot");
}

/* ---- libcuda-stub ----------------------------------------------------------------------- */

static bool is_stub(const char *path)
{
	return path && strstr(path, "/stubs/");
}

/*
 * Programs ask for libcuda.so.1; a toolkit has its stub as libcuda.so alone, so that only the
 * linker finds it. The other name was made by somebody.
 */
void ea_check_libcuda_stub(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;
		struct ea_finding *finding;
		struct ea_fix *fix;

		if (!copy->elf || !ea_streq(ea_path_base(copy->path), "libcuda.so.1") ||
		    !(is_stub(copy->path) || is_stub(copy->real)))
			continue;
		finding = ea_finding_new(
			check, "libcuda.so.1 is the toolkit's stub, which has no driver behind it");
		ea_finding_identity(check, finding, copy->path);
		if (copy->link)
			ea_finding_evidence(check, finding, copy->path, "is a link to %s",
					    copy->real);
		else
			ea_finding_evidence(check, finding, copy->path,
					    "lies in a folder of stubs under the run-time name");
		fix = ea_finding_fix(check, finding, "remove the name that no program should find");
		ea_fix_command(check, fix, "rm %s", ea_shell_word(check, copy->path));
	}
}

/* ---- driver-files-in-image -------------------------------------------------------------- */

static bool is_compat(const char *path)
{
	return strstr(path, "/compat/") || strstr(path, "/compat_orin/");
}

/* Named as the driver's installer names its files: libcuda.so.535.104.05. */
static bool has_driver_version(const struct ea_copy *copy)
{
	return ea_family_name_version(copy->family, ea_path_base(copy->path)) &&
	       copy->family->name_version == EA_NAME_VERSION_DRIVER;
}

void ea_check_driver_files_in_image(struct ea_check *check)
{
	struct ea_finding *finding = NULL;
	const struct ea_owner *owner = NULL;
	struct ea_fix *fix;

	if (!ea_world_is_image(check->world))
		return;
	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;

		if (!copy->elf || copy->link || !is_driver_family(copy) ||
		    !has_driver_version(copy) || is_compat(copy->path) || is_stub(copy->path))
			continue;
		if (!finding) {
			finding = ea_finding_new(check, "The image brings driver libraries: %s",
						 ea_path_base(copy->path));
			ea_finding_identity(check, finding, "driver");
		}
		ea_finding_evidence(check, finding, copy->path, "%s",
				    copy->elf->size ? "is the driver's, which the host mounts"
						    : "is empty: left by a container runtime");
		if (copy->owners.n && !owner)
			owner = &copy->owners.items[0];
	}
	if (!finding)
		return;
	if (owner && owner->component->manager == EA_MANAGER_DPKG) {
		fix = ea_finding_fix(check, finding, "build the image without the package");
		ea_fix_command(check, fix, "apt-get remove %s", owner->component->name);
		return;
	}
	fix = ea_finding_fix(check, finding, "delete them in the last step of the image's build");
	ea_vec_foreach(evidence, &finding->evidence)
		ea_fix_command(check, fix, "rm %s", ea_shell_word(check, evidence->path));
}
