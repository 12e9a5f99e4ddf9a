# unit tests of auditor/fs
FS_UNIT_COMMON = tests/unit/unit.h tests/unit/tree.c tests/unit/tree.h \
	tests/unit/fs_ways.c tests/unit/fs_ways.h

check_PROGRAMS += tests/unit/test_fs_links tests/unit/test_fs_layers tests/unit/test_fs_files \
	tests/unit/test_fs_kernel tests/unit/test_fs_overlay tests/unit/test_fs_race \
	tests/unit/test_fs_stream
TESTS += tests/unit/test_fs_links tests/unit/test_fs_layers tests/unit/test_fs_files \
	tests/unit/test_fs_kernel tests/unit/test_fs_overlay tests/unit/test_fs_race \
	tests/unit/test_fs_stream

tests_unit_test_fs_links_SOURCES = tests/unit/test_fs_links.c $(FS_UNIT_COMMON)
tests_unit_test_fs_links_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_fs_links_LDADD = $(UNIT_LIBS)

tests_unit_test_fs_layers_SOURCES = tests/unit/test_fs_layers.c $(FS_UNIT_COMMON)
tests_unit_test_fs_layers_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_fs_layers_LDADD = $(UNIT_LIBS)

tests_unit_test_fs_files_SOURCES = tests/unit/test_fs_files.c $(FS_UNIT_COMMON)
tests_unit_test_fs_files_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_fs_files_LDADD = $(UNIT_LIBS)

tests_unit_test_fs_kernel_SOURCES = tests/unit/test_fs_kernel.c $(FS_UNIT_COMMON)
tests_unit_test_fs_kernel_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_fs_kernel_LDADD = $(UNIT_LIBS)

tests_unit_test_fs_overlay_SOURCES = tests/unit/test_fs_overlay.c $(FS_UNIT_COMMON)
tests_unit_test_fs_overlay_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_fs_overlay_LDADD = $(UNIT_LIBS)

tests_unit_test_fs_race_SOURCES = tests/unit/test_fs_race.c $(FS_UNIT_COMMON)
tests_unit_test_fs_race_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_fs_race_LDADD = $(UNIT_LIBS)

tests_unit_test_fs_stream_SOURCES = tests/unit/test_fs_stream.c tests/unit/tar_source.c \
	tests/unit/tar_source.h $(FS_UNIT_COMMON)
tests_unit_test_fs_stream_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_fs_stream_LDADD = $(UNIT_LIBS)
