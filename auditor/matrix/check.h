/* Whether a file is a valid matrix, whichever kind it is. */
#pragma once

#include "base/attr.h"
#include "base/err.h"

/*
 * FILE is a matrix file, or a folder: then every matrix in it and in its folders `rules` and
 * `frameworks`, and these against each other. Errors are -EA_E_MATRIX with file, line, key and what
 * was expected.
 */
EA_MUST_CHECK int ea_matrix_check(const char *file, struct ea_err *err);
