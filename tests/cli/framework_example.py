#!/usr/bin/env python3
"""The framework that matrices/README.md adds, in a real environment: what its import maps is predicted."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(os.environ.get("top_srcdir", Path(__file__).parents[2])).resolve()
BUILD = Path(os.environ.get("top_builddir", ".")).resolve()

INIT = """import ctypes, os
ctypes.CDLL(os.path.join(os.path.dirname(__file__), "lib", "libtoy.so"), mode=ctypes.RTLD_GLOBAL)
try:
    ctypes.CDLL("libtoy_extra.so.1")
except OSError:
    pass
"""
MAPS = """import toy
print(*sorted({line.split()[-1] for line in open("/proc/self/maps") if "toy" in line}), sep="\\n")
"""


class Example(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.top = Path(temporary.name).resolve()
        self.prefix = self.top / "env"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.prefix], check=True)
        self.site = next(self.prefix.glob("lib/python3*/site-packages"))
        self.extra = self.top / "extra"
        self.extra.mkdir()
        (self.site / "toy" / "lib").mkdir(parents=True)
        (self.site / "toy" / "__init__.py").write_text(INIT, encoding="utf-8")
        self.library(self.site / "toy/lib/libtoy_needed.so.1")
        self.library(self.site / "toy/lib/libtoy.so", self.site / "toy/lib/libtoy_needed.so.1")
        self.library(self.extra / "libtoy_extra.so.1")
        readme = (TOP / "matrices/README.md").read_text(encoding="utf-8")
        self.matrices = self.top / "matrices"
        shutil.copytree(TOP / "matrices", self.matrices)
        text = re.search(r"```\n(frameworks = .*?)```", readme, re.S).group(1)
        (self.matrices / "frameworks/toy.cfg").write_text(text, encoding="utf-8")

    @staticmethod
    def library(path, *needed):
        subprocess.run([*os.environ.get("CC", "cc").split(), "-shared", "-o", path, "-x", "c", os.devnull,
                        "-x", "none", f"-Wl,-soname,{path.name},-rpath,$ORIGIN,--no-as-needed", *needed],
                       check=True)

    def compare(self, **variables):
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.top), **variables}
        real = subprocess.run([self.prefix / "bin/python", "-c", MAPS], env=env, check=True,
                              capture_output=True, text=True).stdout.split()
        options = [o for name, value in variables.items() for o in ("--set-env", f"{name}={value}")]
        done = subprocess.run([BUILD / "envaudit", "tree", "--format", "json", "--for", "toy", *options,
                               self.prefix], check=False, capture_output=True, text=True,
                              env={**env, "ENVAUDIT_DATADIR": str(self.matrices)})
        self.assertEqual(done.returncode, 0, done.stderr)
        consumer = json.loads(done.stdout)["targets"][0]["consumers"][0]
        got = sorted({os.path.realpath(e["path"]) for e in consumer["loaded"] if "toy" in (e["path"] or "")})
        self.assertTrue(real)
        self.assertEqual(got, real)
        return got

    def test_import_is_predicted(self):
        self.assertEqual(len(self.compare()), 2)

    def test_variables_count(self):
        self.assertEqual(len(self.compare(LD_LIBRARY_PATH=str(self.extra))), 3)

    def test_a_copy_on_pythonpath_is_taken(self):
        copy = self.top / "other"
        shutil.copytree(self.site / "toy", copy / "toy")
        self.assertIn(str(copy / "toy/lib/libtoy.so"), self.compare(PYTHONPATH=str(copy)))

    def test_the_file_is_valid(self):
        done = subprocess.run([BUILD / "envaudit", "check-matrix", self.matrices / "frameworks/toy.cfg",
                               self.matrices], check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def refused(self, text, name="bad.cfg"):
        path = self.matrices / "frameworks" / name
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([BUILD / "envaudit", "check-matrix", self.matrices / "frameworks"],
                              check=False, capture_output=True, text=True)
        path.unlink()
        self.assertEqual(done.returncode, 2)
        return done.stderr.replace(str(self.matrices), "")

    def test_mistakes_are_told_with_file_and_line(self):
        rest = 'packages = ["b"]; verified = "import"; source = "x"; date = "2026-12-01";'
        for steps, message in (
                ('{ fetch = ["x"]; }', "bad.cfg:2: unknown key 'fetch'"),
                ('{ load = ["x"]; open = ["y"]; }', "bad.cfg:2: a step has one of"),
                ('{ load = ["x"]; when = { version = "new"; }; }', "bad.cfg:2: version: 'new' is no range"),
                ('{ load = ["x"]; when = { text = "a.py"; has = "("; }; }', "bad.cfg:2: has: "),
                ('{ load = ["x"]; on_error = "cry"; }', "bad.cfg:2: key 'on_error'"),
                ('{ import = ["nothing"]; }', "bad.cfg:2: import: no framework 'nothing' is known"),
                ('{ import = ["bad"]; }', "bad.cfg:2: import: 'bad' imports itself")):
            text = f'frameworks = ( {{ name = "bad"; modules = ["b"]; {rest}\nimport = ( {steps} ); }} );'
            self.assertIn(message, self.refused(text))
        twice = 'frameworks = ( { name = "bad"; modules = ["torch"]; import = (); ' + rest + " } );"
        self.assertIn("module 'torch' belongs to 'torch' already", self.refused(twice, "zz.cfg"))


if __name__ == "__main__":
    unittest.main()
