# real environments: captures of machines (skipped where they are absent), imports under the real loader
TESTS += tests/real/capture.py tests/real/replay.py tests/real/cuda_matrix.py tests/real/check_real.py
EXTRA_DIST += tests/real/capture.py tests/real/replay.py tests/real/cuda_matrix.py tests/real/check_real.py \
	tests/real/environments.json

# All environments, one after the other: gigabytes from the network, hours on a slow one.
# One only: make check-real REAL_FLAGS=torch-2.7
REAL_FLAGS =

.PHONY: check-real
check-real: envaudit
	$(PYTHON) $(srcdir)/tests/real/check_real.py --all $(REAL_FLAGS)
