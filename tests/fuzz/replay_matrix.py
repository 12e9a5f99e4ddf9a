#!/usr/bin/env python3
"""Damaged matrix files give errors that name them: the fuzz target without libFuzzer."""
import glob
import os
import subprocess
import sys


def main():
    source = os.environ.get("top_srcdir", ".")
    program = os.path.join(os.environ.get("top_builddir", "."), "tests", "fuzz", "replay_matrix")
    rounds = os.environ.get("EA_FUZZ_ROUNDS", "20")
    files = sorted(glob.glob(os.path.join(source, "matrices", "*.cfg")))
    run = subprocess.run([program, rounds, *files], check=False)
    print(f"{rounds} damaged forms of each of {len(files)} files")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
