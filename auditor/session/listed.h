/* Files that are named in the installed text of a framework. */
#pragma once

#include "session/program.h"

/* Opens each entry of LISTING from where it lies along sys.path; as ea_steps_run(). */
int ea_listed_run(struct ea_program *program, const struct ea_listing *listing, int flags,
		  const struct ea_map *caller);

/*
 * Opens the first of NAMES (paths below an element of sys.path, may be patterns) that exists. WHAT
 * names it in the error where it is REQUIRED and lies nowhere. As ea_steps_run().
 */
int ea_steps_preload(struct ea_program *program, const struct ea_names *names, int flags,
		     const struct ea_map *caller, bool required, const char *what);
