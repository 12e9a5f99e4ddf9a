# unit tests of auditor/session, and of the provider that it asks
SESSION_UNIT_COMMON = tests/unit/unit.h tests/unit/tree.c tests/unit/tree.h \
	tests/unit/session_root.c tests/unit/session_root.h \
	tests/oracle/elfspec.h tests/oracle/elftables.c \
	tests/oracle/elfwrite.c tests/oracle/elfwriter.h
SESSION_UNIT_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/oracle
check_PROGRAMS += tests/unit/test_session_layers tests/unit/test_scan_provider
TESTS += tests/unit/test_session_layers tests/unit/test_scan_provider
tests_unit_test_session_layers_SOURCES = tests/unit/test_session_layers.c $(SESSION_UNIT_COMMON)
tests_unit_test_session_layers_CPPFLAGS = $(SESSION_UNIT_CPPFLAGS)
tests_unit_test_session_layers_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_session_layers_LDADD = $(UNIT_LIBS)
tests_unit_test_scan_provider_SOURCES = tests/unit/test_scan_provider.c $(SESSION_UNIT_COMMON)
tests_unit_test_scan_provider_CPPFLAGS = $(SESSION_UNIT_CPPFLAGS)
tests_unit_test_scan_provider_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_scan_provider_LDADD = $(UNIT_LIBS)

check_PROGRAMS += tests/unit/test_scan_around
TESTS += tests/unit/test_scan_around
tests_unit_test_scan_around_SOURCES = tests/unit/test_scan_around.c $(SESSION_UNIT_COMMON)
tests_unit_test_scan_around_CPPFLAGS = $(SESSION_UNIT_CPPFLAGS)
tests_unit_test_scan_around_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_scan_around_LDADD = $(UNIT_LIBS)
