"""`envaudit tree` on programs and libraries of this machine against its dynamic loader.

Programs: what LD_TRACE_LOADED_OBJECTS lists, name by name and path by path, in order. Libraries: what is
mapped in a program that needs libc alone after it called dlopen, or the text of the error.

    TREE_ORACLE=N   at most N of each, evenly spread (default 150; 0 = all)
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ.get("top_builddir", ".")).resolve()
SOURCE = Path(os.environ.get("top_srcdir", Path(__file__).parents[2])).resolve()
LIMIT = int(os.environ.get("TREE_ORACLE", "150"))
ENV = {"ENVAUDIT_DATADIR": str(SOURCE / "matrices"), "LC_ALL": "C",
       **{name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}}


def spread(items):
    items = sorted(items)
    if not LIMIT or len(items) <= LIMIT:
        return items
    return [items[i * len(items) // LIMIT] for i in range(LIMIT)]


def header(path):
    with open(path, "rb") as file:
        return file.read(20)


def is_native(path):
    own = header(os.path.realpath(sys.executable))
    try:
        other = header(path)
    except OSError:
        return False
    return len(other) == 20 and other[:6] == own[:6] and other[18:20] == own[18:20]


def programs():
    return [path for path in Path("/usr/bin").iterdir() if path.is_file() and is_native(path) and not path.stat().st_mode & 0o6000 and path.name != "ld.so"]


def libraries():
    found = []
    for folder, _, names in os.walk("/usr/lib"):
        found += [Path(folder, name) for name in names if re.search(r"\.so(\.[0-9.]+)?$", name)]
    return [path for path in found if path.is_file() and not path.is_symlink() and is_native(path)]


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="surrogateescape", check=False,
                          timeout=60, **more)


def tree(path, *options):
    done = run([BUILD / "envaudit", "tree", "--format", "json", "--clean-env", *options, path], env=ENV, cwd="/")
    if done.returncode not in (0, 3):
        raise AssertionError(f"{path}: status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["targets"][0]["consumers"][0]


def no_address(line):
    return re.sub(r" \(0x[0-9a-f]+\)$", "", line.strip())


def traced(path):
    """Paths that the loader lists, or the names of what is missing; None for what it does not load."""
    done = run([path], env={"LD_TRACE_LOADED_OBJECTS": "1"}, cwd="/")
    if "statically linked" in done.stdout or not done.stdout:
        return None
    paths = []
    for line in done.stdout.splitlines():
        name, arrow, file = no_address(line).partition(" => ")
        if name.startswith("linux-vdso") or name.startswith("linux-gate"):
            continue
        paths.append(file if arrow else name)
    return paths


class Programs(unittest.TestCase):
    def test_programs(self):
        n = 0
        for path in spread(programs()):
            consumer = tree(path)
            # A static program would be run, not traced.
            expected = traced(path) if consumer["requests"] else None
            with self.subTest(str(path)):
                if expected is None:
                    self.assertEqual(consumer["requests"], [])
                    continue
                n += 1
                if "not found" in expected:
                    found = {item["path"] or "not found" for item in consumer["requests"]}
                    self.assertEqual(found, set(expected))
                    continue
                mapped = [item["path"] for item in consumer["loaded"][1:]]
                self.assertEqual(mapped, expected)
        print(f"# {n} programs", file=sys.stderr)
        self.assertGreater(n, 20)


class Libraries(unittest.TestCase):
    def setUp(self):
        compiler = shutil.which(os.environ.get("CC", "gcc"))
        if not compiler:
            self.skipTest("there is no C compiler")
        self.here = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.here)
        self.driver = self.here / "driver"
        subprocess.run([compiler, "-o", self.driver, SOURCE / "tests/oracle/tree_driver.c"], check=True)

    def mapped(self, path):
        """(paths, error) of a real dlopen; None if a constructor got in the way."""
        try:
            done = run([self.driver, path], env={}, cwd="/", stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode:
            return None
        lines = done.stdout.splitlines()
        error = next((line[6:] for line in lines if line.startswith("error ")), None)
        return [line for line in lines if line.startswith("/")], error

    def test_libraries(self):
        n = failed = 0
        for path in spread(libraries()):
            truth = self.mapped(path)
            if truth is None:
                continue
            consumer = tree(path)
            # What only a python can open, and what the model does not know of a running process.
            if consumer["python"] or "static TLS block" in (truth[1] or ""):
                continue
            n += 1
            failed += truth[1] is not None
            with self.subTest(str(path)):
                self.assertEqual(consumer["error"], truth[1])
                mapped = [item["path"] for item in consumer["loaded"] if item["path"]]
                # What a constructor opens comes behind.
                self.assertEqual(mapped, truth[0][:len(mapped)])
        print(f"# {n} libraries, {failed} of which cannot be opened", file=sys.stderr)
        self.assertGreater(n, 20)


class Odd(unittest.TestCase):
    """Programs made for the purpose."""

    def setUp(self):
        self.compiler = shutil.which(os.environ.get("CC", "gcc"))
        if not self.compiler:
            self.skipTest("there is no C compiler")
        self.here = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.here)

    def build(self, name, text, *options):
        subprocess.run([self.compiler, "-o", self.here / name, "-x", "c", "-", *options], input=text, text=True,
                       check=True)
        return self.here / name

    def test_a_long_rpath_is_searched_to_its_end(self):
        """One argument of a compiler may have 128 KiB."""
        self.build("liblast.so", "int last;", "-shared", "-fPIC")
        folders = [f"/none/{number:05}" for number in range(9000)] + [str(self.here)]
        program = self.build("program", "int main(void) { return 0; }", "-Wl,--no-as-needed,--disable-new-dtags",
                             f"-L{self.here}", "-llast", "-Wl,-rpath," + ":".join(folders))
        self.assertIn(str(self.here / "liblast.so"), traced(program))
        self.assertEqual([item["path"] for item in tree(program)["loaded"][1:]], traced(program))

    def test_rights_of_its_own_are_an_assumption(self):
        program = self.build("program", "int main(void) { return 0; }")
        self.assertEqual(tree(program)["assumptions"], [])
        program.chmod(0o4755)
        self.assertIn("rights", " ".join(tree(program)["assumptions"]))


if __name__ == "__main__":
    unittest.main()
