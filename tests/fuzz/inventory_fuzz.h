/* What the fuzzers of inventory/ share: one job over files in memory, then everything it found is
 * read. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "inventory/inventory.h"
#include "memory_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whoever uses an inventory relies on this. */
static inline void check_component(const struct ea_component *component)
{
	if (!component->name || !component->key || !component->location || !component->base)
		abort();
	ea_vec_foreach(record, &component->records)
		if (record->path[0] != '/' || strstr(record->path, "/../") ||
		    strstr(record->path, "//"))
			abort();
	ea_vec_foreach(requirement, &component->requires)
		if (!*requirement)
			abort();
}

static inline void fuzz_job(ea_inventory_fn job, const char *folder,
			    const struct memory_file *files, size_t n)
{
	struct ea_root *root = ea_root_new();
	struct ea_arena arena = { 0 };
	struct ea_inventory inv;

	ea_root_add_layer(root, memory_source_new(files, n), "/", false);
	ea_inventory_init(&inv, &arena);
	(void)job(root, folder, &inv);
	ea_vec_foreach(component, &inv.components)
		check_component(*component);
	ea_vec_foreach(gap, &inv.gaps.list)
		if (!gap->reason)
			abort();
	ea_conda_claim_dists(inv.components.items, inv.components.n);
	ea_arena_release(&arena);
	ea_root_free(root);
}
