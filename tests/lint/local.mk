# lints of the sources, and a test that each of them finds what it is there for
LINTS = tests/lint/layers.py tests/lint/headers.py tests/lint/size.py tests/lint/style.py \
	tests/lint/matrix_keys.py tests/lint/selftest.py
AM_TESTS_ENVIRONMENT += CC='$(CC)' LINT_CPPFLAGS='$(CPPFLAGS) $(LIBELF_CFLAGS) $(LIBCONFIG_CFLAGS) \
	$(PCRE2_CFLAGS) $(JANSSON_CFLAGS) $(SQLITE_CFLAGS)'; export CC LINT_CPPFLAGS;
TESTS += $(LINTS)
EXTRA_DIST += .clang-format $(LINTS) tests/lint/files.py tests/lint/layers.txt \
	tests/lint/unformatted.txt tests/lint/words.txt

# Analyzers that take longer than a test may. One file a process: with several, clang-tidy 14 invents
# uninitialized va_lists.
clang-tidy:
	cd $(srcdir) && printf '%s\n' $(libenvaudit_a_SOURCES) $(envaudit_SOURCES) | grep '\.c$$' | \
		xargs -P `nproc` -I FILE clang-tidy --quiet FILE -- -std=gnu17 $(DEFS) \
		-include $(abs_builddir)/config.h -Iauditor -DEA_DATADIR='"$(pkgdatadir)"' \
		$(LIBELF_CFLAGS) $(LIBCONFIG_CFLAGS) $(PCRE2_CFLAGS) $(JANSSON_CFLAGS) \
		$(SQLITE_CFLAGS) $(NETTLE_CFLAGS)

# It takes a descriptor that is returned for one that leaks; clang-tidy finds real leaks.
cppcheck:
	cd $(srcdir) && cppcheck --quiet --enable=warning,performance,portability --std=c11 \
		--library=posix,gnu --inline-suppr --suppress=resourceLeak --error-exitcode=1 \
		--template=gcc -j `nproc` -I auditor -D_GNU_SOURCE -D__GNUC__ \
		-D'HASH_ITER(hh,head,item,next)=while((item)=(next)=(head))' auditor

.PHONY: clang-tidy cppcheck
EXTRA_DIST += .clang-tidy
