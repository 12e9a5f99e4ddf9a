# unit tests of auditor/fs
FS_TEST_COMMON = tests/unit/unit.h tests/unit/tree.c tests/unit/tree.h \
	tests/unit/fs_ways.c tests/unit/fs_ways.h

check_PROGRAMS += tests/unit/test_fs_links
TESTS += tests/unit/test_fs_links
tests_unit_test_fs_links_SOURCES = tests/unit/test_fs_links.c $(FS_TEST_COMMON)
tests_unit_test_fs_links_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_fs_links_LDADD = $(UNIT_LIBS)
