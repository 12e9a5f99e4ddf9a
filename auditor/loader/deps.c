/*
 * What an object needs, breadth first (_dl_map_object_deps in elf/dl-deps.c): the search list of a
 * root, and the order in which it is relocated and initialized.
 */
#include <elf.h>

#include "loader/process.h"

/* As many entries as the stack of the real loader has room for, roughly. */
#define MAX_NODES 200000u

/* The list under construction; filters are put in front of what asks for them. */
struct node {
	uint32_t map, next;
	bool done;
};

struct walk {
	struct ea_process *process;
	unsigned mode;
	EA_VEC(struct node) nodes;
	uint32_t tail;
	EA_VEC(uint32_t) needed; /* dependencies of the object under way */
};

static uint32_t add_node(struct walk *walk, uint32_t map)
{
	struct node *node = ea_vec_add(&walk->nodes, walk->process->arena);

	*node = (struct node){ map, EA_NONE, false };
	return walk->nodes.n - 1;
}

static void append(struct walk *walk, uint32_t map)
{
	uint32_t node = add_node(walk, map);

	if (walk->tail != EA_NONE)
		walk->nodes.items[walk->tail].next = node;
	walk->tail = node;
	ea_state(walk->process, map)->reserved = true;
}

/*
 * Moves MAP directly before OTHER in the list of loaded objects. ld.so does not move the head of
 * the list: what would come before the program cannot be found from then on.
 */
static void move_before(struct ea_process *process, uint32_t map, uint32_t other)
{
	uint32_t pos;

	if (ea_state(process, map)->pos != EA_NONE)
		ea_list_remove(process, map);
	pos = ea_state(process, other)->pos;
	if (pos != 0 && pos != EA_NONE)
		ea_list_insert(process, map, pos);
}

/*
 * Maps what an entry names: 0; 1 if the entry does not count, for a token in it has no value; or -1
 * with the failure set. Entries of an object that was walked before give what is there without a
 * record.
 */
static int open_entry(struct walk *walk, uint32_t map, enum ea_request_kind kind, const char *text,
		      uint32_t *ret_map)
{
	struct ea_process *process = walk->process;
	struct ea_request *request;
	int result;

	if (!ea_expand(process, map, text, &text)) {
		if (kind != EA_REQUEST_AUXILIARY)
			return 1;
		/* Not caught as the other errors of DT_AUXILIARY are. */
		return ea_fail(process, 0, text, "empty dynamic string token substitution");
	}
	if (ea_state(process, map)->walked) {
		*ret_map = ea_name_find(process, text);
		if (*ret_map != EA_NONE)
			return 0;
	}
	request = ea_request_add(process, kind, text, map);
	result = ea_map_object(process, request, map, walk->mode, ret_map);
	if (result == 0) {
		request->map = process->maps.items[*ret_map].map;
		return 0;
	}
	request->outcome = process->failure.outcome;
	request->error = ea_failure_text(process);
	return kind == EA_REQUEST_AUXILIARY && request->outcome == EA_OUTCOME_ERROR ? 1 : -1;
}

/* Puts filtee MAP in front of node AT; returns the node that stands for the object itself now. */
static uint32_t insert_filter(struct walk *walk, uint32_t at, uint32_t map)
{
	struct ea_process *process = walk->process;
	uint32_t self = add_node(walk, 0), late;
	struct node *nodes = walk->nodes.items;

	nodes[self] = nodes[at];
	if (ea_state(process, map)->reserved) {
		for (late = self; nodes[late].next != EA_NONE; late = nodes[late].next)
			if (nodes[nodes[late].next].map == map)
				break;
		if (nodes[late].next == EA_NONE)
			return at; /* it stands earlier in the list already */
		if (walk->tail == nodes[late].next)
			walk->tail = late;
		nodes[late].next = nodes[nodes[late].next].next;
	}
	nodes[at] = (struct node){ map, self, false };
	ea_state(process, map)->reserved = true;
	move_before(process, map, nodes[self].map);
	if (walk->tail == at)
		walk->tail = self;
	return self;
}

static int walk_needed(struct walk *walk, uint32_t map, const struct ea_elf *elf)
{
	for (uint32_t i = 0; i < elf->n_needed; i++) {
		uint32_t dep;
		int result = open_entry(walk, map, EA_REQUEST_NEEDED, elf->needed[i], &dep);

		if (result < 0)
			return -1;
		if (result > 0)
			continue;
		if (!ea_state(walk->process, dep)->reserved)
			append(walk, dep);
		ea_vec_push(&walk->needed, walk->process->arena, dep);
	}
	return 0;
}

/* *NODE stands for MAP, also after filters have been put in front of it. */
static int walk_filters(struct walk *walk, uint32_t *node, uint32_t map, const struct ea_elf *elf,
			enum ea_request_kind kind)
{
	bool auxiliary = kind == EA_REQUEST_AUXILIARY;
	const char **names = auxiliary ? elf->auxiliary : elf->filter;
	uint32_t n = auxiliary ? elf->n_auxiliary : elf->n_filter;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t dep = EA_NONE;
		int result = open_entry(walk, map, kind, names[i], &dep);

		if (result < 0)
			return -1;
		if (result > 0)
			continue;
		*node = insert_filter(walk, *node, dep);
		ea_vec_push(&walk->needed, walk->process->arena, dep);
	}
	return 0;
}

/* All that the entries of one object name. */
static int walk_map(struct walk *walk, uint32_t node)
{
	struct ea_process *process = walk->process;
	uint32_t map = walk->nodes.items[node].map;
	const struct ea_elf *elf = ea_elf_of(process, map);
	int result = 0;

	walk->needed.n = 0;
	if (elf)
		result = walk_needed(walk, map, elf);
	if (elf && result == 0)
		result = walk_filters(walk, &node, map, elf, EA_REQUEST_FILTER);
	if (elf && result == 0)
		result = walk_filters(walk, &node, map, elf, EA_REQUEST_AUXILIARY);
	ea_state(process, map)->walked = result == 0;
	return result;
}

/* The object itself and what it needs, in order: l_initfini until it is a root. */
static void keep_order(struct walk *walk, uint32_t map)
{
	struct ea_process *process = walk->process;
	uint32_t *ids = ea_arena_array(process->arena, uint32_t, walk->needed.n + 1);

	ids[0] = map;
	if (walk->needed.n > 0)
		memcpy(&ids[1], walk->needed.items, sizeof(uint32_t) * walk->needed.n);
	ea_state(process, map)->order = (struct ea_ids){ ids, walk->needed.n + 1 };
}

static int walk_all(struct walk *walk, uint32_t root)
{
	struct ea_process *process = walk->process;
	uint32_t node = 0;
	int result = 0;

	while (node != EA_NONE && result == 0) {
		if (walk->nodes.n > MAX_NODES)
			return ea_fail_hard(process, EA_OUTCOME_CRASH,
					    "filters that name each other exhaust the stack");
		uint32_t map = walk->nodes.items[node].map;
		const struct ea_elf *elf = ea_elf_of(process, map);
		const struct ea_map_state *state = ea_state(process, map);
		bool keep = map != root && !state->searchlist.ids && !state->order.ids && elf;

		walk->nodes.items[node].done = true;
		result = walk_map(walk, node);
		if (keep && result == 0)
			keep_order(walk, map);
		while (node != EA_NONE && walk->nodes.items[node].done)
			node = walk->nodes.items[node].next;
	}
	return result;
}

/* The search list, and the same with the root first and then sorted for relocation. */
static void finish(struct walk *walk, uint32_t root)
{
	struct ea_process *process = walk->process;
	struct ea_map_state *state = ea_state(process, root);
	uint32_t n = 0, k = 1, *ids, *order;

	ids = ea_arena_array(process->arena, uint32_t, walk->nodes.n);
	order = ea_arena_array(process->arena, uint32_t, walk->nodes.n + 1);
	for (uint32_t i = 0; i != EA_NONE; i = walk->nodes.items[i].next) {
		uint32_t map = walk->nodes.items[i].map;

		ea_state(process, map)->reserved = false;
		if (process->maps.items[map].map->kind == EA_MAP_FAKED)
			continue;
		ids[n++] = map;
		if (map != root)
			order[k++] = map;
	}
	order[0] = root;
	state->searchlist = (struct ea_ids){ ids, n };
	ea_sort_maps(process, order, n, !ea_is_libc(process, root));
	state->order = (struct ea_ids){ order, n };
}

int ea_map_deps(struct ea_process *process, uint32_t root, const struct ea_ids *preloads,
		unsigned mode)
{
	struct walk walk = { .process = process, .mode = mode, .tail = EA_NONE };
	int saved = process->error, result;

	process->failure.outcome = EA_OUTCOME_OK;
	append(&walk, root);
	for (uint32_t i = 0; preloads && i < preloads->n; i++)
		append(&walk, preloads->ids[i]);
	process->error = 0;
	result = walk_all(&walk, root);
	if (process->error == 0)
		process->error = saved;
	if (walk.nodes.items[0].map != root && process->failure.outcome != EA_OUTCOME_CRASH &&
	    !ea_policy_has(&process->policy, EA_POLICY_FILTERED_ROOT))
		return ea_fail_hard(process, EA_OUTCOME_ABORT,
				    "dl-deps.c: _dl_map_object_deps: Assertion "
				    "`map->l_searchlist.r_list[0] == map' failed!");
	finish(&walk, root);
	return result;
}
