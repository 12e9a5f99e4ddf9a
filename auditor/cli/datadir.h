/* Where the matrices are: beside an uninstalled or relocated program, or where it was installed. */
#pragma once

#include "base/arena.h"
#include "base/attr.h"
#include "base/err.h"
#include "matrix/matrix.h"

/* Errors are -EA_E_MATRIX; the text names every folder that was looked at. */
EA_MUST_CHECK int ea_datadir_find(struct ea_arena *arena, const char **ret_dir, struct ea_err *err);

/*
 * The tables of facts in the folder DATA_DIR, over them those in $XDG_CONFIG_HOME/envaudit if it is
 * there, over them those in DIRS, which must be folders.
 */
EA_MUST_CHECK int ea_datadir_facts(const char *data_dir, const char *const *dirs, size_t n_dirs,
				   struct ea_matrix **ret, struct ea_err *err);

/* Date of the matrices in DIR, "2026-01-31"; NULL if they do not say. */
const char *ea_datadir_date(struct ea_arena *arena, const char *dir);
