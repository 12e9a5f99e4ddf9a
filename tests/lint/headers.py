"""Each header compiles alone, and twice."""
import os
import shlex
import shutil
import subprocess
import unittest
from pathlib import Path

import files

CC = shlex.split(os.environ.get("CC", "cc"))
CPPFLAGS = shlex.split(os.environ.get("LINT_CPPFLAGS", ""))


def check(top):
    config = Path(os.environ.get("top_builddir", top), "config.h")
    command = CC + CPPFLAGS + ["-std=gnu17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                               "-I", str(top / "auditor"), "-x", "c", "-"]
    command += ["-include", str(config)] if config.exists() else ["-D_GNU_SOURCE"]
    problems = []
    for path in files.c_files(top, "auditor"):
        if path.suffix != ".h":
            continue
        include = f'#include "{path.relative_to("auditor")}"\n'
        done = subprocess.run(command, input=include * 2, capture_output=True, text=True, check=False)
        if done.returncode:
            problems.append(f"{path}: {done.stderr.strip()}")
    return problems


class Headers(files.Lint):
    @unittest.skipUnless(shutil.which(CC[0]), f"no {CC[0]}")
    def test_each_compiles_alone(self):
        self.assert_none(check(files.TOP))


if __name__ == "__main__":
    unittest.main()
