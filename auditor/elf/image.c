/* Bytes, structures and addresses of an ELF file. */
#include "elf/image.h"

#include <errno.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

/*
 * The tables of most files lie in two to four places. Where they are scattered, few large reads are
 * better than many small ones.
 */
#define PATIENCE    5u
#define LARGE_SHIFT 16u

void ea_image_init(struct ea_image *image, struct ea_file *file, const struct ea_elf *elf,
		   unsigned page_shift, unsigned n_sets)
{
	size_t n_pages = (size_t)n_sets * EA_PAGE_WAYS;

	*image = (struct ea_image){
		.file = file,
		.elf = elf,
		.page_shift = page_shift,
		.n_sets = n_sets,
		.pages = ea_xmalloc(n_pages * sizeof(struct ea_page)),
		.victims = ea_xmalloc(n_sets),
	};
	memset(image->pages, 0, n_pages * sizeof(struct ea_page));
	memset(image->victims, 0, n_sets);
}

static void drop_pages(struct ea_image *image)
{
	for (size_t i = 0; i < (size_t)image->n_sets * EA_PAGE_WAYS; i++) {
		free(image->pages[i].bytes);
		image->pages[i] = (struct ea_page){ 0 };
	}
}

void ea_image_release(struct ea_image *image)
{
	drop_pages(image);
	free(image->pages);
	free(image->victims);
}

static struct ea_page *load_page(struct ea_image *image, uint64_t number)
{
	size_t page_size = (size_t)1 << image->page_shift;
	unsigned set = (unsigned)number & (image->n_sets - 1);
	struct ea_page *page = &image->pages[set * EA_PAGE_WAYS + image->victims[set]];
	long n;

	image->misses++;
	image->victims[set] = (uint8_t)((image->victims[set] + 1u) % EA_PAGE_WAYS);
	if (!page->bytes)
		page->bytes = ea_xmalloc(page_size);
	page->number = UINT64_MAX;
	n = ea_file_read(image->file, page->bytes, page_size, number << image->page_shift);
	if (n < 0) {
		image->error = (int)n;
		return NULL;
	}
	page->number = number;
	page->len = (size_t)n;
	return page;
}

const uint8_t *ea_image_span(struct ea_image *image, uint64_t off, size_t *ret_len)
{
	struct ea_page *page = NULL;
	uint64_t number;
	unsigned set;
	size_t at;

	*ret_len = 0;
	if (image->error || off >= image->file->stat.size)
		return NULL;
	number = off >> image->page_shift;
	set = (unsigned)number & (image->n_sets - 1);
	for (unsigned i = 0; i < EA_PAGE_WAYS && !page; i++) {
		struct ea_page *one = &image->pages[set * EA_PAGE_WAYS + i];

		if (one->bytes && one->number == number)
			page = one;
	}
	if (!page && image->misses == PATIENCE && image->page_shift < LARGE_SHIFT) {
		drop_pages(image);
		image->page_shift = LARGE_SHIFT;
		number = off >> LARGE_SHIFT;
	}
	if (!page)
		page = load_page(image, number);
	if (!page)
		return NULL;
	at = (size_t)(off - (number << image->page_shift));
	if (at >= page->len) {
		image->error = -ENODATA; /* it was longer when it was opened */
		return NULL;
	}
	*ret_len = page->len - at;
	return page->bytes + at;
}

const void *ea_image_bytes(struct ea_image *image, uint64_t off, size_t len, void *scratch)
{
	const uint8_t *span;
	size_t done = 0, n;

	if (!ea_range_ok(off, len, image->file->stat.size))
		return NULL;
	span = ea_image_span(image, off, &n);
	if (span && n >= len)
		return span;
	while (span) {
		if (n > len - done)
			n = len - done;
		memcpy((uint8_t *)scratch + done, span, n);
		done += n;
		if (done == len)
			return scratch;
		span = ea_image_span(image, off + done, &n);
	}
	return NULL;
}

const char *ea_image_string(struct ea_image *image, uint64_t off, uint64_t end,
			    struct ea_arena *arena)
{
	uint64_t at = off;
	const uint8_t *span;
	size_t n, len;
	char *text;

	do {
		span = at < end && at - off <= EA_LIMIT_STRING ? ea_image_span(image, at, &n)
							       : NULL;
		if (!span)
			return NULL;
		if (n > end - at)
			n = (size_t)(end - at);
		len = strnlen((const char *)span, n);
		at += len;
	} while (len == n);
	if (at - off > EA_LIMIT_STRING)
		return NULL;
	if (len == at - off) /* in one page: no second look-up */
		return ea_arena_dup_str(arena, (struct ea_str){ (const char *)span, len });
	len = (size_t)(at - off);
	text = ea_arena_alloc(arena, len + 1);
	span = ea_image_bytes(image, off, len, text);
	if (!span)
		return NULL;
	if (span != (const uint8_t *)text)
		memcpy(text, span, len);
	return text;
}

bool ea_image_read_u32(struct ea_image *image, uint64_t off, uint32_t *ret)
{
	uint32_t scratch;
	const void *ptr = ea_image_bytes(image, off, sizeof(scratch), &scratch);

	if (ptr)
		*ret = ea_image_u32(image, ptr);
	return ptr != NULL;
}

/* ---- addresses ----------------------------------------------------------------------------- */

bool ea_image_range(const struct ea_image *image, uint64_t addr, uint64_t *ret_off,
		    uint64_t *ret_end)
{
	const struct ea_elf *elf = image->elf;

	for (uint32_t i = 0; i < elf->n_loads; i++) {
		const struct ea_segment *load = &elf->loads[i];
		uint64_t off;

		if (addr < load->vaddr || addr - load->vaddr >= load->filesz)
			continue;
		if (!ea_add_u64(load->offset, addr - load->vaddr, &off) || off >= elf->size)
			return false;
		*ret_off = off;
		*ret_end = elf->size - load->offset < load->filesz ? elf->size
								   : load->offset + load->filesz;
		return true;
	}
	return false;
}

bool ea_image_offset(const struct ea_image *image, uint64_t addr, uint64_t len, uint64_t *ret_off)
{
	uint64_t off, end;

	if (!ea_image_range(image, addr, &off, &end) || len > end - off)
		return false;
	*ret_off = off;
	return true;
}

/* ---- structures ---------------------------------------------------------------------------- */

/* The structure at OFF, SIZE bytes in the file and in memory, in host byte order. */
static bool translate(struct ea_image *image, Elf_Type type, uint64_t off, void *ret, size_t size)
{
	unsigned order = image->elf->ident[EI_DATA];
	uint8_t scratch[sizeof(Elf64_Shdr)];
	const void *bytes = ea_image_bytes(image, off, size, scratch);
	Elf_Data in = { .d_type = type, .d_version = EV_CURRENT, .d_size = size };
	Elf_Data out = { .d_buf = ret, .d_type = type, .d_version = EV_CURRENT, .d_size = size };

	if (!bytes)
		return false;
	memcpy(ret, bytes, size);
	in.d_buf = ret;
	return (ea_image_is64(image) ? elf64_xlatetom(&out, &in, order)
				     : elf32_xlatetom(&out, &in, order)) != NULL;
}

bool ea_image_ehdr(struct ea_image *image, Elf64_Ehdr *ret)
{
	Elf32_Ehdr e;

	if (ea_image_is64(image))
		return translate(image, ELF_T_EHDR, 0, ret, sizeof(*ret));
	if (!translate(image, ELF_T_EHDR, 0, &e, sizeof(e)))
		return false;
	*ret = (Elf64_Ehdr){
		.e_type = e.e_type,
		.e_machine = e.e_machine,
		.e_version = e.e_version,
		.e_entry = e.e_entry,
		.e_phoff = e.e_phoff,
		.e_shoff = e.e_shoff,
		.e_flags = e.e_flags,
		.e_ehsize = e.e_ehsize,
		.e_phentsize = e.e_phentsize,
		.e_phnum = e.e_phnum,
		.e_shentsize = e.e_shentsize,
		.e_shnum = e.e_shnum,
		.e_shstrndx = e.e_shstrndx,
	};
	memcpy(ret->e_ident, e.e_ident, sizeof(ret->e_ident));
	return true;
}

bool ea_image_phdr(struct ea_image *image, uint64_t off, Elf64_Phdr *ret)
{
	Elf32_Phdr p;

	if (ea_image_is64(image))
		return translate(image, ELF_T_PHDR, off, ret, sizeof(*ret));
	if (!translate(image, ELF_T_PHDR, off, &p, sizeof(p)))
		return false;
	*ret = (Elf64_Phdr){
		.p_type = p.p_type,
		.p_flags = p.p_flags,
		.p_offset = p.p_offset,
		.p_vaddr = p.p_vaddr,
		.p_paddr = p.p_paddr,
		.p_filesz = p.p_filesz,
		.p_memsz = p.p_memsz,
		.p_align = p.p_align,
	};
	return true;
}

bool ea_image_shdr(struct ea_image *image, uint64_t off, Elf64_Shdr *ret)
{
	Elf32_Shdr s;

	if (ea_image_is64(image))
		return translate(image, ELF_T_SHDR, off, ret, sizeof(*ret));
	if (!translate(image, ELF_T_SHDR, off, &s, sizeof(s)))
		return false;
	*ret = (Elf64_Shdr){
		.sh_name = s.sh_name,
		.sh_type = s.sh_type,
		.sh_flags = s.sh_flags,
		.sh_addr = s.sh_addr,
		.sh_offset = s.sh_offset,
		.sh_size = s.sh_size,
		.sh_link = s.sh_link,
		.sh_info = s.sh_info,
		.sh_addralign = s.sh_addralign,
		.sh_entsize = s.sh_entsize,
	};
	return true;
}

bool ea_image_dyn(struct ea_image *image, uint64_t off, Elf64_Dyn *ret)
{
	Elf32_Dyn d;

	if (ea_image_is64(image))
		return translate(image, ELF_T_DYN, off, ret, sizeof(*ret));
	if (!translate(image, ELF_T_DYN, off, &d, sizeof(d)))
		return false;
	*ret = (Elf64_Dyn){ .d_tag = (uint32_t)d.d_tag, .d_un.d_val = d.d_un.d_val };
	return true;
}

bool ea_image_sym(struct ea_image *image, uint64_t off, Elf64_Sym *ret)
{
	Elf32_Sym s;

	if (ea_image_is64(image))
		return translate(image, ELF_T_SYM, off, ret, sizeof(*ret));
	if (!translate(image, ELF_T_SYM, off, &s, sizeof(s)))
		return false;
	*ret = (Elf64_Sym){
		.st_name = s.st_name,
		.st_info = s.st_info,
		.st_other = s.st_other,
		.st_shndx = s.st_shndx,
		.st_value = s.st_value,
		.st_size = s.st_size,
	};
	return true;
}
