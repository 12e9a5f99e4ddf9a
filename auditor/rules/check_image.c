/* kmod-mismatch/require, kmod-mismatch/capabilities: what an image asks of the machine that runs
 * it. */
#include "inventory/toolkit.h"
#include "matrix/compat.h"
#include "rules/checks.h"
#include "rules/gpu.h"
#include "rules/sessions.h"

#define PREFIX "NVIDIA_REQUIRE_"

/* A range of cards ends a requirement's text long before its end is read. */
#define SHOWN 60

static int read_host(struct ea_check *check, struct ea_toolkit_host *ret)
{
	const struct ea_world *world = check->world;
	const struct ea_driver_branch *branch;
	unsigned capability;
	int rc;

	*ret = (struct ea_toolkit_host){ .driver = world->named_driver };
	rc = ea_compat_driver(check->facts, ret->driver, &branch, check->err);
	if (rc == 0)
		ret->cuda = branch->cuda;
	if (rc >= 0 && world->host.gpus.n) {
		rc = ea_gpu_capability(check->facts, world->host.gpus.items[0], &capability,
				       check->err);
		if (rc == 0)
			ret->arch = ea_arena_printf(&check->world->arena, "%u.%u", capability / 10,
						    capability % 10);
	}
	return rc < 0 ? rc : 0;
}

static void report(struct ea_check *check, const struct ea_env_var *var,
		   const struct ea_toolkit_host *host)
{
	bool cut = strlen(var->value) > SHOWN;
	struct ea_finding *finding = ea_finding_new(
		check, "Driver %s%s%s%s does not meet what the image asks for: %.*s%s",
		host->driver, host->cuda ? " (for CUDA " : "", host->cuda ? host->cuda : "",
		host->cuda ? ")" : "", SHOWN, var->value, cut ? "…" : "");

	ea_finding_identity(check, finding, var->name);
	ea_finding_evidence(check, finding, NULL, "%s=%s", var->name, var->value);
	(void)ea_finding_fix(
		check, finding,
		"install a driver that the image allows, or take an image for an older "
		"CUDA");
}

void ea_check_image_require(struct ea_check *check)
{
	struct ea_toolkit_host host;

	if (!ea_world_is_image(check->world) || !check->world->named_driver ||
	    !ea_toolkit_checks(check->world))
		return;
	check->rc = read_host(check, &host);
	if (check->rc)
		return;
	ea_vec_foreach(var, &check->world->environment)
		if (ea_str_starts(ea_str(var->name), PREFIX) && var->value &&
		    ea_toolkit_require(var->value, &host) == EA_REQUIRE_UNMET)
			report(check, var, &host);
}

/* ---- kmod-mismatch/capabilities -------------------------------------------------------------- */

/* A session that goes on only with a driver, and gets none of its compute libraries. */
void ea_check_image_capabilities(struct ea_check *check)
{
	const char *value = ea_world_env(check->world, "NVIDIA_DRIVER_CAPABILITIES");
	struct ea_finding *finding = NULL;

	if (!value || !ea_world_is_image(check->world) ||
	    ea_toolkit_mounts(check->world, "compute"))
		return;
	ea_vec_foreach(session, &check->world->sessions) {
		if ((*session)->outcome != EA_SESSION_NO_DRIVER)
			continue;
		if (!finding) {
			struct ea_fix *fix;

			finding = ea_finding_new(check,
						 "Containers of the image get no libcuda: "
						 "NVIDIA_DRIVER_CAPABILITIES is %s",
						 value);
			ea_finding_identity(check, finding, "capabilities");
			ea_finding_evidence(check, finding, NULL, "NVIDIA_DRIVER_CAPABILITIES=%s",
					    value);
			fix = ea_finding_fix(check, finding, "ask for the class compute, too");
			ea_fix_command(check, fix,
				       "export NVIDIA_DRIVER_CAPABILITIES=compute,utility");
		}
		ea_session_note(check, finding, *session);
	}
}
