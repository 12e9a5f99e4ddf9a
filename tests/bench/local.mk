# `make bench`: ratios against other tools; never part of `make check`.
# More trees: make bench BENCH_FLAGS='--environment DIR --image ROOT'
EXTRA_DIST += tests/bench/bench.py
BENCH_FLAGS =

.PHONY: bench
bench: envaudit tests/oracle/loader_tools tests/oracle/driver.so
	$(AM_TESTS_ENVIRONMENT) $(PYTHON) $(srcdir)/tests/bench/bench.py --envaudit ./envaudit \
		--loader-tools tests/oracle/loader_tools $(BENCH_FLAGS)
