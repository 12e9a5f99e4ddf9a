/*
 * Roots for sessions: a dynamic loader and a C library that are just enough for the model, and
 * libraries that are written directly. Failures end the test.
 */
#pragma once

#include "audit/consumers.h"
#include "elfspec.h"
#include "fs/root.h"
#include "scan/scan.h"
#include "session/session.h"
#include "tree.h"
#include "unit.h"

#define MACHINE EM_X86_64

struct session_root {
	struct ea_root *root;
	struct ea_libraries *libraries;
	struct ea_scan *scan;
	struct ea_world world;
};

/* A library at PATH that defines `marker`, needs NEEDED ("a b c") and looks for them in RUNPATH
 * (may be NULL). */
void session_library(const struct tree *tree, const char *path, const char *needed,
		     const char *runpath);

/* What every root has: /lib64/ld-linux-x86-64.so.2 of glibc 2.36 and /lib/libc.so.6. */
void session_basics(const struct tree *tree);

/* A loader that says it is musl 1.2.3. */
void session_musl(const struct tree *tree);

/* The folders of TREES as layers, the first one lowest, scanned on demand; released by the other.
 */
void session_open(struct session_root *r, const struct tree *const *trees, size_t n);
void session_close(struct session_root *r);

/* dlopen of LIBRARY from an empty program. */
struct ea_session *session_of(struct session_root *r, const char *library);

/* The path of what NAME gave; NULL if it was not found, "-" if nobody asked. */
const char *session_path(const struct ea_session *session, const char *name);
