#!/usr/bin/env python3
"""Dynamic symbols, their look-up and the undefined ones that relocations use equal readelf's."""
import re
import sys
import tempfile

import elf_oracle as oracle

TYPES = {"NOTYPE": "0", "OBJECT": "1", "FUNC": "2", "SECTION": "3", "FILE": "4", "COMMON": "5",
         "TLS": "6", "IFUNC": "10"}
BINDS = {"LOCAL": "0", "GLOBAL": "1", "WEAK": "2", "UNIQUE": "10"}
VISIBILITY = {"DEFAULT": "0", "INTERNAL": "1", "HIDDEN": "2", "PROTECTED": "3"}
SECTIONS = {"UND": "0", "ABS": "65521", "COM": "65522"}
SYMBOL = re.compile(r"\s*(\d+): ([0-9a-f]+)\s+(0x[0-9a-f]+|\d+) (\w+)\s+(\w+)\s+(\w+)\s+"
                    r"(?:\[[^]]*\]\s+)?(\w+)(?: (.*))?$")


def version_of(name):
    """printf@@GLIBC_2.2.5 -> name, version, default; readelf adds the index of needed ones."""
    name = re.sub(r" \(\d+\)$", "", name)
    m = re.match(r"(.+?)(@@?)([^@]+)$", name)
    return (m.group(1), m.group(3), m.group(2) == "@@") if m else (name, None, None)


def by_readelf(path):
    """{index: (value, size, type, bind, visibility, section, name, version, default)}"""
    symbols = {}
    for line in oracle.tool("readelf", "--dyn-syms", "-W", path):
        m = SYMBOL.match(line)
        if not m or m.group(1) == "0":
            continue
        index, value, size, kind, bind, seen, section, name = m.groups()
        symbols[int(index)] = (int(value, 16), int(size, 0), TYPES[kind], BINDS[bind],
                               VISIBILITY[seen], SECTIONS.get(section, section),
                               *version_of(name or ""))
    return symbols


def used_by_readelf(path, symbols):
    """{name: lazy} of the undefined symbols that relocations use."""
    undefined = {s[6] for s in symbols.values() if s[5] == "0" and s[3] != "0"}
    lazy = {}
    plt = False
    for line in oracle.tool("readelf", "-rDW", path):
        if "relocation section" in line:
            plt = line.startswith("'PLT'")
        m = re.match(r"[0-9a-f]+\s+[0-9a-f]+ (R_\w+)\s+[0-9a-f]+\s+(\S+)", line)
        if m and not m.group(1).endswith("_NONE"):
            name = version_of(m.group(2))[0]
            if name in undefined:
                lazy[name] = lazy.get(name, True) and plt
    return lazy


def ours_as_tuple(line, versions, needs):
    index, value, size, kind, bind, seen, section, versym, *name = line.split(" ", 8)
    v = int(versym, 16)
    number, hidden = v & 0x7fff, bool(v & 0x8000)
    version, default = None, None
    if number > 1:
        if number in needs:
            version, default = needs[number], False
        elif number in versions:
            version, default = versions[number], not hidden
    return int(index), (int(value, 16), int(size), kind, bind, seen, section,
                        name[0] if name else "", version, default)


def same(ours, theirs):
    if ours[:6] != theirs[:6]:
        return False
    if ours[2] == TYPES["SECTION"]:    # readelf shows the name of the section
        return True
    # A symbol that is called like its version has none in readelf's eyes.
    if theirs[7] is None:
        return ours[6] == theirs[6]
    return ours[6:8] == theirs[6:8] and (ours[5] == "0" or ours[8] == theirs[8])


def compare(path, facts):
    versions = {int(i): n for i, _, n in (v.split(" ", 2) for v in facts.get("verdef", []))}
    needs = {int(i): n for i, _, n in (v.split(" ", 2) for v in facts.get("vernaux", []))}
    ours = dict(ours_as_tuple(s, versions, needs) for s in facts.get("symbol", []))
    theirs = by_readelf(path)
    bad = [f"lost {s}" for s in facts.get("lost", [])] + \
          [f"found {s}" for s in facts.get("found", [])]
    # Without hashed symbols only relocations tell of the undefined ones.
    defined = any(s[5] != "0" for s in theirs.values())
    for i in sorted(set(ours) | set(theirs)):
        if i not in ours and not defined:
            continue
        if i not in ours or i not in theirs or not same(ours[i], theirs[i]):
            bad.append(f"symbol {i}: ours {ours.get(i)} readelf {theirs.get(i)}")
    used = {n: lazy == "1" for _, lazy, n in
            (u.split(" ", 2) for u in facts.get("undefined", []))}
    expected = used_by_readelf(path, theirs)
    if {n: v for n, v in used.items() if n in expected} != expected or set(used) - set(expected):
        diff = {n for n in set(used) | set(expected) if used.get(n) != expected.get(n)}
        bad.append(f"undefined: {sorted(diff)[:5]}")
    for text in bad[:5]:
        print(f"{path}: {text}")
    return not bad


def main():
    oracle.need("readelf")
    with tempfile.TemporaryDirectory() as tmp:
        built = oracle.build_foreign(tmp)
        files = built + oracle.real_files(120, limit=16 << 20)
        dumps = oracle.dump(files, "-s")
        good = sum(compare(path, dumps[path]) for path in files)
        count = sum(len(dumps[path].get("symbol", [])) for path in files)
        used = sum(len(dumps[path].get("undefined", [])) for path in files)
        print(f"{good} of {len(files)} files agree; {count} symbols, {used} undefined in use")
    return 0 if good == len(files) and count > 10000 and used > 1000 else 1


if __name__ == "__main__":
    sys.exit(main())
