/*
 * ld.so.conf: the folders that ldconfig looks through for ld.so.cache. The loader itself never
 * reads it; with it one can say what the cache would hold if ldconfig ran again.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "fs/root.h"

#define EA_LOADER_CONF_PATH "/etc/ld.so.conf"

struct ea_loader_conf_dir {
	const char *path; /* as it is written, without trailing slashes */
	const char *file; /* that names it */
	uint32_t line;
};

/* A file that could not be read, or with which there were too many (-ELOOP, -E2BIG). */
struct ea_loader_conf_gap {
	const char *path;
	int error; /* negative errno */
};

struct ea_loader_conf {
	/* Those that exist, each once: of several names of one folder the first. In the order in
	 * which ldconfig searches them, before the folders that are built into it. */
	EA_VEC(struct ea_loader_conf_dir) dirs;
	EA_VEC(struct ea_loader_conf_gap) gaps;
};

/*
 * Reads PATH and all that it includes, patterns expanded. 0, or 1 if there is no such file. What is
 * written as a relative path is taken from "/", where ldconfig is usually run.
 */
int ea_loader_conf_read(const struct ea_root *root, const char *path, struct ea_arena *arena,
			struct ea_loader_conf *ret);
