# tests/fuzz: libFuzzer targets; configure with CC=clang --enable-fuzzers. Without it, replay.c gives
# them files and damaged forms of these.
check_PROGRAMS += tests/fuzz/replay_elf
tests_fuzz_replay_elf_SOURCES = tests/fuzz/fuzz_elf.c tests/fuzz/fuzz_target.h tests/fuzz/replay.c \
	tests/unit/elf_memory.h
tests_fuzz_replay_elf_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/unit
tests_fuzz_replay_elf_LDADD = $(EA_LIBS)
TESTS += tests/fuzz/replay_elf.py
EXTRA_DIST += tests/fuzz/replay_elf.py

FUZZ_SOURCE = tests/fuzz/memory_source.c tests/fuzz/memory_source.h
check_PROGRAMS += tests/fuzz/replay_ldcache tests/fuzz/replay_ldconf
tests_fuzz_replay_ldcache_SOURCES = tests/fuzz/fuzz_ldcache.c tests/fuzz/fuzz_target.h \
	tests/fuzz/replay.c
tests_fuzz_replay_ldcache_LDADD = $(EA_LIBS)
tests_fuzz_replay_ldconf_SOURCES = tests/fuzz/fuzz_ldconf.c tests/fuzz/fuzz_target.h \
	tests/fuzz/replay.c $(FUZZ_SOURCE)
tests_fuzz_replay_ldconf_LDADD = $(EA_LIBS)
TESTS += tests/fuzz/replay_loader.py
EXTRA_DIST += tests/fuzz/replay_loader.py

check_PROGRAMS += tests/fuzz/replay_matrix
tests_fuzz_replay_matrix_SOURCES = tests/fuzz/fuzz_matrix.c tests/fuzz/fuzz_target.h \
	tests/fuzz/replay.c
tests_fuzz_replay_matrix_LDADD = $(EA_LIBS)
TESTS += tests/fuzz/replay_matrix.py
EXTRA_DIST += tests/fuzz/replay_matrix.py

FUZZ_IMAGE = tests/fuzz/image_fuzz.h tests/fuzz/fuzz_target.h
check_PROGRAMS += tests/fuzz/replay_image_layers tests/fuzz/replay_image_manifest
tests_fuzz_replay_image_layers_SOURCES = tests/fuzz/fuzz_image_layers.c tests/fuzz/replay.c \
	$(FUZZ_IMAGE)
tests_fuzz_replay_image_layers_LDADD = $(EA_LIBS)
tests_fuzz_replay_image_manifest_SOURCES = tests/fuzz/fuzz_image_manifest.c tests/fuzz/replay.c \
	$(FUZZ_IMAGE)
tests_fuzz_replay_image_manifest_LDADD = $(EA_LIBS)
TESTS += tests/fuzz/replay_image.py
EXTRA_DIST += tests/fuzz/replay_image.py

if FUZZERS
noinst_PROGRAMS += tests/fuzz/fuzz_elf
tests_fuzz_fuzz_elf_SOURCES = tests/fuzz/fuzz_elf.c tests/fuzz/fuzz_target.h tests/unit/elf_memory.h
tests_fuzz_fuzz_elf_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/unit
tests_fuzz_fuzz_elf_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
tests_fuzz_fuzz_elf_LDADD = $(EA_LIBS)

FUZZ_LINK = $(AM_LDFLAGS) -fsanitize=fuzzer
FUZZ_INVENTORY = $(FUZZ_SOURCE) tests/fuzz/inventory_fuzz.h

noinst_PROGRAMS += tests/fuzz/fuzz_conda
tests_fuzz_fuzz_conda_SOURCES = tests/fuzz/fuzz_conda.c $(FUZZ_INVENTORY)
tests_fuzz_fuzz_conda_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_conda_LDADD = $(EA_LIBS)

noinst_PROGRAMS += tests/fuzz/fuzz_dpkg
tests_fuzz_fuzz_dpkg_SOURCES = tests/fuzz/fuzz_dpkg.c $(FUZZ_INVENTORY)
tests_fuzz_fuzz_dpkg_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_dpkg_LDADD = $(EA_LIBS)

noinst_PROGRAMS += tests/fuzz/fuzz_matrix
tests_fuzz_fuzz_matrix_SOURCES = tests/fuzz/fuzz_matrix.c tests/fuzz/fuzz_target.h
tests_fuzz_fuzz_matrix_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_matrix_LDADD = $(EA_LIBS)

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

noinst_PROGRAMS += tests/fuzz/fuzz_ldcache tests/fuzz/fuzz_ldconf
tests_fuzz_fuzz_ldcache_SOURCES = tests/fuzz/fuzz_ldcache.c tests/fuzz/fuzz_target.h
tests_fuzz_fuzz_ldcache_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_ldcache_LDADD = $(EA_LIBS)
tests_fuzz_fuzz_ldconf_SOURCES = tests/fuzz/fuzz_ldconf.c tests/fuzz/fuzz_target.h $(FUZZ_SOURCE)
tests_fuzz_fuzz_ldconf_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_ldconf_LDADD = $(EA_LIBS)

noinst_PROGRAMS += tests/fuzz/fuzz_image_layers tests/fuzz/fuzz_image_manifest
tests_fuzz_fuzz_image_layers_SOURCES = tests/fuzz/fuzz_image_layers.c $(FUZZ_IMAGE)
tests_fuzz_fuzz_image_layers_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_image_layers_LDADD = $(EA_LIBS)
tests_fuzz_fuzz_image_manifest_SOURCES = tests/fuzz/fuzz_image_manifest.c $(FUZZ_IMAGE)
tests_fuzz_fuzz_image_manifest_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_image_manifest_LDADD = $(EA_LIBS)
endif

# Each target for a short while, as CI does.
FUZZ_SECONDS = 15
fuzz-smoke:
	@set -e; for target in elf conda dpkg image_layers image_manifest ldcache ldconf matrix metadata record rpm; do \
		echo "fuzz_$$target, $(FUZZ_SECONDS) s"; \
		tests/fuzz/fuzz_$$target -max_total_time=$(FUZZ_SECONDS) -max_len=65536 -timeout=10 \
			-rss_limit_mb=2048 -verbosity=0; \
	done
.PHONY: fuzz-smoke
