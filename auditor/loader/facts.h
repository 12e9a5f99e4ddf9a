/* What is built into a dynamic loader, read out of its file: it differs by distribution. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "model/provider.h"

struct ea_loader_facts {
	bool musl;
	const char *version;		  /* "2.36", "1.2.3"; NULL = unknown */
	EA_VEC(const char *) system_dirs; /* each with a final slash: "/lib/x86_64-linux-gnu/" */
	const char *lib;		  /* what $LIB stands for; NULL = unknown */
};

/*
 * Facts of the loader at PATH (as PT_INTERP names it). 0, or the errno with which it could not be
 * read. Looks into libc.so.6 too where an old loader does not know its own version.
 */
int ea_loader_facts_read(const struct ea_provider *provider, const char *path,
			 struct ea_arena *arena, struct ea_loader_facts *ret);
