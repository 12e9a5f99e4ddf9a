"""Random layers: the merged view is what `umoci unpack` makes of them.

IMAGE_RUNS says how many images are made; IMAGE_SEED where the random numbers begin.
"""
import os
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import image_oracle as oracle

RUNS = int(os.environ.get("IMAGE_RUNS", "60"))
SEED = int(os.environ.get("IMAGE_SEED", "1"))

if not shutil.which("umoci"):
    print("1..0 # SKIP umoci is not installed")
    sys.exit(0)
if os.geteuid() != 0:
    print("1..0 # SKIP only root can unpack images with their owners")
    sys.exit(0)

NAMES = ["a", "b", "c", "d", "lib", "Főta", "with blank", "x" * 120]


class Maker:
    """Layers whose operations mostly make sense: it remembers what is there."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.kinds = {"": "dir"}  # what the lower layers and this one have come to

    def folder(self):
        return self.random.choice([path for path, kind in self.kinds.items() if kind == "dir"])

    def path(self):
        folder = self.folder()
        if folder.count("/") > 4:
            folder = ""
        return (folder + "/" if folder else "") + self.random.choice(NAMES)

    def forget(self, path):
        for known in [one for one in self.kinds if one == path or one.startswith(path + "/")]:
            del self.kinds[known]

    def put(self, path, kind):
        if not (kind == "dir" and self.kinds.get(path) == "dir"):
            self.forget(path)
        self.kinds[path] = kind

    def data(self):
        return self.random.randbytes(self.random.choice([0, 1, 511, 512, 513, 3000]))

    def add(self):
        path, what = self.path(), self.random.random()
        if what < 0.35:
            self.put(path, "file")
            return oracle.entry(path, data=self.data())
        if what < 0.65:
            self.put(path, "dir")
            return oracle.entry(path + "/", tarfile.DIRTYPE, mode=0o755)
        if what < 0.8:
            self.put(path, "link")
            text = self.random.choice(["/", "", "../", "../../../"]) + self.random.choice(NAMES)
            return oracle.entry(path, tarfile.SYMTYPE, link=text)
        if what < 0.85:
            self.put(path, "other")
            return oracle.entry(path, tarfile.FIFOTYPE)
        files = [one for one, kind in self.kinds.items() if kind in ("file", "link") and one != path
                 and not one.startswith(path + "/")]
        if not files:
            return None
        target = self.random.choice(files)
        self.put(path, self.kinds[target])
        return oracle.entry(path, tarfile.LNKTYPE, link=target)

    def whiteout(self, lower):
        """Of something of the lower layers only: the specification says no more."""
        there = [path for path in lower if path and path in self.kinds]
        if not there:
            return None
        path = self.random.choice(there)
        folder, _, name = path.rpartition("/")
        if self.kinds.get(path) == "dir" and self.random.random() < 0.3:
            self.gone = path
            for known in [one for one in self.kinds if one.startswith(path + "/")]:
                del self.kinds[known]
            return oracle.entry(path + "/.wh..wh..opq")
        self.forget(path)
        return oracle.entry((folder + "/" if folder else "") + ".wh." + name)

    def layer(self):
        lower = list(self.kinds)
        entries = []
        # Whiteouts first, as tools write them: what they mean after additions is said by none.
        for _ in range(self.random.randrange(4)):
            entries.append(self.whiteout(lower))
        for _ in range(self.random.randrange(1, 25)):
            entries.append(self.add())
        return oracle.layer([one for one in entries if one],
                            self.random.choice([tarfile.PAX_FORMAT, tarfile.GNU_FORMAT]))


class Umoci(unittest.TestCase):
    maxDiff = None

    def compare(self, seed, work):
        maker = Maker(seed)
        layers = [maker.layer() for _ in range(maker.random.randrange(1, 6))]
        packings = [maker.random.choice(["none", "gzip"]) for _ in layers]
        oracle.layout(work / "layout", layers, packings)
        done = subprocess.run(["umoci", "unpack", "--image", f"{work}/layout:latest", work / "bundle"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"seed {seed}: {done.stderr}")
        images, error = oracle.dump(work / "layout")
        self.assertEqual(error, "", f"seed {seed}")
        self.assertEqual(images[0]["gaps"], [], f"seed {seed}")
        ours, theirs = (oracle.comparable(one) for one in (images[0]["entries"],
                                                           oracle.tree(work / "bundle/rootfs")))
        different = {path: (ours.get(path), theirs.get(path)) for path in ours.keys() | theirs.keys()
                     if ours.get(path) != theirs.get(path)}
        self.assertEqual(different, {}, f"seed {seed}: ours, umoci's")
        return len(theirs)

    def test_random_layers(self):
        entries = 0
        for seed in range(SEED, SEED + RUNS):
            with tempfile.TemporaryDirectory(prefix="image") as work:
                entries += self.compare(seed, Path(work))
        self.assertGreater(entries, RUNS, "the generator makes nothing")
        print(f"# {RUNS} images, {entries} entries")


if __name__ == "__main__":
    unittest.main()
