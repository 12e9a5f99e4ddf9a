/* dlopen (elf/dl-open.c): what it maps, checks, binds and initializes, and how it takes all that
 * back. */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>

#include "loader/process.h"

#include "base/attr.h"

/* The levels of x86-64 that an object asks for are the processor's; dl_isa_level_check(). */
int ea_check_isa(struct ea_process *process, uint32_t root)
{
	uint32_t have = (1u << process->launch.cpu.level) - 1;
	struct ea_ids order = ea_state(process, root)->order;

	if (process->machine != EM_X86_64 || !ea_policy_has(&process->policy, EA_POLICY_ISA_NEEDED))
		return 0;
	for (uint32_t i = order.n; i-- > 0;) {
		const struct ea_map_state *state = ea_state(process, order.ids[i]);

		if (state->inited || !state->map->elf || state->map->kind == EA_MAP_INTERP ||
		    (state->map->elf->isa_needed & ~have) == 0)
			continue;
		return ea_fail(process, 0, ea_map_name(process, order.ids[i]),
			       "CPU ISA level is lower than required");
	}
	return 0;
}

void ea_run_init(struct ea_process *process, uint32_t map)
{
	struct ea_map_state *state = ea_state(process, map);
	const struct ea_map *record = state->map;

	if (state->inited)
		return;
	state->inited = true;
	if (record->kind == EA_MAP_PROGRAM)
		return;
	ea_vec_push(&process->root->inits, process->arena, record);
	if (process->setup.init)
		process->setup.init(process->setup.init_arg, process, record);
}

/* _dl_init() */
void ea_run_inits(struct ea_process *process, uint32_t root)
{
	struct ea_ids order = ea_state(process, root)->order;
	uint32_t first = process->initfirst;

	if (first != EA_NONE) {
		process->initfirst = EA_NONE;
		ea_run_init(process, first);
	}
	for (uint32_t i = order.n; i-- > 0;)
		ea_run_init(process, order.ids[i]);
}

static bool survives(const struct ea_process *process, uint32_t map)
{
	return (ea_elf_of(process, map)->dt_flags_1 & DF_1_NODELETE) != 0 &&
	       !ea_policy_has(&process->policy, EA_POLICY_NODELETE_ROLLS_BACK);
}

/* dlclose counts the maps that it finds; one that a filter of the program took out is missing. */
static bool has_lost_map(struct ea_process *process)
{
	ea_vec_foreach(state, &process->maps)
		if (!state->removed && state->pos == EA_NONE && state->map->kind != EA_MAP_INTERP)
			return true;
	return false;
}

static void forget_uniques(struct ea_process *process, uint32_t map)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < process->uniques.n; i++)
		if (process->uniques.items[i].map != map)
			process->uniques.items[kept++] = process->uniques.items[i];
	process->uniques.n = kept;
}

/* What a failed dlopen mapped goes; where an object stays, what it needs stays too. */
static void roll_back(struct ea_process *process, uint32_t first)
{
	bool *stays = ea_arena_array(process->arena, bool, process->maps.n - first + 1);

	for (uint32_t id = process->maps.n; id-- > first;) {
		struct ea_ids deps = ea_state(process, id)->order;

		stays[id - first] |= survives(process, id);
		for (uint32_t i = 0; stays[id - first] && i < deps.n; i++)
			if (deps.ids[i] >= first)
				stays[deps.ids[i] - first] = true;
	}
	for (uint32_t id = first; id < process->maps.n; id++) {
		struct ea_map_state *state = ea_state(process, id);

		if (stays[id - first] || state->removed)
			continue;
		state->removed = true;
		ea_list_remove(process, id);
		forget_uniques(process, id);
		if (process->initfirst == id)
			process->initfirst = EA_NONE;
	}
	for (uint32_t i = 0; i < process->root->nested.n; i++)
		process->root->nested.items[i]->rolled_back =
			process->root->nested.items[i]->is_new;
	process->root->rolled_back = process->root->is_new;
}

/* Versions, processor levels and symbols of all that ROOT brought. */
static int check_and_bind(struct ea_process *process, uint32_t root, int flags)
{
	struct ea_ids list = ea_state(process, root)->searchlist, order;
	bool lazy = (flags & RTLD_LAZY) != 0 && !process->bind_now;
	uint32_t misses = 0;

	for (uint32_t i = 0; i < list.n; i++)
		if (!ea_state(process, list.ids[i])->versions &&
		    ea_check_versions(process, list.ids[i], &misses) != 0)
			return -1;
	if (ea_check_isa(process, root) != 0)
		return -1;
	order = ea_relocation_order(process, root);
	for (uint32_t i = order.n; i-- > 0;)
		if (ea_relocate(process, order.ids[i], lazy) != 0)
			return -1;
	return 0;
}

/* _dl_find_object_update(): only what stands behind ROOT in the list. */
static void enter_in_table(struct ea_process *process, uint32_t root)
{
	for (uint32_t i = ea_state(process, root)->pos; i < process->list.n; i++)
		ea_state(process, process->list.items[i])->in_table = true;
}

static uint32_t caller_id(struct ea_process *process, const struct ea_map *caller)
{
	if (!caller ||
	    (ea_policy_has(&process->policy, EA_POLICY_CALLER_TABLE) &&
	     caller->kind == EA_MAP_DLOPENED && !ea_state(process, caller->id)->in_table))
		return 0;
	return caller->id;
}

static int open_new(struct ea_process *process, uint32_t root, unsigned mode, int flags)
{
	if (ea_map_deps(process, root, NULL,
			mode & ~(unsigned)(EA_MODE_CALLMAP | EA_MODE_NOLOAD)) != 0 ||
	    check_and_bind(process, root, flags) != 0)
		return -1;
	ea_scopes_update(process, root);
	enter_in_table(process, root);
	ea_run_inits(process, root);
	return 0;
}

/* dl_open_worker(): 0 with *ret_map (EA_NONE = not loaded, under NOLOAD), or -1. */
static int open_object(struct ea_process *process, struct ea_request *request, uint32_t caller,
		       uint32_t *ret_map)
{
	unsigned mode = EA_MODE_DLOPEN | EA_MODE_CALLMAP;
	int flags = request->flags;

	if ((flags & (RTLD_LAZY | RTLD_NOW)) == 0)
		return ea_fail(process, EINVAL, request->name, "invalid mode for dlopen()");
	if (flags & RTLD_DEEPBIND)
		mode |= EA_MODE_DEEPBIND;
	if (flags & RTLD_NOLOAD)
		mode |= EA_MODE_NOLOAD;
	if (ea_map_object(process, request, caller, mode, ret_map) != 0)
		return -1;
	if (*ret_map == EA_NONE)
		return 0;
	if (!ea_state(process, *ret_map)->searchlist.ids &&
	    open_new(process, *ret_map, mode, flags) != 0)
		return -1;
	if ((flags & RTLD_GLOBAL) != 0 && !ea_state(process, *ret_map)->global)
		ea_scopes_globalize(process, *ret_map);
	return 0;
}

static void open_glibc(struct ea_process *process, struct ea_request *request, uint32_t caller)
{
	uint32_t first = process->maps.n, map = EA_NONE;

	if (open_object(process, request, caller, &map) == 0) {
		if (map == EA_NONE)
			request->outcome = EA_OUTCOME_NOTHING;
		else
			request->map = process->maps.items[map].map;
		return;
	}
	if (process->failure.outcome == EA_OUTCOME_ERROR && request->how != EA_HOW_NOT_FOUND &&
	    has_lost_map(process))
		ea_fail_hard(process, EA_OUTCOME_ABORT,
			     "dl-close.c: _dl_close_worker: Assertion `idx == nloaded' failed!");
	request->outcome = process->failure.outcome;
	request->error = ea_failure_text(process);
	roll_back(process, first);
	if (request->outcome == EA_OUTCOME_ERROR)
		return;
	process->dead = true;
	if (request->outcome == EA_OUTCOME_ABORT)
		ea_vec_push(&request->messages, process->arena, request->error);
}

const struct ea_request *ea_process_dlopen(struct ea_process *process, const char *name, int flags,
					   const struct ea_map *caller)
{
	struct ea_request *outer = process->root, *request;

	process->root = NULL;
	request = ea_request_add(process, EA_REQUEST_DLOPEN, name ? name : "",
				 caller ? caller->id : 0);
	request->flags = flags;
	process->root = request;
	if (process->dead)
		request->outcome = EA_OUTCOME_NOTHING;
	else if (process->facts.musl)
		ea_musl_dlopen(process, request, name == NULL);
	else
		open_glibc(process, request, caller_id(process, caller));
	process->root = outer;
	return request;
}
