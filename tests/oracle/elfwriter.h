/* Shared by the files that write ELF files. */
#pragma once

#include <elf.h>

#include "elfspec.h"

struct elf_version {
	const char *name, *file; /* file NULL = defined here */
	uint16_t index, flags;
};

struct elf_writer {
	const struct elf_spec *spec;
	struct ea_arena *arena;
	struct ea_buf *out;
	size_t start;
	struct ea_buf strings;
	EA_VEC(struct elf_version) versions;
	EA_VEC(Elf64_Sym) symbols;
	EA_VEC(uint16_t) versyms;
	EA_VEC(Elf64_Dyn) tags;
	EA_VEC(Elf64_Rela) rela, plt;
	EA_VEC(const char *) def_names;
	uint32_t first_def, start_symbol;
	size_t slots, plt_slots;
};

uint32_t elf_add_string(struct elf_writer *w, const char *text);
void elf_add_tag(struct elf_writer *w, int64_t tag, uint64_t value);

/* Pads the file to a multiple of 8 and gives the offset. */
size_t elf_here(struct elf_writer *w);

/* elftables.c: all versions of the description get their indices. */
void elf_collect_versions(struct elf_writer *w);
void elf_write_versions(struct elf_writer *w);

/* Symbols, hash table and .gnu.version; definitions have the value CODE. */
void elf_write_symbols(struct elf_writer *w, uint64_t code);
