"""What the comparisons of inventory/ share: our own dump, and a tally of differences."""
import os
import re
import subprocess
import sys

FLAGS = {"link": 1, "size": 8, "sha256": 16, "md5": 32, "outside": 64}


def dump(*jobs):
    """Lines of fields, by their first word."""
    tool = os.path.join(os.environ.get("top_builddir", "."), "tests/oracle/inventory_dump")
    lines = {}
    for line in subprocess.run([tool, *jobs], stdout=subprocess.PIPE, check=True,
                               encoding="utf-8", errors="surrogateescape").stdout.splitlines():
        word, *fields = line.split("\t")
        lines.setdefault(word, []).append(fields)
    return lines


def records(lines):
    """{owner: {path: (flags, size, digest)}}"""
    owners = {}
    for name, path, flags, size, digest in lines.get("record", []):
        owners.setdefault(name, {})[path] = (int(flags, 16), int(size), digest)
    return owners


def is_library(path):
    name = path.rsplit("/", 1)[-1]
    return bool(re.search(r".\.so$|.\.so\.[0-9]", name)) and not name.endswith(
        (".py", ".pyc", ".gz", ".xz"))


class Tally:
    def __init__(self):
        self.compared = 0
        self.different = 0

    def equal(self, what, ours, theirs):
        self.compared += 1
        if ours != theirs:
            self.different += 1
            print(f"{what}: ours {ours!r}, theirs {theirs!r}")

    def end(self):
        print(f"{self.compared - self.different} of {self.compared} facts agree")
        if not self.compared:
            sys.exit(1)
        sys.exit(1 if self.different else 0)
