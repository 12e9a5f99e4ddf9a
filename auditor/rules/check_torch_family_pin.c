/* torch-family-pin: torchvision, torchaudio and the like beside a torch that is not their partner.
 */
#include "rules/checks.h"

#include <string.h>

#include "base/range.h"
#include "rules/torch_build.h"

/* What is compiled against one release of torch and says so in its metadata. */
static const char *const family[] = { "torchvision", "torchaudio", "torchtext", "xformers" };

static bool is_family(const struct ea_component *component)
{
	for (size_t i = 0; i < EA_ARRAY_SIZE(family); i++)
		if (ea_streq(component->key, family[i]))
			return component->manager == EA_MANAGER_PIP && component->version;
	return false;
}

/*
 * "torch==2.4.1", "torch (==2.4.1)" -> "==2.4.1"; NULL if LINE asks for something else, for any
 * version, or for a version that the environment may decide (behind ';') or a range cannot say.
 */
static const char *torch_range(struct ea_check *check, const char *line)
{
	const char *range;

	if (!ea_str_is(ea_requirement_name(line), "torch") || strchr(line, ';'))
		return NULL;
	range = ea_requirement_text(&check->world->arena, line) + strlen("torch");
	return ea_bounds_are_valid(range) ? range : NULL;
}

static const char *wanted_torch(struct ea_check *check, const struct ea_component *component)
{
	ea_vec_foreach(line, &component->requires) {
		const char *range = torch_range(check, *line);

		if (range)
			return range;
	}
	return NULL;
}

static void suggest(struct ea_check *check, struct ea_finding *finding,
		    const struct ea_component *component, const struct ea_component *torch)
{
	const char *text =
		ea_version_local(torch->version).len
			? "let pip choose the release that fits, from the index of this torch"
			: "let pip choose the release that fits";
	struct ea_fix *fix = ea_finding_fix(check, finding, text);

	ea_fix_command(check, fix, "%s install --force-reinstall %s torch==%s", ea_pip_of(check),
		       component->name, torch->version);
}

static void wrong_release(struct ea_check *check, const struct ea_component *component,
			  const struct ea_component *torch, const char *range)
{
	struct ea_finding *finding;

	finding = ea_finding_new(check, "%s %s is made for torch%s, torch %s is installed",
				 component->name, component->version, range, torch->version);
	ea_finding_identity(check, finding, component->key);
	ea_finding_identity(check, finding, component->base);
	ea_finding_evidence(check, finding, component->location, "asks for torch%s", range);
	ea_finding_evidence(check, finding, torch->location, "is version %s", torch->version);
	suggest(check, finding, component, torch);
}

/* A session has shown already that it cannot be imported. */
static bool is_accused(const struct ea_check *check, const struct ea_component *component)
{
	ea_vec_foreach(finding, &check->world->findings)
		if (ea_streq((*finding)->rule->slug, "torch-family-pin") &&
		    ea_str_starts(ea_str((*finding)->title), component->name))
			return true;
	return false;
}

void ea_check_torch_family_pin_release(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->components) {
		const struct ea_component *component = *item, *torch;
		const char *range = is_family(component) ? wanted_torch(check, component) : NULL;

		torch = range ? ea_torch_beside(check->world, component) : NULL;
		if (torch && torch->version && !ea_bounds_have(range, torch->version) &&
		    !is_accused(check, component))
			wrong_release(check, component, torch, range);
	}
}

/*
 * "+cu121" -> 12, "+cpu" -> 0, no tag or another one -> -1: wheels from PyPI and from elsewhere
 * have none.
 */
static int cuda_major(const struct ea_component *component)
{
	struct ea_str local = ea_version_local(component->version);
	unsigned long long number;

	if (ea_str_is(local, "cpu"))
		return 0;
	if (!ea_str_starts(local, "cu") || !ea_str_u64(ea_str_skip(local, 2), &number))
		return -1;
	return (int)(number / 10 % 100);
}

void ea_check_torch_family_pin_cuda(struct ea_check *check)
{
	ea_vec_foreach(item, &check->world->components) {
		const struct ea_component *component = *item, *torch;
		struct ea_finding *finding;

		if (!is_family(component) || cuda_major(component) < 0)
			continue;
		torch = ea_torch_beside(check->world, component);
		if (!torch || !torch->version || cuda_major(torch) < 0 ||
		    cuda_major(torch) == cuda_major(component))
			continue;
		finding = ea_finding_new(check, "%s %s is another build than torch %s",
					 component->name, component->version, torch->version);
		ea_finding_identity(check, finding, component->key);
		ea_finding_identity(check, finding, component->base);
		ea_finding_evidence(check, finding, component->location, "is version %s",
				    component->version);
		ea_finding_evidence(check, finding, torch->location, "is version %s",
				    torch->version);
		suggest(check, finding, component, torch);
	}
}
