# the program as a user calls it: cases as data, and what data cannot say
TESTS += tests/cli/run.py tests/cli/test_cli.py tests/cli/test_harness.py tests/cli/threads.py tests/cli/framework_example.py
EXTRA_DIST += tests/cli/case.py tests/cli/run.py \
	tests/cli/test_cli.py tests/cli/test_harness.py tests/cli/threads.py tests/cli/framework_example.py tests/cli/dist_bin.py tests/cli/cases tests/cli/trees

# Writes what the program says now into the cases; the difference wants reading.
update-goldens: all
	$(AM_TESTS_ENVIRONMENT) $(PYTHON) $(srcdir)/tests/cli/run.py --update $(CASES)
.PHONY: update-goldens
