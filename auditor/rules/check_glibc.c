/* glibc: libraries that need a newer C library than the one they will meet. */
#include "rules/checks.h"

#include <elf.h>
#include <string.h>

#include "base/version.h"

#define PREFIX "GLIBC_"

/* The newest GLIBC_x.y that ELF cannot do without; NULL if it needs none. */
static const char *newest_needed(const struct ea_elf *elf)
{
	const char *newest = NULL;

	for (uint32_t i = 0; i < elf->n_verneeds; i++) {
		for (uint32_t j = 0; j < elf->verneeds[i].n_aux; j++) {
			const struct ea_vernaux *aux = &elf->verneeds[i].aux[j];
			const char *version = aux->name + strlen(PREFIX);

			if ((aux->flags & VER_FLG_WEAK) ||
			    strncmp(aux->name, PREFIX, strlen(PREFIX)) != 0)
				continue;
			if (*version >= '0' && *version <= '9' &&
			    (!newest || ea_version_cmp_text(version, newest) > 0))
				newest = version;
		}
	}
	return newest;
}

/* Pip and conda install without asking for the machine's C library; a distribution's fit. */
static const struct ea_component *installed_by(const struct ea_copy *copy)
{
	ea_vec_foreach(owner, &copy->owners)
		if (owner->component->manager == EA_MANAGER_PIP ||
		    owner->component->manager == EA_MANAGER_CONDA)
			return owner->component;
	return NULL;
}

static void check_component(struct ea_check *check, const struct ea_component *component,
			    const char *have)
{
	struct ea_finding *finding = NULL;
	const char *newest = NULL;

	ea_vec_foreach(item, &check->world->copies) {
		const struct ea_copy *copy = *item;
		const char *needed;

		if (!copy->elf || copy->link || installed_by(copy) != component ||
		    copy->elf->machine != check->world->host.machine)
			continue;
		needed = newest_needed(copy->elf);
		if (!needed || ea_version_cmp_text(needed, have) <= 0)
			continue;
		if (!newest || ea_version_cmp_text(needed, newest) > 0)
			newest = needed;
		if (!finding)
			finding = ea_finding_new(check, "?");
		ea_finding_evidence(check, finding, copy->path, "needs %s%s", PREFIX, needed);
	}
	if (!finding)
		return;
	finding->title =
		ea_arena_printf(&check->world->arena, "%s needs glibc %s, this system has %s",
				ea_component_text(check, component), newest, have);
	ea_finding_identity(check, finding, component->key);
	ea_finding_identity(check, finding, component->base);
	ea_fix_command(
		check,
		ea_finding_fix(check, finding, "build it here, against this system's C library"),
		"%s install --force-reinstall --no-deps --no-binary %s --no-build-isolation "
		"%s==%s",
		ea_pip_of(check), component->name, component->name,
		component->version ? component->version : "VERSION");
}

void ea_check_glibc(struct ea_check *check)
{
	const struct ea_host *host = &check->world->host;

	if (!ea_streq(host->libc, "glibc") || !host->libc_version)
		return;
	ea_vec_foreach(component, &check->world->components)
		if ((*component)->manager == EA_MANAGER_PIP ||
		    (*component)->manager == EA_MANAGER_CONDA)
			check_component(check, *component, host->libc_version);
}
