/*
 * Descriptions of small ELF files, and writing them directly: a compiler call for each would be too
 * slow for thousands of cases. Every file has one segment that is all of it, a stub that calls
 * dlopen from inside it (its e_entry), and exactly the tags, symbols and versions of its
 * description.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"

struct elf_symbol {
	const char *name;
	const char *version; /* NULL = unversioned */
	const char *file;    /* undefined ones: of the Verneed entry */
	bool hidden_version; /* name@V instead of name@@V */
	bool weak, unique;
	bool invisible; /* STV_HIDDEN */
	bool zero;	/* defined ones: absolute, with the value 0 */
	bool data;	/* undefined ones: by a GOT slot instead of a PLT slot */
};

/* A version that is needed without a symbol that uses it. */
struct elf_need {
	const char *file, *version;
	bool weak;
};

struct elf_poke { /* one byte changed in the finished file */
	uint32_t offset;
	uint8_t value;
};

enum elf_stack {
	ELF_STACK_PLAIN,
	ELF_STACK_NONE,
	ELF_STACK_EXEC,
};

struct elf_spec {
	const char *interp;		      /* NULL = a library */
	const char *soname, *rpath, *runpath; /* NULL = no tag; "" is a tag with an empty text */
	EA_VEC(const char *) needed, filter, auxiliary;
	EA_VEC(struct elf_symbol) defs, undefs;
	EA_VEC(const char *) versions; /* defined; versions of defs are added */
	EA_VEC(struct elf_need) needs;
	EA_VEC(struct elf_poke) pokes;
	uint64_t flags, flags_1; /* DF_, DF_1_ */
	enum elf_stack stack;
	uint32_t kernel;	/* of NT_GNU_ABI_TAG, 0 = no note */
	uint32_t isa;		/* GNU_PROPERTY_X86_ISA_1_NEEDED, 0 = no note */
	uint32_t cut;		/* size to cut the file down to; 0 = whole */
	uint32_t pad;		/* bytes in front of the dynamic section */
	uint32_t align;		/* p_align of the segment; 0 = a page */
	uint32_t skew;		/* added to p_vaddr */
	uint16_t type, machine; /* 0 = ET_DYN, elf_machine */
	bool class32;		/* says it is a 32-bit file */
	bool sysv_hash;
	bool relr; /* has an empty DT_RELR */
	bool no_dynamic, no_load;
};

/* For which machine programs and libraries are written: EM_X86_64, EM_AARCH64. */
extern uint16_t elf_machine;

/* Appends the file to OUT. ARENA for scratch. */
void elf_write(const struct elf_spec *spec, struct ea_arena *arena, struct ea_buf *out);
