# unit tests of auditor/scan and auditor/rules
check_PROGRAMS += tests/unit/test_scan_target tests/unit/test_scan_pool tests/unit/test_rules
TESTS += tests/unit/test_scan_target tests/unit/test_scan_pool tests/unit/test_rules
tests_unit_test_scan_target_SOURCES = tests/unit/test_scan_target.c tests/unit/unit.h
tests_unit_test_scan_target_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_scan_target_LDADD = $(UNIT_LIBS)
tests_unit_test_scan_pool_SOURCES = tests/unit/test_scan_pool.c tests/unit/unit.h
tests_unit_test_scan_pool_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_scan_pool_LDADD = $(UNIT_LIBS)
tests_unit_test_rules_SOURCES = tests/unit/test_rules.c tests/unit/unit.h
tests_unit_test_rules_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_rules_LDADD = $(UNIT_LIBS)
