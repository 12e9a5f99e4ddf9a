"""Includes go one way only, and what a folder alone may use stays there: see layers.txt."""
import fnmatch
import re
import unittest
from pathlib import Path

import files

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


class Rules:
    def __init__(self, path):
        self.rank = {}
        self.owned = []     # (kind, name, globs)
        for line in path.read_text(encoding="utf-8").splitlines():
            kind, *words = line.split() or ["#"]
            if kind == "layer":
                rank = len(set(self.rank.values()))
                self.rank.update({folder: rank for folder in words})
            elif kind in ("only", "call", "name"):
                colon = words.index(":")
                self.owned += [(kind, name, words[colon + 1:]) for name in words[:colon]]
            elif not kind.startswith("#"):
                raise ValueError(f"{path}: {line}")

    def may_include(self, here, there):
        return here == there or self.rank[there] < self.rank[here]

    def owners(self, kind, path):
        """Names of this kind that PATH may not use, with those who may."""
        return {name: globs for k, name, globs in self.owned
                if k == kind and not any(fnmatch.fnmatch(path, glob) for glob in globs)}


def check_include(rules, path, quote, name):
    here, there = path.parts[0], Path(name).parts[0]
    owned = rules.owners("only", str(path))
    if name in owned:
        return f"{name} is for {' '.join(owned[name])} only"
    if quote == "<":
        return None
    if there not in rules.rank:
        return f'"{name}" has no folder that layers.txt knows'
    if not rules.may_include(here, there):
        return f"{here} may not include {there}"
    return None


def check_file(rules, path, text):
    used = [(rf"(?<!\w){name}\s*\(", name, globs)
            for name, globs in rules.owners("call", str(path)).items()]
    used += [(rf"(?<!\w){name}(?!\w)", name, globs)
             for name, globs in rules.owners("name", str(path)).items()]
    lines = zip(text.split("\n"), files.code_lines(text))
    for number, (line, code) in enumerate(lines, 1):
        include = INCLUDE.match(line)
        if include:
            problem = check_include(rules, path, *include.groups())
            if problem:
                yield f"{path}:{number}: {problem}"
            continue
        for pattern, name, globs in used:
            if re.search(pattern, code):
                yield f"{path}:{number}: {name} is for {' '.join(globs)} only"


def check(top, rules_path=Path(__file__).with_name("layers.txt")):
    rules = Rules(rules_path)
    problems = []
    for path in files.c_files(top, "auditor"):
        path = path.relative_to("auditor")
        if path.parts[0] not in rules.rank:
            problems.append(f"{path}: layers.txt does not know this folder")
        else:
            problems += check_file(rules, path, files.read(top / "auditor", path))
    return problems


class Layers(files.Lint):
    def test_includes_and_calls_stay_where_they_belong(self):
        self.assert_none(check(files.TOP))


if __name__ == "__main__":
    unittest.main()
