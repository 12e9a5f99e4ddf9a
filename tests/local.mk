# All tests that `make check` runs; each folder of auditor/ has a fragment for its unit tests.
# Programs (cmocka) and .py tests speak TAP, so that each of their tests counts; .sh tests are one each.
AM_TESTS_ENVIRONMENT = top_srcdir='$(top_srcdir)' top_builddir='$(top_builddir)' PYTHON='$(PYTHON)' \
	CMOCKA_MESSAGE_OUTPUT=TAP; \
	export top_srcdir top_builddir PYTHON CMOCKA_MESSAGE_OUTPUT;
TEST_EXTENSIONS = .py .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_COMPILER = sh $(top_srcdir)/tests/unit/run.sh
PY_LOG_DRIVER = $(LOG_DRIVER)
PY_LOG_COMPILER = $(PYTHON) $(top_srcdir)/tests/tap.py
SH_LOG_COMPILER = sh
EXTRA_DIST += tests/tap.py tests/unit/run.sh
UNIT_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
UNIT_LIBS = $(EA_LIBS) $(CMOCKA_LIBS)

if HAVE_CMOCKA
include tests/unit/base.mk
include tests/unit/fs.mk
include tests/unit/matrix.mk
include tests/unit/elf.mk
include tests/unit/inventory.mk
include tests/unit/loader.mk
include tests/unit/scan.mk
include tests/unit/session.mk
include tests/unit/report.mk
endif
include tests/cli/local.mk
include tests/fixtures/local.mk
include tests/oracle/local.mk
include tests/real/local.mk
include tests/fuzz/local.mk
include tests/bench/local.mk
include tests/lint/local.mk

# What runs workers, for a build with --enable-tsan.
check-threads:
	$(MAKE) check TESTS='tests/unit/test_scan_pool tests/unit/test_scan_target tests/cli/run.py tests/cli/threads.py'

check-valgrind:
	$(MAKE) check TESTS="`printf '%s\n' $(TESTS) | grep '^tests/unit/' | xargs`" \
		LOG_COMPILER='$(LOG_COMPILER) valgrind -q --leak-check=full --error-exitcode=99'

.PHONY: check-threads check-valgrind

clean-local:
	rm -rf tests/cli/work
