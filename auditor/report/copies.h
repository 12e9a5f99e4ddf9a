/* Paths and owners of elfs, as reports show them: one entry per content, with all its names. */
#pragma once

#include "model/world.h"

/* The copies of each elf, in order of paths. */
struct ea_copies {
	const struct ea_copy **all;
	uint32_t *start; /* of elf id i: all[start[i]] up to all[start[i + 1]] */
};

void ea_copies_index(struct ea_copies *copies, const struct ea_world *world,
		     struct ea_arena *arena);

uint32_t ea_copies_count(const struct ea_copies *copies, const struct ea_elf *elf);
const struct ea_copy *ea_copies_at(const struct ea_copies *copies, const struct ea_elf *elf,
				   uint32_t index);

/* The copy to name the elf by: a path that is the file itself before one that leads to it; NULL if
 * none. */
const struct ea_copy *ea_copies_main(const struct ea_copies *copies, const struct ea_elf *elf);

/* Everybody who records one of the paths, in order of components, nobody twice. */
struct ea_owners {
	EA_VEC(const struct ea_component *) list;
};

struct ea_owners ea_copies_owners(const struct ea_copies *copies, const struct ea_elf *elf,
				  struct ea_arena *arena);
