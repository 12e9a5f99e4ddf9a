#!/usr/bin/env python3
"""Every key of the tables of facts is described in matrices/README.md and envaudit-matrix(5); every file is
installed."""
import os
import re
import unittest

SOURCE = os.environ.get("top_srcdir", ".")


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


def schema():
    """{table: {its keys}} out of tables.c."""
    text = read("auditor", "matrix", "tables.c")
    fields = {name: set(re.findall(r"(?:MUST|MAY|LIST)\(\w+,\s*(\w+)\)|"
                                   r"EA_CFG_FIELD\(struct \w+,\s*(\w+),", body))
              for name, body in re.findall(r"ea_cfg_field (\w+)\[\] = \{(.*?)\n\};", text, re.S)}
    tables = re.findall(r'TABLE\(\s*"[^"]+",\s*"(\w+)",\s*\w+,\s*(\w+),', text)
    return {name: {a or b for a, b in fields[list_]} for name, list_ in tables}


def sections(text, heading, key):
    """{table: {keys}} of a document."""
    found = {}
    for part in re.split(heading, text, flags=re.M)[1:]:
        name, _, body = part.partition("\n")
        body = re.split(r"^(?:#|\.Sh|\.Ss)", body, flags=re.M)[0]
        found[name.split(": ")[-1].strip("`")] = set(re.findall(key, body, re.M))
    return found


class Installed(unittest.TestCase):
    def test_each_matrix_is(self):
        top = os.path.join(SOURCE, "matrices")
        there = {os.path.relpath(os.path.join(folder, name), SOURCE)
                 for folder, _, names in os.walk(top) for name in names if name.endswith(".cfg")}
        named = set(re.findall(r"matrices/\S+\.cfg", read("matrices", "local.mk")))
        self.assertEqual(there, named)


class Documents(unittest.TestCase):
    def test_readme(self):
        documented = sections(read("matrices", "README.md"), r"^### ", r"^\| \**`(\w+)`")
        self.assertEqual(documented, schema())

    def test_man_page(self):
        text = read("doc", "envaudit-matrix.5").split(".Sh TABLES")[1]
        self.assertEqual(sections(text, r"^\.Ss ", r"^\.It Ic (\w+)"), schema())


if __name__ == "__main__":
    unittest.main()
