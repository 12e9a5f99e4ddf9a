"""What every lint needs: the files of the tree, and C without its comments and strings."""
import os
import re
import subprocess
import unittest
from pathlib import Path

TOP = Path(os.environ.get("top_srcdir") or Path(__file__).parents[2]).resolve()

# What a build in the tree leaves there, where git cannot tell.
GENERATED = {"build-aux", "autom4te.cache", "configure", "aclocal.m4", "config.h.in", "Makefile.in",
             "__pycache__", "build", "config.h", "config.log", "config.status", "Makefile", "stamp-h1",
             ".deps", ".dirstamp", "work"}
GENERATED_SUFFIXES = {".o", ".a", ".log", ".trs", ".gcda", ".gcno"}
TOKEN = re.compile(r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""", re.S | re.X)


def is_binary(path):
    with path.open("rb") as file:
        return b"\0" in file.read(4096)


def files(top):
    """All files that somebody wrote, relative to TOP: as git sees it, or of an unpacked release."""
    if (top / ".git").exists():
        text = subprocess.run(["git", "-C", top, "ls-files", "-z", "-co", "--exclude-standard"],
                              check=True, capture_output=True).stdout
        found = [Path(os.fsdecode(name)) for name in text.split(b"\0") if name]
    else:
        found = [path.relative_to(top) for path in top.rglob("*")]
        found = [path for path in found
                 if not GENERATED & set(path.parts) and not path.parts[0].startswith("_") and
                 path.suffix not in GENERATED_SUFFIXES]
    return sorted(path for path in found if (top / path).is_file() and not is_binary(top / path))


def c_files(top, folder=""):
    return [path for path in files(top)
            if path.suffix in (".c", ".h") and (not folder or path.parts[0] == folder)]


def read(top, path):
    return (top / path).read_text(encoding="utf-8", errors="replace")


def blank(match):
    """As many lines as before, and "" for a string."""
    text = match.group()
    return "\n" * text.count("\n") + ('""' if text[0] == '"' else " ")


def code_lines(text):
    return TOKEN.sub(blank, text).split("\n")


class Lint(unittest.TestCase):
    def assert_none(self, problems):
        if problems:
            self.fail("\n" + "\n".join(problems))
