/* base: text views, paths, versions, patterns, escaping, arenas. */
#include "unit.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/escape.h"
#include "base/num.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/vec.h"
#include "base/version.h"

static void tokens_keep_empty_elements(void **state)
{
	static const char *const want[] = { "", "a", "", "b", "" };
	struct ea_str rest = ea_str(":a::b:"), token;
	size_t n = 0;

	(void)state;
	while (ea_str_token(&rest, ':', &token))
		assert_true(ea_str_is(token, want[n++]));
	assert_int_equal(n, 5);
	rest = ea_str("");
	assert_true(ea_str_token(&rest, ':', &token));
	assert_int_equal(token.len, 0);
	assert_false(ea_str_token(&rest, ':', &token));
}

static void lines_end_in_lf_or_crlf(void **state)
{
	struct ea_str rest = ea_str("one\r\n\ntwo"), line;

	(void)state;
	assert_true(ea_str_line(&rest, &line) && ea_str_is(line, "one"));
	assert_true(ea_str_line(&rest, &line) && ea_str_is(line, ""));
	assert_true(ea_str_line(&rest, &line) && ea_str_is(line, "two"));
	assert_false(ea_str_line(&rest, &line));
}

static void numbers_overflow_is_no_number(void **state)
{
	unsigned long long value;

	(void)state;
	assert_true(ea_str_u64(ea_str("18446744073709551615"), &value));
	assert_true(value == UINT64_MAX);
	assert_false(ea_str_u64(ea_str("18446744073709551616"), &value));
	assert_false(ea_str_u64(ea_str("12x"), &value));
	assert_false(ea_str_u64(ea_str(""), &value));
}

static void ranges_do_not_wrap(void **state)
{
	(void)state;
	assert_true(ea_range_ok(10, 0, 10));
	assert_true(ea_range_ok(0, 10, 10));
	assert_false(ea_range_ok(1, 10, 10));
	assert_false(ea_range_ok(UINT64_MAX, 2, 10));
	assert_false(ea_range_ok(2, UINT64_MAX, 10));
}

static void paths_normalize(void **state)
{
	static const struct {
		const char *base, *rel, *want;
	} cases[] = {
		{ "/usr/lib", "../lib64/x", "/usr/lib64/x" },
		{ "/usr", "/etc//ld.so.conf", "/etc/ld.so.conf" },
		{ "/", "../../x", "/x" },
		{ "/a/b", "./.", "/a/b" },
		{ "/a", "..", "/" },
		{ "/a/", "b/", "/a/b" },
	};
	EA_CLEANUP(ea_buf_release) struct ea_buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		ea_path_normalize(&out, cases[i].base, ea_str(cases[i].rel));
		assert_string_equal(ea_buf_text(&out), cases[i].want);
	}
	assert_true(ea_path_within("/a/b", "/a"));
	assert_false(ea_path_within("/ab", "/a"));
	assert_true(ea_path_within("/ab", "/"));
}

static void library_names(void **state)
{
	static const char *const yes[] = { "libcudnn.so", "libcudnn.so.9", "libx.so.9.1.0.70",
					   "_C.cpython-311-x86_64-linux-gnu.so",
					   "libgomp-a34b3233.so.1" };
	static const char *const no[] = { "so",
					  ".so",
					  "libx.sox",
					  "resolver.py",
					  "ld.so.conf",
					  "libx.so.gz",
					  "libx.so.1.gz",
					  "ld.so.cache",
					  "README.if-you-look-for-libcblas.so.3",
					  "libx.so.6.0.30-gdb.py" };

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(yes); i++)
		assert_true(ea_path_is_library_name(ea_str(yes[i])));
	for (size_t i = 0; i < EA_ARRAY_SIZE(no); i++)
		assert_false(ea_path_is_library_name(ea_str(no[i])));
	assert_false(ea_path_is_library_name(EA_STR("nvshmem_bootstrap_uid.so.3")));
	assert_true(ea_path_may_be_library(EA_STR("nvshmem_bootstrap_uid.so.3")));
	assert_true(ea_path_may_be_library(EA_STR("libcudnn.so")));
	assert_false(ea_path_may_be_library(EA_STR("algorithm.sort_heap.h")));
	assert_false(ea_path_may_be_library(EA_STR("libx.so.1.gz")));
}

static void versions_order(void **state)
{
	static const char *const ascending[] = { "1.9.0.dev1", "1.9.0a1",  "1.9.0b2",
						 "1.9.0rc1",   "1.9",	   "1.9.0.post1",
						 "1.10",       "9.1.0.70", "580.159.04" };

	(void)state;
	for (size_t i = 0; i + 1 < EA_ARRAY_SIZE(ascending); i++) {
		assert_true(ea_version_cmp_text(ascending[i], ascending[i + 1]) < 0);
		assert_true(ea_version_cmp_text(ascending[i + 1], ascending[i]) > 0);
	}
	assert_int_equal(ea_version_cmp_text("2.4.1+cu121", "2.4.1"), 0);
	assert_int_equal(ea_version_cmp_text("1.9.0", "1.9"), 0);
	assert_true(ea_version_cmp_text("unknown", "0") < 0);
	assert_true(ea_version_agrees("9.1", "9.1.0.70"));
	assert_false(ea_version_agrees("9.1.1", "9.1.0.70"));
	assert_false(ea_version_agrees("2.9.0rc1", "2.9.0"));
}

/* What is optional, an alternative or in a group is not asked for beforehand. Expected: perlre. */
static void patterns_match_without_what_may_be_absent(void **state)
{
	static const struct {
		const char *pattern, *subject;
		bool matches;
	} cases[] = {
		{ "abcd?e", "abce", true },
		{ "abcd*e", "abce", true },
		{ "abcd{0,2}e", "abce", true },
		{ "abcd+e", "abcdde", true },
		{ "abcd+e", "abce", false },
		{ "abc|xyz[0-9]", "xyz7", true },
		{ "(?:long|longer)x", "longx", true },
		{ "(?i)abc.", "ABCD", true },
		{ "a[)]bc(d[)]e)?f", "a)bcf", true },
		{ "a[]x]bcd", "a]bcd", true },
		{ "a[^]]bcd.", "axbcde", true },
		{ "lib[.]so[.]?x", "lib.sox", true },
		{ "lib[.]so", "libxso", false },
		{ "lib[a]?so", "libso", true },
		{ "ab\\(cd\\)e", "ab(cd)e", true },
		{ "\\Qab?c\\E.", "ab?cd", true },
		{ "[[:alpha:]]bc", "abc", true },
		{ "a(?#comment)b.", "abc", true },
		{ "(?x) a b c .", "abcd", true },
		{ "(?!x)abc.", "abcd", true },
	};

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		struct ea_pattern *pattern;
		struct ea_err err;

		assert_int_equal(ea_pattern_new(cases[i].pattern, i % 2, &pattern, &err), 0);
		if (ea_pattern_match(pattern, ea_str(cases[i].subject), NULL) != cases[i].matches)
			fail_msg("'%s' on '%s'", cases[i].pattern, cases[i].subject);
		ea_pattern_free(pattern);
	}
}

static void patterns_match_whole_or_find(void **state)
{
	struct ea_pattern *pattern;
	struct ea_match match;
	struct ea_err err;

	(void)state;
	assert_int_equal(ea_pattern_new("libcudnn\\.so(\\.\\d+)*", false, &pattern, &err), 0);
	assert_true(ea_pattern_match(pattern, ea_str("libcudnn.so.9"), NULL));
	assert_false(ea_pattern_match(pattern, ea_str("xlibcudnn.so.9"), NULL));
	assert_false(ea_pattern_match(pattern, ea_str("libcudnn.so.9x"), NULL));
	ea_pattern_free(pattern);
	assert_int_equal(ea_pattern_new("NCCL version ([0-9.]+)", true, &pattern, &err), 0);
	assert_true(ea_pattern_match(pattern, ea_str("xx NCCL version 2.21.5+cuda12"), &match));
	assert_true(ea_str_is(match.group[1], "2.21.5"));
	ea_pattern_free(pattern);
	assert_int_equal(ea_pattern_new("a(b", false, &pattern, &err), -EA_E_MATRIX);
	assert_non_null(strstr(err.text, "at character 4"));
	/* A literal takes another way and must behave the same. */
	assert_int_equal(ea_pattern_new("abc", true, &pattern, &err), 0);
	assert_true(ea_pattern_match(pattern, ea_str("xabcx"), &match));
	assert_true(ea_str_is(match.group[0], "abc"));
	assert_false(ea_pattern_match(pattern, ea_str("xabx"), NULL));
	ea_pattern_free(pattern);
}

static void escapes_what_a_terminal_obeys(void **state)
{
	static const struct {
		const char *raw, *text, *utf8;
	} cases[] = {
		{ "plain/\xc3\xa9", "plain/\xc3\xa9", "plain/\xc3\xa9" },
		{ "a\nb\x1b[31m", "a\\nb\\e[31m", "a\nb\x1b[31m" },
		{ "\xff\xc3(", "\\xff\\xc3(", "\\xff\\xc3(" },
		{ "\xe2\x80\xae"
		  "x",
		  "\\u{202e}x",
		  "\xe2\x80\xae"
		  "x" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80" }, /* surrogate */
		{ "\xc0\xaf", "\\xc0\\xaf", "\\xc0\\xaf" },		  /* overlong */
	};
	EA_CLEANUP(ea_buf_release) struct ea_buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < EA_ARRAY_SIZE(cases); i++) {
		ea_buf_clear(&out);
		ea_escape_text(&out, ea_str(cases[i].raw));
		assert_string_equal(ea_buf_text(&out), cases[i].text);
		ea_buf_clear(&out);
		ea_escape_utf8(&out, ea_str(cases[i].raw));
		assert_string_equal(ea_buf_text(&out), cases[i].utf8);
	}
}

static void arenas_absorb_and_vectors_grow(void **state)
{
	struct ea_arena a = { 0 }, b = { 0 };
	EA_VEC(int) numbers = { 0 };
	char *kept = ea_arena_dup(&b, "kept");

	(void)state;
	memset(ea_arena_alloc(&b, 3000000), 1, 3000000);
	for (int i = 0; i < 1000; i++)
		ea_vec_push(&numbers, &a, i);
	ea_arena_absorb(&a, &b);
	assert_null(b.blocks);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(numbers.items[i], i);
	assert_string_equal(kept, "kept");
	assert_string_equal(ea_arena_printf(&a, "%s-%d", kept, 7), "kept-7");
	ea_arena_release(&a);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(tokens_keep_empty_elements),
	cmocka_unit_test(lines_end_in_lf_or_crlf),
	cmocka_unit_test(numbers_overflow_is_no_number),
	cmocka_unit_test(ranges_do_not_wrap),
	cmocka_unit_test(paths_normalize),
	cmocka_unit_test(library_names),
	cmocka_unit_test(versions_order),
	cmocka_unit_test(patterns_match_whole_or_find),
	cmocka_unit_test(patterns_match_without_what_may_be_absent),
	cmocka_unit_test(escapes_what_a_terminal_obeys),
	cmocka_unit_test(arenas_absorb_and_vectors_grow),
};

UNIT_MAIN(tests)
