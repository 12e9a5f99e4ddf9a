/*
 * Elfs whose symbols are asked for: where each can be opened, and its symbol table while it is
 * open. A table is opened when it is first needed; how many are open at a time is bounded by what
 * the process may have of descriptors.
 */
#pragma once

#include "fs/root.h"
#include "model/gap.h"
#include "model/provider.h"

struct ea_object;

struct ea_objects {
	struct ea_gaps *gaps;
	const struct ea_root *root;
	struct ea_arena *arena;
	struct ea_object *all;
	unsigned n_open, max_open;
	/* The one that holds the last descriptor, which further ones take over from each other: who
	 * looks through all tables in turn finds most of them open. */
	struct ea_object *last;
};

/* ROOT, ARENA and GAPS must outlive it. */
void ea_objects_init(struct ea_objects *objects, const struct ea_root *root, struct ea_arena *arena,
		     struct ea_gaps *gaps);
void ea_objects_release(struct ea_objects *objects);

/* ELF can be read at REAL, which has no links in it. Both must outlive the objects. */
void ea_objects_add(struct ea_objects *objects, const struct ea_elf *elf, const char *real);

/* As ea_provider.lookup and ea_provider.undefined; nothing, and a gap, where the file cannot be
 * read. */
uint32_t ea_objects_lookup(struct ea_objects *objects, const struct ea_elf *elf, const char *name,
			   uint32_t gnu_hash, struct ea_symbol *ret, uint32_t max);
uint32_t ea_objects_undefined(struct ea_objects *objects, const struct ea_elf *elf,
			      const struct ea_undefined **ret);
