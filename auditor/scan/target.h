/*
 * Finds out what the user named: a target is found out, not declared. Nothing but names of files
 * and the first bytes of one is looked at.
 */
#pragma once

#include "base/err.h"
#include "fs/root.h"
#include "model/target.h"

struct ea_target_list {
	EA_VEC(struct ea_target) list; /* one, or each member of a folder of environments */
};

/*
 * PATH is absolute inside ROOT; NAME is what the user wrote. A folder of environments (a miniconda
 * with envs/, a folder whose children are environments, a project with .venv or .pixi/envs) gives
 * each of them in order of names. -EA_E_TARGET: nothing that can be audited; the text says what was
 * looked for.
 */
EA_MUST_CHECK int ea_target_find(const struct ea_root *root, const char *name, const char *path,
				 struct ea_arena *arena, struct ea_target_list *ret,
				 struct ea_err *err);

/* The prefix of the python environment or installation that the file PATH lies in; NULL if in none.
 */
const char *ea_target_prefix(const struct ea_root *root, const char *path, struct ea_arena *arena);

/*
 * The default target out of an environment: $VIRTUAL_ENV, $CONDA_PREFIX, or the installation that
 * the first python3 (else python) on $PATH belongs to. Its path; -EA_E_TARGET if there is none.
 */
EA_MUST_CHECK int ea_target_default(const struct ea_root *root, const char *virtual_env,
				    const char *conda_prefix, const char *path_variable,
				    struct ea_arena *arena, const char **ret_path,
				    struct ea_err *err);
