"""The relocatable archive: make check-dist-bin passes it as ARCHIVE.

It has to run where there is nothing but its own files, and on an older system than it was built on.
"""
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import case

ARCHIVE = Path(os.environ.get("ARCHIVE", "")).resolve()
OLDER = "bullseye"


class Archive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp(dir=case.WORK))
        cls.addClassCleanup(shutil.rmtree, cls.scratch)

    def unpack(self, where):
        where.mkdir(parents=True, exist_ok=True)
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(where)
        return where / ARCHIVE.name.removesuffix(".tar.xz")

    def within(self, root, *args):
        """Runs a program with ROOT as its root and an empty environment."""
        if os.geteuid() != 0:
            self.skipTest("only root may change its root")
        chroot = shutil.which("chroot", path="/usr/sbin:/usr/bin:/sbin:/bin")
        return subprocess.run([chroot, root, *args], env={}, capture_output=True, check=False, text=True)

    def audit(self, top, root):
        """The program in ROOT, unpacked as /opt/NAME, over a fixture that lies beside it."""
        program = f"/opt/{top.name}/bin/envaudit"
        shutil.copytree(case.SOURCE / "tests" / "cli" / "trees" / "venv", root / "venv", dirs_exist_ok=True)
        done = self.within(root, program, "--fail-on", "warning", "/venv")
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 1)
        self.assertIn("libcudnn.so.9 is a git-lfs pointer", done.stdout)
        done = self.within(root, program, "--version")
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("unknown", done.stdout)

    def test_program_needs_no_library(self):
        top = self.unpack(self.scratch / "plain")
        dynamic = subprocess.run(["readelf", "-dl", top / "bin" / "envaudit"], capture_output=True, check=True,
                                 text=True).stdout
        self.assertNotIn("(NEEDED)", dynamic)
        self.assertNotIn("INTERP", dynamic)

    def test_archive_is_complete(self):
        top = self.unpack(self.scratch / "complete")
        for name in ("bin/envaudit", "share/envaudit/libraries.cfg", "share/envaudit/rules/elf-bad.cfg",
                     "share/man/man1/envaudit.1", "README.md"):
            self.assertTrue((top / name).is_file(), name)

    def test_empty_root(self):
        root = self.scratch / "empty"
        self.audit(self.unpack(root / "opt"), root)

    def test_older_system(self):
        if os.geteuid() != 0 or not shutil.which("debootstrap"):
            self.skipTest("debootstrap and root are needed")
        root = self.scratch / OLDER
        done = subprocess.run(["debootstrap", "--variant=minbase", OLDER, root], capture_output=True, check=False,
                              text=True)
        if done.returncode:
            self.skipTest(f"debootstrap failed: {done.stdout[-200:]}")
        self.audit(self.unpack(root / "opt"), root)


if __name__ == "__main__":
    unittest.main()
