/* inventory: lines in blocks, walking through JSON, which files matter, prefixes of site folders.
 */
#include "inventory_unit.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/limits.h"
#include "inventory/json.h"
#include "inventory/lines.h"
#include "inventory/read.h"

/* ---- lines ------------------------------------------------------------------------------- */

static void lines_cross_blocks(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	struct ea_lines lines EA_CLEANUP(ea_lines_close) = { 0 };
	struct ea_buf text EA_CLEANUP(ea_buf_release) = { 0 };
	struct ea_str line;
	char want[32];

	(void)state;
	for (int i = 0; i < 30000; i++)
		ea_buf_printf(&text, "line %d%s\n", i, i % 2 ? "\r" : "");
	ea_buf_add_text(&text, "\nno end");
	tree_file(&tree, "lines", ea_buf_text(&text));
	find(&found, &tree, ea_python_read, "/none");
	assert_int_equal(ea_lines_open(found.root, "/lines", 1 << 30, &lines), 0);
	for (int i = 0; i < 30000; i++) {
		snprintf(want, sizeof(want), "line %d", i);
		assert_true(ea_lines_next(&lines, &line));
		assert_true(ea_str_is(line, want));
		assert_int_equal(lines.number, i + 1);
	}
	assert_true(ea_lines_next(&lines, &line) && line.len == 0);
	assert_true(ea_lines_next(&lines, &line) && ea_str_is(line, "no end"));
	assert_false(ea_lines_next(&lines, &line));
	assert_int_equal(lines.error, 0);
}

static void a_line_longer_than_a_block_is_cut(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	struct ea_lines lines EA_CLEANUP(ea_lines_close) = { 0 };
	char *text EA_CLEANUP(ea_free_ptr) = ea_xmalloc(400004);
	struct ea_str line;

	(void)state;
	memset(text, 'x', 400000);
	memcpy(text + 400000, "\ny\n", 4);
	tree_file(&tree, "lines", text);
	find(&found, &tree, ea_python_read, "/none");
	assert_int_equal(ea_lines_open(found.root, "/lines", 1 << 30, &lines), 0);
	assert_true(ea_lines_next(&lines, &line));
	assert_true(lines.cut && line.len > 4096 && line.len < 400000);
	assert_true(ea_lines_next(&lines, &line));
	assert_false(lines.cut);
	assert_true(ea_str_is(line, "y"));
	assert_int_equal(lines.number, 2);
	assert_false(ea_lines_next(&lines, &line));
}

static void a_limit_ends_the_lines(void **state)
{
	struct tree tree EA_CLEANUP(tree_free) = tree_new();
	struct found found EA_CLEANUP(found_release);
	struct ea_lines lines EA_CLEANUP(ea_lines_close) = { 0 };
	char *text EA_CLEANUP(ea_free_ptr) = ea_xmalloc(200001);
	struct ea_str line;

	(void)state;
	for (int i = 0; i < 200000; i++)
		text[i] = i % 10 == 9 ? '\n' : 'x';
	text[200000] = '\0';
	tree_file(&tree, "lines", text);
	find(&found, &tree, ea_python_read, "/none");
	assert_int_equal(ea_lines_open(found.root, "/lines", 1000, &lines), 0);
	while (ea_lines_next(&lines, &line))
		;
	assert_int_equal(lines.error, -EFBIG);
	assert_true(lines.number >= 100 && lines.number < 20000);
}

/* ---- JSON -------------------------------------------------------------------------------- */

/* The next value as jansson would have built it. */
static json_t *build(struct ea_json *json)
{
	struct ea_str text;
	uint64_t number;
	json_t *value;
	char next;

	while (json->pos < json->end && strchr(" \n\t\r", *json->pos))
		json->pos++;
	next = json->pos < json->end ? *json->pos : '\0';
	if (next == '"')
		return ea_json_string(json, &text) ? json_stringn_nocheck(text.ptr, text.len)
						   : NULL;
	if (next == 't')
		return ea_json_true(json) ? json_true() : NULL;
	if (next >= '0' && next <= '9')
		return ea_json_u64(json, &number) ? json_integer((json_int_t)number) : NULL;
	if (next == '[') {
		value = json_array();
		ea_json_array(json);
		while (ea_json_item(json))
			json_array_append_new(value, build(json));
		return value;
	}
	if (next == '{') {
		value = json_object();
		ea_json_object(json);
		while (ea_json_member(json, &text)) {
			char *key = strndup(text.ptr, text.len);

			json_object_set_new_nocheck(value, key, build(json));
			free(key);
		}
		return value;
	}
	ea_json_skip(json);
	return json_null();
}

static void json_reads_as_jansson_does(void **state)
{
	static const char *const texts[] = {
		"{}",
		"[]",
		" [ ] ",
		"[1,2 , 3]",
		"{\"a\":{\"b\":[true,{\"c\":\"d\"}]},\"e\":[[],[[7]]]}",
		"[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
		"[\"\\u00e9\\u20ac\\ud83d\\ude00 é€😀\"]",
		"[\"ends in a backslash \\\\\",\"\\\\\\\"\"]",
		"[null]",
		"{\"dup\":1,\"dup\":2}",
		"[18446744073709551]",
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(texts); i++) {
		struct ea_json json EA_CLEANUP(ea_json_release);
		json_t *want = json_loads(texts[i], 0, NULL), *got;

		assert_non_null(want);
		ea_json_init(&json, ea_str(texts[i]));
		got = build(&json);
		ea_json_end(&json);
		assert_null(json.fault);
		assert_true(json_equal(got, want));
		json_decref(want);
		json_decref(got);
		/* Skipped, it is taken as a whole, too. */
		ea_json_release(&json);
		ea_json_init(&json, ea_str(texts[i]));
		ea_json_skip(&json);
		ea_json_end(&json);
		assert_null(json.fault);
	}
}

static void json_faults_are_found(void **state)
{
	static const struct {
		const char *text;
		unsigned long line;
	} texts[] = {
		{ "", 1 },	    { "{", 1 },
		{ "[1", 1 },	    { "[1,]", 1 },
		{ "[1 2]", 1 },	    { "{\"a\"}", 1 },
		{ "{\"a\":}", 1 },  { "{a:1}", 1 },
		{ "[\"\\x\"]", 1 }, { "[\"\\u12g4\"]", 1 },
		{ "[\"open]", 1 },  { "[\"open\\", 1 },
		{ "[}", 1 },	    { "{\n\n\"a\": [1,\n tru]}", 4 },
		{ "[1] 2", 1 },	    { "nul", 1 },
		{ "\xff\xff", 1 },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(texts); i++) {
		struct ea_json json EA_CLEANUP(ea_json_release);
		json_t *built;

		assert_null(json_loads(texts[i].text, JSON_DECODE_ANY, NULL));
		ea_json_init(&json, ea_str(texts[i].text));
		built = build(&json);
		ea_json_end(&json);
		assert_non_null(json.fault);
		assert_int_equal(ea_json_line(&json), texts[i].line);
		json_decref(built);
	}
}

static void json_depth_is_limited(void **state)
{
	struct ea_json json EA_CLEANUP(ea_json_release);
	char text[2 * EA_LIMIT_JSON_DEPTH + 3] = "";

	(void)state;
	memset(text, '[', EA_LIMIT_JSON_DEPTH);
	memset(text + EA_LIMIT_JSON_DEPTH, ']', EA_LIMIT_JSON_DEPTH);
	ea_json_init(&json, ea_str(text));
	ea_json_skip(&json);
	ea_json_end(&json);
	assert_null(json.fault);
	memset(text, '[', EA_LIMIT_JSON_DEPTH + 1);
	memset(text + EA_LIMIT_JSON_DEPTH + 1, ']', EA_LIMIT_JSON_DEPTH + 1);
	ea_json_init(&json, ea_str(text));
	ea_json_skip(&json);
	assert_true(json.fault && json.too_deep);
}

static void values_of_another_type_are_skipped(void **state)
{
	struct ea_json json EA_CLEANUP(ea_json_release);
	struct ea_str text;
	uint64_t number;

	(void)state;
	ea_json_init(&json, EA_STR("[{\"a\":[1]},-3,1.5,\"x\",18446744073709551616,\"last\"]"));
	assert_true(ea_json_array(&json));
	assert_true(ea_json_item(&json) && !ea_json_string(&json, &text));
	assert_true(ea_json_item(&json) && !ea_json_u64(&json, &number));
	assert_true(ea_json_item(&json) && !ea_json_u64(&json, &number));
	assert_true(ea_json_item(&json) && !ea_json_object(&json));
	assert_true(ea_json_item(&json) && !ea_json_u64(&json, &number));
	assert_true(ea_json_item(&json) && ea_json_string(&json, &text));
	assert_true(ea_str_is(text, "last"));
	assert_false(ea_json_item(&json));
	assert_null(json.fault);
}

/* ---- paths ------------------------------------------------------------------------------- */

static void libraries_and_programs_matter(void **state)
{
	(void)state;
	assert_true(ea_record_matters(EA_STR("nvidia/cu13/lib/libcublas.so.13")));
	assert_true(ea_record_matters(EA_STR("torch/_C.cpython-311-x86_64-linux-gnu.so")));
	assert_true(ea_record_matters(EA_STR("/usr/bin/python3.11")));
	assert_true(ea_record_matters(EA_STR("bin/python")));
	assert_true(ea_record_matters(EA_STR("triton/backends/nvidia/bin/ptxas")));
	assert_true(ea_record_matters(EA_STR("/usr/local/cuda-12.4/nvvm/bin/cicc")));
	assert_false(ea_record_matters(EA_STR("/usr/lib/python3")));
	assert_false(ea_record_matters(EA_STR("bin/python3-config")));
	assert_false(ea_record_matters(EA_STR("torch/__init__.py")));
	assert_false(ea_record_matters(EA_STR("torch/some.so.py")));
	assert_false(ea_record_matters(EA_STR("share/doc/nvcc")));
	assert_false(ea_record_matters(EA_STR("")));
}

static void sites_have_prefixes(void **state)
{
	static const char *const cases[][2] = {
		{ "/venv/lib/python3.11/site-packages", "/venv" },
		{ "/usr/lib64/python3.9/site-packages", "/usr" },
		{ "/usr/lib/python3/dist-packages", "/usr" },
		{ "/usr/local/lib/python3.10/dist-packages", "/usr/local" },
		{ "/home/u/.local/lib/python3.13t/site-packages", "/home/u/.local" },
		{ "/lib/python3.11/site-packages", "/" },
		{ "/some/folder", "/some/folder" },
		{ "/opt/site-packages", "/opt/site-packages" },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++)
		assert_true(ea_str_is(ea_site_prefix(cases[i][0]), cases[i][1]));
}

static void urls_lose_their_secrets(void **state)
{
	struct ea_arena arena EA_CLEANUP(ea_arena_release) = { 0 };

	(void)state;
	assert_string_equal(ea_inventory_url(&arena, EA_STR("https://me:word@host.example/p@th")),
			    "https://host.example/p@th");
	assert_string_equal(
		ea_inventory_url(&arena, EA_STR("https://h.example/t/xy-12/main/linux-64")),
		"https://h.example/main/linux-64");
	assert_string_equal(ea_inventory_url(&arena, EA_STR("file:///home/x/work")),
			    "file:///home/x/work");
	assert_string_equal(ea_inventory_url(&arena, EA_STR("pypi")), "pypi");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(lines_cross_blocks),
	cmocka_unit_test(a_line_longer_than_a_block_is_cut),
	cmocka_unit_test(a_limit_ends_the_lines),
	cmocka_unit_test(json_reads_as_jansson_does),
	cmocka_unit_test(json_faults_are_found),
	cmocka_unit_test(json_depth_is_limited),
	cmocka_unit_test(values_of_another_type_are_skipped),
	cmocka_unit_test(libraries_and_programs_matter),
	cmocka_unit_test(sites_have_prefixes),
	cmocka_unit_test(urls_lose_their_secrets),
};

UNIT_MAIN(tests)
