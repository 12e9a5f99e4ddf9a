"""Workers: the same bytes with any number of them, and trees that change while they are read."""
import json
import os
import shutil
import tempfile
import threading
import unittest
from pathlib import Path

import case

FIXTURES = ("demo", "root-toolkit", "envs-miniconda", "hostile-names")


class Workers(unittest.TestCase):
    def report(self, target, *args):
        status, stdout, stderr = case.run(["audit", "--format", "json", *args, target])
        self.assertIn(status, (0, 1, 3), stderr)
        return stdout

    def test_the_number_of_workers_changes_no_byte(self):
        for name in FIXTURES:
            with self.subTest(name):
                tree = case.fixture(name)
                one = self.report(tree, "--jobs", "1")
                for jobs in ("2", "8"):
                    self.assertEqual(self.report(tree, "--jobs", jobs), one)

    def test_an_installation_that_runs_meanwhile_gives_gaps_at_worst(self):
        source = case.fixture("demo-healthy")
        with tempfile.TemporaryDirectory(dir=case.WORK) as folder:
            tree = Path(folder) / "venv"
            shutil.copytree(source, tree, symlinks=True)
            stop = threading.Event()
            installer = threading.Thread(target=self.install, args=(source, tree, stop))
            installer.start()
            try:
                for _ in range(30):
                    target = json.loads(self.report(tree, "--jobs", "4"))["targets"][0]
                    self.assertEqual(target["kind"], "venv")
            finally:
                stop.set()
                installer.join()

    @staticmethod
    def install(source, tree, stop):
        """Removes packages and copies them again, in pieces, as an upgrade does."""
        site = next(tree.glob("lib/python*/site-packages"))
        again = source / site.relative_to(tree)
        while not stop.is_set():
            for name in os.listdir(again):
                if stop.is_set():
                    return
                if not (again / name).is_dir():
                    continue
                shutil.rmtree(site / name, ignore_errors=True)
                shutil.copytree(again / name, site / name, symlinks=True, dirs_exist_ok=True)


if __name__ == "__main__":
    unittest.main()
