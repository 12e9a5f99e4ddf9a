/* Symbols that a file needs from others: those that its relocations name and it does not define. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/vec.h"
#include "elf/symtab.h"

#define CHUNK 65536u

/* A table of relocations in the file. */
struct relocations {
	uint64_t off, size;
	bool rela, lazy;
};

static uint64_t entry_size(const struct ea_image *image, bool rela)
{
	if (ea_image_is64(image))
		return rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	return rela ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel);
}

static bool find_table(const struct ea_image *image, uint64_t addr, uint64_t size, bool rela,
		       bool lazy, struct relocations *ret)
{
	*ret = (struct relocations){ .size = size, .rela = rela, .lazy = lazy };
	return addr && size && ea_image_offset(image, addr, size, &ret->off);
}

/* Of which class a relocation type is to ld.so: elf_machine_type_class() of each machine. */
static enum ea_use use_of_type(uint16_t machine, uint32_t type, bool lazy)
{
	switch (machine) {
	case EM_X86_64:
		switch (type) {
		case R_X86_64_COPY:
			return EA_USE_COPY;
		case R_X86_64_JUMP_SLOT:
		case R_X86_64_DTPMOD64:
		case R_X86_64_DTPOFF64:
		case R_X86_64_TPOFF64:
		case R_X86_64_TLSDESC:
			return EA_USE_PLT;
		default:
			return EA_USE_DATA;
		}
	case EM_AARCH64:
		switch (type) {
		case R_AARCH64_COPY:
			return EA_USE_COPY;
		case R_AARCH64_JUMP_SLOT:
		case R_AARCH64_TLS_DTPMOD:
		case R_AARCH64_TLS_DTPREL:
		case R_AARCH64_TLS_TPREL:
		case R_AARCH64_TLSDESC:
			return EA_USE_PLT;
		default:
			return EA_USE_DATA;
		}
	default:
		return lazy ? EA_USE_PLT : EA_USE_DATA;
	}
}

static void call_for(struct ea_symtab *t, const uint8_t *entry, bool lazy, ea_relocation_fn fn,
		     void *arg)
{
	const struct ea_image *image = &t->image;
	uint64_t info = ea_image_word(image, entry + (ea_image_is64(image) ? 8 : 4));
	uint32_t index = (uint32_t)(ea_image_is64(image) ? ELF64_R_SYM(info) : info >> 8);
	uint32_t type = (uint32_t)(ea_image_is64(image) ? ELF64_R_TYPE(info) : info & 0xff);

	/* Type 0 is R_<machine>_NONE everywhere. */
	t->table_is_hole &= type == 0;
	if (index && type && index < EA_LIMIT_SYMBOLS)
		fn(arg, index, lazy, use_of_type(image->elf->machine, type, lazy));
}

static int walk_table(struct ea_symtab *t, const struct relocations *r, ea_relocation_fn fn,
		      void *arg)
{
	uint64_t entsize = entry_size(&t->image, r->rela), done = 0;
	uint64_t step = CHUNK / entsize * entsize;
	uint64_t size = r->size / entsize * entsize;
	uint8_t *chunk = ea_xmalloc(CHUNK);
	int rc = 0;

	t->table_is_hole = size != 0;
	for (; rc == 0 && done < size; done += step) {
		size_t n = (size_t)(size - done < step ? size - done : step);

		rc = ea_file_read_full(t->image.file, chunk, n, r->off + done);
		for (size_t at = 0; rc == 0 && at < n; at += (size_t)entsize)
			call_for(t, chunk + at, r->lazy, fn, arg);
	}
	free(chunk);
	t->has_hole |= t->table_is_hole;
	return rc;
}

/* Without the relative ones in front, and without the PLT's, which some linkers count in. */
static void trim(const struct ea_image *image, struct relocations *r, uint64_t relative,
		 const struct relocations *plt)
{
	uint64_t skip;

	if (plt->off >= r->off && plt->off - r->off < r->size)
		r->size = plt->off - r->off;
	if (!ea_mul_u64(relative, entry_size(image, r->rela), &skip) || skip > r->size)
		return;
	r->off += skip;
	r->size -= skip;
}

int ea_symtab_relocations(struct ea_symtab *t, ea_relocation_fn fn, void *arg)
{
	const struct ea_dynamic_tables *d = &t->image.elf->tables;
	struct relocations plt, rela, rel;
	bool has_plt = find_table(&t->image, d->jmprel, d->pltrelsz, d->plt_is_rela, true, &plt);
	int rc = 0;

	if (find_table(&t->image, d->rela, d->relasz, true, false, &rela)) {
		trim(&t->image, &rela, d->relacount, &plt);
		rc = walk_table(t, &rela, fn, arg);
	}
	if (rc == 0 && find_table(&t->image, d->rel, d->relsz, false, false, &rel)) {
		trim(&t->image, &rel, d->relcount, &plt);
		rc = walk_table(t, &rel, fn, arg);
	}
	if (rc == 0 && has_plt)
		rc = walk_table(t, &plt, fn, arg);
	return rc;
}

/* ---- which symbols are used, and how ------------------------------------------------------- */

#define USED	 0x80u
#define USED_NOW 0x40u

struct uses {
	uint8_t *flags; /* per symbol index: these and EA_USE_ bits */
	uint32_t n;
	uint32_t *order; /* symbol indices as relocations first name them */
	uint32_t n_order, cap_order;
};

static void note_use(void *arg, uint32_t index, bool lazy, enum ea_use use)
{
	struct uses *uses = arg;

	if (index >= uses->n) {
		uint32_t n = uses->n ? uses->n : 1024;

		while (n <= index)
			n *= 2;
		uses->flags = ea_xrealloc(uses->flags, n);
		memset(uses->flags + uses->n, 0, n - uses->n);
		uses->n = n;
	}
	if (!uses->flags[index]) {
		if (uses->n_order == uses->cap_order) {
			uses->cap_order = uses->cap_order ? uses->cap_order * 2 : 1024;
			uses->order = ea_xrealloc(uses->order, uses->cap_order * sizeof(uint32_t));
		}
		uses->order[uses->n_order++] = index;
	}
	uses->flags[index] |= (uint8_t)((lazy ? USED : USED | USED_NOW) | use);
}

static int collect(struct ea_symtab *t, const struct uses *uses)
{
	EA_VEC(struct ea_undefined) list = { 0 };
	size_t names = 0;

	for (uint32_t i = 0; i < uses->n_order; i++) {
		uint32_t index = uses->order[i], name;
		struct ea_undefined *one;
		struct ea_symbol symbol;

		if (!ea_symtab_entry(t, index, &symbol, &name))
			return -EBADMSG;
		if (symbol.shndx != SHN_UNDEF || symbol.bind == STB_LOCAL)
			continue;
		symbol.name =
			ea_image_string(&t->image, t->strings + name, t->strings_end, t->arena);
		if (!symbol.name)
			return -EBADMSG;
		names += strlen(symbol.name) + 1;
		if (list.n == EA_LIMIT_UNDEFINED || names > EA_LIMIT_SYMBOL_NAMES)
			return -EFBIG;
		one = ea_vec_add(&list, t->arena);
		one->symbol = symbol;
		one->lazy = !(uses->flags[index] & USED_NOW);
		one->uses = uses->flags[index] & (EA_USE_DATA | EA_USE_PLT | EA_USE_COPY);
	}
	t->undefined = list.items;
	t->n_undefined = list.n;
	return 0;
}

/*
 * A table of relocations is a hole of a sparse file (a skeleton of a library has its tables, but
 * not its payload): every undefined symbol counts as used. They stand in front of those that are
 * hashed.
 */
static void note_all(const struct ea_symtab *t, struct uses *uses)
{
	uint32_t n = t->n_buckets ? t->first : t->n_chain;

	for (uint32_t i = 1; i < n && i < EA_LIMIT_SYMBOLS; i++)
		note_use(uses, i, t->image.elf->tables.jmprel != 0, EA_USE_PLT);
}

long ea_symtab_undefined(struct ea_symtab *t, const struct ea_undefined **ret)
{
	if (!t->undefined_known) {
		struct uses uses = { 0 };
		int rc = ea_symtab_relocations(t, note_use, &uses), error;

		if (rc == 0 && t->has_hole)
			note_all(t, &uses);
		if (rc == 0)
			rc = collect(t, &uses);
		free(uses.flags);
		free(uses.order);
		error = ea_symtab_take_error(t);
		if (error || rc)
			return error ? error : rc;
		t->undefined_known = true;
	}
	*ret = t->undefined;
	return (long)t->n_undefined;
}
