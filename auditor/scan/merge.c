/* Makes a world of what the workers found. */
#include "scan/merge.h"

#include <errno.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/path.h"
#include "scan/candidate.h"

static int compare_copies(const void *a, const void *b)
{
	const struct ea_copy *const *copy_a = a, *const *copy_b = b;

	return strcmp((*copy_a)->path, (*copy_b)->path);
}

static int compare_gaps(const void *a, const void *b)
{
	const struct ea_gap *gap_a = a, *gap_b = b;
	int order = strcmp(gap_a->path ? gap_a->path : "", gap_b->path ? gap_b->path : "");

	return order ? order : strcmp(gap_a->reason, gap_b->reason);
}

static int compare_components(const void *a, const void *b)
{
	const struct ea_component *const *comp_a = a, *const *comp_b = b;
	int order = strcmp((*comp_a)->location, (*comp_b)->location);

	return order ? order : strcmp((*comp_a)->key, (*comp_b)->key);
}

static int compare_pythons(const void *a, const void *b)
{
	const struct ea_python *const *python_a = a, *const *python_b = b;

	return strcmp((*python_a)->exe, (*python_b)->exe);
}

static int compare_roots(const void *a, const void *b)
{
	const struct ea_cuda_root *const *root_a = a, *const *root_b = b;

	return strcmp((*root_a)->path, (*root_b)->path);
}

static int compare_leftovers(const void *a, const void *b)
{
	const struct ea_leftover *left_a = a, *left_b = b;
	int order = strcmp(left_a->path, left_b->path);

	return order ? order : (int)left_a->kind - (int)left_b->kind;
}

static int compare_claims(const void *a, const void *b)
{
	const struct ea_claim *claim_a = a, *claim_b = b;
	int order = strcmp(claim_a->path, claim_b->path);

	return order ? order : strcmp(claim_a->what, claim_b->what);
}

#define SORT(vec, compare)                                                               \
	do {                                                                             \
		if ((vec)->n > 1)                                                        \
			qsort((vec)->items, (vec)->n, sizeof(*(vec)->items), (compare)); \
	} while (0)

#define APPEND(to, from, arena)                             \
	do {                                                \
		ea_vec_foreach(item_, (from))               \
			ea_vec_push((to), (arena), *item_); \
	} while (0)

void ea_merge_inventory(struct ea_world *world, const struct ea_inventory *inv)
{
	struct ea_arena *arena = &world->arena;

	APPEND(&world->components, &inv->components, arena);
	APPEND(&world->pythons, &inv->pythons, arena);
	APPEND(&world->cuda_roots, &inv->cuda_roots, arena);
	APPEND(&world->leftovers, &inv->leftovers, arena);
	APPEND(&world->claims, &inv->claims, arena);
	APPEND(&world->gaps.list, &inv->gaps.list, arena);
	if (inv->host.driver)
		world->host.driver = inv->host.driver;
	if (inv->host.driver_user)
		world->host.driver_user = inv->host.driver_user;
}

/* The records stay where they are: only the memory changes hands. */
static void take_memory(struct ea_world *world, struct ea_worker *worker)
{
	APPEND(&world->gaps.list, &worker->gaps.list, &world->arena);
	worker->gaps.list.n = 0;
	ea_arena_absorb(&world->arena, &worker->arena);
}

static void take_worker(struct ea_world *world, struct ea_worker *worker)
{
	const struct ea_walk_found *found = worker->data;

	ea_vec_foreach(copy, &found->copies)
		if ((*copy)->link || ea_candidate_is_kept((*copy)->path, (*copy)->elf))
			ea_vec_push(&world->copies, &world->arena, *copy);
	ea_vec_foreach(inv, &found->inventories)
		ea_merge_inventory(world, *inv);
	take_memory(world, worker);
}

void ea_merge_memory(struct ea_walk *walk, struct ea_world *world)
{
	for (unsigned i = 0; i < ea_pool_size(walk->pool); i++)
		take_memory(world, ea_pool_worker(walk->pool, i));
	ea_arena_absorb(&world->arena, &walk->seen.arena);
}

/* ---- links
 * ------------------------------------------------------------------------------------------ */

/*
 * Text alone tells where a link leads if no named component is followed by `..`: the folder of the
 * link itself holds no links.
 */
static bool is_plain_text(struct ea_str text)
{
	struct ea_str part;
	bool named = false;

	while (ea_str_token(&text, '/', &part)) {
		if (!ea_str_is(part, ".."))
			named |= part.len != 0 && !ea_str_is(part, ".");
		else if (named)
			return false;
	}
	return true;
}

/* The copy that the link's text names, NULL when only the file system can tell. */
static struct ea_copy *next_by_text(const struct ea_copy *copy, const struct ea_paths *paths,
				    struct ea_arena *scratch)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf target = { 0 };

	if (!is_plain_text(ea_str(copy->link)))
		return NULL;
	ea_path_normalize(&target, ea_arena_dup_str(scratch, ea_path_dir(copy->path)),
			  ea_str(copy->link));
	return ea_paths_find(paths, ea_buf_text(&target));
}

static void follow_by_system(struct ea_walk *walk, struct ea_world *world, struct ea_paths *paths,
			     struct ea_copy *copy)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf real = { 0 };
	struct ea_worker *worker = ea_pool_worker(walk->pool, 0);
	struct ea_copy *end;
	struct ea_stat st;
	int rc = ea_root_resolve(walk->root, copy->path, EA_FOLLOW, &real);

	if (!rc)
		rc = ea_root_stat(walk->root, ea_buf_text(&real), EA_NOFOLLOW, &st);
	if (rc) {
		copy->link_state = rc == -ELOOP			     ? EA_LINK_LOOP
				   : rc == -ENOENT || rc == -ENOTDIR ? EA_LINK_DANGLING
								     : EA_LINK_UNREAD;
		if (copy->link_state == EA_LINK_UNREAD)
			ea_gaps_add(&world->gaps, copy->path, EA_GAP_UNREAD,
				    "cannot follow the link: %s", strerror(-rc));
		return;
	}
	if (st.type == EA_FILE_DIR) {
		copy->link_state = EA_LINK_DIR;
		return;
	}
	end = ea_paths_find(paths, ea_buf_text(&real));
	if (st.type != EA_FILE_REGULAR) {
		ea_gaps_add(&world->gaps, copy->path, EA_GAP_IGNORED,
			    "leads to a device, FIFO or socket, which is never opened");
		return;
	}
	/* The link makes a library of it, whatever it is called itself. */
	if (!end && ea_candidate_read_any(walk, worker, ea_buf_text(&real), &end) == 0 && end) {
		ea_paths_add(paths, &world->arena, end);
		ea_vec_push(&world->copies, &world->arena, end);
	}
	if (end) {
		copy->elf = end->elf;
		copy->real = end->path;
	}
}

static void follow(struct ea_walk *walk, struct ea_world *world, struct ea_paths *paths,
		   struct ea_copy *copy, struct ea_arena *scratch)
{
	struct ea_copy *at = copy;

	for (unsigned hops = 0; at && at->link && hops <= EA_LIMIT_LINKS; hops++)
		at = next_by_text(at, paths, scratch);
	if (at && !at->link) {
		copy->elf = at->elf;
		copy->real = at->path;
	} else {
		follow_by_system(walk, world, paths, copy);
	}
}

/* ---- numbering
 * -------------------------------------------------------------------------------------- */

static void number_copies(struct ea_world *world)
{
	SORT(&world->copies, compare_copies);
	ea_vec_foreach(item, &world->copies) {
		struct ea_copy *copy = *item;

		copy->id = (uint32_t)(item - world->copies.items) + 1;
		copy->inside = ea_path_within(copy->path, world->target.path);
		if (copy->elf && !copy->elf->id) {
			ea_vec_push(&world->elfs, &world->arena, copy->elf);
			copy->elf->id = world->elfs.n;
		}
	}
}

/* A toolkit that is the target is met among the usual places too; the record with links is fuller.
 */
static void drop_twins(struct ea_world *world)
{
	uint32_t n = 0;

	ea_vec_foreach(root, &world->cuda_roots) {
		struct ea_cuda_root **kept = n ? &world->cuda_roots.items[n - 1] : NULL;

		if (!kept || !ea_streq((*kept)->path, (*root)->path))
			world->cuda_roots.items[n++] = *root;
		else if ((*root)->links.n > (*kept)->links.n)
			*kept = *root;
	}
	world->cuda_roots.n = n;
}

static void number_records(struct ea_world *world)
{
	SORT(&world->components, compare_components);
	SORT(&world->pythons, compare_pythons);
	SORT(&world->cuda_roots, compare_roots);
	drop_twins(world);
	SORT(&world->leftovers, compare_leftovers);
	SORT(&world->claims, compare_claims);
	SORT(&world->gaps.list, compare_gaps);
	ea_vec_foreach(component, &world->components)
		(*component)->id = (uint32_t)(component - world->components.items) + 1;
	ea_vec_foreach(python, &world->pythons)
		(*python)->id = (uint32_t)(python - world->pythons.items) + 1;
}

void ea_merge_number(struct ea_world *world)
{
	number_copies(world);
	number_records(world);
}

/* A file that is the target is met in its folder too, if that lies around the target. */
static void add_paths(struct ea_world *world, struct ea_paths *paths)
{
	uint32_t n = 0;

	ea_vec_foreach(copy, &world->copies) {
		if (ea_paths_find(paths, (*copy)->path))
			continue;
		ea_paths_add(paths, &world->arena, *copy);
		world->copies.items[n++] = *copy;
	}
	world->copies.n = n;
}

void ea_merge(struct ea_walk *walk, struct ea_world *world, struct ea_paths *paths)
{
	struct ea_arena scratch = { 0 };
	uint32_t n_walked;

	for (unsigned i = 0; i < ea_pool_size(walk->pool); i++)
		take_worker(world, ea_pool_worker(walk->pool, i));
	add_paths(world, paths);
	n_walked = world->copies.n;
	for (uint32_t i = 0; i < n_walked; i++)
		if (world->copies.items[i]->link)
			follow(walk, world, paths, world->copies.items[i], &scratch);
	/* Links may have made worker 0 read further files. */
	ea_merge_memory(walk, world);
	ea_merge_number(world);
	ea_arena_release(&scratch);
}
