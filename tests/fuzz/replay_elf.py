#!/usr/bin/env python3
"""Damaged ELF files of several machines do no harm: the fuzz target without libFuzzer."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests", "oracle"))
import elf_oracle as oracle  # noqa: E402


def main():
    program = os.path.join(os.environ.get("top_builddir", "."), "tests", "fuzz", "replay_elf")
    rounds = os.environ.get("EA_FUZZ_ROUNDS", "1000")
    with tempfile.TemporaryDirectory() as tmp:
        files = oracle.build_foreign(tmp) + oracle.real_files(8, limit=64 << 10)
        if not files:
            print("skipped: no small ELF files here")
            return oracle.SKIP
        run = subprocess.run([program, rounds, *files], check=False)
        print(f"{rounds} damaged forms of each of {len(files)} files")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
