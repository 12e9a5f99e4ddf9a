"""Formatting, spelling, shell scripts, comments, and words that may not stand in the tree."""
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import files

# The macro of manual pages that names what they describe.
NOT_MISSPELT = "nd,returnn"


def run(command, top, paths):
    """What the tool says of PATHS, by line; nothing when it is content."""
    if not paths:
        return []
    done = subprocess.run(command + [str(path) for path in paths], cwd=top, capture_output=True,
                          text=True, check=False)
    if not done.returncode:
        return []
    return (done.stdout + done.stderr).splitlines() or [f"{command[0]}: {done.returncode}"]


def check_format(top, style=files.TOP / ".clang-format", unformatted=()):
    """UNFORMATTED are aligned by hand; one that need not be is to leave that list."""
    command = ["clang-format", "--dry-run", "-Werror", f"--style=file:{style}"]
    problems = run(command, top, [path for path in files.c_files(top)
                                  if str(path) not in unformatted])
    return problems + [f"{path}: formatted, but in unformatted.txt" for path in unformatted
                       if not run(command, top, [path])]


def check_spelling(top):
    return run(["codespell", "-L", NOT_MISSPELT], top, files.files(top))


def check_shell(top):
    scripts = [path for path in files.files(top)
               if path.suffix == ".sh" or re.match(r"#!.*\b(sh|bash)\n", files.read(top, path)[:80])]
    return run(["shellcheck"], top, scripts)


def check_comments(top):
    problems = []
    for path in files.c_files(top):
        text = files.read(top, path)
        for token in files.TOKEN.finditer(text):
            if token.group().startswith("//"):
                problems.append(f"{path}:{text.count(chr(10), 0, token.start()) + 1}: a // comment")
    return problems


def check_words(top, words=Path(__file__).with_name("words.txt")):
    rules = [line.split("\t") for line in words.read_text(encoding="utf-8").splitlines()
             if not line.startswith("#")]
    problems = []
    for path in files.files(top):
        for number, line in enumerate(files.read(top, path).split("\n"), 1):
            problems += [f"{path}:{number}: {why}" for pattern, why in rules
                         if re.search(pattern, line)]
    return problems


def clang_format_version():
    if not shutil.which("clang-format"):
        return ""
    text = subprocess.run(["clang-format", "--version"], capture_output=True, text=True,
                          check=True).stdout
    return re.search(r"version (\d+)", text).group(1)


# Other versions disagree with it in details.
needs_clang_format = unittest.skipUnless(clang_format_version() == "14", "no clang-format 14")
needs_codespell = unittest.skipUnless(shutil.which("codespell"), "no codespell")
needs_shellcheck = unittest.skipUnless(shutil.which("shellcheck"), "no shellcheck")


class Style(files.Lint):
    @needs_clang_format
    def test_c_is_formatted(self):
        unformatted = files.read(files.TOP, "tests/lint/unformatted.txt").split()
        self.assert_none(check_format(files.TOP, unformatted=unformatted))

    @needs_codespell
    def test_words_are_spelt_right(self):
        self.assert_none(check_spelling(files.TOP))

    @needs_shellcheck
    def test_shell_scripts_are_sound(self):
        self.assert_none(check_shell(files.TOP))

    def test_comments_are_of_one_kind(self):
        self.assert_none(check_comments(files.TOP))

    def test_no_machine_and_no_registry_is_named(self):
        self.assert_none(check_words(files.TOP))


if __name__ == "__main__":
    unittest.main()
