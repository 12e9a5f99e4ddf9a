/* Which maps a symbol is looked up in, and how dlopen extends that (elf/dl-open.c). */
#include "loader/process.h"

struct ea_ids ea_scope_ids(const struct ea_process *process, const struct ea_scope_entry *entry)
{
	const struct ea_map_state *state = &process->maps.items[entry->map];

	if (entry->alone)
		return (struct ea_ids){ &state->map->id, 1 };
	return state->searchlist;
}

/* update_scopes(): what was loaded before and belongs to ROOT too sees ROOT's search list as well.
 */
void ea_scopes_update(struct ea_process *process, uint32_t root)
{
	struct ea_ids list = ea_state(process, root)->searchlist;

	for (uint32_t i = 0; i < list.n; i++) {
		struct ea_map_state *state = ea_state(process, list.ids[i]);
		bool has = false;

		if (!state->inited || state->map->kind != EA_MAP_DLOPENED)
			continue;
		ea_vec_foreach(entry, &state->scope)
			has |= entry->map == root && !entry->alone;
		if (!has)
			ea_vec_push(&state->scope, process->arena,
				    ((struct ea_scope_entry){ root, false }));
	}
}

/* add_to_global_update(): RTLD_GLOBAL. */
void ea_scopes_globalize(struct ea_process *process, uint32_t root)
{
	struct ea_ids list = ea_state(process, root)->searchlist;
	struct ea_ids *global = &ea_state(process, 0)->searchlist;
	uint32_t *ids = ea_arena_array(process->arena, uint32_t, global->n + list.n);
	uint32_t n = global->n;

	memcpy(ids, global->ids, sizeof(uint32_t) * n);
	for (uint32_t i = 0; i < list.n; i++) {
		struct ea_map_state *state = ea_state(process, list.ids[i]);

		if (state->global)
			continue;
		state->global = true;
		ids[n++] = list.ids[i];
	}
	if (n > global->n)
		*global = (struct ea_ids){ ids, n };
}
