# unit tests of auditor/elf
check_PROGRAMS += tests/unit/test_elf_read
TESTS += tests/unit/test_elf_read
tests_unit_test_elf_read_SOURCES = tests/unit/test_elf_read.c tests/unit/elf_memory.h \
	tests/unit/unit.h
tests_unit_test_elf_read_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_elf_read_LDADD = $(UNIT_LIBS)

check_PROGRAMS += tests/unit/test_elf_fatbin
TESTS += tests/unit/test_elf_fatbin
tests_unit_test_elf_fatbin_SOURCES = tests/unit/test_elf_fatbin.c tests/unit/elf_memory.h \
	tests/unit/unit.h
tests_unit_test_elf_fatbin_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_elf_fatbin_LDADD = $(UNIT_LIBS)
