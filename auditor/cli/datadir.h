/* Where the matrices are: beside an uninstalled or relocated program, or where it was installed. */
#pragma once

#include "base/arena.h"
#include "base/attr.h"
#include "base/err.h"

/* Errors are -EA_E_MATRIX; the text names every folder that was looked at. */
EA_MUST_CHECK int ea_datadir_find(struct ea_arena *arena, const char **ret_dir, struct ea_err *err);

/* Date of the matrices in DIR, "2026-01-31"; NULL if they do not say. */
const char *ea_datadir_date(struct ea_arena *arena, const char *dir);
