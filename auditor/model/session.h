/*
 * A scenario: which program is started how, and what it loads then. A session: what the dynamic
 * loader does under one scenario. Both are plain data; session/ makes the second of the first.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/launch.h"
#include "model/request.h"

struct ea_scenario {
	const char *id;	     /* unique among those of a world */
	const char *name;    /* what a person calls it: "ls", "libcudnn.so.9" */
	const char *program; /* path inside the root; NULL = an empty one, which needs libc alone */
	bool is_python;	     /* the program is an interpreter */
	const char *python_version; /* NULL = unknown, or no python */
	const char *
		library; /* what the program then opens, with dlopen and RTLD_NOW; NULL = nothing */
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
	const struct ea_request *request; /* NULL = nobody would ask */
};

/* One answer to the question where a library comes from. */
struct ea_why {
	const struct ea_request *request;	 /* that found the file, or did not */
	EA_VEC(const struct ea_request *) again; /* that got the same file later */
	EA_VEC(struct ea_alternative) alternatives;
};

struct ea_session {
	struct ea_scenario scenario;
	bool complete;		  /* all that was asked for was loaded */
	bool is_static;		  /* the program has no loader: there is nothing else to say */
	const char *error;	  /* ld.so's own text, NULL if complete */
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
