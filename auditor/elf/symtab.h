/* What the parts of a symbol table share. Private to elf/. */
#pragma once

#include "elf/elf.h"
#include "elf/image.h"

struct ea_symtab {
	struct ea_image image;
	struct ea_arena *arena;
	uint64_t symbols, symbols_end; /* offsets in the file */
	uint64_t strings, strings_end;
	uint64_t versym, versym_end; /* 0, 0 = none */

	/* DT_GNU_HASH; n_buckets 0 = none */
	uint32_t n_buckets, first, n_bloom, bloom_shift;
	uint64_t bloom_at, buckets, chains, chains_end;
	uint8_t *bloom; /* read as a whole after some look-ups; NULL before */
	uint32_t n_lookups;

	/* DT_HASH; n_heads 0 = none */
	uint32_t n_heads, n_chain;
	size_t word; /* bytes of its numbers: 8 on s390x and alpha */
	uint64_t heads;

	/* answer of ea_symtab_undefined(), once it was given */
	const struct ea_undefined *undefined;
	uint32_t n_undefined;
	bool undefined_known;
	bool table_is_hole; /* the table that is walked over: nothing but R_<machine>_NONE */
	bool has_hole;	    /* there was such a table */
};

/* What reading has come to since the last call, 0 or negative errno; the next reading tries again.
 */
int ea_symtab_take_error(struct ea_symtab *table);

/* Entry INDEX without its name; false if it lies outside of the file. *ret_name is st_name. */
bool ea_symtab_entry(struct ea_symtab *table, uint32_t index, struct ea_symbol *ret,
		     uint32_t *ret_name);

/* A relocation that uses symbol INDEX; LAZY: by a PLT slot. */
typedef void (*ea_relocation_fn)(void *arg, uint32_t index, bool lazy, enum ea_use use);

/* Calls FN for each of them, in the order in which ld.so comes to them. 0 or negative errno. */
int ea_symtab_relocations(struct ea_symtab *table, ea_relocation_fn fn, void *arg);
