/* matrix/matrix: rows of a user's folder over the shipped ones; errors that say where and what. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "matrix/check.h"
#include "matrix/compat.h"

static char root[64];

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

#define SOURCES "sources = ( { name = \"s\"; text = \"a document\"; date = \"2026-01-31\"; } );\n"

static void user_rows_replace_shipped_ones(void **state)
{
	char shipped[128], own[128];
	const char *dirs[] = { shipped, own };
	const struct ea_driver_branch *branch;
	const struct ea_text_list *changes;
	struct ea_matrix *matrix;

	(void)state;
	snprintf(shipped, sizeof(shipped), "%s/a", root);
	snprintf(own, sizeof(own), "%s/b", root);
	write_file("a/driver.cfg",
		   SOURCES "branches = (\n"
			   "{ branch = \"1\"; cuda = \"1.0\"; from = \"s\"; },\n"
			   "{ branch = \"2\"; cuda = \"2.0\"; from = \"s\"; } );\n");
	write_file(
		"b/driver.cfg",
		"branches = (\n"
		"{ branch = \"2\"; cuda = \"2.5\"; source = \"me\"; date = \"2026-02-01\"; },\n"
		"{ branch = \"3\"; cuda = \"3.0\"; source = \"me\"; date = \"2026-02-01\"; } );\n");
	matrix = ea_matrix_new(dirs, 2);
	assert_int_equal(ea_compat_driver(matrix, "1.5", &branch, NULL), 0);
	assert_string_equal(branch->cuda, "1.0");
	assert_string_equal(branch->row.source, "a document");
	assert_string_equal(branch->row.date, "2026-01-31");
	assert_int_equal(ea_compat_driver(matrix, "2.5", &branch, NULL), 0);
	assert_string_equal(branch->cuda, "2.5");
	assert_string_equal(branch->row.source, "me");
	assert_int_equal(ea_compat_driver(matrix, "3.1", &branch, NULL), 0);
	assert_int_equal(ea_compat_driver(matrix, "4.1", &branch, NULL), EA_MATRIX_NEWER);
	changes = ea_matrix_changes(matrix);
	assert_int_equal(changes->list.n, 2);
	assert_non_null(strstr(changes->list.items[0], "b/driver.cfg:2 replaces "));
	assert_non_null(strstr(changes->list.items[0], "a/driver.cfg:4"));
	assert_non_null(strstr(changes->list.items[1], "b/driver.cfg:3 is added"));
	ea_matrix_free(matrix);
}

#define ROW(text) "branches = (\n{ " text " } );\n"

static void errors_say_where_and_what(void **state)
{
	static const struct {
		const char *file, *text, *want;
	} cases[] = {
		{ "a/driver.cfg", ROW("branch = \"2\"; cuda = \"2.0\";"),
		  ":2: expected 'from', or 'source' and 'date', which say where the row comes "
		  "from" },
		{ "a/driver.cfg", ROW("branch = \"2\"; cuda = \"2.0\"; source = \"x\";"),
		  ":2: expected 'from', or 'source' and 'date', which say where the row comes "
		  "from" },
		{ "a/driver.cfg",
		  ROW("branch = \"2\"; cuda = \"2.0\"; source = \"x\"; date = \"May\";"),
		  ":2: key 'date': expected YYYY-MM-DD, found \"May\"" },
		{ "a/driver.cfg", ROW("branch = \"2\"; cuda = \"2.0\"; from = \"x\";"),
		  ":2: key 'from': expected a name out of 'sources', found \"x\"" },
		{ "a/driver.cfg", SOURCES ROW("branch = \"R2\"; cuda = \"2.0\"; from = \"s\";"),
		  ":3: key 'branch': expected a version, found \"R2\"" },
		{ "a/driver.cfg", SOURCES ROW("branch = \"2\"; from = \"s\";"),
		  ":3: key 'cuda' is missing" },
		{ "a/driver.cfg",
		  SOURCES ROW("branch = \"2\"; cuda = \"2\"; from = \"s\"; },\n"
			      "{ branch = \"2\"; cuda = \"3\"; from = \"s\";"),
		  ":4: row '2' of 'branches' stands at " },
		{ "a/driver.cfg", "gpus = ( );\n",
		  ":1: unknown key 'gpus': expected one of sources, branches, forward_compat, "
		  "files" },
		{ "a/cuda.cfg",
		  SOURCES "host_gcc = ( { cuda = \">>1\"; max = \"9\"; from = \"s\"; } );\n",
		  ":2: key 'cuda': expected a range of versions as \">=1.2,<2 | 3.x\", found "
		  "\">>1\"" },
		{ "a/cuda.cfg",
		  SOURCES "toolkits = ( { cuda = \"2.0\"; from = \"s\"; } );\nhost_gcc = (\n"
			  "{ cuda = \"2.x\"; max = \"9\"; from = \"s\"; },\n"
			  "{ cuda = \">=1\"; max = \"8\"; from = \"s\"; } );\n",
		  ":5: range 'cuda' overlaps with that at " },
		{ "a/cuda.cfg",
		  SOURCES
		  "toolkits = ( { cuda = \"1.0\"; from = \"s\"; },\n"
		  "{ cuda = \"2.0\"; from = \"s\"; }, { cuda = \"3.0\"; from = \"s\"; } );\n"
		  "host_gcc = ( { cuda = \"1\"; max = \"9\"; from = \"s\"; },\n"
		  "{ cuda = \"3\"; max = \"8\"; from = \"s\"; } );\n",
		  ":4: no row of 'host_gcc' after this one has the toolkit at " },
		{ "a/conda.cfg",
		  SOURCES "builds = ( { channel = \"c\"; packages = \"p\"; pattern = \"x\\\\d\"; "
			  "gives = \"cuda\"; example = \"y1\"; from = \"s\"; } );\n",
		  ":2: key 'pattern' does not match 'example'" },
		{ "a/releases/torch.cfg", "package = \"tensorflow\";\n",
		  ":1: key 'package': expected \"torch\" as the file is called, found "
		  "\"tensorflow\"" },
		{ "a/releases/torch.cfg",
		  "package = \"torch\";\n" SOURCES "releases = (\n"
		  "{ version = \"1.5\"; until = \"1.2\"; from = \"s\"; } );\n",
		  ":4: key 'until' is below 'version'" },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		const char *path;
		struct ea_err err;

		write_file(cases[i].file, cases[i].text);
		path = path_of(cases[i].file);
		assert_int_equal(ea_matrix_check(path, &err), -EA_E_MATRIX);
		assert_memory_equal(err.text, path, strlen(path));
		assert_memory_equal(err.text + strlen(path), cases[i].want, strlen(cases[i].want));
		unlink(path);
	}
}

int main(void)
{
	static const char *const folders[] = { "a/releases", "a", "b", "" };
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(user_rows_replace_shipped_ones),
		cmocka_unit_test(errors_say_where_and_what),
	};
	int failed;

	snprintf(root, sizeof(root), "%s/envaudit-matrix-XXXXXX", P_tmpdir);
	if (!mkdtemp(root))
		return 1;
	mkdir(path_of("a"), 0700);
	mkdir(path_of("b"), 0700);
	mkdir(path_of("a/releases"), 0700);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path_of("a/driver.cfg"));
	unlink(path_of("b/driver.cfg"));
	for (size_t i = 0; i < EA_ARRAY_SIZE(folders); i++)
		rmdir(path_of(folders[i]));
	return failed;
}
