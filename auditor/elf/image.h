/*
 * An ELF file while it is being read: its bytes through a small cache of pages, its structures in
 * host byte order and 64-bit form, its addresses as offsets in the file. Private to elf/.
 *
 * What lies outside the file is simply not there (NULL or false). A read that fails sets `error`,
 * and from then on nothing is there: callers go on as if the file ended and look at `error` once.
 */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/num.h"
#include "fs/root.h"
#include "model/elf.h"

struct ea_page {
	uint8_t *bytes; /* NULL = free */
	uint64_t number;
	size_t len; /* less than a page at the end of the file */
};

struct ea_image {
	struct ea_file *file;
	const struct ea_elf *elf; /* header and segments, as far as they are known by now */
	int error;		  /* first negative errno of a read, -EA_E_AGAIN included */
	unsigned page_shift;
	unsigned n_sets; /* a power of two; each has EA_PAGE_WAYS pages */
	unsigned misses;
	struct ea_page *pages;
	uint8_t *victims; /* per set: the page to be replaced next */
};

#define EA_PAGE_WAYS 8u

void ea_image_init(struct ea_image *image, struct ea_file *file, const struct ea_elf *elf,
		   unsigned page_shift, unsigned n_sets);
void ea_image_release(struct ea_image *image);

/*
 * LEN bytes at OFF: inside the cache, or in SCRATCH (of at least LEN bytes) where they cross pages.
 * Valid until the next call.
 */
const void *ea_image_bytes(struct ea_image *image, uint64_t off, size_t len, void *scratch);

/* Bytes from OFF to the end of its page or of the file; NULL with 0 behind the end. */
const uint8_t *ea_image_span(struct ea_image *image, uint64_t off, size_t *ret_len);

/*
 * The string at OFF, copied; NULL if it does not end in front of END, or is longer than
 * EA_LIMIT_STRING.
 */
const char *ea_image_string(struct ea_image *image, uint64_t off, uint64_t end,
			    struct ea_arena *arena);

/* ---- addresses ----------------------------------------------------------------------------- */

/* Where the LEN bytes at ADDR lie in the file; false unless one segment holds them all. */
bool ea_image_offset(const struct ea_image *image, uint64_t addr, uint64_t len, uint64_t *ret_off);

/* As above for a table of unknown size: *ret_end is where its segment ends in the file. */
bool ea_image_range(const struct ea_image *image, uint64_t addr, uint64_t *ret_off,
		    uint64_t *ret_end);

/* ---- structures, at an offset in the file -------------------------------------------------- */

static inline bool ea_image_is64(const struct ea_image *image)
{
	return image->elf->ident[EI_CLASS] == ELFCLASS64;
}

static inline bool ea_image_swapped(const struct ea_image *image)
{
	return image->elf->ident[EI_DATA] == ELFDATA2MSB;
}

bool ea_image_ehdr(struct ea_image *image, Elf64_Ehdr *ret);
bool ea_image_phdr(struct ea_image *image, uint64_t off, Elf64_Phdr *ret);
bool ea_image_shdr(struct ea_image *image, uint64_t off, Elf64_Shdr *ret);
bool ea_image_dyn(struct ea_image *image, uint64_t off, Elf64_Dyn *ret);
bool ea_image_sym(struct ea_image *image, uint64_t off, Elf64_Sym *ret);

static inline size_t ea_image_phdr_size(const struct ea_image *image)
{
	return ea_image_is64(image) ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
}

static inline size_t ea_image_shdr_size(const struct ea_image *image)
{
	return ea_image_is64(image) ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

static inline size_t ea_image_dyn_size(const struct ea_image *image)
{
	return ea_image_is64(image) ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);
}

static inline size_t ea_image_sym_size(const struct ea_image *image)
{
	return ea_image_is64(image) ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

/*
 * Single numbers out of hash tables, version records, notes and relocations: these are walked word
 * by word, while libelf translates whole tables.
 */
static inline uint16_t ea_image_u16(const struct ea_image *image, const void *ptr)
{
	return ea_image_swapped(image) ? __builtin_bswap16(ea_le16(ptr)) : ea_le16(ptr);
}

static inline uint32_t ea_image_u32(const struct ea_image *image, const void *ptr)
{
	return ea_image_swapped(image) ? __builtin_bswap32(ea_le32(ptr)) : ea_le32(ptr);
}

static inline uint64_t ea_image_u64(const struct ea_image *image, const void *ptr)
{
	return ea_image_swapped(image) ? __builtin_bswap64(ea_le64(ptr)) : ea_le64(ptr);
}

/* A number of the class's word size. */
static inline uint64_t ea_image_word(const struct ea_image *image, const void *ptr)
{
	return ea_image_is64(image) ? ea_image_u64(image, ptr) : ea_image_u32(image, ptr);
}

/* The 32-bit number at an offset; false behind the end. */
bool ea_image_read_u32(struct ea_image *image, uint64_t off, uint32_t *ret);
