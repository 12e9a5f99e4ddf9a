/*
 * Names of maps: what a request is compared with before any file is looked at. ld.so walks all maps
 * and compares texts; a hash table with the same answer does for thousands of maps.
 */
#include "loader/process.h"

static void grow_buckets(struct ea_process *process)
{
	uint32_t n = process->n_name_buckets ? process->n_name_buckets * 2 : 256;

	process->name_buckets = ea_arena_array(process->arena, uint32_t, n);
	process->n_name_buckets = n;
	memset(process->name_buckets, 0xff, sizeof(uint32_t) * n);
	for (uint32_t i = 0; i < process->names.n; i++) {
		struct ea_name *name = &process->names.items[i];
		uint32_t *bucket = &process->name_buckets[name->hash & (n - 1)];

		name->next = *bucket;
		*bucket = i;
	}
}

static uint32_t first_entry(const struct ea_process *process, uint32_t hash)
{
	if (process->n_name_buckets == 0)
		return EA_NONE;
	return process->name_buckets[hash & (process->n_name_buckets - 1)];
}

void ea_name_add(struct ea_process *process, uint32_t map, const char *text, bool only_soname)
{
	uint32_t hash = ea_hash(ea_str(text)), *bucket;
	struct ea_name *name;

	for (uint32_t i = first_entry(process, hash); i != EA_NONE; i = name->next) {
		name = &process->names.items[i];
		if (name->map == map && name->hash == hash && ea_streq(name->text, text)) {
			name->only_soname = name->only_soname && only_soname;
			return;
		}
	}
	if (process->names.n >= process->n_name_buckets)
		grow_buckets(process);
	bucket = &process->name_buckets[hash & (process->n_name_buckets - 1)];
	name = ea_vec_add(&process->names, process->arena);
	*name = (struct ea_name){ text, hash, *bucket, map, only_soname };
	*bucket = process->names.n - 1;
}

/* The first map in the order of the list that is called TEXT; SONAMES: by its SONAME alone, too. */
static uint32_t find_name(const struct ea_process *process, const char *text, bool sonames)
{
	uint32_t hash = ea_hash(ea_str(text)), best = EA_NONE, best_pos = EA_NONE;
	const struct ea_name *name;

	for (uint32_t i = first_entry(process, hash); i != EA_NONE; i = name->next) {
		const struct ea_map_state *state;

		name = &process->names.items[i];
		state = &process->maps.items[name->map];
		if (name->hash != hash || state->removed || state->pos >= best_pos ||
		    (name->only_soname && !sonames) || !ea_streq(name->text, text))
			continue;
		best = i;
		best_pos = state->pos;
	}
	return best;
}

uint32_t ea_name_find(struct ea_process *process, const char *text)
{
	uint32_t best = find_name(process, text, true);

	if (best == EA_NONE)
		return EA_NONE;
	process->names.items[best].only_soname = false;
	return process->names.items[best].map;
}

uint32_t ea_name_needed(const struct ea_process *process, const char *text)
{
	uint32_t best = find_name(process, text, false);

	return best == EA_NONE ? EA_NONE : process->names.items[best].map;
}

bool ea_name_is(const struct ea_process *process, uint32_t map, const char *text)
{
	uint32_t hash = ea_hash(ea_str(text));
	const struct ea_name *name;

	for (uint32_t i = first_entry(process, hash); i != EA_NONE; i = name->next) {
		name = &process->names.items[i];
		if (name->map == map && name->hash == hash && !name->only_soname &&
		    ea_streq(name->text, text))
			return true;
	}
	return false;
}
