# tests/oracle: comparisons with the real tools and the real loader
check_PROGRAMS += tests/oracle/elf_dump
tests_oracle_elf_dump_SOURCES = tests/oracle/elf_dump.c
tests_oracle_elf_dump_LDADD = $(EA_LIBS)
ELF_ORACLES = tests/oracle/elf_facts.py tests/oracle/elf_gpu.py tests/oracle/elf_symbols.py \
	tests/oracle/elf_versions.py
TESTS += $(ELF_ORACLES)
EXTRA_DIST += $(ELF_ORACLES) tests/oracle/elf_oracle.py

check_PROGRAMS += tests/oracle/inventory_dump
tests_oracle_inventory_dump_SOURCES = tests/oracle/inventory_dump.c
tests_oracle_inventory_dump_LDADD = $(EA_LIBS)
TESTS += tests/oracle/inventory_python.py tests/oracle/inventory_system.py
EXTRA_DIST += tests/oracle/inventory_oracle.py tests/oracle/inventory_python.py \
	tests/oracle/inventory_system.py
check_PROGRAMS += tests/oracle/sys_path_dump
tests_oracle_sys_path_dump_SOURCES = tests/oracle/sys_path_dump.c
tests_oracle_sys_path_dump_LDADD = $(EA_LIBS)
TESTS += tests/oracle/sys_path.py
EXTRA_DIST += tests/oracle/sys_path.py
TESTS += tests/oracle/tree_system.py
EXTRA_DIST += tests/oracle/tree_system.py tests/oracle/tree_driver.c

check_PROGRAMS += tests/oracle/image_dump
tests_oracle_image_dump_SOURCES = tests/oracle/image_dump.c
tests_oracle_image_dump_LDADD = $(EA_LIBS)
# The whole suite as on a kernel without openat2.
check_PROGRAMS += tests/oracle/no_openat2
tests_oracle_no_openat2_SOURCES = tests/oracle/no_openat2.c
TESTS += tests/oracle/no_openat2.py
EXTRA_DIST += tests/oracle/no_openat2.py
.PHONY: check-no-openat2
check-no-openat2: tests/oracle/no_openat2
	tests/oracle/no_openat2 $(MAKE) check

IMAGE_ORACLES = tests/oracle/image_audit.py tests/oracle/image_forms.py tests/oracle/image_toolkit.py \
	tests/oracle/image_umoci.py
TESTS += $(IMAGE_ORACLES)
EXTRA_DIST += $(IMAGE_ORACLES) tests/oracle/image_oracle.py
include tests/oracle/loader.mk
