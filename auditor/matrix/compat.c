/* Questions to the tables of CUDA, the driver, cuDNN and GPUs. */
#include "matrix/compat.h"

#include <ctype.h>
#include <stddef.h>

#include "base/range.h"

/* A member of a row by its offset. */
static const char *text_at(const void *row, size_t offset)
{
	const void *at = (const char *)row + offset;

	return *(const char *const *)at;
}

static bool has_prefix(const char *version, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(version, prefix, n) == 0 && (version[n] == '\0' || version[n] == '.');
}

/* What stands in front of the first dot. */
static struct ea_str major_of(const char *version)
{
	return (struct ea_str){ version, strcspn(version, ".") };
}

static const struct ea_row *newest(const struct ea_row_list *rows, size_t offset)
{
	const struct ea_row *best = NULL;

	ea_vec_foreach(row, &rows->list)
		if (!best || ea_version_cmp_text(text_at(*row, offset), text_at(best, offset)) > 0)
			best = *row;
	return best;
}

/* No row fits VERSION: unknown, or newer than all. A shorter VERSION ("13") is not newer than
 * "13.4". */
static int unknown_or_newer(const struct ea_row_list *rows, size_t offset, const char *version,
			    const void **ret)
{
	const struct ea_row *best = newest(rows, offset);

	if (!best || ea_version_cmp_text(version, text_at(best, offset)) <= 0)
		return EA_MATRIX_UNKNOWN;
	*ret = best;
	return EA_MATRIX_NEWER;
}

/* The row whose version is VERSION, or the lowest that VERSION is the beginning of. */
static int find_version(struct ea_matrix *matrix, enum ea_table_id table, size_t offset,
			const char *version, const void **ret, struct ea_err *err)
{
	const struct ea_row *best = NULL;
	const struct ea_row_list *rows;
	int rc = ea_matrix_rows(matrix, table, NULL, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const char *text = text_at(*row, offset);

		if (has_prefix(text, version) &&
		    (!best || ea_version_cmp_text(text, text_at(best, offset)) < 0))
			best = *row;
	}
	if (!best)
		return unknown_or_newer(rows, offset, version, ret);
	*ret = best;
	return 0;
}

/* The row with the highest version that is not above VERSION. */
static int find_floor(struct ea_matrix *matrix, enum ea_table_id table, size_t offset,
		      const char *version, const void **ret, struct ea_err *err)
{
	const struct ea_row *best = NULL;
	const struct ea_row_list *rows;
	int rc = ea_matrix_rows(matrix, table, NULL, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const char *text = text_at(*row, offset);

		if (ea_version_cmp_text(text, version) <= 0 &&
		    (!best || ea_version_cmp_text(text, text_at(best, offset)) > 0))
			best = *row;
	}
	if (!best)
		return EA_MATRIX_UNKNOWN;
	*ret = best;
	return 0;
}

#define FIND(how, table, type, member, version) \
	how(matrix, table, offsetof(struct type, member), version, (const void **)ret, err)

/* ---- CUDA and the driver ------------------------------------------------------------------- */

int ea_compat_toolkit(struct ea_matrix *matrix, const char *cuda, const struct ea_toolkit **ret,
		      struct ea_err *err)
{
	return FIND(find_version, EA_TABLE_TOOLKITS, ea_toolkit, cuda, cuda);
}

int ea_compat_cuda_major(struct ea_matrix *matrix, const char *cuda,
			 const struct ea_cuda_major **ret, struct ea_err *err)
{
	char major[16];
	struct ea_str text = major_of(cuda);

	if (text.len >= sizeof(major))
		return EA_MATRIX_UNKNOWN;
	memcpy(major, text.ptr, text.len);
	major[text.len] = '\0';
	return FIND(find_version, EA_TABLE_CUDA_MAJORS, ea_cuda_major, cuda, major);
}

int ea_compat_driver(struct ea_matrix *matrix, const char *driver,
		     const struct ea_driver_branch **ret, struct ea_err *err)
{
	const struct ea_row_list *rows;
	const struct ea_driver_branch *last;
	int rc = FIND(find_floor, EA_TABLE_DRIVER_BRANCHES, ea_driver_branch, branch, driver);

	if (rc)
		return rc;
	rc = ea_matrix_rows(matrix, EA_TABLE_DRIVER_BRANCHES, NULL, &rows, err);
	if (rc)
		return rc;
	last = (const void *)newest(rows, offsetof(struct ea_driver_branch, branch));
	return *ret == last && !ea_str_is(major_of(driver), last->branch) ? EA_MATRIX_NEWER : 0;
}

int ea_compat_forward(struct ea_matrix *matrix, const char *cuda,
		      const struct ea_forward_compat **ret, struct ea_err *err)
{
	return FIND(find_version, EA_TABLE_FORWARD_COMPAT, ea_forward_compat, cuda, cuda);
}

int ea_compat_gpu_class(struct ea_matrix *matrix, enum ea_gpu_class class,
			const struct ea_gpu_class_row **ret, struct ea_err *err)
{
	const struct ea_row_list *rows;
	int rc = ea_matrix_rows(matrix, EA_TABLE_GPU_CLASSES, NULL, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_gpu_class_row *one = (const void *)*row;

		if (one->class == class) {
			*ret = one;
			return 0;
		}
	}
	return EA_MATRIX_UNKNOWN;
}

int ea_compat_arch(struct ea_matrix *matrix, const char *sm, const struct ea_cuda_arch **ret,
		   struct ea_err *err)
{
	return FIND(find_version, EA_TABLE_CUDA_ARCHES, ea_cuda_arch, sm, sm);
}

int ea_compat_ptx(struct ea_matrix *matrix, const char *ptx, const struct ea_cuda_ptx **ret,
		  struct ea_err *err)
{
	return FIND(find_version, EA_TABLE_CUDA_PTX, ea_cuda_ptx, ptx, ptx);
}

int ea_compat_ptx_of_cuda(struct ea_matrix *matrix, const char *cuda,
			  const struct ea_cuda_ptx **ret, struct ea_err *err)
{
	const struct ea_row_list *rows;
	int rc = FIND(find_floor, EA_TABLE_CUDA_PTX, ea_cuda_ptx, cuda, cuda);

	if (rc)
		return rc;
	rc = ea_matrix_rows(matrix, EA_TABLE_CUDA_PTX, NULL, &rows, err);
	if (rc)
		return rc;
	rc = unknown_or_newer(rows, offsetof(struct ea_cuda_ptx, cuda), cuda, (const void **)ret);
	return rc == EA_MATRIX_NEWER && !has_prefix(cuda, (*ret)->cuda) ? rc : 0;
}

/* ---- rows with ranges ---------------------------------------------------------------------- */

/* The first row whose RANGE has VERSION and whose NAME is that one (NULL: any). */
static int find_range(struct ea_matrix *matrix, enum ea_table_id table, size_t range,
		      const char *version, size_t name_offset, const char *name, const void **ret,
		      struct ea_err *err)
{
	const struct ea_row_list *rows;
	int rc = ea_matrix_rows(matrix, table, NULL, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		if ((!name || ea_streq(text_at(*row, name_offset), name)) &&
		    ea_range_has(text_at(*row, range), version)) {
			*ret = *row;
			return 0;
		}
	}
	return EA_MATRIX_UNKNOWN;
}

/* A CUDA that no range has: newer than all toolkits, then the answer's date is that of LAST_ROW. */
static int newer_cuda(struct ea_matrix *matrix, enum ea_table_id table, const char *cuda,
		      const void **ret, struct ea_err *err)
{
	const struct ea_toolkit *toolkit;
	const struct ea_row_list *rows;
	int rc = ea_compat_toolkit(matrix, cuda, &toolkit, err);

	if (rc == 0)
		return EA_MATRIX_UNKNOWN;
	if (rc == EA_MATRIX_NEWER) {
		rc = ea_matrix_rows(matrix, table, NULL, &rows, err);
		if (rc == 0 && rows->list.n) {
			*ret = rows->list.items[rows->list.n - 1];
			return EA_MATRIX_NEWER;
		}
	}
	return rc < 0 ? rc : EA_MATRIX_UNKNOWN;
}

int ea_compat_host_gcc(struct ea_matrix *matrix, const char *cuda, const struct ea_host_gcc **ret,
		       struct ea_err *err)
{
	int rc = find_range(matrix, EA_TABLE_HOST_GCC, offsetof(struct ea_host_gcc, cuda), cuda, 0,
			    NULL, (const void **)ret, err);

	return rc == EA_MATRIX_UNKNOWN
		       ? newer_cuda(matrix, EA_TABLE_HOST_GCC, cuda, (const void **)ret, err)
		       : rc;
}

int ea_compat_soname(struct ea_matrix *matrix, const char *library, const char *cuda,
		     const struct ea_cuda_soname **ret, struct ea_err *err)
{
	return find_range(matrix, EA_TABLE_CUDA_SONAMES, offsetof(struct ea_cuda_soname, cuda),
			  cuda, offsetof(struct ea_cuda_soname, library), library,
			  (const void **)ret, err);
}

/* Whether NAME is an item of "cublas, cublasLt"; *RET_REST is what follows it up to the comma. */
static bool list_has(const char *list, const char *name, struct ea_str *ret_rest)
{
	struct ea_str rest = ea_str(list), item;
	size_t n = strlen(name);

	while (list && ea_str_token(&rest, ',', &item)) {
		item = ea_str_trim(item);
		if (ea_str_starts(item, name) && (item.len == n || item.ptr[n] == ' ')) {
			*ret_rest = ea_str_trim(ea_str_skip(item, n));
			return true;
		}
	}
	return false;
}

int ea_compat_wheel(struct ea_matrix *matrix, const char *library, const char *cuda,
		    const struct ea_nvidia_wheel **ret, struct ea_err *err)
{
	const struct ea_row_list *rows;
	struct ea_str rest;
	int rc = ea_matrix_rows(matrix, EA_TABLE_NVIDIA_WHEELS, NULL, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_nvidia_wheel *wheel = (const void *)*row;

		if (list_has(wheel->libraries, library, &rest) && ea_range_has(wheel->cuda, cuda)) {
			*ret = wheel;
			return 0;
		}
	}
	return EA_MATRIX_UNKNOWN;
}

struct ea_str ea_compat_listed(const char *list, const char *library)
{
	struct ea_str version = { "", 0 };

	list_has(list, library, &version);
	return version;
}

int ea_compat_toolkit_of(struct ea_matrix *matrix, const char *library, const char *version,
			 const struct ea_cuda_components **ret, struct ea_err *err)
{
	const struct ea_cuda_components *last = NULL;
	const struct ea_row_list *rows;
	struct ea_version wanted, has;
	bool newer = true;
	int rc = ea_matrix_rows(matrix, EA_TABLE_CUDA_COMPONENTS, NULL, &rows, err);

	if (rc)
		return rc;
	if (ea_version_parse(ea_str(version), &wanted))
		return EA_MATRIX_UNKNOWN;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_cuda_components *one = (const void *)*row;

		if (ea_version_parse(ea_compat_listed(one->libraries, library), &has))
			continue;
		if (ea_version_cmp(&has, &wanted) == 0) {
			*ret = one;
			return 0;
		}
		newer = newer && ea_version_cmp(&wanted, &has) > 0;
		if (!last || ea_version_cmp_text(one->cuda, last->cuda) > 0)
			last = one;
	}
	if (!last || !newer)
		return EA_MATRIX_UNKNOWN;
	*ret = last;
	return EA_MATRIX_NEWER;
}

/* ---- cuDNN --------------------------------------------------------------------------------- */

static bool same_release(const char *row, const char *version)
{
	return has_prefix(version, row) || has_prefix(row, version);
}

int ea_compat_cudnn(struct ea_matrix *matrix, const char *cudnn, const char *cuda,
		    const struct ea_cudnn_fit **ret, struct ea_err *err)
{
	const struct ea_row_list *rows;
	bool known = false;
	int rc = ea_matrix_rows(matrix, EA_TABLE_CUDNN_FITS, NULL, &rows, err);

	if (rc)
		return rc;
	ea_vec_foreach(row, &rows->list) {
		const struct ea_cudnn_fit *fit = (const void *)*row;

		if (!same_release(fit->cudnn, cudnn))
			continue;
		known = true;
		if (ea_range_has(fit->cuda, cuda)) {
			*ret = fit;
			return 0;
		}
	}
	return known ? EA_MATRIX_UNKNOWN
		     : unknown_or_newer(rows, offsetof(struct ea_cudnn_fit, cudnn), cudnn,
					(const void **)ret);
}

int ea_compat_cudnn_set(struct ea_matrix *matrix, const char *cudnn,
			const struct ea_cudnn_set **ret, struct ea_err *err)
{
	return find_range(matrix, EA_TABLE_CUDNN_SETS, offsetof(struct ea_cudnn_set, cudnn), cudnn,
			  0, NULL, (const void **)ret, err);
}

int ea_compat_cudnn_need(struct ea_matrix *matrix, const char *cudnn, const char *library,
			 const struct ea_cudnn_need **ret, struct ea_err *err)
{
	return find_range(matrix, EA_TABLE_CUDNN_NEEDS, offsetof(struct ea_cudnn_need, cudnn),
			  cudnn, offsetof(struct ea_cudnn_need, library), library,
			  (const void **)ret, err);
}

/* ---- GPUs ---------------------------------------------------------------------------------- */

/* Lower case without blanks, and without the words that some write and some do not. */
static void plain_name(const char *name, char *ret, size_t size)
{
	static const char *const words[] = { "nvidia", "geforce", "tesla", "quadro" };
	size_t n = 0;

	while (*name && n + 1 < size) {
		bool skipped = false;

		for (size_t i = 0; i < EA_ARRAY_SIZE(words) && !skipped; i++) {
			if (strncasecmp(name, words[i], strlen(words[i])) == 0) {
				name += strlen(words[i]);
				skipped = true;
			}
		}
		if (skipped)
			continue;
		if (isalnum((unsigned char)*name))
			ret[n++] = (char)tolower((unsigned char)*name);
		name++;
	}
	ret[n] = '\0';
}

/* "h10080gbhbm3" is an H100; "rtx4090laptopgpu" is an RTX 4090: the longest name that it begins
 * with. */
int ea_compat_gpu(struct ea_matrix *matrix, const char *name, const struct ea_gpu_model **ret,
		  struct ea_err *err)
{
	const struct ea_row_list *rows;
	const struct ea_gpu_model *best = NULL;
	size_t best_length = 0;
	char wanted[128], has[128];
	int rc = ea_matrix_rows(matrix, EA_TABLE_GPUS, NULL, &rows, err);

	if (rc)
		return rc;
	plain_name(name, wanted, sizeof(wanted));
	ea_vec_foreach(row, &rows->list) {
		const struct ea_gpu_model *gpu = (const void *)*row;
		size_t n;

		plain_name(gpu->name, has, sizeof(has));
		n = strlen(has);
		if (n > best_length && strncmp(wanted, has, n) == 0) {
			best = gpu;
			best_length = n;
		}
	}
	if (!best)
		return EA_MATRIX_UNKNOWN;
	*ret = best;
	return 0;
}

/* Code for 8.0 runs on 8.0 to 8.9: within a major, on the same minor or a later one. */
static bool code_runs(const struct ea_version *code, const struct ea_version *gpu)
{
	return code->part[0] == gpu->part[0] && code->part[1] <= gpu->part[1];
}

bool ea_compat_runs_on(const char *sm, const char *ptx, const char *gpu)
{
	struct ea_version code, wanted;
	struct ea_str rest = ea_str(sm), item;

	if (ea_version_parse(ea_str(gpu), &wanted))
		return false;
	while (sm && ea_str_token(&rest, ',', &item))
		if (!ea_version_parse(ea_str_trim(item), &code) && code_runs(&code, &wanted))
			return true;
	return ptx && !ea_version_parse(ea_str(ptx), &code) && ea_version_cmp(&code, &wanted) <= 0;
}
