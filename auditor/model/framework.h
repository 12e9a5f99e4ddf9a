/*
 * Frameworks as load programs: which libraries a Python package opens, by which names, from where
 * and in which order, when it is imported and when it first uses the GPU. Loaded from
 * matrices/frameworks/ by matrix/frameworks.h, run by session/. matrices/README.md is the manual of
 * the language.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/pattern.h"
#include "base/vec.h"

/* How a program is known to be right. X(enum suffix, word in the matrix) */
#define EA_VERIFIED(X)                                                  \
	X(SOURCE, "source")   /* read in the framework's sources */     \
	X(CAPTURE, "capture") /* equal to a record of a real machine */ \
	X(IMPORT, "import")   /* equal to a real import under a real loader */

enum ea_verified {
#define X(name, word) EA_VERIFIED_BY_##name,
	EA_VERIFIED(X)
#undef X
		EA_VERIFIED_MAX_
};

extern const char *const ea_verified_words[EA_VERIFIED_MAX_];

/* What a failed step does. X(enum suffix, word in the matrix) */
#define EA_ON_ERRORS(X)                                                       \
	X(FAIL, "fail")	    /* the steps around it fail, too: an exception */ \
	X(IGNORE, "ignore") /* nothing happened */                            \
	X(STOP, "stop")	    /* the rest of its list is passed over, without an error */

enum ea_on_error {
#define X(name, word) EA_ON_ERROR_##name,
	EA_ON_ERRORS(X)
#undef X
		EA_ON_ERROR_MAX_
};

/* Restrictions to a step; all that are given must hold. NULL or empty = none. */
struct ea_condition {
	const char *version;	  /* of the framework: ">=2.5,<2.9" */
	const char *cuda;	  /* of CUDA that it was built for, likewise */
	const char *set;	  /* this variable is set and not empty */
	const char *unset;	  /* … is not set, or empty */
	const char *loaded;	  /* a file with such a name (fnmatch) is mapped */
	const char *missing;	  /* none is */
	const char *file;	  /* exists along sys.path; may be a pattern */
	const char *no_file;	  /* does not */
	const char *text;	  /* a text file along sys.path … */
	struct ea_pattern *has;	  /* … in which this is found */
	struct ea_pattern *lacks; /* … in which it is not */
};

enum ea_step_kind {
	EA_STEP_LOAD,	 /* dlopen of a file by its path */
	EA_STEP_OPEN,	 /* dlopen of a name that the loader searches */
	EA_STEP_PRELOAD, /* dlopen of the first file that exists along sys.path */
	EA_STEP_LISTED,	 /* likewise, of a list that stands in an installed text */
	EA_STEP_IMPORT,	 /* the import of another framework */
	EA_STEP_STEPS,	 /* a list of steps */
	EA_STEP_DRIVER,	 /* goes on only with a driver library that could be opened */
	EA_STEP_CALL,	 /* what mapped libraries do when they are called: openers of this name */
	EA_STEP_CHECK,	 /* fails where a mapped library is older than the framework's pin */
};

/* Where an installed Python text names the files of EA_STEP_LISTED. */
struct ea_listing {
	const char *file;	 /* along sys.path */
	struct ea_pattern *from; /* the list begins behind this */
	struct ea_pattern *to;	 /* … and ends before this */
	struct ea_pattern *item; /* one entry */
	/* Where each may lie: {1} and {2} are groups of `item`, {cuda} the major version. */
	EA_VEC(const char *) paths;
	bool required; /* an entry that lies nowhere is an error */
	bool of_error; /* only if the error that led here names one of the entries */
};

struct ea_step;

struct ea_steps {
	EA_VEC(struct ea_step *) list;
};

struct ea_step {
	enum ea_step_kind kind;
	EA_VEC(const char *)
	names;		  /* LOAD, OPEN, PRELOAD, IMPORT, DRIVER: tried until one is there;
			     CALL: names of openers; CHECK: files (fnmatch) */
	const char *pin;  /* CHECK: a package (fnmatch) that the framework requires */
	const char *from; /* fnmatch on the mapped file whose code calls; NULL = _ctypes */
	bool extension;	  /* LOAD: an extension module, which Python itself opens */
	bool global, lazy, noload;
	bool package; /* PRELOAD: where an import of the names' first folder would look */
	bool every;   /* every one of the names, not the first that works */
	struct ea_listing listing;
	struct ea_steps steps;	/* STEPS */
	struct ea_steps rescue; /* run when the step fails; then it is tried once more */
	enum ea_on_error on_error;
	struct ea_condition when;
	const char *where; /* file:line */
};

/* When a library opens others. X(enum suffix, word in the matrix) */
#define EA_MOMENTS(X)                                             \
	X(LOAD, "load") /* by a constructor, when it is mapped */ \
	X(USE, "use")	/* at its first use */                    \
	X(CALL, "call") /* only where a framework calls it so, by EA_STEP_CALL */

enum ea_moment {
#define X(name, word) EA_MOMENT_##name,
	EA_MOMENTS(X)
#undef X
		EA_MOMENT_MAX_
};

/* A library whose own code opens others. */
struct ea_opener {
	const char *name;	      /* for EA_STEP_CALL; NULL = none */
	EA_VEC(const char *) library; /* file names (fnmatch) */
	const char *version_of; /* a file beside it that has its exact version; NULL = itself */
	enum ea_moment at;
	struct ea_steps steps; /* {version}, {minor} and {major} stand for the library's */
	enum ea_verified verified;
	const char *source, *date, *where;
};

struct ea_framework {
	const char *name;	       /* "torch" */
	EA_VEC(const char *) modules;  /* what is imported: a dotted name */
	EA_VEC(const char *) packages; /* keys of the packages that bring it */
	struct ea_steps import, use;
	enum ea_verified verified;
	const char *versions; /* that this is known of: ">=1.8,<2.16"; NULL = all */
	const char *source, *date, *where;
};
