/* What the tests of inventory/ share: a tree as root, one job run in it, looking up what it found.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "inventory/inventory.h"
#include "tree.h"
#include "unit.h"

struct found {
	struct ea_root *root;
	struct ea_arena arena;
	struct ea_inventory inv;
	int result; /* of the job */
};

/* Runs JOB on FOLDER inside the tree. */
static inline void find(struct found *found, const struct tree *tree, ea_inventory_fn job,
			const char *folder)
{
	struct ea_err err;

	*found = (struct found){ 0 };
	assert_int_equal(ea_root_folder(tree->dir, &found->root, &err), 0);
	ea_inventory_init(&found->inv, &found->arena);
	found->result = job(found->root, folder, &found->inv);
}

static inline void found_release(struct found *found)
{
	ea_root_free(found->root);
	ea_arena_release(&found->arena);
}

/* The first component with this name; ends the test if there is none. */
static inline struct ea_component *component(const struct found *found, const char *name)
{
	ea_vec_foreach(item, &found->inv.components)
		if (ea_streq((*item)->name, name))
			return *item;
	fail_msg("no component %s", name);
	abort();
}

static inline const struct ea_record *record(const struct ea_component *component, const char *path)
{
	ea_vec_foreach(item, &component->records)
		if (ea_streq(item->path, path))
			return item;
	fail_msg("%s has no record %s", component->name, path);
	abort();
}

/* The only gap has this path, kind and text in its reason. */
static inline void assert_gap(const struct found *found, const char *path, enum ea_gap_kind kind,
			      const char *text)
{
	assert_int_equal(found->inv.gaps.list.n, 1);
	assert_string_equal(found->inv.gaps.list.items[0].path, path);
	assert_int_equal(found->inv.gaps.list.items[0].kind, kind);
	assert_non_null(strstr(found->inv.gaps.list.items[0].reason, text));
	assert_true(found->inv.gaps.list.items[0].matters);
}
