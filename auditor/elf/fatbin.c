/*
 * Architectures of the GPU code in a file: only headers of fatbins are read, payloads are jumped
 * over.
 *
 * A section is a sequence of containers with zeros between them: magic, version and header size,
 * then the size of the entries that follow. An entry has a header, which says kind, own size,
 * payload size, architecture and flags, and a payload.
 */
#include "elf/fatbin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "elf/elf.h"
#include "elf/sections.h"

#define CONTAINER_MAGIC	 0xba55ed50u
#define CONTAINER_HEADER 16u
#define ENTRY_HEADER	 64u /* at least */
#define ENTRY_ALIGN	 8u
#define PADDING_MAX	 65536u /* zeros between containers */

#define FLAG_ARCH_SPECIFIC   (1u << 20) /* sm_90a */
#define FLAG_FAMILY_SPECIFIC (1u << 21) /* sm_100f */

/* Where payloads are small, one read gets many headers; else one header a read. */
#define WINDOW_LARGE 16384u
#define WINDOW_SMALL 512u
#define STRIDE_SMALL 4096u

/* LEN bytes at OFF, valid until the next call; NULL behind the end of the file or on an error. */
static const uint8_t *window_at(struct ea_fatbins *f, uint64_t off, size_t len)
{
	size_t size = f->stride <= STRIDE_SMALL ? WINDOW_LARGE : WINDOW_SMALL;
	long n;

	if (!ea_range_ok(off, len, f->image->elf->size))
		return NULL;
	if (off < f->window_off || !ea_range_ok(off - f->window_off, len, f->window_len)) {
		n = ea_file_read(f->image->file, f->window, size, off);
		f->window_off = off;
		f->window_len = n > 0 ? (size_t)n : 0;
		if (n < 0)
			f->image->error = (int)n;
		if (n < (long)len)
			return NULL;
	}
	return f->window + (off - f->window_off);
}

static void count_arch(struct ea_fatbins *f, enum ea_gpu_code code, uint32_t arch, char variant)
{
	for (uint32_t i = 0; i < f->n_arches; i++) {
		struct ea_gpu_arch *one = &f->arches[i];

		if (one->code == code && one->arch == arch && one->variant == variant) {
			one->entries++;
			return;
		}
	}
	if (f->n_arches < EA_FATBIN_ARCHES)
		f->arches[f->n_arches++] = (struct ea_gpu_arch){
			.code = code, .arch = (uint16_t)arch, .variant = variant, .entries = 1
		};
}

static void take_entry(struct ea_fatbins *f, const uint8_t *entry)
{
	static const enum ea_gpu_code codes[] = {
		[1] = EA_GPU_PTX, [2] = EA_GPU_CUBIN, [8] = EA_GPU_LTO
	};
	uint16_t kind = ea_le16(entry);
	uint32_t arch = ea_le32(entry + 28);
	uint64_t flags = ea_le64(entry + 40);
	char variant = flags & FLAG_ARCH_SPECIFIC ? 'a' : flags & FLAG_FAMILY_SPECIFIC ? 'f' : 0;

	if (kind < EA_ARRAY_SIZE(codes) && codes[kind] && arch > 0 && arch <= UINT16_MAX)
		count_arch(f, codes[kind], arch, variant);
}

/* The entries from OFF to END. False if they do not end there. */
static bool walk_entries(struct ea_fatbins *f, uint64_t off, uint64_t end)
{
	while (off < end) {
		const uint8_t *entry = window_at(f, off, ENTRY_HEADER);
		uint64_t payload, size;

		if (!entry || f->n_entries == EA_LIMIT_FATBINS)
			return false;
		size = ea_le32(entry + 4);
		payload = ea_le64(entry + 8);
		if (size < ENTRY_HEADER || !ea_add_u64(size, payload, &size) || size > end - off)
			return false;
		take_entry(f, entry);
		f->n_entries++;
		f->stride = size;
		off += size;
	}
	return off == end;
}

bool ea_fatbin_container(struct ea_fatbins *f, uint64_t off, uint64_t limit, uint64_t *ret_end)
{
	const uint8_t *header = window_at(f, off, CONTAINER_HEADER);
	uint64_t start, end;

	if (!header || ea_le32(header) != CONTAINER_MAGIC ||
	    ea_le16(header + 6) < CONTAINER_HEADER ||
	    !ea_add_u64(off, ea_le16(header + 6), &start) ||
	    !ea_add_u64(start, ea_le64(header + 8), &end) || end > limit)
		return false;
	*ret_end = end;
	return walk_entries(f, start, end);
}

/* *OFF moves over zeros. False if they do not end within reason; at END they need not. */
static bool skip_padding(struct ea_fatbins *f, uint64_t *off, uint64_t end)
{
	uint64_t start = *off;

	while (end - *off >= ENTRY_ALIGN) {
		const uint8_t *word = window_at(f, *off, ENTRY_ALIGN);

		if (!word)
			return false;
		if (ea_le64(word) != 0)
			return true;
		*off += ENTRY_ALIGN;
		if (*off - start > PADDING_MAX)
			return false;
	}
	*off = end;
	return true;
}

static bool walk_section(struct ea_fatbins *f, const Elf64_Shdr *section)
{
	uint64_t off = section->sh_offset, end;

	if (section->sh_type == SHT_NULL)
		return true;
	if (!ea_add_u64(off, section->sh_size, &end) || end > f->image->elf->size)
		return false;
	off = (off + ENTRY_ALIGN - 1) & ~(uint64_t)(ENTRY_ALIGN - 1);
	while (off < end) {
		if (!skip_padding(f, &off, end))
			return false;
		if (off < end && !ea_fatbin_container(f, off, end, &off))
			return false;
		off = (off + ENTRY_ALIGN - 1) & ~(uint64_t)(ENTRY_ALIGN - 1);
	}
	return true;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static int compare_arches(const void *a, const void *b)
{
	const struct ea_gpu_arch *x = a, *y = b;

	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	if (x->arch != y->arch)
		return x->arch < y->arch ? -1 : 1;
	return x->variant - y->variant;
}

static bool walk_all(struct ea_fatbins *f)
{
	static const char *const names[] = { ".nv_fatbin", "__nv_relfatbin" };
	Elf64_Shdr sections[2];
	bool whole = true;

	if (!f->image->elf->shoff || (f->image->elf->faults & EA_FAULT(CUT_SECTIONS)))
		return ea_fatbin_wrappers(f);
	ea_sections_find(f->image, names, 2, sections);
	for (int i = 0; i < 2; i++)
		whole = walk_section(f, &sections[i]) && whole;
	return whole;
}

int ea_elf_read_arches(struct ea_file *file, const char *path, struct ea_arena *arena,
		       struct ea_gaps *gaps, struct ea_elf *elf)
{
	struct ea_fatbins f = { .window = ea_xmalloc(WINDOW_LARGE), .stride = UINT64_MAX };
	struct ea_image image;
	bool whole;

	ea_image_init(&image, file, elf, 12, 1);
	f.image = &image;
	whole = walk_all(&f);
	ea_image_release(&image);
	free(f.window);
	if (image.error)
		return image.error;
	if (f.n_entries == EA_LIMIT_FATBINS)
		ea_gaps_add(gaps, path, EA_GAP_LIMIT, "has more GPU code than is looked at");
	else if (!whole)
		ea_gaps_add(gaps, path, EA_GAP_UNREAD,
			    "has GPU code that is damaged or of an unknown form");
	if (f.n_arches)
		qsort(f.arches, f.n_arches, sizeof(f.arches[0]), compare_arches);
	elf->arches = ea_arena_dup_mem(arena, f.arches, f.n_arches * sizeof(f.arches[0]));
	elf->n_arches = f.n_arches;
	elf->arches_read = true;
	return 0;
}
