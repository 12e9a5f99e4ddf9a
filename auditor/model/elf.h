/*
 * An elf: what was read of the content of one file that is, or should be, an ELF object. One inode, one
 * record, however many paths lead to it (those are copies, model/copy.h). Nothing in it depends on
 * the path. Filled by elf/, looked at by everyone; all pointers live in the arena of the world.
 *
 * Names and meanings are those of the ELF gABI and of <elf.h>.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What the bytes are. Everything but ELF has only size and faults. */
enum ea_format {
	EA_FORMAT_UNREAD,	/* not read yet, or not readable */
	EA_FORMAT_ELF,
	EA_FORMAT_EMPTY,
	EA_FORMAT_LINKER_SCRIPT,
	EA_FORMAT_LFS_POINTER,	/* git-lfs pointer text instead of the content */
	EA_FORMAT_HTML,		/* an error page that was saved as a library */
	EA_FORMAT_TEXT,
	EA_FORMAT_ARCHIVE,	/* ar(1) archive */
	EA_FORMAT_MACHO,
	EA_FORMAT_PE,
	EA_FORMAT_COMPRESSED,	/* gzip, xz, zstd, bzip2, zip */
	EA_FORMAT_DATA,		/* anything else */
	EA_FORMAT_MAX_
};

/*
 * X(enum suffix, JSON word, what a person reads)
 * The file alone shows all but ENDIAN and OTHER_MACHINE, which depend on the target: scan sets these.
 * A file that is NOT_ELF has no other fault. Behind a cut no further damage is looked for.
 */
#define EA_ELF_FAULTS(X)                                                                           \
	X(NOT_ELF, "not-elf", "is not an ELF file")                                                \
	X(TOO_SHORT, "too-short", "is shorter than an ELF header")                                 \
	X(BAD_HEADER, "bad-header", "has an ELF header that no loader accepts")                    \
	X(ENDIAN, "wrong-endianness", "has the other byte order")                                  \
	X(CUT_PHDRS, "phdrs-cut", "ends before its program headers")                               \
	X(CUT_SEGMENTS, "segments-cut", "ends before its last loadable segment")                   \
	X(CUT_SECTIONS, "sections-cut", "ends before its section headers")                         \
	X(BAD_DYNAMIC, "bad-dynamic", "has a damaged dynamic section")                             \
	X(OTHER_MACHINE, "other-machine", "is for another processor")

enum ea_elf_fault {
#define X(name, word, text) EA_FAULT_##name##_BIT,
	EA_ELF_FAULTS(X)
#undef X
	EA_FAULT_COUNT
};

#define EA_FAULT(name) (1u << EA_FAULT_##name##_BIT)

struct ea_segment {	/* one PT_LOAD */
	uint64_t offset, filesz, vaddr, memsz, align;
	uint32_t flags;
};

struct ea_verdef {
	const char *name;
	uint32_t hash;
	uint16_t flags;		/* VER_FLG_BASE, VER_FLG_WEAK */
	uint16_t index;		/* vd_ndx */
};

struct ea_vernaux {
	const char *name;
	uint32_t hash;
	uint16_t flags;		/* VER_FLG_WEAK */
	uint16_t index;		/* vna_other */
};

struct ea_verneed {
	const char *file;
	struct ea_vernaux *aux;
	uint32_t n_aux;
};

enum ea_stack {
	EA_STACK_ABSENT,	/* no PT_GNU_STACK: the ABI default holds */
	EA_STACK_PLAIN,
	EA_STACK_EXEC,
};

/* Addresses and sizes out of the dynamic section, for reading symbols on demand; 0 = absent. */
struct ea_dynamic_tables {
	uint64_t symtab, strtab, strsz, gnu_hash, hash, versym;
	uint64_t rela, relasz, relacount, rel, relsz, relcount, jmprel, pltrelsz;
	bool plt_is_rela;
	bool relr;
};

/* One kind of GPU code embedded in the file. */
enum ea_gpu_code {
	EA_GPU_CUBIN = 1,	/* machine code: sm_NN */
	EA_GPU_PTX,		/* compiled by the driver: compute_NN */
	EA_GPU_LTO,		/* input of nvJitLink: lto_NN */
};

struct ea_gpu_arch {
	enum ea_gpu_code code;
	uint16_t arch;		/* 90 for sm_90 */
	char variant;		/* 'a', 'f' or 0 */
	uint32_t entries;	/* fatbin entries of this kind */
};

/* Where a version was read, best first. X(enum suffix, JSON word) */
#define EA_VERSION_SOURCES(X)                                                                      \
	X(OBJECT, "object")	/* a version variable in the file */                               \
	X(GETTER, "getter")	/* the constant in the body of its version function */             \
	X(BUILD_ID, "build-id")	/* its build-id is one of a known release */                       \
	X(SYMBOL, "symbol")	/* a versioned symbol name */                                      \
	X(BANNER, "banner")	/* a banner string in the file */                                  \
	X(SONAME, "soname")	/* a SONAME that carries it */                                     \
	X(METADATA, "metadata")	/* version.py and the like of the package it belongs to */         \
	X(FILENAME, "filename")	/* the real file name */                                           \
	X(PACKAGE, "package")	/* the package that owns it */                                     \
	X(SIBLING, "sibling")	/* another member of the same set in the same folder */

enum ea_version_source {
	EA_VERSION_UNKNOWN,
#define X(name, word) EA_VERSION_BY_##name,
	EA_VERSION_SOURCES(X)
#undef X
	EA_VERSION_SOURCE_MAX_
};

/* What one source says. A file may have several; scan picks the best and reports contradictions. */
struct ea_version_claim {
	enum ea_version_source source;
	const char *text;
	const char *detail;	/* symbol, file or package that said it; may be NULL */
	struct ea_version_claim *next;
};

struct ea_elf {
	uint32_t id;			/* index in world.elfs + 1 */
	uint64_t dev, ino, size;	/* size as stat gave it */
	enum ea_format format;
	uint32_t faults;		/* EA_FAULT bits */

	/* ELF header, fields in host order, as far as the file reaches */
	uint8_t ident[16];
	uint16_t type, machine, phentsize, phnum;
	uint32_t version, flags;
	uint64_t phoff, shoff;

	/* program headers */
	struct ea_segment *loads;
	uint32_t n_loads;
	uint64_t load_end;		/* end of the last PT_LOAD in the file */
	const char *interp;
	bool privileged;		/* has one, and rights of its own: set-user-ID, set-group-ID or capabilities */
	enum ea_stack stack;
	bool has_dynamic;		/* PT_DYNAMIC present and not empty in the file */
	bool has_tls;

	/* dynamic section; strings NULL when absent */
	const char *soname, *rpath, *runpath, *audit, *depaudit;
	const char **needed, **filter, **auxiliary;
	uint32_t n_needed, n_filter, n_auxiliary;
	uint64_t dt_flags, dt_flags_1;	/* DT_SYMBOLIC, DT_BIND_NOW, DT_TEXTREL are folded into dt_flags */
	struct ea_dynamic_tables tables;

	struct ea_verdef *verdefs;
	struct ea_verneed *verneeds;
	uint32_t n_verdefs, n_verneeds;

	/* whole content, where it was needed (scan/verify.h) */
	uint8_t sha256[32];
	bool has_sha256;

	/* notes */
	uint8_t build_id[32];
	uint8_t build_id_len;		/* 0 = none */
	bool has_abi_tag;
	uint32_t abi_tag[4];		/* NT_GNU_ABI_TAG: os, major, minor, subminor */
	uint32_t isa_needed;		/* GNU_PROPERTY_X86_ISA_1_NEEDED */
	uint32_t features_1;		/* GNU_PROPERTY_*_FEATURE_1_AND */
	const char *fwd_compat;		/* .note.cuda.fwd_compatibility JSON of a cuda-compat libcuda */

	/* what it is and which version; set by scan from matrices/libraries.cfg */
	const struct ea_family *family;	/* model/family.h; NULL = no known GPU library */
	struct ea_version_claim *claims;	/* best first */
	const char *exact_version;	/* NULL = unknown */
	enum ea_version_source version_source;

	struct ea_gpu_arch *arches;
	uint32_t n_arches;
	bool arches_read;		/* false: not looked for, n_arches says nothing */
};

extern const char *const ea_format_names[EA_FORMAT_MAX_];
extern const char *const ea_fault_words[EA_FAULT_COUNT];
extern const char *const ea_fault_texts[EA_FAULT_COUNT];
extern const char *const ea_version_source_words[EA_VERSION_SOURCE_MAX_];

/* "sm_90a", "compute_80", "lto_90": written to BUF of at least 24 bytes, which is returned. */
const char *ea_gpu_arch_text(const struct ea_gpu_arch *arch, char buf[24]);

/* EM_X86_64 -> "x86_64", as uname -m says it; "machine-NNN" goes to BUF of at least 24 bytes. */
const char *ea_machine_name(uint16_t machine, char buf[24]);
