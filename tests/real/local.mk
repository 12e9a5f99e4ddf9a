# real environments: captures of machines (skipped where they are absent)
TESTS += tests/real/capture.py tests/real/replay.py
EXTRA_DIST += tests/real/capture.py tests/real/replay.py
