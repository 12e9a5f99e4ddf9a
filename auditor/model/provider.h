/*
 * How the loader asks the world. scan/ implements it over a root; tests implement it over made-up
 * objects. What was not read yet is read when it is asked for; answers never change within a run.
 *
 * Paths are absolute inside the root and may contain symbolic links, `.` and `..` as the loader
 * composes them; the provider resolves them as open(2) would.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"
#include "model/elf.h"

/* What open(2) and the first read gave for a path. */
struct ea_opened {
	const struct ea_elf *elf;	/* set when error is 0; a folder has none */
	bool is_dir;
	uint64_t dev, ino;
	const char *real;		/* path after all symbolic links */
};

/* One entry of a dynamic symbol table. */
struct ea_symbol {
	const char *name;
	uint32_t index;		/* in .dynsym */
	uint64_t value, size;
	uint16_t shndx;		/* SHN_UNDEF, SHN_ABS… */
	uint16_t versym;	/* raw, hidden bit included; 1 (VER_NDX_GLOBAL) if there is no table */
	uint8_t type, bind, visibility;	/* STT_, STB_, STV_ */
};

/* How relocations use a symbol: ld.so's classes of relocation types. */
enum ea_use {
	EA_USE_DATA = 1,	/* an address in data or a GOT slot */
	EA_USE_PLT = 2,		/* a PLT slot or a TLS relocation: undefined entries never satisfy it */
	EA_USE_COPY = 4,	/* a copy relocation: the program itself is not searched */
};

/* An undefined symbol and how the object's relocations use it. */
struct ea_undefined {
	struct ea_symbol symbol;
	bool lazy;		/* only by PLT slots: bound at the first call unless NOW applies */
	uint8_t uses;		/* EA_USE_ bits */
};

struct ea_names {
	EA_VEC(const char *) list;
};

/* The loader alone needs neither `list` nor `version`. */
struct ea_provider {
	void *ctx;

	/* 0 with *ret set, or the positive errno that open(2) gives (ENOENT, EACCES, ELOOP, ENOTDIR…). */
	int (*open)(void *ctx, const char *path, struct ea_opened *ret);

	/* 0 if PATH is a folder (links followed), else the errno of stat(2), ENOTDIR for anything else. */
	int (*dir)(void *ctx, const char *path);

	/* Whole content of a small text or cache file, in memory that lives as long as the provider; else errno. */
	int (*read)(void *ctx, const char *path, size_t limit, struct ea_str *ret);

	/* Names in the folder PATH, sorted, in memory that lives as long as the provider; else errno. */
	int (*list)(void *ctx, const char *path, struct ea_names *ret);

	/* Exact version of an object, as far as it is known by now; NULL = unknown. */
	const char *(*version)(void *ctx, const struct ea_elf *elf);

	/*
	 * All entries of the symbol hash table with this name, in chain order, defined or not: at most MAX
	 * are stored, the count is returned.
	 */
	uint32_t (*lookup)(void *ctx, const struct ea_elf *elf, const char *name, uint32_t gnu_hash,
			   struct ea_symbol *ret, uint32_t max);

	/*
	 * Symbols that the object's relocations need from others, in the order in which ld.so comes to
	 * them: first those of DT_REL and DT_RELA, then those that only PLT slots name.
	 */
	uint32_t (*undefined)(void *ctx, const struct ea_elf *elf, const struct ea_undefined **ret);
};
