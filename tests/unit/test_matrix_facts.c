/*
 * matrix/compat: the shipped tables say what their sources say. matrix_facts.tsv holds the values
 * as they were collected from the sources, a question and its answer a line; `-` is an unknown one.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/range.h"
#include "matrix/compat.h"

static struct ea_matrix *matrix;
static struct ea_arena arena;

/* The answer to a question, NULL for none. */
typedef const char *(*question)(char **args);

static const char *toolkit_driver(char **args)
{
	const struct ea_toolkit *row;

	return ea_compat_toolkit(matrix, args[0], &row, NULL) ? NULL : row->driver;
}

static const char *major_driver(char **args)
{
	const struct ea_cuda_major *row;

	return ea_compat_cuda_major(matrix, args[0], &row, NULL) ? NULL : row->driver;
}

static const char *driver_cuda(char **args)
{
	const struct ea_driver_branch *row;

	return ea_compat_driver(matrix, args[0], &row, NULL) ? NULL : row->cuda;
}

static const char *arch_first(char **args)
{
	const struct ea_cuda_arch *row;

	return ea_compat_arch(matrix, args[0], &row, NULL) ? NULL : row->first;
}

static const char *arch_last(char **args)
{
	const struct ea_cuda_arch *row;

	return ea_compat_arch(matrix, args[0], &row, NULL) ? NULL : row->last;
}

static const char *ptx_cuda(char **args)
{
	const struct ea_cuda_ptx *row;

	return ea_compat_ptx(matrix, args[0], &row, NULL) ? NULL : row->cuda;
}

static const char *gcc_max(char **args)
{
	const struct ea_host_gcc *row;

	return ea_compat_host_gcc(matrix, args[0], &row, NULL) ? NULL : row->max;
}

/* A toolkit's version of a library; it may have come unchanged from an earlier one. */
static const char *component(char **args)
{
	const struct ea_cuda_components *row;
	const struct ea_row_list *rows;

	if (ea_compat_toolkit_of(matrix, args[1], args[2], &row, NULL) ||
	    ea_matrix_rows(matrix, EA_TABLE_CUDA_COMPONENTS, NULL, &rows, NULL))
		return NULL;
	ea_vec_foreach(at, &rows->list) {
		row = (const void *)*at;
		if (strcmp(row->cuda, args[0]) == 0)
			return ea_arena_dup_str(&arena, ea_compat_listed(row->libraries, args[1]));
	}
	return NULL;
}

static const char *soname(char **args)
{
	const struct ea_cuda_soname *row;

	return ea_compat_soname(matrix, args[0], args[1], &row, NULL) ? NULL : row->soname;
}

static const char *gpu(char **args)
{
	const struct ea_gpu_model *row;

	return ea_compat_gpu(matrix, args[0], &row, NULL) ? NULL : row->sm;
}

static const char *cudnn_cuda(char **args)
{
	const struct ea_cudnn_fit *row;

	return ea_compat_cudnn(matrix, args[0], args[1], &row, NULL) ? NULL : args[1];
}

static const char *release(char **args)
{
	const char *build = strcmp(args[2], "-") == 0 ? NULL : args[2];
	const struct ea_release *row;

	if (ea_compat_release(matrix, args[0], args[1], build, &row, NULL))
		return NULL;
	if (strcmp(args[3], "cuda") == 0)
		return row->cuda;
	if (strcmp(args[3], "cudnn") == 0)
		return row->cudnn;
	return strcmp(args[3], "nccl") == 0 ? row->nccl : row->sm;
}

static const char *pin(char **args)
{
	const struct ea_pins *row;

	return ea_compat_pins(matrix, args[0], args[1], &row, NULL) ? NULL
								    : ea_compat_need(row, args[2]);
}

static const char *partner(char **args)
{
	const struct ea_pins *row;

	return ea_compat_partner(matrix, args[0], "torch", args[1], &row, NULL) ? NULL
										: row->version;
}

static const char *conda_range(char **args)
{
	const struct ea_conda_range *row;
	size_t n = strlen(args[2]);

	if (ea_compat_conda_range(matrix, args[0], args[1], &row, NULL))
		return NULL;
	ea_vec_foreach(need, &row->needs)
		if (strncmp(*need, args[2], n) == 0)
			return *need + n;
	return NULL;
}

static const struct {
	const char *name;
	question ask;
	int n_args;
} questions[] = {
	{ "toolkit_driver", toolkit_driver, 1 },
	{ "major_driver", major_driver, 1 },
	{ "driver_cuda", driver_cuda, 1 },
	{ "arch_first", arch_first, 1 },
	{ "arch_last", arch_last, 1 },
	{ "ptx_cuda", ptx_cuda, 1 },
	{ "gcc_max", gcc_max, 1 },
	{ "component", component, 2 },
	{ "soname", soname, 2 },
	{ "gpu", gpu, 1 },
	{ "cudnn_cuda", cudnn_cuda, 2 },
	{ "release", release, 4 },
	{ "pin", pin, 3 },
	{ "partner", partner, 2 },
	{ "conda_range", conda_range, 3 },
};

static bool ask(char **words, int n, int line)
{
	for (size_t i = 0; i < EA_ARRAY_SIZE(questions); i++) {
		const char *want, *got;

		if (strcmp(questions[i].name, words[0]) != 0)
			continue;
		assert_true(n > questions[i].n_args);
		want = words[n - 1];
		got = questions[i].ask(words + 1);
		if (strcmp(got ? got : "-", want) == 0)
			return true;
		print_message("line %d: %s %s %s: want %s, got %s\n", line, words[0], words[1],
			      n > 3 ? words[2] : "", want, got ? got : "-");
		return false;
	}
	fail_msg("line %d: no question '%s'", line, words[0]);
	return false;
}

static void tables_say_what_their_sources_say(void **state)
{
	const char *dir = getenv("top_srcdir");
	char path[512], text[512];
	int line = 0, wrong = 0;
	FILE *file;

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/unit/matrix_facts.tsv", dir ? dir : ".");
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(text, sizeof(text), file)) {
		char *words[8], *save = NULL;
		int n = 0;

		line++;
		text[strcspn(text, "\n")] = '\0';
		for (char *word = strtok_r(text, "\t", &save); word && n < 8;
		     word = strtok_r(NULL, "\t", &save))
			words[n++] = word;
		wrong += !ask(words, n, line);
	}
	fclose(file);
	assert_true(line > 1000);
	assert_int_equal(wrong, 0);
}

/* What is asked is newer than all rows: an answer of its own. */
static void newer_is_an_answer(void **state)
{
	const struct ea_toolkit *toolkit;
	const struct ea_release *torch;
	const struct ea_driver_branch *branch;
	const struct ea_cudnn_fit *fit;
	const struct ea_cuda_components *components;

	(void)state;
	assert_int_equal(ea_compat_toolkit(matrix, "99.1", &toolkit, NULL), EA_MATRIX_NEWER);
	assert_non_null(toolkit->row.date);
	assert_int_equal(ea_compat_toolkit(matrix, "9.9", &toolkit, NULL), EA_MATRIX_UNKNOWN);
	assert_int_equal(ea_compat_release(matrix, "torch", "99.0.0+cu199", NULL, &torch, NULL),
			 EA_MATRIX_NEWER);
	assert_int_equal(ea_compat_release(matrix, "torch", "2.4.1+cu121", "cu121", &torch, NULL),
			 0);
	/* The build on the package index is the one for 12.8: facts of 2.9. */
	assert_int_equal(ea_compat_release(matrix, "torch", "2.9.0", NULL, &torch, NULL), 0);
	assert_string_equal(torch->build, "cu128");
	assert_int_equal(ea_compat_release(matrix, "onnxruntime-gpu", "1.18.0", NULL, &torch, NULL),
			 0);
	assert_string_equal(torch->build, "cu11");
	assert_int_equal(ea_compat_release(matrix, "torch", "2.4.1", "cu999", &torch, NULL),
			 EA_MATRIX_UNKNOWN);
	assert_int_equal(ea_compat_release(matrix, "../../etc", "1", NULL, &torch, NULL),
			 EA_MATRIX_UNKNOWN);
	assert_int_equal(ea_compat_driver(matrix, "999.1", &branch, NULL), EA_MATRIX_NEWER);
	assert_int_equal(ea_compat_driver(matrix, "100.1", &branch, NULL), EA_MATRIX_UNKNOWN);
	assert_int_equal(ea_compat_cudnn(matrix, "99.1.0", "12.4", &fit, NULL), EA_MATRIX_NEWER);
	assert_int_equal(ea_compat_toolkit_of(matrix, "cublas", "99.0", &components, NULL),
			 EA_MATRIX_NEWER);
	assert_int_equal(ea_compat_toolkit_of(matrix, "cublas", "12.4.5.9", &components, NULL),
			 EA_MATRIX_UNKNOWN);
}

/* Each row of each table has a source and a date. */
static void rows_name_their_sources(void **state)
{
	(void)state;
	for (int i = 0; i < EA_TABLE_MAX_; i++) {
		const char *package = i == EA_TABLE_RELEASES || i == EA_TABLE_PINS ? "torch" : NULL;
		const struct ea_row_list *rows;

		assert_int_equal(ea_matrix_rows(matrix, (enum ea_table_id)i, package, &rows, NULL),
				 0);
		assert_true(rows->list.n > 0);
		ea_vec_foreach(row, &rows->list) {
			assert_non_null((*row)->source);
			assert_int_equal(strlen((*row)->date), 10);
			assert_non_null(strstr((*row)->where, ".cfg:"));
		}
	}
}

static void ranges(void **state)
{
	static const struct {
		const char *range, *version;
		bool has;
	} cases[] = {
		{ "12", "12.4.1", true },
		{ "12", "1.2", false },
		{ "12.x", "12", true },
		{ "11.8 | 12.x", "12.1", true },
		{ "11.8 | 12.x", "11.7", false },
		{ ">=11.8,<13", "12.9.1", true },
		{ ">=11.8,<13", "13.0", false },
		{ ">=9.1,!=9.10.0", "9.10.0", false },
		{ "==2.4.1", "2.4.1+cu121", true },
		{ "==2.4.1+cu118", "2.4.1+cu121", false },
		{ "~=2.1", "2.9", true },
		{ "~=2.1", "3.0", false },
		{ "~=2.1.3", "2.2", false },
		{ "==12.*", "12.6.4.1", true },
		{ "*", "0.1", true },
		{ ">=1", "none", false },
		{ ">=x", "1", false },
		{ "", "1", false },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++)
		assert_int_equal(ea_range_has(cases[i].range, cases[i].version), cases[i].has);
	assert_false(ea_range_is_valid(">=1.*"));
	assert_false(ea_range_is_valid("1,,2"));
	assert_true(ea_range_is_valid("1 , <2 | 3.x"));
}

/* CUDA's rule: within a major on the same minor or a later one; PTX on all later ones. */
static void code_and_gpus(void **state)
{
	(void)state;
	assert_true(ea_compat_runs_on("8.0, 9.0", NULL, "8.6"));
	assert_false(ea_compat_runs_on("8.6", NULL, "8.0"));
	assert_false(ea_compat_runs_on("8.0, 9.0", NULL, "12.0"));
	assert_true(ea_compat_runs_on("8.0", "9.0", "12.0"));
	assert_false(ea_compat_runs_on("8.0", "9.0", "7.5"));
}

static void known_bad(void **state)
{
	const struct ea_known_bad *bad = NULL;

	(void)state;
	assert_int_equal(
		ea_compat_known_bad(matrix, "cudnn", "9.10.0", "jax", "0.6.0", NULL, &bad, NULL),
		0);
	assert_non_null(strstr(bad->symptom, "jax"));
	assert_int_equal(
		ea_compat_known_bad(matrix, "cudnn", "9.10.0", "jax", "0.6.0", NULL, &bad, NULL),
		EA_MATRIX_UNKNOWN);
	bad = NULL;
	assert_int_equal(
		ea_compat_known_bad(matrix, "cudnn", "9.11.0", NULL, NULL, "8.0", &bad, NULL),
		EA_MATRIX_UNKNOWN);
	assert_int_equal(
		ea_compat_known_bad(matrix, "cudnn", "9.11.0", NULL, NULL, "7.0", &bad, NULL), 0);
}

static void conda_builds(void **state)
{
	static const struct {
		const char *package, *build, *cuda, *cudnn;
		bool cpu;
	} cases[] = {
		{ "pytorch", "py3.10_cuda11.8_cudnn8.7.0_0", "11.8", "8.7.0", false },
		{ "pytorch", "py3.10_cpu_0", NULL, NULL, true },
		{ "pytorch", "cuda129_mkl_py312_h0123abc_300", "12.9", NULL, false },
		{ "tensorflow", "cuda118py310h0123abc_0", "11.8", NULL, false },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct ea_conda_answer answer;

		assert_int_equal(ea_compat_conda_build(matrix, cases[i].package, cases[i].build,
						       &arena, &answer, NULL),
				 0);
		assert_true(ea_streq(answer.cuda, cases[i].cuda));
		assert_true(ea_streq(answer.cudnn, cases[i].cudnn));
		assert_int_equal(answer.cpu, cases[i].cpu);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges),
		cmocka_unit_test(tables_say_what_their_sources_say),
		cmocka_unit_test(newer_is_an_answer),
		cmocka_unit_test(rows_name_their_sources),
		cmocka_unit_test(code_and_gpus),
		cmocka_unit_test(known_bad),
		cmocka_unit_test(conda_builds),
	};
	const char *dir = getenv("top_srcdir");
	char path[512];
	const char *dirs[] = { path };
	int failed;

	snprintf(path, sizeof(path), "%s/matrices", dir ? dir : ".");
	matrix = ea_matrix_new(dirs, 1);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	ea_matrix_free(matrix);
	ea_arena_release(&arena);
	return failed;
}
