/*
 * A small root file system with a real loader in it, in which cases are built and run. It lies in
 * its own mount namespace (and user namespace, for users that are not root) and disappears with the
 * process.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "case.h"

#define SANDBOX_CASE	"/c" /* where cases put most of their files */
#define SANDBOX_PROGRAM "/c/program"
#define SANDBOX_DRIVER	"/drv/libdriver.so"
#define SANDBOX_QEMU	"/drv/qemu"

struct sandbox {
	char *dir;     /* host folder that is its root */
	char *interp;  /* path of the loader inside */
	char *lib_dir; /* folder of its C library */
	bool has_ldconfig;
	bool no_bindings; /* LD_DEBUG=libs alone */
	bool emulated;	  /* by qemu, of which there is no vDSO */
	bool musl;	  /* which says nothing of paths, bindings and constructors */
	struct ea_arena arena;
	struct ea_arena scratch;   /* for the case at hand */
	EA_VEC(const char *) made; /* host paths that the case at hand made, in order */
};

/*
 * ROOT: host folder with the loader and C library to use; NULL = those that run this program.
 * 0; 1 if this machine allows no namespaces (ERR says what failed).
 */
int sandbox_open(struct sandbox *box, const char *root, const char *driver, struct ea_err *err);

/* The same with all of this machine's files in it, so that its own libraries can be asked for. */
int sandbox_open_host(struct sandbox *box, const char *driver, struct ea_err *err);

/* Builds a case; -errno with what failed in ERR. The sandbox has to be empty of others. */
int sandbox_build(struct sandbox *box, const struct test_case *test, struct ea_err *err);
void sandbox_clear(struct sandbox *box);

/*
 * Runs the program of the case that was built: everything that it and its loader write is appended
 * to OUTPUT. The status is as waitpid() gives it.
 */
int sandbox_run(struct sandbox *box, const struct test_case *test, struct ea_buf *output,
		int *ret_status, struct ea_err *err);

/* ldcache.c: an ld.so.cache out of the case's entries, in the layout that it names. */
void ldcache_write(const struct test_case *test, struct ea_arena *arena, struct ea_buf *out);
