/*
 * A component: something that was installed as a whole and may own files: a wheel, a conda package, a
 * deb, an rpm, a driver, a toolkit. Filled by inventory/.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* Who keeps the record. X(enum suffix, JSON word) */
#define EA_MANAGERS(X)                                                                             \
	X(PIP, "pip")		/* a dist-info or egg-info, whoever INSTALLER says */              \
	X(CONDA, "conda")                                                                          \
	X(DPKG, "dpkg")                                                                            \
	X(RPM, "rpm")                                                                              \
	X(TOOLKIT, "toolkit")	/* a CUDA toolkit folder without package records */                \
	X(DRIVER, "driver")	/* the NVIDIA driver's own files */

enum ea_manager {
#define X(name, word) EA_MANAGER_##name,
	EA_MANAGERS(X)
#undef X
	EA_MANAGER_MAX_
};

extern const char *const ea_manager_words[EA_MANAGER_MAX_];

enum ea_record_flags {
	EA_RECORD_LINK = 1 << 0,	/* recorded as a symbolic link; size and hash are not the link's */
	EA_RECORD_CLOBBERED = 1 << 1,	/* rattler moved our file away: another package's lies there */
	EA_RECORD_REWRITTEN = 1 << 2,	/* text that the installer may have changed: size may differ */
	EA_RECORD_HAS_SIZE = 1 << 3,
	EA_RECORD_HAS_SHA256 = 1 << 4,
	EA_RECORD_HAS_MD5 = 1 << 5,	/* dpkg md5sums, old conda: first 16 bytes of digest */
	EA_RECORD_OUTSIDE = 1 << 6,	/* leaves the folder that the record may write to (../, absolute) */
	EA_RECORD_MISSING = 1 << 7,	/* the target has no such library; set by scan */
};

/* One file that a component claims. Only files that matter are kept (libraries, links to them). */
struct ea_record {
	const char *path;	/* absolute inside the root, normalized as text */
	uint64_t size;
	uint8_t digest[32];
	uint32_t flags;
};

struct ea_component {
	uint32_t id;			/* index in world.components + 1 */
	enum ea_manager manager;
	const char *name;		/* as its metadata writes it */
	const char *key;		/* PEP 503 form: lower case, runs of -_. are one '-' */
	const char *version;		/* NULL = the metadata has none */
	const char *build;		/* conda build string, deb architecture; else NULL */
	const char *channel;		/* conda channel; else NULL */
	const char *installer;		/* INSTALLER's word (pip, uv, conda, poetry…); else NULL */
	const char *location;		/* dist-info folder, conda-meta JSON, dpkg list: where it is recorded */
	const char *base;		/* folder that its files lie under (site-packages, prefix, /) */
	const char *direct_url;		/* url of direct_url.json; else NULL */
	bool requested;			/* a user named it (REQUESTED, requested_spec) */
	bool editable;
	bool no_record;			/* metadata without a list of files: owns nothing that can be checked */
	bool conda_owned;		/* a dist-info whose files a conda record lists: conda installed it */
	uint32_t n_files;		/* all files that the record lists */
	EA_VEC(const char *) requires;	/* Requires-Dist / depends, as written, without extras */
	EA_VEC(struct ea_record) records;
};

/* PEP 503: "Typing_Extensions" -> "typing-extensions". */
char *ea_component_key(struct ea_arena *arena, struct ea_str name);

/* A line of `requires`: "torch" of "torch (==2.3.1) ; python_version…". */
struct ea_str ea_requirement_name(const char *line);

/* "torch==2.3.1" of it, as a command line takes it: without blanks, parentheses and marker. */
char *ea_requirement_text(struct ea_arena *arena, const char *line);
