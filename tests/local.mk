# All tests that `make check` runs; each folder of auditor/ has a fragment for its unit tests.
AM_TESTS_ENVIRONMENT = top_srcdir='$(top_srcdir)' top_builddir='$(top_builddir)' PYTHON='$(PYTHON)'; export top_srcdir top_builddir PYTHON;
TEST_EXTENSIONS = .py .sh
PY_LOG_COMPILER = $(PYTHON)
SH_LOG_COMPILER = sh
UNIT_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(LIBARCHIVE_CFLAGS)
UNIT_LIBS = $(EA_LIBS) $(CMOCKA_LIBS)

if HAVE_CMOCKA
include tests/unit/base.mk
include tests/unit/fs.mk
include tests/unit/matrix.mk
include tests/unit/elf.mk
include tests/unit/inventory.mk
include tests/unit/loader.mk
include tests/unit/scan.mk
include tests/unit/report.mk
endif
include tests/cli/local.mk
include tests/oracle/local.mk
include tests/real/local.mk
include tests/fuzz/local.mk
include tests/bench/local.mk
include tests/lint/local.mk
