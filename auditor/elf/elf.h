/*
 * Reads what is to be known of an ELF file. The only folder that uses libelf (its translation
 * between file and memory forms); reading goes through fs, so that a file need not have a
 * descriptor.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "fs/root.h"
#include "model/elf.h"
#include "model/family.h"
#include "model/gap.h"
#include "model/provider.h"

/* Once, before any other call and before threads start. */
void ea_elf_init(void);

/*
 * Reads header, program headers, dynamic section, versions and notes of FILE into *ret (dev, ino
 * and size are those of file->stat). Faults are facts in it. 0 also for files that are no ELF. What
 * could not be read is a gap under PATH. -EA_E_AGAIN: call again after ea_root_advance().
 */
EA_MUST_CHECK int ea_elf_read(struct ea_file *file, const char *path, struct ea_arena *arena,
			      struct ea_gaps *gaps, struct ea_elf *ret);

/* Adds to elf->claims what FAMILY's getters find in the file; best first. Same results as above. */
EA_MUST_CHECK int ea_elf_read_version(struct ea_file *file, const struct ea_family *family,
				      struct ea_arena *arena, struct ea_elf *elf);

/* Fills elf->arches from the headers of its fatbins. */
EA_MUST_CHECK int ea_elf_read_arches(struct ea_file *file, const char *path, struct ea_arena *arena,
				     struct ea_gaps *gaps, struct ea_elf *elf);

/* ---- symbols on demand: nothing is read before it is asked for ----------------------------- */

struct ea_symtab;

/*
 * FILE and ELF must stay as long as the table is used; ARENA holds what ea_symtab_undefined()
 * gives. 1 when the file has no dynamic symbol table. One table serves one thread at a time.
 */
EA_MUST_CHECK int ea_symtab_open(struct ea_file *file, const struct ea_elf *elf,
				 struct ea_arena *arena, struct ea_symtab **ret);
void ea_symtab_close(struct ea_symtab *table); /* NULL is fine */

/* Hash of a name as DT_GNU_HASH uses it. */
uint32_t ea_symtab_gnu_hash(const char *name);

/*
 * As ea_provider.lookup: the number of entries called NAME (their name is NAME itself), or a
 * negative errno. Uses DT_GNU_HASH, else DT_HASH. -EBADMSG: the hash table is damaged.
 */
long ea_symtab_lookup(struct ea_symtab *table, const char *name, uint32_t gnu_hash,
		      struct ea_symbol *ret, uint32_t max);

/*
 * As ea_provider.undefined: symbols that relocations name and the file does not define. The first
 * call reads them, later ones give the same. -EFBIG: more than EA_LIMIT_UNDEFINED.
 */
long ea_symtab_undefined(struct ea_symtab *table, const struct ea_undefined **ret);

/*
 * Calls FN for every entry but the null symbol, whose name is valid during the call; stops when it
 * returns non-zero, which is returned. The number of entries is what the hash table says; symbols
 * that no hash table and no relocation knows of are not seen.
 */
int ea_symtab_each(struct ea_symtab *table, int (*fn)(void *arg, const struct ea_symbol *symbol),
		   void *arg);
