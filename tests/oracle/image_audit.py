"""The audit of an image is that of its root as a folder; it opens nothing of the image on the host."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import image_oracle as oracle

TOP = Path(os.environ.get("top_srcdir", ".")).resolve()
PROGRAM = oracle.BUILD / "envaudit"
PATH = "/opt/app/bin:/usr/local/bin:/usr/bin:/bin"


def tar_of(folder, *paths):
    return subprocess.run(["tar", "-C", folder, "-c", *paths], stdout=subprocess.PIPE, check=True).stdout


def without(value, names):
    """Without what may differ. Gaps have a `kind` that may not."""
    if isinstance(value, dict):
        return {key: without(one, names) for key, one in value.items()
                if key not in names or (key == "kind" and "reason" in value)}
    return [without(one, names) for one in value] if isinstance(value, list) else value


class Audit(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.work = Path(tempfile.mkdtemp(prefix="image"))
        cls.root = cls.work / "root"
        subprocess.run([sys.executable, TOP / "fixtures/build.py", "demo", "--out", cls.work / "fixtures"],
                       check=True, stdout=subprocess.DEVNULL)
        for folder in ("etc", "usr/lib", "usr/bin", "opt"):
            (cls.root / folder).mkdir(parents=True)
        (cls.root / "etc/os-release").write_text('PRETTY_NAME="Test 1"\n')
        shutil.copytree(cls.work / "fixtures/demo", cls.root / "opt/app", symlinks=True)
        # A real engine has no such thing, but a path of the host that must not be met.
        (cls.root / "opt/outside").symlink_to("/etc/hostname")
        cls.layers = [tar_of(cls.root, "etc", "usr"), tar_of(cls.root, "opt")]
        cls.image = cls.work / "image.tar"
        cls.image.write_bytes(oracle.docker_save(cls.layers, Env=["PATH=" + PATH, "LD_LIBRARY_PATH=/opt/app/lib"]))
        cls.env = cls.work / "env"
        cls.env.write_bytes(f"PATH={PATH}\0LD_LIBRARY_PATH=/opt/app/lib\0".encode())

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work)

    def report(self, *args):
        done = subprocess.run([PROGRAM, *args, "--format", "json"], capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1, 3), done.stderr)
        return done.returncode, json.loads(done.stdout)["targets"]

    def test_as_the_folder(self):
        for command in ("audit", "list"):
            status, image = self.report(command, self.image)
            folder_status, folder = self.report(command, "--root", self.root, "--env-file", self.env)
            names = ("target", "kind", "root", "layer")
            self.assertEqual(without(image, names), without(folder, names))
            self.assertEqual(status, folder_status)
            self.assertGreater(len(image[0]["libraries"]), 2)

    def test_layers_are_named(self):
        target = self.report("audit", self.image)[1][0]
        self.assertEqual(target["kind"], "image")
        self.assertEqual({one["layer"] for one in target["libraries"]}, {"2 sha256:" + oracle.digest(self.layers[1])})
        layers = {proof["layer"] for one in target["findings"] for proof in one["evidence"] if "layer" in proof}
        self.assertEqual(layers, {"layer 2 of 2: RUN step 1"})

    def test_environment(self):
        def of(*args):
            return self.report("list", self.image, *args)[1][0]["environment"]
        self.assertEqual(of()["LD_LIBRARY_PATH"], "/opt/app/lib")
        self.assertNotIn("LD_LIBRARY_PATH", of("--unset-env", "LD_LIBRARY_PATH"))
        self.assertNotIn("LD_LIBRARY_PATH", of("--clean-env"))
        self.assertEqual(of("--set-env", "LD_LIBRARY_PATH=/x")["LD_LIBRARY_PATH"], "/x")

    def test_platforms(self):
        folder = self.work / "platforms"
        tops = []
        for architecture in ("amd64", "arm64"):
            oracle.layout(folder / architecture, [oracle.layer([oracle.entry(architecture, data=b"1")])], ["none"])
            shutil.copytree(folder / architecture / "blobs", folder / "both/blobs", dirs_exist_ok=True)
            top = json.loads((folder / architecture / "index.json").read_text())["manifests"][0]
            tops.append({**top, "platform": {"os": "linux", "architecture": architecture}})
        (folder / "both/oci-layout").write_text("{}")
        (folder / "both/index.json").write_text(json.dumps({"manifests": tops}))
        for architecture in ("amd64", "arm64"):
            self.assertEqual(len(self.report("list", folder / "both", "--platform", "linux/" + architecture)[1]), 1)
        done = subprocess.run([PROGRAM, folder / "both", "--platform", "linux/s390x"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, "linux/s390x" in done.stderr), (2, True), done.stderr)

    def test_nothing_of_it_is_opened_on_the_host(self):
        if not shutil.which("strace"):
            self.skipTest("strace is not installed")
        log = self.work / "strace"
        done = subprocess.run(["strace", "-f", "-qq", "-e", "trace=%file", "-o", log, PROGRAM, self.image],
                              capture_output=True, text=True, check=False)
        if "ptrace" in done.stderr:
            self.skipTest("tracing is not allowed")
        calls = log.read_text()
        self.assertIn(str(self.image), calls)
        for path in ('"/etc/os-release', '"/etc/hostname', '"/opt/', '"/usr/lib/os-release', "O_CREAT", "mkdir", "unlink"):
            self.assertNotIn(path, calls)


if __name__ == "__main__":
    unittest.main()
