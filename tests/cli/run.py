"""Runs the CLI cases in tests/cli/cases (case.py says what one is).

    run.py [CASE...]            some of them, or all
    run.py --update [CASE...]   writes what the program says now into the cases: read the difference
"""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import case

CASES = Path(__file__).parent / "cases"


class Case(unittest.TestCase):
    maxDiff = None

    def __init__(self, folder):
        super().__init__("check")
        self.folder = folder

    def id(self):
        return f"cli.{self.folder.name}"

    def check(self):
        keys = case.parse(self.folder)
        try:
            status, files = case.outputs(self.folder, keys)
        except case.Skip as reason:
            self.skipTest(str(reason))
        for name, text in files.items():
            if text is not None:
                self.assertEqual(text, case.wanted(self.folder, name), name)
        self.assertEqual(status, int(keys.get("exit", "0")), "exit status")


def folders(names=(), cases=CASES):
    found = sorted(path.parent for path in cases.glob("*/case"))
    unknown = set(names) - {path.name for path in found}
    if unknown:
        raise case.CaseError(f"there is no case {', '.join(sorted(unknown))}")
    if not found:
        raise case.CaseError(f"there are no cases in {cases}")
    return [path for path in found if not names or path.name in names]


def load_tests(_loader, _tests, _pattern):
    return unittest.TestSuite(Case(folder) for folder in folders())


def main():
    names = sys.argv[1:]
    update = "--update" in names
    chosen = folders([name for name in names if name != "--update"])
    if not update:
        result = unittest.TextTestRunner().run(unittest.TestSuite(Case(folder) for folder in chosen))
        return 0 if result.wasSuccessful() else 1
    for folder in chosen:
        case.update(folder, case.parse(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
