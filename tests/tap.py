"""Runs one Python test and prints TAP, so that every test in it is counted and named.

A file with unittest tests gives a line for each of them; any other script is one test that passes with
exit status 0 and is skipped with 77.
"""
import importlib.util
import subprocess
import sys
import traceback
import unittest
from pathlib import Path


class Tap(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.n = 0

    def line(self, ok, test, directive="", detail=""):
        self.n += 1
        for text in detail.splitlines():
            print(f"# {text}")
        name = test.id().split(".", 1)[-1].replace("#", "")
        print(f"{'ok' if ok else 'not ok'} {self.n} - {name}{directive}", flush=True)

    def addSuccess(self, test):
        self.line(True, test)

    def addFailure(self, test, err):
        self.line(False, test, detail="".join(traceback.format_exception(*err)))

    addError = addFailure

    def addSkip(self, test, reason):
        self.line(True, test, directive=f" # SKIP {reason}")

    def addSubTest(self, test, subtest, err):
        if err:
            self.addFailure(subtest, err)


def run_script(path):
    status = subprocess.run([sys.executable, path], check=False).returncode
    skip = " # SKIP exit status 77" if status == 77 else ""
    print(f"{'ok' if status in (0, 77) else 'not ok'} 1 - {path.name}{skip}")
    return 1


def main():
    path = Path(sys.argv[1])
    if "unittest" not in path.read_text(encoding="utf-8"):
        total = run_script(path)
    else:
        sys.path.insert(0, str(path.parent))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        try:
            spec.loader.exec_module(module)
        except SystemExit as end:       # it says that it cannot be run here
            print(f"1..0 # SKIP {path.name}" if end.code == 77 else f"Bail out! exit status {end.code}")
            return
        result = Tap()
        unittest.defaultTestLoader.loadTestsFromModule(module).run(result)
        total = result.n
    print(f"1..{total}")


if __name__ == "__main__":
    main()
