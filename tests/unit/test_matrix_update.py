#!/usr/bin/env python3
"""matrices/update.py against a made-up index: a folder of wheels."""
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE = os.environ.get("top_srcdir", ".")
UPDATE = os.path.join(SOURCE, "matrices", "update.py")


def wheel(folder, name, version, tags, lines):
    info = "%s-%s.dist-info/" % (name, version)
    path = os.path.join(folder, "%s-%s-%s.whl" % (name, version, tags))
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(info + "METADATA", "\n".join(
            ["Metadata-Version: 2.1", "Name: " + name, "Version: " + version] + lines) + "\n")
        file.writestr(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: %s\n" % tags)
        file.writestr(info + "RECORD", "")


def update(folder, *args):
    return subprocess.run(
        [sys.executable, UPDATE, "--no-index", "--find-links", os.path.join(folder, "index"),
         "--dir", os.path.join(folder, "pins"), *args],
        capture_output=True, check=False, text=True, env=dict(os.environ, PIP_CONFIG_FILE="/dev/null"))


@unittest.skipUnless(subprocess.run([sys.executable, "-m", "pip", "index", "--help"], check=False,
                                    capture_output=True).returncode == 0, "this Python has no pip")
class Update(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.index = os.path.join(self.folder, "index")
        os.mkdir(self.index)
        os.mkdir(os.path.join(self.folder, "pins"))
        linux = ' ; platform_system == "Linux"'
        wheel(self.index, "torch", "8.0.0", "cp312-cp312-manylinux_2_28_x86_64",
              ["Requires-Python: >=3.9", "Requires-Dist: filelock",
               "Requires-Dist: nvidia-cudnn-cu12 (==9.1.0.70)" + linux,
               'Requires-Dist: triton (==3.0.0) ; python_version < "3.12"',
               'Requires-Dist: nvidia-nccl-cu12 ; platform_system == "Windows"',
               "Requires-Dist: Cuda.Toolkit[nvrtc,cudart] <14,>=13" + linux,
               "Provides-Extra: more", 'Requires-Dist: xformers >=1 ; extra == "more"'])
        wheel(self.index, "torch", "7.0.0", "cp310-cp310-manylinux2014_x86_64", [])
        wheel(self.index, "torch", "7.5.0", "cp312-cp312-win_amd64", [])
        wheel(self.index, "torch", "9.0.0rc1", "cp312-cp312-manylinux_2_28_x86_64", [])

    def pins(self):
        with open(os.path.join(self.folder, "pins", "torch.cfg"), encoding="utf-8") as file:
            return file.read()

    def test_metadata_becomes_rows(self):
        done = update(self.folder, "--date", "2026-01-31", "torch")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.pins(), '''\
# Written by matrices/update.py: what the wheels of this package ask for on Linux, x86_64.
package = "torch";
pins = (
{ version = "8.0.0"; date = "2026-01-31"; python = ">=3.9";
  source = "METADATA of torch-8.0.0-cp312-cp312-manylinux_2_28_x86_64.whl";
  needs = (
\t"cuda-toolkit[cudart,nvrtc]>=13,<14",
\t"nvidia-cudnn-cu12==9.1.0.70",
\t"triton==3.0.0",
\t"[more] xformers>=1" ); },
{ version = "7.0.0"; date = "2026-01-31";
  source = "METADATA of torch-7.0.0-cp310-cp310-manylinux2014_x86_64.whl"; }
);
''')
        self.assertIn('+{ version = "8.0.0"', done.stdout)

    def test_rows_that_are_there_stay(self):
        update(self.folder, "--date", "2026-01-31", "torch")
        before = self.pins()
        self.assertEqual(update(self.folder, "--date", "2026-03-01", "torch").stdout, "")
        self.assertEqual(self.pins(), before)
        wheel(self.index, "torch", "8.1.0", "cp312-cp312-manylinux_2_28_x86_64", [])
        done = update(self.folder, "--date", "2026-03-01", "--dry-run", "torch")
        self.assertIn('+{ version = "8.1.0"; date = "2026-03-01";', done.stdout)
        self.assertEqual(self.pins(), before)
        update(self.folder, "--date", "2026-03-01", "torch")
        self.assertIn('"8.1.0"; date = "2026-03-01"', self.pins())
        self.assertIn('"8.0.0"; date = "2026-01-31"', self.pins())
        update(self.folder, "--date", "2026-04-01", "--again", "torch")
        self.assertNotIn("2026-01-31", self.pins())


if __name__ == "__main__":
    unittest.main()
