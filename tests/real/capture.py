#!/usr/bin/env python3
"""Replay of captured machines: `list` and `audit` against what their package managers and loaders said.

The captures lie beside the project in shared/capture, or where EA_CAPTURE says; without them all tests
are skipped. Their libraries are skeletons with holes for payload, so nothing is hashed. Truth is what
pip, dpkg and the libraries' own functions printed on those machines.
"""
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(os.environ.get("top_srcdir", Path(__file__).parents[2])).resolve()
BUILD = Path(os.environ.get("top_builddir", ".")).resolve()
CAPTURE = Path(os.environ.get("EA_CAPTURE", TOP.parent / "shared" / "capture"))
ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "ENVAUDIT_DATADIR": str(TOP / "matrices")}


def key(name):
    return re.sub("[-_.]+", "-", name).lower()


def lines(path):
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


class Replay(unittest.TestCase):
    """A capture, unpacked once for its tests."""
    name = None

    @classmethod
    def setUpClass(cls):
        archive = CAPTURE / (cls.name or "") / "root.tar.xz"
        if not cls.name or not archive.exists():
            raise unittest.SkipTest(f"no capture {archive.parent}")
        cls.truth = archive.parent / "truth"
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.root = cls.temporary.name
        subprocess.run(["tar", "-xJSf", archive, "-C", cls.root], check=True)

    def report(self, target, command="audit"):
        done = subprocess.run([BUILD / "envaudit", command, "--format", "json", "--root", self.root,
                               target], capture_output=True, env=ENV, check=False)
        self.assertIn(done.returncode, (0, 1, 3), done.stderr.decode())
        return json.loads(done.stdout)["targets"][0]

    def assert_packages(self, target, pip_list, gone=()):
        want = {(key(name), version) for name, _, version in
                (line.strip().partition("==") for line in lines(pip_list))
                if version and key(name) not in gone}
        got = {(key(p["name"]), p["version"]) for p in target["packages"] if p["manager"] == "pip"}
        self.assertTrue(want)
        self.assertEqual(sorted(want - got), [])

    def assert_findings(self, target, allowed=()):
        loud = {f["rule"] for f in target["findings"] if f["severity"] != "note"}
        self.assertEqual(sorted(loud), sorted(allowed))

    def versions(self, target, family, owned=None):
        return {library["version"] for library in target["libraries"] if library["family"] == family
                and (owned is None or bool(library["owners"]) == owned)}


class H200(Replay):
    name = "h200"
    target = "/opt/torch/.venv"

    def test_packages_are_those_of_pip(self):
        self.assert_packages(self.report(self.target), self.truth / "pip.txt")

    def test_packages_of_the_system_are_those_of_dpkg(self):
        want = {}
        for line in lines(self.truth / "dpkg.txt"):
            fields = line.split()
            if len(fields) > 3 and fields[0] == "ii":
                want[fields[1].split(":")[0]] = fields[2]
        owners = {(o["name"], o["version"]) for library in self.report(self.target)["libraries"]
                  for o in library["owners"] if o["manager"] == "dpkg" and o["name"] in want}
        self.assertGreater(len(owners), 5)
        self.assertEqual({(n, v) for n, v in owners if want[n] != v}, set())

    def test_versions_are_those_that_ran(self):
        # The README of the capture names them; the libraries printed them there.
        target = self.report(self.target)
        self.assertEqual({v.rpartition(".")[0] if v.count(".") > 2 else v
                          for v in self.versions(target, "cudnn_graph")}, {"9.14.0", "9.19.0"})
        self.assertEqual(self.versions(target, "nccl"), {"2.28.3", "2.28.9"})
        self.assertEqual(target["host"]["driver"], "580.159.04")
        self.assertEqual(target["host"]["libc_version"], "2.39")

    def test_a_healthy_environment_is_silent(self):
        self.assert_findings(self.report(self.target))

    def test_each_nvidia_library_of_a_wheel_has_a_version_that_its_wheel_agrees_with(self):
        wrong = []
        for library in self.report(self.target)["libraries"]:
            owners = [o for o in library["owners"] if o["name"].startswith("nvidia-")]
            if not library["family"] or not owners or "nvshmem" in library["path"]:
                continue
            if not (library["version"] or "").startswith(owners[0]["version"].rpartition(".")[0]):
                wrong.append((library["path"], library["version"], owners[0]["version"]))
        self.assertEqual(wrong, [])


class Wheels(Replay):
    name = "wheels"

    def test_packages_are_those_of_pip(self):
        for pip_list in sorted(self.truth.glob("*.pip")):
            with self.subTest(pip_list.stem):
                # The last step of one of them, after pip had printed its list, was a removal.
                gone = ["nvidia-cudnn-cu12"] if pip_list.stem == "clobber" else []
                self.assert_packages(self.report(f"/opt/envs/{pip_list.stem}"), pip_list, gone)

    def test_healthy_environments_are_silent(self):
        for name in ("cupy12", "jax12", "torch_latest"):
            with self.subTest(name):
                self.assert_findings(self.report(f"/opt/envs/{name}"))

    def test_the_removal_that_took_anothers_files_is_found(self):
        target = self.report("/opt/envs/clobber")
        self.assert_findings(target, ["leftover", "soname-missing"])
        finding = next(f for f in target["findings"] if f["rule"] == "leftover")
        self.assertIn("nvidia_cudnn_cu11", finding["title"])


if __name__ == "__main__":
    unittest.main()
