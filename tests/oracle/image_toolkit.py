"""What an image asks of the NVIDIA container toolkit, in a torch whose process starts: which driver it then gets."""
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import image_oracle as oracle
from image_audit import PROGRAM, TOP, tar_of

LIBC = Path("/lib/x86_64-linux-gnu")
LOADER = Path("/lib64/ld-linux-x86-64.so.2")
LIBRARIES = ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "libutil.so.1", "librt.so.1")


@unittest.skipUnless(LOADER.exists() and all((LIBC / name).exists() for name in LIBRARIES),
                     "the C library of Debian for x86-64 is not here")
class Toolkit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = Path(tempfile.mkdtemp(prefix="toolkit"))
        subprocess.run([sys.executable, TOP / "fixtures/build.py", "driver-age-healthy", "--out", cls.work / "fixtures"],
                       check=True, stdout=subprocess.DEVNULL)
        root = cls.work / "root"
        for folder in ("etc", "opt", "usr/bin", "lib64", str(LIBC)[1:]):
            (root / folder).mkdir(parents=True)
        (root / "etc/os-release").write_text('PRETTY_NAME="Test 1"\n')
        shutil.copy(LOADER, root / "lib64")
        for name in LIBRARIES:
            shutil.copy(LIBC / name, root / str(LIBC)[1:])
        shutil.copytree(cls.work / "fixtures/driver-age-healthy", root / "opt/conda", symlinks=True)
        cls.layers = [tar_of(root, "."),
                      oracle.layer([oracle.entry(str(LIBC)[1:] + "/libcuda.so.535.104.05", data=LOADER.read_bytes())])]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work)

    def audit(self, *variables, arguments=(), layers=1):
        image = self.work / "image.tar"
        image.write_bytes(oracle.docker_save(self.layers[:layers], Env=["PATH=/opt/conda/bin", *variables]))
        done = subprocess.run([PROGRAM, image, "--format", "json", *arguments], capture_output=True, text=True,
                              check=False, timeout=60)
        self.assertIn(done.returncode, (0, 1, 3), done.stderr)
        return json.loads(done.stdout)["targets"][0]

    def rules(self, *variables, **how):
        return {one["rule"] for one in self.audit(*variables, **how)["findings"]}

    def test_capabilities(self):
        for value, rules in (("utility", {"kmod-mismatch/capabilities"}), ("graphics,video", {"kmod-mismatch/capabilities"}),
                             ("compute,utility", set()), ("all", set()), ("", set())):
            self.assertEqual(self.rules("NVIDIA_DRIVER_CAPABILITIES=" + value), rules, value)

    def test_no_driver(self):
        def sessions(*arguments):
            target = self.audit("NVIDIA_VISIBLE_DEVICES=void", arguments=arguments)
            return [one["driver"] for one in target["consumers"]], [one["reason"] for one in target["gaps"]]
        drivers, gaps = sessions()
        self.assertEqual((drivers, ["VISIBLE_DEVICES is void" in one for one in gaps].count(True)), (["none"], 1))
        self.assertEqual(sessions("--driver", "550.54.14")[0], ["none", "assumed"])

    def test_requirements(self):
        text = "NVIDIA_REQUIRE_CUDA=cuda>=12.4 brand=tesla,driver>=470,driver<471"
        for driver, rules in (("535.104.05", {"kmod-mismatch/require"}), ("550.54.14", set()), ("580.65.06", set())):
            how = {"arguments": ("--driver", driver)}
            self.assertEqual(self.rules(text, **how), rules, driver)
            self.assertEqual(self.rules(text, "NVIDIA_DISABLE_REQUIRE=1", **how), set())
        self.assertEqual(self.rules(text), set())

    def test_driver_files_name_their_layer(self):
        found = [one for one in self.audit(layers=2)["findings"] if one["rule"] == "driver-files-in-image"]
        self.assertEqual([proof["layer"] for one in found for proof in one["evidence"]], ["layer 2 of 2: RUN step 1"])


if __name__ == "__main__":
    unittest.main()
