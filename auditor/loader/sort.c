/*
 * The order of relocation and initialization (elf/dl-sort-maps.c): dependencies after what needs
 * them; it is worked through from its end. Two algorithms, by version.
 */
#include "loader/process.h"

/* One object on the way down in the depth-first walk. */
struct frame {
	uint32_t map, next;
};

static void visit(struct ea_process *process, uint32_t start, struct frame *stack, uint32_t *out,
		  uint32_t *head)
{
	uint32_t depth = 0;

	if (ea_state(process, start)->visited)
		return;
	ea_state(process, start)->visited = true;
	stack[depth++] = (struct frame){ start, 0 };
	while (depth > 0) {
		struct frame *top = &stack[depth - 1];
		struct ea_ids deps = ea_state(process, top->map)->order;
		struct ea_map_state *dep;

		if (top->next >= deps.n) {
			if (*head > 0)
				out[--*head] = top->map;
			depth--;
			continue;
		}
		dep = ea_state(process, deps.ids[top->next++]);
		if (dep->visited || dep->map->kind == EA_MAP_FAKED)
			continue;
		dep->visited = true;
		stack[depth++] = (struct frame){ dep->map->id, 0 };
	}
}

static void sort_depth_first(struct ea_process *process, uint32_t *ids, uint32_t n, bool root_first)
{
	struct frame *stack = ea_arena_array(process->arena, struct frame, process->maps.n + 1);
	uint32_t *out = ea_arena_array(process->arena, uint32_t, n);
	uint32_t head = n, root = ids[0], at = 0;

	/* What is not sorted here stays visited from the time when it was. */
	for (uint32_t i = 0; i < n; i++)
		ea_state(process, ids[i])->visited = false;
	for (uint32_t i = n; i-- > 0 && head > 0;)
		visit(process, ids[i], stack, out, &head);
	memcpy(ids, out, sizeof(uint32_t) * n);
	if (!root_first)
		return;
	/* In a cycle the root would come later. */
	while (at < n && ids[at] != root)
		at++;
	if (at == n)
		return;
	memmove(&ids[1], ids, sizeof(uint32_t) * at);
	ids[0] = root;
}

static bool depends_on(struct ea_process *process, uint32_t map, uint32_t other)
{
	struct ea_ids deps = ea_state(process, map)->order;

	for (uint32_t i = 0; i < deps.n; i++)
		if (deps.ids[i] == other)
			return true;
	return false;
}

/* Moves each object behind the last one that needs it, until nothing moves or it goes round. */
static void sort_by_moving(struct ea_process *process, uint32_t *ids, uint32_t n)
{
	uint16_t *seen = ea_arena_array(process->arena, uint16_t, n + 1);
	uint32_t i = 0;

	while (n > 1 && i < n) {
		uint32_t map = ids[i], k = n - 1;
		uint16_t this_seen;

		seen[i]++;
		while (k > i && !depends_on(process, ids[k], map))
			k--;
		if (k == i) {
			i++;
			memset(&seen[i], 0, sizeof(*seen) * (n - i));
			continue;
		}
		memmove(&ids[i], &ids[i + 1], sizeof(*ids) * (k - i));
		ids[k] = map;
		if (seen[i + 1] > n - i) {
			i++;
			memset(&seen[i], 0, sizeof(*seen) * (n - i));
			continue;
		}
		this_seen = seen[i];
		memmove(&seen[i], &seen[i + 1], sizeof(*seen) * (k - i));
		seen[k] = this_seen;
	}
}

struct ea_ids ea_relocation_order(struct ea_process *process, uint32_t root)
{
	uint32_t *ids, n = 0;

	if (ea_policy_has(&process->policy, EA_POLICY_SORT_DEPTH_FIRST))
		return ea_state(process, root)->order;
	/* Before, dlopen sorted what there was to relocate once more. */
	ids = ea_arena_array(process->arena, uint32_t, process->list.n);
	for (uint32_t i = ea_state(process, root)->pos; i < process->list.n; i++)
		if (!ea_state(process, process->list.items[i])->relocated)
			ids[n++] = process->list.items[i];
	sort_by_moving(process, ids, n);
	return (struct ea_ids){ ids, n };
}

void ea_sort_maps(struct ea_process *process, uint32_t *ids, uint32_t n, bool root_first)
{
	if (ea_policy_has(&process->policy, EA_POLICY_SORT_DEPTH_FIRST))
		sort_depth_first(process, ids, n, root_first);
	else
		sort_by_moving(process, ids + root_first, n - root_first);
}
