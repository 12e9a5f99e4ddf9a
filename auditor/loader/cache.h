/*
 * ld.so.cache: the index of libraries that ldconfig writes, in its three layouts (the one of libc5
 * and early glibc, that one with the new one inside it, and the new one alone, with extensions).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "loader/policy.h"
#include "model/launch.h"

#define EA_LD_CACHE_PATH "/etc/ld.so.cache"

/* Views into the file's bytes. */
struct ea_ld_cache {
	struct ea_str file;
	uint64_t entries; /* offset of the first entry in the file */
	uint32_t n_entries;
	uint32_t entry_size;
	uint64_t strings;      /* offset to which keys and values are relative */
	uint64_t strings_size; /* what they have to be below */
	uint64_t hwcaps;       /* offset of the array of hwcaps names, 0 = none */
	uint32_t n_hwcaps;
	struct ea_str
		generator; /* "ldconfig (Debian GLIBC 2.36-9) stable release…"; may be empty */
};

struct ea_ld_cache_entry {
	int32_t flags; /* 0x0303: a 64-bit library for x86-64 */
	struct ea_str key, value;
	uint32_t osversion;
	uint64_t hwcap;
	struct ea_str hwcaps_folder; /* "x86-64-v3" for an entry out of glibc-hwcaps; else empty */
};

/* 0, or 1 when ld.so would not take FILE for a cache. FILE must live as long as *RET. */
int ea_ld_cache_parse(struct ea_str file, struct ea_ld_cache *ret);

/* Entry INDEX in the file's order; false when its key or value lies outside the file. */
bool ea_ld_cache_at(const struct ea_ld_cache *cache, uint32_t index, struct ea_ld_cache_entry *ret);

/* Who asks: decides which entries can be used. */
struct ea_ld_cache_asker {
	const struct ea_policy *policy;
	const struct ea_cpu *cpu;
	uint16_t machine; /* e_machine */
	uint32_t kernel;  /* as in struct ea_launch */
};

/* The one path that ld.so would try for NAME; 1 if it would try none, -1 if it would die. */
int ea_ld_cache_lookup(const struct ea_ld_cache *cache, const char *name,
		       const struct ea_ld_cache_asker *asker, struct ea_str *ret_path);

/*
 * Order of names in the cache: runs of digits count as numbers, so that libx.so.9 comes before
 * libx.so.10.
 */
int ea_ld_cache_compare(struct ea_str a, struct ea_str b);
