/* A python: one interpreter of the target and the folders it imports from. Filled by inventory/. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct ea_python {
	uint32_t id;			/* index in world.pythons + 1 */
	const char *exe;		/* as a user would call it: VENV/bin/python */
	const char *real_exe;		/* after all symbolic links; NULL if they lead nowhere */
	const char *version;		/* "3.11" or "3.11.7"; NULL = unknown */
	const char *prefix;		/* sys.prefix */
	const char *base_prefix;	/* sys.base_prefix; the same outside a venv */
	bool is_venv, is_conda;
	bool system_site;		/* venv with include-system-site-packages */
	EA_VEC(const char *) sites;	/* existing site-packages folders of the prefix, in sys.path order */
};
