/*
 * The tables of facts as one matrix: read from several folders, a later one's rows replacing those
 * of the same key in an earlier one. Nothing is read before it is asked for.
 */
#pragma once

#include "base/err.h"
#include "matrix/tables.h"

struct ea_matrix;

/* The shipped folder first, then the user's; one that lacks a file has no say in it. */
struct ea_matrix *ea_matrix_new(const char *const *dirs, size_t n_dirs);
void ea_matrix_free(struct ea_matrix *matrix);

struct ea_row_list {
	EA_VEC(struct ea_row *) list;
};

struct ea_text_list {
	EA_VEC(const char *) list;
};

/*
 * All rows of a table, in the order of the files; PACKAGE for tables with a file for each package,
 * else NULL. The pointers are to the struct of that table, which begins with its ea_row.
 */
EA_MUST_CHECK int ea_matrix_rows(struct ea_matrix *matrix, enum ea_table_id table,
				 const char *package, const struct ea_row_list **ret,
				 struct ea_err *err);

/* "FILE:LINE replaces FILE:LINE" or "FILE:LINE is added", for what was read up to now. */
const struct ea_text_list *ea_matrix_changes(const struct ea_matrix *matrix);

/*
 * Reads FILE as if it stood in a folder: 0, 1 if files of its name hold no tables of facts, or
 * -EA_E_MATRIX. Its name, for those of packages that of its folder too, says which tables it holds;
 * *RET_PACKAGE is set for those of a package.
 */
EA_MUST_CHECK int ea_matrix_read_file(struct ea_matrix *matrix, const char *file,
				      const char **ret_package, struct ea_err *err);
