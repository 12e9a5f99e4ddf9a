# lints of the sources, and a test that each of them finds what it is there for
LINTS = tests/lint/layers.py tests/lint/headers.py tests/lint/size.py tests/lint/style.py \
	tests/lint/selftest.py
AM_TESTS_ENVIRONMENT += CC='$(CC)' LINT_CPPFLAGS='$(CPPFLAGS) $(LIBELF_CFLAGS) $(LIBCONFIG_CFLAGS) \
	$(PCRE2_CFLAGS) $(JANSSON_CFLAGS) $(SQLITE_CFLAGS)'; export CC LINT_CPPFLAGS;
TESTS += $(LINTS)
EXTRA_DIST += .clang-format $(LINTS) tests/lint/files.py tests/lint/layers.txt \
	tests/lint/unformatted.txt tests/lint/words.txt
