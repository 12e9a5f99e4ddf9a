# unit tests of auditor/inventory
INVENTORY_UNIT_COMMON = tests/unit/unit.h tests/unit/tree.c tests/unit/tree.h \
	tests/unit/inventory_unit.h
INVENTORY_UNIT_TESTS = tests/unit/test_inventory_text \
	tests/unit/test_inventory_dist_info \
	tests/unit/test_inventory_conda \
	tests/unit/test_inventory_claims \
	tests/unit/test_inventory_python \
	tests/unit/test_inventory_machine \
	tests/unit/test_inventory_packages \
	tests/unit/test_inventory_toolkit

check_PROGRAMS += $(INVENTORY_UNIT_TESTS)
TESTS += $(INVENTORY_UNIT_TESTS)

tests_unit_test_inventory_text_SOURCES = tests/unit/test_inventory_text.c \
	$(INVENTORY_UNIT_COMMON)
tests_unit_test_inventory_text_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_inventory_text_LDADD = $(UNIT_LIBS)

tests_unit_test_inventory_dist_info_SOURCES = tests/unit/test_inventory_dist_info.c \
	$(INVENTORY_UNIT_COMMON)
tests_unit_test_inventory_dist_info_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_inventory_dist_info_LDADD = $(UNIT_LIBS)

tests_unit_test_inventory_conda_SOURCES = tests/unit/test_inventory_conda.c \
	$(INVENTORY_UNIT_COMMON)
tests_unit_test_inventory_conda_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_inventory_conda_LDADD = $(UNIT_LIBS)

tests_unit_test_inventory_claims_SOURCES = tests/unit/test_inventory_claims.c \
	$(INVENTORY_UNIT_COMMON)
tests_unit_test_inventory_claims_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_inventory_claims_LDADD = $(UNIT_LIBS)

tests_unit_test_inventory_python_SOURCES = tests/unit/test_inventory_python.c \
	$(INVENTORY_UNIT_COMMON)
tests_unit_test_inventory_python_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_inventory_python_LDADD = $(UNIT_LIBS)

tests_unit_test_inventory_machine_SOURCES = tests/unit/test_inventory_machine.c \
	$(INVENTORY_UNIT_COMMON)
tests_unit_test_inventory_machine_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_inventory_machine_LDADD = $(UNIT_LIBS)

tests_unit_test_inventory_packages_SOURCES = tests/unit/test_inventory_packages.c \
	$(INVENTORY_UNIT_COMMON)
tests_unit_test_inventory_packages_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_inventory_packages_LDADD = $(UNIT_LIBS)

tests_unit_test_inventory_toolkit_SOURCES = tests/unit/test_inventory_toolkit.c tests/unit/unit.h
tests_unit_test_inventory_toolkit_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_inventory_toolkit_LDADD = $(UNIT_LIBS)

check_PROGRAMS += tests/unit/test_inventory_stream
TESTS += tests/unit/test_inventory_stream
tests_unit_test_inventory_stream_SOURCES = tests/unit/test_inventory_stream.c \
	tests/unit/tar_source.c tests/unit/tar_source.h $(INVENTORY_UNIT_COMMON)
tests_unit_test_inventory_stream_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_inventory_stream_LDADD = $(UNIT_LIBS)
