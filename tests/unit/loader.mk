# unit tests of auditor/loader
check_PROGRAMS += tests/unit/test_loader_conf
TESTS += tests/unit/test_loader_conf
tests_unit_test_loader_conf_SOURCES = tests/unit/test_loader_conf.c tests/unit/unit.h \
	tests/unit/tree.c tests/unit/tree.h
tests_unit_test_loader_conf_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_loader_conf_LDADD = $(UNIT_LIBS)

check_PROGRAMS += tests/unit/test_loader_fork
TESTS += tests/unit/test_loader_fork
tests_unit_test_loader_fork_SOURCES = tests/unit/test_loader_fork.c \
	tests/oracle/files.c tests/oracle/files.h $(SESSION_UNIT_COMMON)
tests_unit_test_loader_fork_CPPFLAGS = $(SESSION_UNIT_CPPFLAGS)
tests_unit_test_loader_fork_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_loader_fork_LDADD = $(UNIT_LIBS)
