/*
 * A launch: how a process is started, as far as the dynamic loader can tell. A plain value: the
 * part of a scenario that loader/ needs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/world.h"

/* The processor as ld.so sees it. */
struct ea_cpu {
	uint8_t level; /* x86-64-vN of an x86-64, 1 to 4; 0 on any other machine */
	/*
	 * The one of the capability names of ld.so before 2.37 that not every processor has:
	 * "avx512_1" (Intel with AVX512 F, CD, BW, DQ and VL), "atomics" (aarch64); else NULL.
	 */
	const char *capability;
	const char *platform; /* what $PLATFORM stands for: "haswell", "x86_64"; NULL = nothing */
};

struct ea_launch {
	/* Path of the program inside the root; NULL = one that needs nothing but libc.so.6. */
	const char *program;
	const char *argv0;  /* what messages call it; NULL = program */
	const char *interp; /* for a NULL program: the loader that runs it */
	const char *cwd;    /* absolute; NULL = "/" */
	const struct ea_env_var *env;
	size_t n_env;
	struct ea_cpu cpu;
	uint32_t kernel;	  /* 0x060100 for Linux 6.1; 0 = newer than any library asks for */
	const char *libc_version; /* instead of the one found in the root: "2.31"; else NULL */
	/* As under LD_TRACE_LOADED_OBJECTS (ldd): a library that is missing does not end the start.
	 */
	bool trace;
};
