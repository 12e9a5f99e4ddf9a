# tests/fuzz: libFuzzer targets; configure with CC=clang --enable-fuzzers
if FUZZERS
FUZZ_LINK = $(AM_LDFLAGS) -fsanitize=fuzzer
FUZZ_INVENTORY = tests/fuzz/memory_source.c tests/fuzz/memory_source.h \
	tests/fuzz/inventory_fuzz.h

noinst_PROGRAMS += tests/fuzz/fuzz_conda
tests_fuzz_fuzz_conda_SOURCES = tests/fuzz/fuzz_conda.c $(FUZZ_INVENTORY)
tests_fuzz_fuzz_conda_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_conda_LDADD = $(EA_LIBS)

noinst_PROGRAMS += tests/fuzz/fuzz_dpkg
tests_fuzz_fuzz_dpkg_SOURCES = tests/fuzz/fuzz_dpkg.c $(FUZZ_INVENTORY)
tests_fuzz_fuzz_dpkg_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_dpkg_LDADD = $(EA_LIBS)

noinst_PROGRAMS += tests/fuzz/fuzz_metadata
tests_fuzz_fuzz_metadata_SOURCES = tests/fuzz/fuzz_metadata.c $(FUZZ_INVENTORY)
tests_fuzz_fuzz_metadata_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_metadata_LDADD = $(EA_LIBS)

noinst_PROGRAMS += tests/fuzz/fuzz_record
tests_fuzz_fuzz_record_SOURCES = tests/fuzz/fuzz_record.c $(FUZZ_INVENTORY)
tests_fuzz_fuzz_record_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_record_LDADD = $(EA_LIBS)

noinst_PROGRAMS += tests/fuzz/fuzz_rpm
tests_fuzz_fuzz_rpm_SOURCES = tests/fuzz/fuzz_rpm.c $(FUZZ_INVENTORY)
tests_fuzz_fuzz_rpm_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_rpm_LDADD = $(EA_LIBS)
endif
