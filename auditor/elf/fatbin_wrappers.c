/*
 * Fatbins of files without section headers. For each container the compiler leaves a descriptor in
 * the data: magic, version, a pointer to it, a second pointer. In a shared library the pointer is a
 * relative relocation, so that what it points to stands in the relocation table.
 */
#include "elf/fatbin.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/vec.h"

#define WRAPPER_MAGIC	0x466243b1u
#define WRAPPER_POINTER 8u	    /* offset of the pointer */
#define CHUNK		65536u	    /* of data; a multiple of the alignment */
#define DATA_MAX	(64u << 20) /* bytes of data that are looked through */
#define WRAPPERS_MAX	65536u

struct wrappers {
	struct ea_arena arena;
	EA_VEC(uint64_t) slots; /* addresses of pointers, ascending */
	EA_VEC(uint64_t) targets;
};

/* Remembers the descriptors in one chunk; the bytes of one that crosses its end are in no chunk. */
static void scan_chunk(struct ea_fatbins *f, struct wrappers *w, const uint8_t *bytes, size_t len,
		       uint64_t addr)
{
	for (size_t at = 0; at + 4 <= len && w->slots.n < WRAPPERS_MAX; at += 8)
		if (ea_image_u32(f->image, bytes + at) == WRAPPER_MAGIC)
			ea_vec_push(&w->slots, &w->arena, addr + at + WRAPPER_POINTER);
}

static void scan_segment(struct ea_fatbins *f, struct wrappers *w, const struct ea_segment *load)
{
	uint64_t size = load->filesz < DATA_MAX ? load->filesz : DATA_MAX;
	uint64_t skip = (8 - (load->vaddr & 7)) & 7; /* descriptors are aligned as addresses are */
	uint8_t *chunk = ea_xmalloc(CHUNK);

	for (uint64_t at = skip; at < size && !f->image->error; at += CHUNK) {
		size_t n = (size_t)(size - at < CHUNK ? size - at : CHUNK);
		long got = ea_file_read(f->image->file, chunk, n, load->offset + at);

		if (got < 0)
			f->image->error = (int)got;
		else
			scan_chunk(f, w, chunk, (size_t)got, load->vaddr + at);
	}
	free(chunk);
}

static int compare_slots(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Addends of relocations at the slots. */
static void scan_relocations(struct ea_fatbins *f, struct wrappers *w)
{
	const struct ea_dynamic_tables *d = &f->image->elf->tables;
	uint8_t *chunk = ea_xmalloc(CHUNK);
	uint64_t off, done;
	size_t step = CHUNK / sizeof(Elf64_Rela) * sizeof(Elf64_Rela);

	if (!d->rela || !ea_image_offset(f->image, d->rela, d->relasz, &off))
		off = UINT64_MAX;
	for (done = 0; off != UINT64_MAX && done < d->relasz && !f->image->error; done += step) {
		size_t n = (size_t)(d->relasz - done < step ? d->relasz - done : step);
		int rc = ea_file_read_full(f->image->file, chunk, n, off + done);

		if (rc)
			f->image->error = rc;
		for (size_t at = 0; rc == 0 && at + sizeof(Elf64_Rela) <= n;
		     at += sizeof(Elf64_Rela)) {
			uint64_t slot = ea_image_u64(f->image, chunk + at);

			if (bsearch(&slot, w->slots.items, w->slots.n, sizeof(slot), compare_slots))
				ea_vec_push(&w->targets, &w->arena,
					    ea_image_u64(f->image, chunk + at + 16));
		}
	}
	free(chunk);
}

/* What the slots hold in the file: a program that is not relocated has the addresses there. */
static void read_slots(struct ea_fatbins *f, struct wrappers *w)
{
	ea_vec_foreach(slot, &w->slots) {
		uint8_t scratch[8];
		const void *bytes;
		uint64_t off;

		if (!ea_image_offset(f->image, *slot, 8, &off))
			continue;
		bytes = ea_image_bytes(f->image, off, 8, scratch);
		if (bytes && ea_image_u64(f->image, bytes))
			ea_vec_push(&w->targets, &w->arena, ea_image_u64(f->image, bytes));
	}
}

bool ea_fatbin_wrappers(struct ea_fatbins *f)
{
	struct wrappers w = { 0 };
	const struct ea_elf *elf = f->image->elf;
	uint64_t previous = 0;
	bool whole = true;

	if (!ea_image_is64(f->image))
		return true;
	for (uint32_t i = 0; i < elf->n_loads; i++)
		if (elf->loads[i].flags & PF_W)
			scan_segment(f, &w, &elf->loads[i]);
	if (w.slots.n) {
		qsort(w.slots.items, w.slots.n, sizeof(uint64_t), compare_slots);
		scan_relocations(f, &w);
		read_slots(f, &w);
	}
	if (w.targets.n)
		qsort(w.targets.items, w.targets.n, sizeof(uint64_t), compare_slots);
	ea_vec_foreach(target, &w.targets) {
		uint64_t off, end;

		if (*target == previous)
			continue;
		previous = *target;
		whole = ea_image_range(f->image, *target, &off, &end) &&
			ea_fatbin_container(f, off, end, &end) && whole;
	}
	whole = whole && (w.slots.n == 0 || w.targets.n > 0);
	ea_arena_release(&w.arena);
	return whole;
}
