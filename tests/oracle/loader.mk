# tests/oracle: the loader model against the real loader
ORACLE_COMMON = \
	tests/oracle/case.c tests/oracle/case.h \
	tests/oracle/caseprint.c tests/oracle/words.h \
	tests/oracle/compare.c \
	tests/oracle/elfspec.h tests/oracle/elftables.c \
	tests/oracle/elfwrite.c tests/oracle/elfwriter.h \
	tests/oracle/files.c tests/oracle/files.h \
	tests/oracle/ldcache.c \
	tests/oracle/predict.c \
	tests/oracle/runner.c tests/oracle/runner.h \
	tests/oracle/sandbox.c tests/oracle/sandbox.h \
	tests/oracle/sandbox_case.c tests/oracle/sandbox_files.h \
	tests/oracle/transcript.h tests/oracle/truth.c

check_PROGRAMS += tests/oracle/loader_cases
TESTS += tests/oracle/loader_cases
tests_oracle_loader_cases_SOURCES = tests/oracle/loader_cases.c $(ORACLE_COMMON)
tests_oracle_loader_cases_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/oracle
tests_oracle_loader_cases_LDADD = $(EA_LIBS)
EXTRA_DIST += tests/oracle/cases
TESTS += tests/oracle/loader_musl.sh
EXTRA_DIST += tests/oracle/loader_musl.sh
TESTS += tests/oracle/loader_aarch64.sh
EXTRA_DIST += tests/oracle/loader_aarch64.sh
CLEANFILES += tests/oracle/aarch64/tests/oracle/driver.so

# The same cases through the command line.
check_PROGRAMS += tests/oracle/loader_cli
TESTS += tests/oracle/loader_cli
tests_oracle_loader_cli_SOURCES = tests/oracle/loader_cli.c tests/oracle/ask.c tests/oracle/ask.h \
	$(ORACLE_COMMON)
tests_oracle_loader_cli_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/oracle
tests_oracle_loader_cli_LDADD = $(EA_LIBS)

# And how other tools do; for `make bench`.
EXTRA_PROGRAMS = tests/oracle/loader_tools
tests_oracle_loader_tools_SOURCES = tests/oracle/loader_tools.c tests/oracle/ask.c tests/oracle/ask.h \
	$(ORACLE_COMMON)
tests_oracle_loader_tools_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/oracle
tests_oracle_loader_tools_LDADD = $(EA_LIBS)
CLEANFILES += tests/oracle/loader_tools

# Every habit of the loader's versions turned round: the cases have to notice.
check_PROGRAMS += tests/oracle/loader_mutations
TESTS += tests/oracle/loader_mutations
tests_oracle_loader_mutations_SOURCES = tests/oracle/loader_mutations.c $(ORACLE_COMMON)
tests_oracle_loader_mutations_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/oracle
tests_oracle_loader_mutations_LDADD = $(EA_LIBS)

# A library without start-up code; instrumentation would need a runtime that is not in the sandbox.
EXTRA_DIST += tests/oracle/driver.c
CLEANFILES += tests/oracle/driver.so
check_DATA = tests/oracle/driver.so
tests/oracle/driver.so: tests/oracle/driver.c
	$(AM_V_CCLD)$(MKDIR_P) tests/oracle && $(CC) -shared -fPIC -O1 -nostdlib -fno-stack-protector \
		-o $@ $(srcdir)/tests/oracle/driver.c -Wl,-soname,libdriver.so -Wl,--no-as-needed \
		-l:libc.so.6 -l:libdl.so.2

# Random cases: a fixed few thousand in `make check`, for as long as one likes in `make fuzz-loader`.
check_PROGRAMS += tests/fuzz/loader_diff
TESTS += tests/fuzz/loader_diff
tests_fuzz_loader_diff_SOURCES = tests/fuzz/loader_diff.c tests/fuzz/loader_gen.c \
	tests/fuzz/loader_gen.h tests/fuzz/loader_genelf.c tests/fuzz/loader_genelf.h \
	tests/fuzz/loader_reduce.c $(ORACLE_COMMON)
tests_fuzz_loader_diff_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/oracle -I$(srcdir)/tests/fuzz
tests_fuzz_loader_diff_LDADD = $(EA_LIBS)

.PHONY: fuzz-loader
fuzz-loader: tests/fuzz/loader_diff tests/oracle/driver.so
	tests/fuzz/loader_diff --seed `date +%s`000 --count 0

# Every program of the machine, and the libraries of its C library and CUDA toolkit.
check_PROGRAMS += tests/oracle/loader_host
TESTS += tests/oracle/loader_host
tests_oracle_loader_host_SOURCES = tests/oracle/loader_host.c $(ORACLE_COMMON)
tests_oracle_loader_host_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/oracle
tests_oracle_loader_host_LDADD = $(EA_LIBS)

check_PROGRAMS += tests/oracle/loader_libs
TESTS += tests/oracle/loader_libs
tests_oracle_loader_libs_SOURCES = tests/oracle/loader_libs.c $(ORACLE_COMMON)
tests_oracle_loader_libs_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/oracle
tests_oracle_loader_libs_LDADD = $(EA_LIBS)
