"""A root is read alike where the kernel has no openat2: links out of it, chains of links, and what is no file."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import image_oracle as oracle

PROGRAM = oracle.BUILD / "envaudit"
LAUNCHER = oracle.BUILD / "tests/oracle/no_openat2"


class NoOpenat2(unittest.TestCase):
    def setUp(self):
        if subprocess.run([LAUNCHER, "true"], check=False).returncode:
            self.skipTest("system calls cannot be filtered here")
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.root = Path(work.name)
        lib = self.root / "usr/lib/x86_64-linux-gnu"
        lib.mkdir(parents=True)
        (self.root / "etc").mkdir()
        (self.root / "usr/bin").mkdir()
        shutil.copy(shutil.which("true"), lib / "libcudart.so.12.4.127")
        (lib / "libcudart.so.12").symlink_to("libcudart.so.12.4.127")
        (lib / "libcudart.so").symlink_to("/usr/lib/x86_64-linux-gnu/libcudart.so.12")
        (lib / "libup.so.1").symlink_to("../../../../../../../usr/lib/x86_64-linux-gnu/libcudart.so.12")
        (lib / "libloop.so.1").symlink_to("libloop.so.1")
        (lib / "libout.so.1").symlink_to(shutil.which("true"))
        os.mkfifo(lib / "libpipe.so.1")
        (self.root / "lib").symlink_to("usr/lib")

    def test_a_root_is_read_alike(self):
        for arguments in (["list", "--format", "json"], ["audit", "--format", "json"]):
            ask = [PROGRAM, *arguments, self.root]
            with_it = subprocess.run(ask, capture_output=True, text=True, check=False)
            without = subprocess.run([LAUNCHER, *ask], capture_output=True, text=True, check=False)
            self.assertIn("libcudart.so.12.4.127", with_it.stdout)
            self.assertEqual((with_it.returncode, with_it.stdout, with_it.stderr),
                             (without.returncode, without.stdout, without.stderr))


if __name__ == "__main__":
    unittest.main()
