/*
 * sys.path of a python, as its start-up code makes it out of its prefix, the environment and the
 * .pth files of its sites: without the first element, which is the folder of a script.
 */
#pragma once

#include "base/arena.h"
#include "model/gap.h"
#include "model/launch.h"
#include "model/provider.h"
#include "model/python.h"

struct ea_sys_path_setup {
	const struct ea_provider *provider; /* with `list` */
	const struct ea_python *python;
	const struct ea_python *base; /* that a venv stands on; NULL = not known, or no venv */
	const struct ea_env_var *env;
	size_t n_env;
	const char *cwd; /* NULL = "/" */
	struct ea_arena *arena;
	struct ea_gaps *gaps; /* code in .pth files, and those that cannot be read */
};

/*
 * Appends to RET, in order. What python names although it is not there (its zip) is listed, too. A
 * python of unknown version has nothing but PYTHONPATH and its sites. The user site is taken to be
 * that of $HOME; without HOME and PYTHONUSERBASE there is none.
 */
void ea_sys_path_find(const struct ea_sys_path_setup *setup, struct ea_names *ret);
