/* Whether the providers of an object define the versions that it needs (elf/dl-version.c). */
#include <elf.h>
#include <string.h>

#include "loader/process.h"

#define INDEX_MASK 0x7fffu
#define HIDDEN	   0x8000u

/* Says it as ld.so does while the program starts: one line each, and on it goes. */
static void print(struct ea_process *process, uint32_t object, const char *text)
{
	ea_vec_push(&process->root->messages, process->arena,
		    ea_arena_printf(process->arena, "%s: %s: %s", process->argv0,
				    ea_map_name(process, object), text));
}

static void note_missing(struct ea_process *process, uint32_t map, const struct ea_verneed *need,
			 const struct ea_vernaux *aux, uint32_t provider)
{
	struct ea_missing *missing = ea_vec_add(&process->root->missing, process->arena);

	missing->object = process->maps.items[map].map;
	missing->version = aux->name;
	missing->file = need->file;
	missing->provider = process->maps.items[provider].map;
}

static bool defines(const struct ea_elf *elf, const struct ea_vernaux *aux)
{
	for (uint32_t i = 0; i < elf->n_verdefs; i++)
		if (elf->verdefs[i].hash == aux->hash && ea_streq(elf->verdefs[i].name, aux->name))
			return true;
	return false;
}

/* match_symbol(): 0 if PROVIDER will do, 1 if it was printed that it will not, -1 if that is fatal.
 */
static int match(struct ea_process *process, uint32_t map, const struct ea_verneed *need,
		 const struct ea_vernaux *aux, uint32_t provider)
{
	const struct ea_elf *elf = ea_elf_of(process, provider);
	const char *name = ea_map_name(process, map), *text;
	bool verbose = !process->started;

	if (!elf)
		return 0; /* the vDSO has what it needs to have */
	if (elf->n_verdefs == 0) {
		if (verbose)
			print(process, provider,
			      ea_arena_printf(process->arena,
					      "no version information available (required by %s)",
					      name));
		return 0;
	}
	if (defines(elf, aux))
		return 0;
	if (aux->flags & VER_FLG_WEAK) {
		if (verbose)
			print(process, provider,
			      ea_arena_printf(process->arena,
					      "weak version `%s' not found (required by %s)",
					      aux->name, name));
		return 0;
	}
	note_missing(process, map, need, aux, provider);
	text = ea_arena_printf(process->arena, "version `%s' not found (required by %s)", aux->name,
			       name);
	if (!verbose)
		return ea_fail(process, 0, ea_map_name(process, provider), text);
	print(process, provider, text);
	return 1;
}

static uint32_t find_provider(const struct ea_process *process, uint32_t map, const char *file)
{
	const struct ea_map_state *state = &process->maps.items[map];
	uint32_t found = ea_name_needed(process, file);

	for (uint32_t i = 0; i < state->searchlist.n && found == EA_NONE; i++)
		if (ea_name_is(process, state->searchlist.ids[i], file))
			found = state->searchlist.ids[i];
	return found;
}

static uint32_t highest_index(const struct ea_elf *elf)
{
	uint32_t highest = 0;

	for (uint32_t i = 0; i < elf->n_verneeds; i++)
		for (uint32_t k = 0; k < elf->verneeds[i].n_aux; k++)
			if ((elf->verneeds[i].aux[k].index & INDEX_MASK) > highest)
				highest = elf->verneeds[i].aux[k].index & INDEX_MASK;
	for (uint32_t i = 0; i < elf->n_verdefs; i++)
		if ((elf->verdefs[i].index & INDEX_MASK) > highest)
			highest = elf->verdefs[i].index & INDEX_MASK;
	return highest;
}

/* l_versions: what each index of .gnu.version stands for. */
static void fill_versions(struct ea_process *process, uint32_t map, const struct ea_elf *elf)
{
	struct ea_map_state *state = ea_state(process, map);
	uint32_t highest = highest_index(elf);
	struct ea_version_name *versions;

	if (highest == 0)
		return;
	versions = ea_arena_array(process->arena, struct ea_version_name, highest + 1);
	for (uint32_t i = 0; i < elf->n_verneeds; i++) {
		for (uint32_t k = 0; k < elf->verneeds[i].n_aux; k++) {
			const struct ea_vernaux *aux = &elf->verneeds[i].aux[k];

			versions[aux->index & INDEX_MASK] = (struct ea_version_name){
				.name = aux->name,
				.file = elf->verneeds[i].file,
				.hash = aux->hash,
				.hidden = (aux->index & HIDDEN) != 0,
			};
		}
	}
	for (uint32_t i = 0; i < elf->n_verdefs; i++) {
		const struct ea_verdef *def = &elf->verdefs[i];
		struct ea_version_name *version = &versions[def->index & INDEX_MASK];

		if (def->flags & VER_FLG_BASE)
			continue; /* does not match a versioned symbol */
		version->name = def->name;
		version->hash = def->hash;
		version->file = NULL;
	}
	state->versions = versions;
	state->n_versions = highest + 1;
}

/* DT_RELR without the version that says the C library knows it. */
static bool lacks_relr_version(const struct ea_process *process, const struct ea_elf *elf)
{
	if (elf->n_verneeds == 0 || !elf->tables.relr ||
	    !ea_policy_has(&process->policy, EA_POLICY_RELR_NEEDS_VERSION))
		return false;
	for (uint32_t i = 0; i < elf->n_verneeds; i++)
		for (uint32_t k = 0; k < elf->verneeds[i].n_aux; k++)
			if (ea_streq(elf->verneeds[i].aux[k].name, "GLIBC_ABI_DT_RELR"))
				return false;
	for (uint32_t i = 0; i < elf->n_needed; i++)
		if (ea_str_starts(ea_str(elf->needed[i]), "libc.so."))
			return true;
	return false;
}

int ea_check_versions(struct ea_process *process, uint32_t map, uint32_t *misses)
{
	const struct ea_elf *elf = ea_elf_of(process, map);

	if (!elf)
		return 0;
	for (uint32_t i = 0; i < elf->n_verneeds; i++) {
		const struct ea_verneed *need = &elf->verneeds[i];
		uint32_t provider = find_provider(process, map, need->file);

		if (provider == EA_NONE && !process->launch.trace)
			return ea_fail_hard(process, EA_OUTCOME_ABORT,
					    "dl-version.c: _dl_check_map_versions: Assertion "
					    "`needed != NULL' failed!");
		for (uint32_t k = 0; k < need->n_aux && provider != EA_NONE; k++) {
			int result = match(process, map, need, &need->aux[k], provider);

			if (result < 0)
				return -1;
			*misses += (uint32_t)result;
		}
	}
	fill_versions(process, map, elf);
	if (lacks_relr_version(process, elf))
		return ea_fail(process, 0, ea_map_name(process, map),
			       "DT_RELR without GLIBC_ABI_DT_RELR dependency");
	return 0;
}
