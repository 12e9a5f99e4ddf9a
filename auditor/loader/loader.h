/*
 * The dynamic loader, modelled: given a launch (model/launch.h) and a provider (model/provider.h),
 * what ld.so maps, path by path and error by error. glibc 2.17 and later, and musl; which of their
 * habits apply follows from the version of the root's own loader (policy.h).
 *
 * A process is started once, then asked to dlopen; each call gives a request (model/request.h) with
 * every path that was tried, in order, the rule that decided and the exact text of the error. A
 * failed dlopen leaves the process as ld.so leaves it. A process can be forked before or after any
 * call: both then go their own way. Requests and maps stay valid as long as the arena.
 *
 *	ea_process_start(&setup, &process, &start, err);
 *	if (start->outcome == EA_OUTCOME_OK)
 *		request = ea_process_dlopen(process, "libcudnn.so.9", RTLD_NOW, caller);
 *
 * What is modelled: names and SONAMEs of what is loaded, device and inode of what is opened, RPATH
 * and RUNPATH chains, LD_LIBRARY_PATH, ld.so.cache in its three forms, hwcaps subfolders, default
 * folders, tokens, preloads, filters, memory of missing folders, version needs, symbol scopes and
 * bindings, order of relocation and of constructors. What is not: LD_AUDIT, dlmopen, dlclose,
 * AT_SECURE, room for static TLS, mmap that a mount or a security module forbids. Where the launch
 * asks for one of them the process carries an assumption.
 *
 * Nothing here has global state. A process belongs to one thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "model/launch.h"
#include "model/provider.h"
#include "model/request.h"

struct ea_process;

enum ea_libc {
	EA_LIBC_GLIBC,
	EA_LIBC_MUSL,
};

struct ea_process_setup {
	const struct ea_provider *provider;
	struct ea_arena *arena; /* for everything, outlives the process and its forks */
	const struct ea_launch *launch;
	/*
	 * Called for every constructor that runs, in order, while the request that loaded it is
	 * still under way; may call ea_process_dlopen() as such a constructor would. NULL = none
	 * does.
	 */
	void (*init)(void *arg, struct ea_process *process, const struct ea_map *map);
	void *init_arg;
	/* Bind every symbol that ld.so binds, and say where; otherwise only whether it can. */
	void (*bound)(void *arg, const struct ea_map *from, const char *symbol, const char *version,
		      const struct ea_map *to);
	void *bound_arg;
	uint64_t flip; /* policies turned round (policy.h); only tests set it */
};

/*
 * Starts the program: maps what it needs, checks versions, binds symbols, runs constructors.
 * *RET_START is the request of kind EA_REQUEST_PROGRAM; its outcome says whether the program would
 * run. After any other outcome but OK the process can only be looked at. 0; 1 if the program is no
 * dynamically linked ELF file (the start has an error that says so); -EA_E_TARGET if its loader is
 * unknown.
 */
EA_MUST_CHECK int ea_process_start(const struct ea_process_setup *setup,
				   struct ea_process **ret_process,
				   const struct ea_request **ret_start, struct ea_err *err);

/*
 * dlopen(NAME, FLAGS) called from code in CALLER (NULL: the program). NAME NULL is the program.
 * Constructors run at the end; the request has been rolled back where its outcome is ERROR.
 */
const struct ea_request *ea_process_dlopen(struct ea_process *process, const char *name, int flags,
					   const struct ea_map *caller);

/* An independent copy; init, bound and their arguments stay. */
struct ea_process *ea_process_fork(const struct ea_process *process);

/* ---- looking at a process -----------------------------------------------------------------------
 */

/* Maps in the order of the loader's list (dl_iterate_phdr); POS from 0, NULL after the last. */
const struct ea_map *ea_process_map(const struct ea_process *process, uint32_t pos);

/* The program could go on, and its maps are those of a running process. */
bool ea_process_alive(const struct ea_process *process);

enum ea_libc ea_process_libc(const struct ea_process *process);
const char *ea_process_libc_version(const struct ea_process *process); /* "2.36"; NULL = unknown */

/*
 * What had to be assumed to give these answers, one sentence each: a version of libc that no real
 * loader has confirmed, LD_AUDIT, an unknown processor.
 */
uint32_t ea_process_assumptions(const struct ea_process *process, const char *const **ret_texts);

/* ---- the processor ------------------------------------------------------------------------------
 */

/* From the text of /proc/cpuinfo, else from "x86-64-v3", "haswell"…; 1 if it says nothing. */
int ea_cpu_from_cpuinfo(struct ea_str text, struct ea_cpu *ret_cpu);
int ea_cpu_from_name(const char *name, uint16_t machine, struct ea_cpu *ret_cpu);
