/*
 * A scenario: which program is started how, and what it loads then. A session: what the dynamic
 * loader does under one scenario. Both are plain data; session/ makes the second of the first.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/component.h"
#include "model/framework.h"
#include "model/launch.h"
#include "model/request.h"

/* How far a session goes. X(enum suffix, JSON word) */
#define EA_STAGES(X)        \
	X(IMPORT, "import") \
	X(USE, "use") /* on to the first use of the GPU */

enum ea_stage {
#define X(name, word) EA_STAGE_##name,
	EA_STAGES(X)
#undef X
		EA_STAGE_MAX_
};

/* The NVIDIA driver's libraries in a session. X(enum suffix, JSON word) */
#define EA_DRIVERS(X)                                 \
	X(NONE, "none")	      /* the root has none */ \
	X(PRESENT, "present") /* the root has them */ \
	X(ASSUMED, "assumed") /* the root has none; they are assumed to be there */

enum ea_driver {
#define X(name, word) EA_DRIVER_##name,
	EA_DRIVERS(X)
#undef X
		EA_DRIVER_MAX_
};

/* What came of a session. X(enum suffix, JSON word) */
#define EA_SESSION_OUTCOMES(X)                                                       \
	X(COMPLETE, "complete")                                                      \
	X(FAILED, "failed")	  /* an import, or a library that has to be there */ \
	X(NO_DRIVER, "no-driver") /* it ends where the driver is needed */

enum ea_session_outcome {
#define X(name, word) EA_SESSION_##name,
	EA_SESSION_OUTCOMES(X)
#undef X
		EA_SESSION_OUTCOME_MAX_
};

extern const char *const ea_stage_words[EA_STAGE_MAX_];
extern const char *const ea_driver_words[EA_DRIVER_MAX_];
extern const char *const ea_session_outcome_words[EA_SESSION_OUTCOME_MAX_];

/* A framework as one python has it. */
struct ea_installed {
	const struct ea_framework *framework;
	const char *version; /* NULL = unknown */
	const char *cuda;    /* that it was built for; NULL = unknown, or without CUDA */
	const char *folder;  /* the element of sys.path that it is imported from */
	const struct ea_component *component; /* that brings it; NULL = unknown */
};

struct ea_scenario {
	const char *id;	     /* unique among those of a world */
	const char *name;    /* what a person calls it: "ls", "libcudnn.so.9" */
	const char *program; /* path inside the root; NULL = an empty one, which needs libc alone */
	bool is_python;	     /* the program is an interpreter */
	const char *python_version; /* NULL = unknown, or no python */
	const char *library; /* what is opened then, after the imports, with dlopen and RTLD_NOW;
				NULL = nothing */
	EA_VEC(const char *) sys_path;		       /* of a python; folders that exist */
	EA_VEC(const struct ea_installed *) installed; /* all that this python would find */
	EA_VEC(const struct ea_installed *) imports;   /* what is imported, in order */
	enum ea_stage stage;
	enum ea_driver driver;
	const char *driver_version;	   /* of an assumed one */
	EA_VEC(const char *) driver_files; /* of an assumed one; none = all that are known */
	uint16_t machine; /* of an empty program: e_machine and class of the library */
	uint8_t elf_class;
	const struct ea_env_var *env;
	size_t n_env;
	const char *cpu;		  /* name of a processor; NULL = the root's own */
	const char *libc_version;	  /* instead of the root's; NULL = that */
	const char *cwd;		  /* NULL = "/" */
	EA_VEC(const char *) assumptions; /* one sentence each, without a final dot */
};

/* What a search would have given if something were different. */
struct ea_alternative {
	const char *condition;		  /* "without LD_LIBRARY_PATH" */
	const struct ea_request *request; /* that would take its place */
};

/* One answer to the question where a library comes from. */
struct ea_why {
	const struct ea_request *request;	 /* that found the file, or did not */
	EA_VEC(const struct ea_request *) again; /* that got the same file later */
	EA_VEC(struct ea_alternative) alternatives;
};

struct ea_session {
	struct ea_scenario scenario;
	enum ea_session_outcome outcome;
	const char *failed_import; /* name of the framework whose import or use failed */
	enum ea_stage failed_at;
	const struct ea_request *failed; /* the request that ended it; NULL = none did */
	bool is_static;		  /* the program has no loader: there is nothing else to say */
	const char *error;	  /* ld.so's own text, NULL unless outcome is FAILED */
	const char *libc;	  /* "glibc" or "musl" */
	const char *libc_version; /* NULL = unknown */
	EA_VEC(const char *) assumptions; /* those of the scenario, then those of the loader */
	/*
	 * In the order in which the loader came to them. Where a missing library ended the session,
	 * those that would have followed stand there, too (`beyond`).
	 */
	EA_VEC(const struct ea_request *) requests;
	bool beyond;
	EA_VEC(const struct ea_map *) maps; /* mapped at the end, in the loader's order */
	EA_VEC(struct ea_missing)
	missing; /* symbols and versions that the first failing object lacks */
	EA_VEC(const char *) messages; /* lines that the loader prints */
	EA_VEC(struct ea_why) whys;    /* only where it was asked why */
};

/* The request for scenario.library, NULL if there is none: what follows it stands behind it. */
const struct ea_request *ea_session_opening(const struct ea_session *session);

/* MAP is still mapped at the end. */
bool ea_session_is_mapped(const struct ea_session *session, const struct ea_map *map);

/* The file of a map as the loader names it; of the program, its path. "" for an empty program. */
const char *ea_session_path(const struct ea_session *session, const struct ea_map *map);
