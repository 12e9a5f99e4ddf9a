/* Contradictions and holes in the tables of facts. */
#include "matrix/check_tables.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "base/pattern.h"
#include "base/range.h"
#include "matrix/cfg.h"
#include "matrix/matrix.h"

static int problem(struct ea_err *err, const struct ea_row *row, const char *text,
		   const struct ea_row *other)
{
	return ea_err_set(err, EA_E_MATRIX, "%s: %s%s%s", row->where, text, other ? " " : "",
			  other ? other->where : "");
}

/* Every toolkit has one row for its host compiler, as far as the table reaches. */
static int check_host_gcc(const struct ea_row_list *toolkits, const struct ea_row_list *gcc,
			  struct ea_err *err)
{
	const struct ea_row *last = NULL, *hole = NULL;

	ea_vec_foreach(at, &toolkits->list) {
		const struct ea_toolkit *toolkit = (const void *)*at;
		const struct ea_row *found = NULL;

		ea_vec_foreach(row, &gcc->list) {
			const struct ea_host_gcc *one = (const void *)*row;

			if (!ea_range_has(one->cuda, toolkit->cuda))
				continue;
			if (found)
				return problem(err, *row, "range 'cuda' overlaps with that at",
					       found);
			found = *row;
		}
		if (found && hole)
			return problem(err, last,
				       "no row of 'host_gcc' after this one has the toolkit at",
				       hole);
		if (found)
			last = found;
		else if (last)
			hole = *at;
	}
	return 0;
}

/* No toolkit asks for an older driver branch than its major does. */
static int check_majors(const struct ea_row_list *toolkits, const struct ea_row_list *majors,
			struct ea_err *err)
{
	ea_vec_foreach(at, &toolkits->list) {
		const struct ea_toolkit *toolkit = (const void *)*at;

		ea_vec_foreach(row, &majors->list) {
			const struct ea_cuda_major *major = (const void *)*row;

			if (toolkit->driver && ea_range_has(major->cuda, toolkit->cuda) &&
			    strtoul(toolkit->driver, NULL, 10) < strtoul(major->driver, NULL, 10))
				return problem(err, *at,
					       "key 'driver' is below that of its major at", *row);
		}
	}
	return 0;
}

static int check_arches(const struct ea_row_list *arches, struct ea_err *err)
{
	ea_vec_foreach(row, &arches->list) {
		const struct ea_cuda_arch *arch = (const void *)*row;

		if (arch->first && arch->last && ea_version_cmp_text(arch->last, arch->first) < 0)
			return problem(err, *row, "key 'last' is below 'first'", NULL);
	}
	return 0;
}

/* A library has one SONAME in a toolkit. */
static int check_sonames(const struct ea_row_list *toolkits, const struct ea_row_list *sonames,
			 struct ea_err *err)
{
	ea_vec_foreach(a, &sonames->list) {
		const struct ea_cuda_soname *x = (const void *)*a;

		for (struct ea_row **b = a + 1; b < sonames->list.items + sonames->list.n; b++) {
			const struct ea_cuda_soname *y = (const void *)*b;

			if (!ea_streq(x->library, y->library))
				continue;
			ea_vec_foreach(at, &toolkits->list) {
				const struct ea_toolkit *toolkit = (const void *)*at;

				if (ea_range_has(x->cuda, toolkit->cuda) &&
				    ea_range_has(y->cuda, toolkit->cuda))
					return problem(err, *b,
						       "range 'cuda' overlaps with that at", *a);
			}
		}
	}
	return 0;
}

static int check_cuda(struct ea_matrix *matrix, struct ea_err *err)
{
	const struct ea_row_list *toolkits, *other;
	int rc = ea_matrix_rows(matrix, EA_TABLE_TOOLKITS, NULL, &toolkits, err);

	if (rc == 0)
		rc = ea_matrix_rows(matrix, EA_TABLE_HOST_GCC, NULL, &other, err);
	if (rc == 0)
		rc = check_host_gcc(toolkits, other, err);
	if (rc == 0)
		rc = ea_matrix_rows(matrix, EA_TABLE_CUDA_MAJORS, NULL, &other, err);
	if (rc == 0)
		rc = check_majors(toolkits, other, err);
	if (rc == 0)
		rc = ea_matrix_rows(matrix, EA_TABLE_CUDA_ARCHES, NULL, &other, err);
	if (rc == 0)
		rc = check_arches(other, err);
	if (rc == 0)
		rc = ea_matrix_rows(matrix, EA_TABLE_CUDA_SONAMES, NULL, &other, err);
	return rc ? rc : check_sonames(toolkits, other, err);
}

/* The example of a pattern shows what it is meant to match. */
static int check_conda(struct ea_matrix *matrix, struct ea_err *err)
{
	const struct ea_row_list *rows;
	struct ea_pattern *pattern;
	struct ea_err why;
	int rc = ea_matrix_rows(matrix, EA_TABLE_CONDA_BUILDS, NULL, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_conda_build *build = (const void *)*row;
		bool fits;

		if (ea_pattern_new(build->pattern, false, &pattern, &why))
			return problem(err, *row, why.text, NULL);
		fits = ea_pattern_match(pattern, ea_str(build->example), NULL);
		ea_pattern_free(pattern);
		if (!fits)
			return problem(err, *row, "key 'pattern' does not match 'example'", NULL);
	}
	return 0;
}

static int check_releases(struct ea_matrix *matrix, const char *package, struct ea_err *err)
{
	const struct ea_row_list *rows;
	int rc = ea_matrix_rows(matrix, EA_TABLE_RELEASES, package, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_release *release = (const void *)*row;

		if (release->until && ea_version_cmp_text(release->until, release->version) < 0)
			return problem(err, *row, "key 'until' is below 'version'", NULL);
		ea_vec_foreach(at, &rows->list) {
			const struct ea_release *other = (const void *)*at;

			if (release != other && release->until &&
			    ea_streq(release->build, other->build) &&
			    ea_version_cmp_text(other->version, release->version) > 0 &&
			    ea_version_cmp_text(other->version, release->until) <= 0)
				return problem(err, *at, "releases overlap with those at", *row);
		}
	}
	return 0;
}

/* The tables that were read into MATRIX against each other. */
static int check_tables(struct ea_matrix *matrix, struct ea_err *err)
{
	int rc = check_cuda(matrix, err);

	return rc ? rc : check_conda(matrix, err);
}

/* ---- files and folders --------------------------------------------------------------------- */

/* The tables of all packages in the folder FOLDER of DIR. */
static int check_packages(struct ea_matrix *matrix, const char *dir, const char *folder,
			  enum ea_table_id table, struct ea_err *err)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };
	const struct ea_row_list *rows;
	struct ea_name_list files = { 0 };
	int rc = 0;

	/* A folder of matrices need not have this one. */
	if (ea_cfg_list(ea_path_join(&arena, dir, folder), &arena, &files))
		return 0;
	ea_vec_foreach(file, &files.list) {
		const char *package = ea_arena_dup_str(
			&arena, (struct ea_str){ *file, strlen(*file) - strlen(".cfg") });

		if (rc == 0)
			rc = ea_matrix_rows(matrix, table, package, &rows, err);
		if (rc == 0)
			rc = check_releases(matrix, package, err);
	}
	return rc;
}

int ea_facts_check(const char *dir, struct ea_err *err)
{
	struct ea_matrix *matrix = ea_matrix_new(&dir, 1);
	const struct ea_row_list *rows;
	int rc = 0;

	for (int i = 0; rc == 0 && i < EA_TABLE_MAX_; i++)
		if (!ea_str_ends(ea_str(ea_table_defs[i].file), "/"))
			rc = ea_matrix_rows(matrix, (enum ea_table_id)i, NULL, &rows, err);
	if (rc == 0)
		rc = check_tables(matrix, err);
	if (rc == 0)
		rc = check_packages(matrix, dir, "releases", EA_TABLE_RELEASES, err);
	if (rc == 0)
		rc = check_packages(matrix, dir, "pins", EA_TABLE_PINS, err);
	ea_matrix_free(matrix);
	return rc;
}

int ea_facts_check_file(const char *file, struct ea_err *err)
{
	struct ea_matrix *matrix = ea_matrix_new(NULL, 0);
	const char *package = NULL;
	int rc = ea_matrix_read_file(matrix, file, &package, err);

	if (rc == 0)
		rc = package ? check_releases(matrix, package, err) : check_tables(matrix, err);
	ea_matrix_free(matrix);
	return rc;
}

bool ea_facts_has(const char *dir)
{
	EA_CLEANUP(ea_arena_release) struct ea_arena arena = { 0 };

	for (size_t i = 0; i < EA_TABLE_MAX_; i++)
		if (access(ea_path_join(&arena, dir, ea_table_defs[i].file), F_OK) == 0)
			return true;
	return false;
}
