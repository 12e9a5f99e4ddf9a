/*
 * One call from a target's name to a finished world: scan, rules, and later sessions and fixes. It
 * has no output of its own; the caller gets each world once and reports it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "matrix/matrix.h"
#include "model/world.h"

/* What the caller will show; parts that nobody asked for are not computed. */
enum ea_audit_part {
	EA_PART_LIBRARIES = 1 << 0,
	EA_PART_PACKAGES = 1 << 1,
	EA_PART_FINDINGS = 1 << 2, /* run the rules */
	EA_PART_ARCHES = 1 << 3,   /* read which GPUs each library has code for */
	EA_PART_SESSIONS = 1 << 4, /* run the target's consumers through the loader */
};

struct ea_audit_options {
	const char *root_dir; /* --root: a host folder in which TARGET lies; NULL = the host */
	const struct ea_env_var *env; /* environment of the audited processes */
	size_t n_env;
	/* What the user changes of the environment that an image brings; value NULL = unset. */
	const struct ea_env_var *env_changes;
	size_t n_env_changes;
	bool clean_env;	      /* also an image's is left out */
	const char *platform; /* --platform: which of an image's; NULL = this machine's */
	uint64_t tmp_limit;   /* --tmp-limit: bytes */
	bool verify;	      /* hash every recorded library */
	bool deep;	      /* open every file, not only those that look like libraries */
	const char *cpu;      /* --cpu; NULL = that of the root */
	const struct ea_baseline *baseline; /* --baseline, read; NULL = none */
	const char *config;		    /* --config: a file; NULL = none */
	struct ea_suppression_use *use;	    /* of its suppressions; filled, may be NULL */
	const char *gpu;      /* --gpu: instead of those of the machine; NULL = them */
	const char *glibc;    /* --glibc: its version; NULL = as found */
	const char *python;   /* --python: path in the root; NULL = the target's own */
	const char *imports;  /* --for: "torch,jax", "torch+jax"; NULL = all that are there */
	const char *stage;    /* --stage: import or use */
	const char *driver;   /* --driver: its version, or none; NULL = the newest known */
	const char *library;  /* sessions say why they get this one; NULL = none */
	unsigned jobs;	      /* workers; 0 = as many as there are processors, at most 8 */
	const char *data_dir; /* folder of the matrices */
	unsigned parts;	      /* enum ea_audit_part */
	/* Called now and then from one thread, with what is being done and how many files were
	 * seen. */
	void (*progress)(void *arg, const char *what, uint64_t done);
	void *progress_arg;
	/* The tables of facts, for the rules. */
	struct ea_matrix *facts;
};

/* Called once for each target that was found, in order. The world is freed afterwards. */
typedef int (*ea_audit_fn)(void *arg, const struct ea_world *world);

/*
 * TARGET "-": an image archive on standard input.
 * TARGET NULL: $VIRTUAL_ENV, $CONDA_PREFIX, or the python3 on PATH, out of options->env.
 * A folder of environments gives a world for each. 0, -EA_E_TARGET (nothing that can be audited:
 * the text says what was looked for), -EA_E_MATRIX, or what FN returned when that was not 0.
 */
EA_MUST_CHECK int ea_audit_run(const char *target, const struct ea_audit_options *options,
			       ea_audit_fn fn, void *arg, struct ea_err *err);
