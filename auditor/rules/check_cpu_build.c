/* cpu-build: a framework without GPU code where a GPU was meant. */
#include "rules/checks.h"

#include <string.h>

#include "base/path.h"
#include "rules/torch_build.h"

static bool is_gpu_partner(const struct ea_component *component, const struct ea_component *torch)
{
	return component != torch && component->manager == EA_MANAGER_PIP &&
	       ea_streq(component->base, torch->base) &&
	       (ea_streq(component->key, "torchvision") || ea_streq(component->key, "torchaudio") ||
		ea_streq(component->key, "xformers")) &&
	       ea_str_starts(ea_version_local(component->version), "cu");
}

/* Its own text says so: version.py gives cuda and hip the value None; else the version does. */
static bool is_cpu_torch(const struct ea_check *check, const struct ea_component *torch,
			 const char **ret_path)
{
	bool cpu = ea_str_is(ea_version_local(torch->version), "cpu");

	*ret_path = torch->location;
	ea_vec_foreach(claim, &check->world->claims) {
		if (!ea_streq(claim->framework, "torch") ||
		    !ea_path_within(claim->path, torch->base) ||
		    (!ea_streq(claim->what, "cuda") && !ea_streq(claim->what, "hip")))
			continue;
		if (claim->value)
			return false;
		cpu = true;
		*ret_path = claim->path;
	}
	return cpu;
}

static void add_fix(struct ea_check *check, struct ea_finding *finding,
		    const struct ea_component *torch, struct ea_str wanted)
{
	int n = (int)strcspn(torch->version, "+");
	struct ea_fix *fix;

	if (wanted.len) {
		fix = ea_finding_fix(check, finding,
				     "install the build with CUDA, from the index of its partner");
		ea_fix_command(check, fix, "%s install --force-reinstall torch==%.*s+" EA_STR_FMT,
			       ea_pip_of(check), n, torch->version, EA_STR_ARG(wanted));
		return;
	}
	fix = ea_finding_fix(check, finding, "install the build with CUDA");
	ea_fix_command(check, fix, "%s install --force-reinstall torch==%.*s", ea_pip_of(check), n,
		       torch->version);
}

static void check_torch(struct ea_check *check, const struct ea_component *torch)
{
	const struct ea_world *world = check->world;
	const struct ea_component *partner = NULL;
	struct ea_finding *finding;
	const char *path;

	if (!torch->version || !is_cpu_torch(check, torch, &path))
		return;
	ea_vec_foreach(item, &world->components)
		if (!partner && is_gpu_partner(*item, torch))
			partner = *item;
	if (partner)
		finding = ea_finding_new(check, "torch %s has no CUDA, %s %s has", torch->version,
					 partner->name, partner->version);
	else if (world->host.driver)
		finding = ea_finding_new(
			check, "torch %s has no CUDA, although an NVIDIA driver (%s) is loaded",
			torch->version, world->host.driver);
	else
		return;
	ea_finding_identity(check, finding, torch->base);
	ea_finding_evidence(check, finding, path, "is a build without CUDA");
	if (partner)
		ea_finding_evidence(check, finding, partner->location, "is version %s",
				    partner->version);
	add_fix(check, finding, torch,
		partner ? ea_version_local(partner->version) : (struct ea_str){ 0 });
}

static bool is_jax_plugin(const struct ea_component *component)
{
	return ea_str_starts(ea_str(component->key), "jax-cuda") ||
	       ea_str_starts(ea_str(component->key), "jax-rocm");
}

/* Since 0.4.26 a jaxlib from PyPI gets its GPU code from a plugin; before, its version said cuda.
 */
static void check_jaxlib(struct ea_check *check, const struct ea_component *jaxlib)
{
	struct ea_finding *finding;
	struct ea_fix *fix;

	if (!check->world->host.driver || !jaxlib->version ||
	    ea_version_local(jaxlib->version).len || jaxlib->conda_owned)
		return;
	ea_vec_foreach(item, &check->world->components)
		if (is_jax_plugin(*item))
			return;
	finding = ea_finding_new(
		check, "jaxlib %s has no CUDA plugin, although an NVIDIA driver (%s) is loaded",
		jaxlib->version, check->world->host.driver);
	ea_finding_identity(check, finding, jaxlib->base);
	ea_finding_evidence(check, finding, jaxlib->location, "no jax-cuda plugin beside it");
	fix = ea_finding_fix(check, finding, "install the plugin of the same version");
	ea_fix_command(check, fix, "%s install 'jax[cuda12]==%s'", ea_pip_of(check),
		       jaxlib->version);
}

void ea_check_cpu_build(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->components) {
		if ((*item)->manager != EA_MANAGER_PIP)
			continue;
		if (ea_streq((*item)->key, "torch"))
			check_torch(check, *item);
		else if (ea_streq((*item)->key, "jaxlib"))
			check_jaxlib(check, *item);
	}
}
