/*
 * Duplicates: files of one family that are not the same thing. Links and hard links are one elf to
 * begin with; equal copies are one content and no duplicate.
 */
#include "scan/merge.h"

#include <stdlib.h>

#define SAMPLE 4096u /* bytes of each end */

/* What a user would call "the same library in two places" needs one real path of each. */
struct member {
	struct ea_elf *elf;
	const struct ea_copy *copy; /* its first path that is not a link */
};

struct members {
	EA_VEC(struct member) list;
};

/* A toolkit's stubs are for the linker: no process is meant to get them. */
static bool is_stub(const struct ea_copy *copy)
{
	return strstr(copy->path, "/stubs/") != NULL;
}

/* Where there is no build-id to tell, some KiB of both ends do. */
static bool same_ends(const struct ea_root *root, const struct member *a, const struct member *b)
{
	EA_CLEANUP(ea_file_close_ptr) struct ea_file *fa = NULL;
	EA_CLEANUP(ea_file_close_ptr) struct ea_file *fb = NULL;
	uint64_t size = a->elf->size, n = size < SAMPLE ? size : SAMPLE;
	char bytes_a[SAMPLE], bytes_b[SAMPLE];

	if (ea_root_open(root, a->copy->path, &fa) || ea_root_open(root, b->copy->path, &fb))
		return false;
	for (uint64_t off = 0; off <= size - n; off += size - n) {
		if (ea_file_read_full(fa, bytes_a, n, off) ||
		    ea_file_read_full(fb, bytes_b, n, off) || memcmp(bytes_a, bytes_b, n) != 0)
			return false;
		if (off == size - n)
			break;
	}
	return true;
}

static bool same_content(const struct ea_root *root, const struct member *a, const struct member *b)
{
	const struct ea_elf *ea = a->elf, *eb = b->elf;

	if (ea->size != eb->size || ea->build_id_len != eb->build_id_len)
		return false;
	if (ea->build_id_len)
		return memcmp(ea->build_id, eb->build_id, ea->build_id_len) == 0;
	return same_ends(root, a, b);
}

static const struct ea_component *owner_of(const struct ea_copy *copy)
{
	return copy->owners.n ? copy->owners.items[0].component : NULL;
}

static bool differs(const struct member *a, const struct member *b)
{
	return !ea_streq(a->elf->exact_version, b->elf->exact_version) ||
	       owner_of(a->copy) != owner_of(b->copy);
}

static int compare_members(const void *a, const void *b)
{
	const struct member *ma = a, *mb = b;
	int order = strcmp(ma->elf->family->name, mb->elf->family->name);

	return order ? order : (int)(ma->copy->id > mb->copy->id) - (ma->copy->id < mb->copy->id);
}

/* One family's members [first, end): keeps one of each content. */
static void add_family(const struct ea_root *root, struct ea_world *world,
		       const struct member *first, const struct member *end)
{
	struct ea_duplicate duplicate = { .family = first->elf->family };
	bool worth = false;

	for (const struct member *m = first; m < end; m++) {
		bool known = false;

		for (const struct member *earlier = first; earlier < m && !known; earlier++)
			known = same_content(root, earlier, m);
		if (known)
			continue;
		ea_vec_push(&duplicate.elfs, &world->arena, m->elf);
		worth |= m != first && differs(first, m);
	}
	if (duplicate.elfs.n > 1 && worth)
		ea_vec_push(&world->duplicates, &world->arena, duplicate);
}

void ea_merge_duplicates(const struct ea_root *root, struct ea_world *world)
{
	struct ea_arena scratch = { 0 };
	struct members members = { 0 };
	bool *seen = ea_arena_array(&scratch, bool, world->elfs.n + 1);

	world->duplicates.n = 0;
	ea_vec_foreach(item, &world->copies) {
		const struct ea_copy *copy = *item;

		if (!copy->elf || !copy->elf->family || copy->link || copy->elf->faults ||
		    is_stub(copy) || seen[copy->elf->id])
			continue;
		seen[copy->elf->id] = true;
		ea_vec_push(&members.list, &scratch, ((struct member){ copy->elf, copy }));
	}
	if (members.list.n)
		qsort(members.list.items, members.list.n, sizeof(*members.list.items),
		      compare_members);
	for (uint32_t i = 0, end; i < members.list.n; i = end) {
		for (end = i; end < members.list.n && members.list.items[end].elf->family ==
							      members.list.items[i].elf->family;)
			end++;
		add_family(root, world, members.list.items + i, members.list.items + end);
	}
	ea_arena_release(&scratch);
}
