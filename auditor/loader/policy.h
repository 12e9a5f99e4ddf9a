/*
 * What changed in glibc's loader over the versions, as one table: a habit, the first and the last
 * minor version of glibc 2 that has it, and where that is known from. Code asks ea_policy_has() and
 * never compares versions.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define EA_GLIBC_OLDEST 17  /* older ones are taken for it */
#define EA_GLIBC_NEWEST 43  /* newer ones are taken for it */
#define EA_GLIBC_STILL	255 /* "until" of what the newest still does */

/* X(name, since, until, what it does; what says from when) */
#define EA_POLICIES(X)                                                                             \
	X(GLIBC_HWCAPS, 33, EA_GLIBC_STILL,                                                        \
	  "searches glibc-hwcaps/x86-64-vN below every folder and takes such cache entries; NEWS") \
	X(LEGACY_HWCAPS, 0, 36, "searches tls, haswell, x86_64 and their mixtures; NEWS")          \
	X(LEGACY_CACHE, 0, 39,                                                                     \
	  "takes cache entries of such folders where they fit the processor; elf/dl-cache.c")      \
	X(ABI_NOTE, 0, 35,                                                                         \
	  "passes over files and cache entries that ask for a newer kernel; NEWS")                 \
	X(ENOTDIR_GOES_ON, 39, EA_GLIBC_STILL,                                                     \
	  "ENOTDIR does not end a list of folders; elf/dl-load.c open_path")                       \
	X(ROOT_FOLDER, 38, EA_GLIBC_STILL,                                                         \
	  "can see that / exists as an element of a list; elf/dl-load.c open_path")                \
	X(TOKEN_PREFIX, 28, EA_GLIBC_STILL,                                                        \
	  "an unbraced token ends at the first character that is no letter, digit or _, before "   \
	  "only at / and the end; elf/dl-load.c is_dst")                                           \
	X(PAGE_CONGRUENT, 35, EA_GLIBC_STILL,                                                      \
	  "segments have to fit the page size, before that their own p_align; elf/dl-load.c")      \
	X(NO_PIE_DLOPEN, 30, EA_GLIBC_STILL, "refuses to dlopen what has DF_1_PIE; elf/dl-load.c") \
	X(NODELETE_ROLLS_BACK, 31, EA_GLIBC_STILL,                                                 \
	  "a failed dlopen unmaps objects with DF_1_NODELETE too; elf/dl-open.c")                  \
	X(ISA_NEEDED, 33, EA_GLIBC_STILL,                                                          \
	  "checks GNU_PROPERTY_X86_ISA_1_NEEDED; sysdeps/x86/dl-prop.h")                           \
	X(RELR_NEEDS_VERSION, 36, EA_GLIBC_STILL,                                                  \
	  "DT_RELR without GLIBC_ABI_DT_RELR is an error; NEWS")                                   \
	X(SORT_DEPTH_FIRST, 35, EA_GLIBC_STILL,                                                    \
	  "relocates and initializes in depth-first order, the root first even in a cycle (with "  \
	  "the updates that 2.35 and 2.36 got); NEWS")                                             \
	X(FILTERED_ROOT, 35, EA_GLIBC_STILL,                                                       \
	  "can dlopen an object that has filters itself, before that it aborts; elf/dl-deps.c")    \
	X(NO_EXECSTACK_DLOPEN, 41, EA_GLIBC_STILL,                                                 \
	  "dlopen never makes the stack executable; NEWS")                                         \
	X(VERSION_ASSERTION, 0, 40,                                                                \
	  "aborts when the file named by a version has the symbol but no versions at all; "        \
	  "elf/dl-lookup.c check_match")                                                           \
	X(DEFAULT_IS_FALLBACK, 41, EA_GLIBC_STILL,                                                 \
	  "prefers an exact version to an unversioned symbol of the same object (with the "        \
	  "updates "                                                                               \
	  "that 2.41 got); elf/dl-lookup.c check_match")                                           \
	X(CALLER_TABLE, 42, EA_GLIBC_STILL,                                                        \
	  "takes code for the program's that lies in an object which dlopen put before its own "   \
	  "(a filter's); elf/dl-open.c _dl_open, elf/dl-find_object.c")                            \
	X(ABSOLUTE_ZERO, 28, EA_GLIBC_STILL,                                                       \
	  "an absolute symbol may have the value 0; elf/dl-lookup.c check_match")

enum ea_policy_id {
#define X(name, since, until, text) EA_POLICY_##name,
	EA_POLICIES(X)
#undef X
		EA_POLICY_MAX_
};

struct ea_policy {
	uint8_t minor; /* of the version as the root has it, not brought into the known range */
	uint64_t on;   /* one bit for each ea_policy_id */
};

/* MINOR of glibc 2.MINOR; bits of FLIP are turned round (tests only). */
struct ea_policy ea_policy_of(unsigned minor, uint64_t flip);

static inline bool ea_policy_has(const struct ea_policy *policy, enum ea_policy_id id)
{
	return policy->on >> id & 1;
}

/*
 * All habits are those of a version whose real loader agreed with the model on every test;
 * otherwise some are known from reading its source alone.
 */
bool ea_policy_confirmed(const struct ea_policy *policy);

/* "GLIBC_HWCAPS" and what it does; for messages of tests. */
extern const char *const ea_policy_names[EA_POLICY_MAX_];
extern const char *const ea_policy_texts[EA_POLICY_MAX_];
