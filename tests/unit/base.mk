# unit tests of auditor/base and auditor/model
check_PROGRAMS += tests/unit/test_base
TESTS += tests/unit/test_base
tests_unit_test_base_SOURCES = tests/unit/test_base.c tests/unit/unit.h
tests_unit_test_base_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_base_LDADD = $(UNIT_LIBS)
