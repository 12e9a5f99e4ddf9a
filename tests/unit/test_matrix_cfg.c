/* matrix/cfg: values arrive, and each error names file, line, key and what was expected. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "matrix/cfg.h"

struct shelf {
	const char *label;
	uint32_t height;
	bool open;
	int colour;
	EA_VEC(const char *) books;
	const config_setting_t *parts;
};

static const char *const colours[] = { NULL, "red", "green" };

static const struct ea_cfg_field shelf_fields[] = {
	EA_CFG_FIELD(struct shelf, label, STRING, .required = true),
	EA_CFG_FIELD(struct shelf, height, UINT, .min = 10, .max = 300),
	EA_CFG_FIELD(struct shelf, open, BOOL),
	EA_CFG_FIELD(struct shelf, colour, WORD, .words = colours,
		     .n_words = EA_ARRAY_SIZE(colours)),
	EA_CFG_FIELD(struct shelf, books, STRINGS),
	EA_CFG_FIELD(struct shelf, parts, GROUPS),
};

static char path[64];

static void write_file(const char *text, size_t len)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static int read_shelf(const char *text, struct ea_arena *arena, struct shelf *shelf,
		      struct ea_err *err)
{
	struct ea_cfg *cfg;
	int rc;

	write_file(text, strlen(text));
	rc = ea_cfg_open(path, &cfg, err);
	if (rc == 0) {
		rc = ea_cfg_read(ea_cfg_root(cfg), shelf_fields, EA_ARRAY_SIZE(shelf_fields), arena,
				 shelf, err);
		shelf->parts = NULL;
		ea_cfg_close(cfg);
	}
	return rc;
}

static void values_arrive(void **state)
{
	struct ea_arena arena = { 0 };
	struct shelf shelf = { .height = 77 };
	struct ea_err err;

	(void)state;
	assert_int_equal(read_shelf("label = \"a\" \"b\"; open = true;\ncolour = \"green\";\n"
				    "books = ( \"x\", \"y\" ); parts = ( { n = 1; } );\n",
				    &arena, &shelf, &err),
			 0);
	assert_string_equal(shelf.label, "ab");
	assert_int_equal(shelf.height, 77);
	assert_true(shelf.open);
	assert_int_equal(shelf.colour, 2);
	assert_int_equal(shelf.books.n, 2);
	assert_string_equal(shelf.books.items[1], "y");
	ea_arena_release(&arena);
}

static void errors_say_where_and_what(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "label = \"a\";\nsize = 1;\n", ":2: unknown key 'size': expected one of label, "
						 "height, open, colour, books, parts" },
		{ "height = 20;\n", ":1: key 'label' is missing" },
		{ "\n\nlabel = 5;\n", ":3: key 'label': expected a string that is not empty" },
		{ "label = \"\";\n", ":1: key 'label': expected a string that is not empty" },
		{ "label = \"a\"; height = 9;\n",
		  ":1: key 'height': expected a number from 10 to 300" },
		{ "label = \"a\"; height = -1;\n",
		  ":1: key 'height': expected a number from 10 to 300" },
		{ "label = \"a\"; height = 20.0;\n",
		  ":1: key 'height': expected a number from 10 to 300" },
		{ "label = \"a\";\nopen = 1;\n", ":2: key 'open': expected true or false" },
		{ "label = \"a\";\ncolour = \"blue\";\n",
		  ":2: key 'colour': expected one of red, green" },
		{ "label = \"a\";\nbooks = \"x\";\n",
		  ":2: key 'books': expected a list of strings, none empty" },
		{ "label = \"a\";\nbooks = ( \"x\", 1 );\n",
		  ":2: key 'books': expected a list of strings, none empty" },
		{ "label = \"a\";\nparts = ( 1 );\n",
		  ":2: key 'parts': expected a list of groups ( { ... }, ... )" },
		{ "label = \"a\";\nlabel = \"b\";\n", ":2: duplicate setting name" },
		{ "label = \"a\n", ":2: syntax error" },
		{ "label = \"a\";\n  @include \"/etc/passwd\"\n", ":2: @include is not supported" },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct ea_arena arena = { 0 };
		struct shelf shelf = { 0 };
		struct ea_err err;

		assert_int_equal(read_shelf(cases[i].text, &arena, &shelf, &err), -EA_E_MATRIX);
		assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
		assert_string_equal(err.text + strlen(path), cases[i].want);
		ea_arena_release(&arena);
	}
}

static void odd_files_are_errors(void **state)
{
	struct ea_cfg *cfg;
	struct ea_err err;

	(void)state;
	assert_int_equal(ea_cfg_open("/", &cfg, &err), -EA_E_MATRIX);
	assert_string_equal(err.text, "/: not a regular file");
	assert_int_equal(ea_cfg_open("/nonexistent", &cfg, &err), -EA_E_MATRIX);
	assert_string_equal(err.text, "/nonexistent: No such file or directory");
	write_file("a = 1;\nb = \"\0\";\n", 16);
	assert_int_equal(ea_cfg_open(path, &cfg, &err), -EA_E_MATRIX);
	assert_string_equal(err.text + strlen(path), ":2: NUL byte");
	write_file("", 0);
	assert_int_equal(ea_cfg_open(path, &cfg, &err), 0);
	ea_cfg_close(cfg);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_arrive),
		cmocka_unit_test(errors_say_where_and_what),
		cmocka_unit_test(odd_files_are_errors),
	};
	int fd, failed;

	snprintf(path, sizeof(path), "%s/envaudit-cfg-XXXXXX", P_tmpdir);
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
