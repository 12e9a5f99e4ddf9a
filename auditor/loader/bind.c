/*
 * Symbols: the lookup (elf/dl-lookup.c) and the relocation of an object as far as it can fail
 * (elf/dl-reloc.c).
 */
#include <elf.h>

#include "loader/process.h"

#include "base/attr.h"

#define INDEX_MASK  0x7fffu
#define HIDDEN	    0x8000u
#define MAX_SAME    32u /* symbols of one name in one object */
#define MAX_MISSING 64u /* symbols that a report gets of one object */

struct reference {
	const char *name;
	uint32_t gnu_hash;
	const struct ea_version_name *version; /* NULL = unversioned */
	uint8_t use;			       /* one EA_USE_ bit */
};

enum match {
	MATCH_NO,
	MATCH_YES,
	MATCH_FALLBACK, /* taken if there is no other in this object */
	MATCH_ABORT,
};

/* DT_GNU_HASH's hash of a name. */
static uint32_t gnu_hash(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

static bool is_definition(const struct ea_process *process, const struct reference *ref,
			  const struct ea_symbol *symbol)
{
	if (symbol->value == 0 && symbol->type != STT_TLS &&
	    !(symbol->shndx == SHN_ABS && ea_policy_has(&process->policy, EA_POLICY_ABSOLUTE_ZERO)))
		return false;
	if (ref->use == EA_USE_PLT && symbol->shndx == SHN_UNDEF)
		return false;
	switch (symbol->type) {
	case STT_NOTYPE:
	case STT_OBJECT:
	case STT_FUNC:
	case STT_COMMON:
	case STT_TLS:
	case STT_GNU_IFUNC:
		return true;
	default:
		return false;
	}
}

static enum match match_version(const struct ea_process *process, uint32_t map,
				const struct ea_version_name *wanted, uint16_t versym)
{
	const struct ea_map_state *state = &process->maps.items[map];
	uint32_t index = versym & INDEX_MASK;
	const struct ea_version_name *have;
	static const struct ea_version_name none;

	if (!state->versions) {
		/* Interposition; but the named provider itself was not expected to be without. */
		if (wanted->file && ea_name_is(process, map, wanted->file) &&
		    ea_policy_has(&process->policy, EA_POLICY_VERSION_ASSERTION))
			return MATCH_ABORT;
		return MATCH_YES;
	}
	have = index < state->n_versions ? &state->versions[index] : &none;
	if (have->hash == wanted->hash && ea_streq(have->name, wanted->name))
		return MATCH_YES;
	if (wanted->hidden || have->hash != 0 || (versym & HIDDEN) != 0)
		return MATCH_NO;
	return ea_policy_has(&process->policy, EA_POLICY_DEFAULT_IS_FALLBACK) ? MATCH_FALLBACK
									      : MATCH_YES;
}

/* check_match() for one symbol of MAP. */
static enum match check_match(const struct ea_process *process, uint32_t map,
			      const struct reference *ref, const struct ea_symbol *symbol)
{
	if (!is_definition(process, ref, symbol))
		return MATCH_NO;
	if (ref->version)
		return match_version(process, map, ref->version, symbol->versym);
	if (!process->maps.items[map].versions)
		return MATCH_YES;
	/* The first version is the oldest: it stands for what had none. */
	if ((symbol->versym & INDEX_MASK) <= 2)
		return MATCH_YES;
	return (symbol->versym & HIDDEN) != 0 ? MATCH_NO : MATCH_FALLBACK;
}

/* The symbol of MAP that REF is bound to: its index in SYMBOLS, or -1; -2 for an abort. */
static int pick(const struct ea_process *process, uint32_t map, const struct reference *ref,
		const struct ea_symbol *symbols, uint32_t n)
{
	int fallback = -1;
	uint32_t n_fallbacks = 0;

	for (uint32_t i = 0; i < n; i++) {
		switch (check_match(process, map, ref, &symbols[i])) {
		case MATCH_YES:
			return (int)i;
		case MATCH_ABORT:
			return -2;
		case MATCH_FALLBACK:
			if (n_fallbacks++ == 0)
				fallback = (int)i;
			break;
		case MATCH_NO:
			break;
		}
	}
	return n_fallbacks == 1 ? fallback : -1;
}

/* STB_GNU_UNIQUE: whoever defined the name first defines it for all. */
static uint32_t unique(struct ea_process *process, const struct reference *ref, uint32_t map)
{
	ea_vec_foreach(entry, &process->uniques)
		if (entry->hash == ref->gnu_hash && ea_streq(entry->text, ref->name))
			return entry->map;
	ea_vec_push(&process->uniques, process->arena,
		    ((struct ea_name){ .text = ref->name, .hash = ref->gnu_hash, .map = map }));
	return map;
}

/* do_lookup_x(): 1 with *ret, 0 if none of IDS defines it, -1 for an abort. */
static int lookup_in(struct ea_process *process, struct ea_ids ids, const struct reference *ref,
		     uint32_t *ret)
{
	struct ea_symbol symbols[MAX_SAME];

	for (uint32_t i = 0; i < ids.n; i++) {
		const struct ea_map *map = process->maps.items[ids.ids[i]].map;
		uint32_t n;
		int at;

		if (!map->elf || process->maps.items[map->id].removed ||
		    (map->id == 0 && (!process->launch.program || ref->use == EA_USE_COPY)))
			continue;
		n = process->provider->lookup(process->provider->ctx, map->elf, ref->name,
					      ref->gnu_hash, symbols, MAX_SAME);
		at = pick(process, map->id, ref, symbols, n > MAX_SAME ? MAX_SAME : n);
		if (at == -2)
			return -1;
		if (at < 0 || symbols[at].visibility == STV_HIDDEN ||
		    symbols[at].visibility == STV_INTERNAL)
			continue;
		if (symbols[at].bind == STB_GNU_UNIQUE) {
			*ret = unique(process, ref, map->id);
			return 1;
		}
		if (symbols[at].bind == STB_WEAK && process->dynamic_weak) {
			if (*ret == EA_NONE)
				*ret = map->id;
		} else if (symbols[at].bind == STB_GLOBAL || symbols[at].bind == STB_WEAK) {
			*ret = map->id;
			return 1;
		}
	}
	return 0;
}

/* _dl_lookup_symbol_x(): 0 with *ret (EA_NONE: nobody defines it), or -1 for an abort. */
static int lookup(struct ea_process *process, uint32_t from, const struct reference *ref,
		  uint32_t *ret)
{
	const struct ea_map_state *state = ea_state(process, from);

	*ret = EA_NONE;
	for (uint32_t i = 0; i < state->scope.n; i++) {
		int result =
			lookup_in(process, ea_scope_ids(process, &state->scope.items[i]), ref, ret);

		if (result != 0)
			return result < 0 ? -1 : 0;
	}
	return 0;
}

static const struct ea_version_name *version_of(const struct ea_process *process, uint32_t map,
						const struct ea_symbol *symbol)
{
	const struct ea_map_state *state = &process->maps.items[map];
	uint32_t index = symbol->versym & INDEX_MASK;

	if (!state->versions || index >= state->n_versions || state->versions[index].hash == 0)
		return NULL;
	return &state->versions[index];
}

static int fail_assertion(struct ea_process *process)
{
	return ea_fail_hard(process, EA_OUTCOME_ABORT,
			    "dl-lookup.c: check_match: Assertion `version->filename == NULL || ! "
			    "_dl_name_match_p (version->filename, map)' failed!");
}

static void note_missing(struct ea_process *process, uint32_t map, const struct reference *ref)
{
	struct ea_missing *missing = ea_vec_add(&process->root->missing, process->arena);

	missing->object = process->maps.items[map].map;
	missing->symbol = ref->name;
	if (ref->version) {
		uint32_t provider = EA_NONE;

		missing->version = ref->version->name;
		missing->file = ref->version->file;
		if (missing->file)
			provider = ea_name_needed(process, missing->file);
		if (provider != EA_NONE)
			missing->provider = process->maps.items[provider].map;
	}
}

static int fail_undefined(struct ea_process *process, uint32_t map, const struct reference *ref)
{
	return ea_fail(process, 0, ea_map_name(process, map),
		       ea_arena_printf(process->arena, "undefined symbol: %s%s%s", ref->name,
				       ref->version ? ", version " : "",
				       ref->version ? ref->version->name : ""));
}

/*
 * Binds one symbol for each way in which it is used, and tells of it unless QUIET: 0, 1 if it is
 * missing, -1 for an abort.
 */
static int bind(struct ea_process *process, uint32_t map, const struct ea_undefined *undefined,
		struct reference *ref, bool quiet)
{
	static const uint8_t uses[] = { EA_USE_DATA, EA_USE_PLT, EA_USE_COPY };
	const struct ea_process_setup *setup = &process->setup;
	uint32_t to;

	if (ea_elf_of(process, map)->tables.versym && !ea_state(process, map)->versions &&
	    (undefined->symbol.versym & INDEX_MASK) != 0)
		return ea_fail_hard(process, EA_OUTCOME_CRASH,
				    "an index of DT_VERSYM leads into a table that is not there");
	ref->name = undefined->symbol.name;
	ref->gnu_hash = gnu_hash(ref->name);
	ref->version = version_of(process, map, &undefined->symbol);
	for (size_t i = 0; i < EA_ARRAY_SIZE(uses); i++) {
		if ((undefined->uses & uses[i]) == 0)
			continue;
		ref->use = uses[i];
		if (lookup(process, map, ref, &to) != 0)
			return fail_assertion(process);
		if (to == EA_NONE && undefined->symbol.bind != STB_WEAK)
			return 1;
		if (to != EA_NONE && setup->bound && !quiet)
			setup->bound(setup->bound_arg, process->maps.items[map].map, ref->name,
				     ref->version ? ref->version->name : NULL,
				     process->maps.items[to].map);
	}
	return 0;
}

/* What else is missing behind the symbol at which the loader stops; only for the report. */
static void note_others(struct ea_process *process, uint32_t map,
			const struct ea_undefined *undefined, uint32_t n, bool lazy)
{
	__typeof__(process->failure) failure = process->failure;
	struct reference ref = { 0 };

	for (uint32_t i = 0; i < n && process->root->missing.n < MAX_MISSING; i++)
		if (!(lazy && undefined[i].lazy) &&
		    bind(process, map, &undefined[i], &ref, true) == 1)
			note_missing(process, map, &ref);
	process->failure = failure;
}

int ea_relocate(struct ea_process *process, uint32_t map, bool lazy)
{
	struct ea_map_state *state = ea_state(process, map);
	const struct ea_elf *elf = ea_elf_of(process, map);
	const struct ea_undefined *undefined;
	struct reference ref = { 0 };
	uint32_t n;

	if (state->relocated || !elf || (map == 0 && !process->launch.program))
		return 0;
	if ((elf->dt_flags & DF_BIND_NOW) != 0 || (elf->dt_flags_1 & DF_1_NOW) != 0)
		lazy = false;
	n = process->provider->undefined(process->provider->ctx, elf, &undefined);
	for (uint32_t i = 0; i < n; i++) {
		int result;

		if (lazy && undefined[i].lazy)
			continue;
		result = bind(process, map, &undefined[i], &ref, false);
		if (result == 0)
			continue;
		if (result < 0)
			return -1;
		note_missing(process, map, &ref);
		fail_undefined(process, map, &ref);
		note_others(process, map, undefined + i + 1, n - i - 1, lazy);
		return -1;
	}
	state->relocated = true;
	return 0;
}
