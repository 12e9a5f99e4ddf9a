# unit tests of auditor/matrix
check_PROGRAMS += tests/unit/test_matrix_cfg
TESTS += tests/unit/test_matrix_cfg
tests_unit_test_matrix_cfg_SOURCES = tests/unit/test_matrix_cfg.c tests/unit/unit.h
tests_unit_test_matrix_cfg_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_matrix_cfg_LDADD = $(UNIT_LIBS)

check_PROGRAMS += tests/unit/test_matrix_libraries
TESTS += tests/unit/test_matrix_libraries
tests_unit_test_matrix_libraries_SOURCES = tests/unit/test_matrix_libraries.c tests/unit/unit.h
tests_unit_test_matrix_libraries_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_matrix_libraries_LDADD = $(UNIT_LIBS)

check_PROGRAMS += tests/unit/test_matrix_facts
TESTS += tests/unit/test_matrix_facts
EXTRA_DIST += tests/unit/matrix_facts.tsv
tests_unit_test_matrix_facts_SOURCES = tests/unit/test_matrix_facts.c tests/unit/unit.h
tests_unit_test_matrix_facts_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_matrix_facts_LDADD = $(UNIT_LIBS)

check_PROGRAMS += tests/unit/test_matrix_files
TESTS += tests/unit/test_matrix_files
tests_unit_test_matrix_files_SOURCES = tests/unit/test_matrix_files.c tests/unit/unit.h
tests_unit_test_matrix_files_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_matrix_files_LDADD = $(UNIT_LIBS)

TESTS += tests/unit/test_matrix_update.py
EXTRA_DIST += tests/unit/test_matrix_update.py

check_PROGRAMS += tests/unit/test_matrix_symptoms
TESTS += tests/unit/test_matrix_symptoms
tests_unit_test_matrix_symptoms_SOURCES = tests/unit/test_matrix_symptoms.c tests/unit/unit.h
tests_unit_test_matrix_symptoms_CFLAGS = $(UNIT_CFLAGS)
tests_unit_test_matrix_symptoms_LDADD = $(UNIT_LIBS)
