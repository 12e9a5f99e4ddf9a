/*
 * What the dynamic loader did: the objects that it mapped, the requests that made it do so, and
 * every path that each request tried. Filled by loader/, never changed afterwards but for what is
 * marked; all pointers live in the arena that the process was given.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/elf.h"

/* By which rule a name was resolved, or a path was tried. X(enum suffix, JSON word, what a person
 * reads) */
#define EA_HOWS(X)                                               \
	X(NOT_FOUND, "not-found", "not found")                   \
	X(LOADED, "already-loaded", "already loaded")            \
	X(PATH, "path", "the name is a path")                    \
	X(RPATH, "rpath", "DT_RPATH")                            \
	X(LD_LIBRARY_PATH, "ld_library_path", "LD_LIBRARY_PATH") \
	X(RUNPATH, "runpath", "DT_RUNPATH")                      \
	X(CACHE, "cache", "ld.so.cache")                         \
	X(DEFAULT, "default", "default directory")               \
	X(PRELOAD, "preload", "preloaded") /* only from ea_request_how() */

enum ea_how {
#define X(name, word, text) EA_HOW_##name,
	EA_HOWS(X)
#undef X
		EA_HOW_MAX_
};

/* What became of one path. X(enum suffix, JSON word) */
#define EA_TRY_RESULTS(X)                                                            \
	X(OPENED, "opened")                                                          \
	X(ABSENT, "absent")   /* open(2) failed: text is what strerror says of it */ \
	X(SKIPPED, "skipped") /* opened and passed over: text says why */            \
	X(FATAL, "fatal")     /* ended the request: text is ld.so's message */

enum ea_try_result {
#define X(name, word) EA_TRY_##name,
	EA_TRY_RESULTS(X)
#undef X
		EA_TRY_RESULT_MAX_
};

extern const char *const ea_how_words[EA_HOW_MAX_];
extern const char *const ea_how_texts[EA_HOW_MAX_];
extern const char *const ea_try_words[EA_TRY_RESULT_MAX_];

struct ea_request;

enum ea_map_kind {
	EA_MAP_PROGRAM,
	EA_MAP_VDSO,	/* the kernel's; no file */
	EA_MAP_INTERP,	/* the loader itself */
	EA_MAP_LIBRARY, /* mapped when the program started */
	EA_MAP_DLOPENED,
	EA_MAP_FAKED, /* stands for a missing library (ea_launch.trace) */
};

/* An object in the process. */
struct ea_map {
	uint32_t id; /* in order of creation within a process; never reused */
	enum ea_map_kind kind;
	const char *path;   /* as the loader names it, links not resolved; "" for the program */
	const char *real;   /* after all symbolic links; NULL if there is no file */
	const char *origin; /* what $ORIGIN stands for; NULL = unknown */
	const struct ea_elf *elf;	  /* NULL if there is no file */
	uint64_t dev, ino;		  /* 0, 0 where the loader does not know them */
	const struct ea_map *loader;	  /* whose NEEDED entry brought it first; NULL for dlopen */
	const struct ea_request *request; /* that mapped it; NULL for program, vDSO and loader */
};

struct ea_try {
	const char *path;
	enum ea_how how;
	enum ea_try_result result;
	const char *text;	    /* see EA_TRY_RESULTS; NULL for opened */
	const struct ea_map *owner; /* whose RPATH or RUNPATH it is, else NULL */
};

/* What made the loader look for a name. X(enum suffix, JSON word) */
#define EA_REQUEST_KINDS(X)                                                         \
	X(PROGRAM, "start") /* of the program; all that it needs is nested in it */ \
	X(PRELOAD, "preload")                                                       \
	X(NEEDED, "needed")                                                         \
	X(FILTER, "filter")	  /* DT_FILTER */                                   \
	X(AUXILIARY, "auxiliary") /* DT_AUXILIARY: may be missing */                \
	X(DLOPEN, "dlopen")

enum ea_request_kind {
#define X(name, word) EA_REQUEST_##name,
	EA_REQUEST_KINDS(X)
#undef X
		EA_REQUEST_KIND_MAX_
};

extern const char *const ea_request_words[EA_REQUEST_KIND_MAX_];

enum ea_outcome {
	EA_OUTCOME_OK,
	EA_OUTCOME_NOTHING, /* dlopen with RTLD_NOLOAD of what is not loaded: NULL without an error
			     */
	EA_OUTCOME_ERROR, /* error is what dlerror() says, or what ends the program at its start */
	EA_OUTCOME_ABORT, /* the loader ends the process: a failed assertion, exit status 127 */
	EA_OUTCOME_CRASH, /* the process dies of a signal: a page beyond the end of a file is read
			   */
};

/* A symbol that an object needs and nobody defines, or a version that its provider lacks. */
struct ea_missing {
	const struct ea_map *object; /* that needs it */
	const char *symbol;	     /* NULL for a version alone */
	const char *version;	     /* NULL for an unversioned symbol */
	const char *file; /* name in the Verneed entry of that version; NULL if unversioned */
	const struct ea_map *provider; /* the map with that name; NULL = none */
};

struct ea_request {
	enum ea_request_kind kind;
	const char *name;		 /* as it was asked for */
	const struct ea_map *requester;	 /* whose entry it is, or who called dlopen */
	const struct ea_request *parent; /* program start or dlopen that it is part of, else NULL */
	int flags;			 /* of dlopen: RTLD_… */
	enum ea_how how;
	const struct ea_map *map; /* what it gave; NULL = nothing */
	bool is_new;		  /* it mapped it; otherwise it was there already */
	bool by_inode;		  /* a file was opened and found to be mapped already */
	bool rolled_back;	  /* mapped, then unmapped because its parent failed (set later) */
	enum ea_outcome outcome;
	const char *error;	     /* NULL where outcome is OK or NOTHING */
	EA_VEC(struct ea_try) tries; /* in order */
	/* Only in those without a parent: */
	EA_VEC(struct ea_request *) nested;  /* in the order in which the loader came to them */
	EA_VEC(const struct ea_map *) inits; /* objects whose constructors ran, in order */
	EA_VEC(struct ea_missing) missing;   /* what the first failing object lacks */
	EA_VEC(const char *) messages; /* lines that the loader printed, without a final newline */
};

/* It gave a file. */
bool ea_request_found(const struct ea_request *request);

/* As `how` of the report has it: preload for what LD_PRELOAD brought. */
enum ea_how ea_request_how(const struct ea_request *request);
