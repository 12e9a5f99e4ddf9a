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
	tests/oracle/sandbox.c tests/oracle/sandbox.h \
	tests/oracle/transcript.h tests/oracle/truth.c

check_PROGRAMS += tests/oracle/loader_cases
TESTS += tests/oracle/loader_cases
tests_oracle_loader_cases_SOURCES = tests/oracle/loader_cases.c $(ORACLE_COMMON)
tests_oracle_loader_cases_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/oracle
tests_oracle_loader_cases_LDADD = $(EA_LIBS)
EXTRA_DIST += tests/oracle/cases

# A library without start-up code; instrumentation would need a runtime that is not in the sandbox.
EXTRA_DIST += tests/oracle/driver.c
CLEANFILES += tests/oracle/driver.so
check_DATA = tests/oracle/driver.so
tests/oracle/driver.so: tests/oracle/driver.c
	$(AM_V_CCLD)$(MKDIR_P) tests/oracle && $(CC) -shared -fPIC -O1 -nostdlib -fno-stack-protector \
		-o $@ $(srcdir)/tests/oracle/driver.c -Wl,-soname,libdriver.so -Wl,--no-as-needed \
		-l:libc.so.6 -l:libdl.so.2
