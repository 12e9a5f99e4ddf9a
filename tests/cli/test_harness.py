"""The harness itself: a case that must fail does fail, whatever is wrong with it."""
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import case
import run


class Harness(unittest.TestCase):
    def setUp(self):
        self.cases = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.cases)

    def make(self, text, **goldens):
        folder = self.cases / "made-up"
        folder.mkdir()
        (folder / "case").write_text(text, encoding="utf-8")
        for name, content in goldens.items():
            (folder / name).write_text(content, encoding="utf-8")
        return folder

    def result(self, folder):
        result = unittest.TestResult()
        run.Case(folder).run(result)
        self.assertEqual(result.testsRun, 1)
        return result

    def test_right_case_passes(self):
        _, _, stderr = case.run(["--no-such-option"])
        folder = self.make("about: x\nargs: --no-such-option\nexit: 2\n", stderr=stderr)
        self.assertTrue(self.result(folder).wasSuccessful())

    def test_wrong_exit_status_fails(self):
        folder = self.make("about: x\nargs: --version\nexit: 3\nstdout: any\n")
        self.assertEqual(len(self.result(folder).failures), 1)

    def test_wrong_output_fails(self):
        folder = self.make("about: x\nargs: --version\n", stdout="something else\n")
        self.assertEqual(len(self.result(folder).failures), 1)

    def test_output_without_golden_fails(self):
        self.assertEqual(len(self.result(self.make("about: x\nargs: --version\n")).failures), 1)

    def test_golden_without_output_fails(self):
        folder = self.make("about: x\nargs: --version\nstdout: any\n", stderr="complaint\n")
        self.assertEqual(len(self.result(folder).failures), 1)

    def test_unknown_key_is_an_error(self):
        self.assertEqual(len(self.result(self.make("about: x\nargs: --version\nexpect: 3\n")).errors), 1)

    def test_key_that_stands_twice_is_an_error(self):
        self.assertEqual(len(self.result(self.make("about: x\nargs: a\nargs: b\n")).errors), 1)

    def test_missing_key_is_an_error(self):
        self.assertEqual(len(self.result(self.make("args: --version\n")).errors), 1)

    def test_filter_that_matches_nothing_is_an_error(self):
        with self.assertRaises(case.CaseError):
            run.folders(["no-such-case"])

    def test_empty_folder_of_cases_is_an_error(self):
        with self.assertRaises(case.CaseError):
            run.folders(cases=self.cases)

    def test_schema_refuses_an_unknown_key(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        with self.assertRaises(jsonschema.ValidationError):
            case.validate('{"schema": 0, "tool": {"name": "envaudit", "version": "1", "matrices": null},'
                          ' "targets": [], "more": 1}')


if __name__ == "__main__":
    unittest.main()
