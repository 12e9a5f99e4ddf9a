/* Paths and owners of elfs. */
#include "report/copies.h"

void ea_copies_index(struct ea_copies *copies, const struct ea_world *world, struct ea_arena *arena)
{
	uint32_t *next;

	copies->all = ea_arena_array(arena, const struct ea_copy *, world->copies.n);
	copies->start = ea_arena_array(arena, uint32_t, world->elfs.n + 2);
	next = ea_arena_array(arena, uint32_t, world->elfs.n + 1);
	ea_vec_foreach(copy, &world->copies)
		if ((*copy)->elf)
			copies->start[(*copy)->elf->id + 1]++;
	for (uint32_t id = 1; id <= world->elfs.n; id++) {
		copies->start[id + 1] += copies->start[id];
		next[id] = copies->start[id];
	}
	ea_vec_foreach(copy, &world->copies)
		if ((*copy)->elf)
			copies->all[next[(*copy)->elf->id]++] = *copy;
}

uint32_t ea_copies_count(const struct ea_copies *copies, const struct ea_elf *elf)
{
	return copies->start[elf->id + 1] - copies->start[elf->id];
}

const struct ea_copy *ea_copies_at(const struct ea_copies *copies, const struct ea_elf *elf,
				   uint32_t index)
{
	return copies->all[copies->start[elf->id] + index];
}

const struct ea_copy *ea_copies_main(const struct ea_copies *copies, const struct ea_elf *elf)
{
	uint32_t n = ea_copies_count(copies, elf);

	for (uint32_t i = 0; i < n; i++) {
		const struct ea_copy *copy = ea_copies_at(copies, elf, i);

		if (!copy->link && ea_streq(copy->path, copy->real))
			return copy;
	}
	return n ? ea_copies_at(copies, elf, 0) : NULL;
}

static void add_owner(struct ea_owners *owners, const struct ea_component *component,
		      struct ea_arena *arena)
{
	uint32_t at = owners->list.n;

	for (uint32_t i = 0; i < owners->list.n; i++)
		if (owners->list.items[i] == component)
			return;
	(void)ea_vec_add(&owners->list, arena);
	for (; at && owners->list.items[at - 1]->id > component->id; at--)
		owners->list.items[at] = owners->list.items[at - 1];
	owners->list.items[at] = component;
}

struct ea_owners ea_copies_owners(const struct ea_copies *copies, const struct ea_elf *elf,
				  struct ea_arena *arena)
{
	struct ea_owners owners = { 0 };

	for (uint32_t i = 0; i < ea_copies_count(copies, elf); i++) {
		const struct ea_copy *copy = ea_copies_at(copies, elf, i);

		ea_vec_foreach(owner, &copy->owners)
			add_owner(&owners, owner->component, arena);
	}
	return owners;
}
