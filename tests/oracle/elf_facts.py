#!/usr/bin/env python3
"""ELF facts of some hundred real files equal what readelf and eu-readelf say, field by field.

Files come from the system's folders, $EA_ORACLE_DIRS (separated by ':') and, for other machines and
the other byte order, from small libraries that clang and lld build here.
"""
import os
import re
import subprocess
import sys
import tempfile

import elf_oracle as oracle

TYPES = {"NONE": 0, "REL": 1, "EXEC": 2, "DYN": 3, "CORE": 4}
# Only those whose numbers are checked; others are taken as they come.
MACHINES = {"Intel 80386": 3, "MIPS R3000": 8, "PowerPC": 20, "PowerPC64": 21, "ARM": 40,
            "Advanced Micro Devices X86-64": 62, "AArch64": 183, "RISC-V": 243,
            "IBM S/390": 22, "LoongArch": 258}
FLAGS = {"ORIGIN": 1, "SYMBOLIC": 2, "TEXTREL": 4, "BIND_NOW": 8, "STATIC_TLS": 16}
FLAGS_1 = {"NOW": 1, "GLOBAL": 2, "GROUP": 4, "NODELETE": 8, "LOADFLTR": 16, "INITFIRST": 32,
           "NOOPEN": 64, "ORIGIN": 128, "DIRECT": 256, "INTERPOSE": 1024, "NODEFLIB": 2048, "NODUMP": 4096,
           "PIE": 0x8000000}
STRINGS = {"NEEDED": "needed", "SONAME": "soname", "RPATH": "rpath", "RUNPATH": "runpath",
           "FILTER": "filter", "AUXILIARY": "auxiliary", "AUDIT": "audit", "DEPAUDIT": "depaudit"}
NUMBERS = {"SYMTAB", "STRTAB", "STRSZ", "GNU_HASH", "HASH", "VERSYM", "RELA", "RELASZ", "RELACOUNT",
           "REL", "RELSZ", "RELCOUNT", "JMPREL", "PLTRELSZ"}
ISA = {"x86-64-baseline": 1, "x86-64-v2": 2, "x86-64-v3": 4, "x86-64-v4": 8}
FEATURES = {"IBT": 1, "SHSTK": 2, "BTI": 1, "PAC": 2}


class Facts(dict):
    """Key to list of values, with the defaults that the dump writes for what is absent."""

    def __init__(self):
        super().__init__()
        for key in [n.lower() for n in NUMBERS] + ["dt_flags", "dt_flags_1", "isa_needed",
                                                    "features_1"]:
            self[key] = ["0x0"]
        for key in ("tls", "dynamic", "stack", "plt_is_rela", "relr"):
            self[key] = ["0"]

    def add(self, key, value):
        self.setdefault(key, []).append(value)

    def set(self, key, value):
        self[key] = [value]


def words(text, table):
    return sum(table[w] for w in re.findall(r"[A-Za-z0-9_-]+", text) if w in table)


def flag_words(text, table):
    unknown = [w for w in text.replace("Flags:", "").split() if w not in table]
    if unknown:
        sys.exit(f"readelf prints unknown flags {unknown}: extend the table")
    return hex(words(text, table))


def readelf_header(line, f):
    m = re.match(r"\s+(Magic|Type|Machine|Start of program headers|Start of section headers|Flags|"
                 r"Size of program headers|Number of program headers|Version):\s+(.*)", line)
    if not m:
        return
    key, value = m.groups()
    first = value.split()[0].rstrip(",")
    if key == "Magic":
        f.set("ident", " ".join(value.split()))
    elif key == "Type":
        f.set("type", str(TYPES[first]))
    elif key == "Machine":
        if value.strip() in MACHINES:
            f.set("machine", str(MACHINES[value.strip()]))
    elif key == "Flags":
        f.set("flags", first)
    elif key == "Version":
        f.set("version", first if first.startswith("0x") else hex(int(first)))
    else:
        f.set({"Start of program headers": "phoff", "Start of section headers": "shoff",
               "Size of program headers": "phentsize",
               "Number of program headers": "phnum"}[key], first)


def readelf_segment(line, f):
    m = re.match(r"\s+([A-Z_]+)\s+0x([0-9a-f]+) 0x([0-9a-f]+) 0x[0-9a-f]+ 0x([0-9a-f]+) "
                 r"0x([0-9a-f]+) ([RWE ]{3}) (?:0x)?([0-9a-f]+)$", line)
    if m:
        kind, off, vaddr, filesz, memsz, flags, align = m.groups()
        bits = sum(b for c, b in (("R", 4), ("W", 2), ("E", 1)) if c in flags)
        if kind == "LOAD":
            f.add("load", " ".join([hex(int(n, 16)) for n in (off, vaddr, filesz, memsz)] +
                                   [hex(bits), hex(int(align, 16))]))
        elif kind == "GNU_STACK":
            f.set("stack", "2" if bits & 1 else "1")
        elif kind == "TLS":
            f.set("tls", "1")
        elif kind == "DYNAMIC" and int(filesz, 16):
            f.set("dynamic", "1")
    m = re.match(r"\s+\[Requesting program interpreter: (.*)\]$", line)
    if m:
        f.set("interp", m.group(1))


def readelf_dynamic(line, f):
    m = re.match(r" 0x[0-9a-f]+ \(([A-Z0-9_]+)\)\s*(.*)$", line)
    if not m:
        return
    tag, value = m.groups()
    if tag in STRINGS:
        f.add(STRINGS[tag], re.search(r"\[(.*)\]$", value).group(1))
    elif tag in NUMBERS:
        n = value.split()[0]
        f.set(tag.lower(), hex(int(n, 16 if n.startswith("0x") else 10)))
    elif tag == "FLAGS":
        f.set("dt_flags", hex(int(f["dt_flags"][0], 16) | int(flag_words(value, FLAGS), 16)))
    elif tag == "FLAGS_1":
        f.set("dt_flags_1", flag_words(value, FLAGS_1))
    elif tag in ("SYMBOLIC", "TEXTREL", "BIND_NOW"):
        f.set("dt_flags", hex(int(f["dt_flags"][0], 16) | FLAGS[tag]))
    elif tag == "PLTREL":
        f.set("plt_is_rela", "1" if value.strip() == "RELA" else "0")
    elif tag == "RELR":
        f.set("relr", "1")


def version_flags(text):
    return hex(words(text, {"BASE": 1, "WEAK": 2}))


def readelf_version(line, f):
    m = re.match(r"\s+(?:0x)?[0-9a-f]+: Rev: 1  Flags: (.*?)\s+Index: (\d+)  Cnt: \d+  Name: (.*)$",
                 line)
    if m:
        f.add("verdef", f"{m.group(2)} {version_flags(m.group(1))} {m.group(3)}")
    m = re.match(r"\s+(?:0x)?[0-9a-f]+: Version: 1  File: (.*)  Cnt: \d+$", line)
    if m:
        f.add("verneed", m.group(1))
    m = re.match(r"\s+0x[0-9a-f]+:   Name: (.*?)  Flags: (.*?)\s+Version: (\d+)$", line)
    if m:
        f.add("vernaux", f"{m.group(3)} {version_flags(m.group(2))} {m.group(1)}")


def readelf_note(line, f):
    m = re.search(r"Build ID: ([0-9a-f]+)", line)
    if m:
        f.set("build_id", m.group(1))
    if "GO BUILDID" in line:
        f.set("go", "1")    # its GNU build-id may be in a section, but in no note segment
    m = re.search(r"OS: Linux, ABI: (\d+\.\d+\.\d+)", line)
    if m:
        f.set("abi_tag", "0 " + m.group(1))
    m = re.search(r"x86 ISA needed: ([^,\n]*(?:, x86-64[^,\n]*)*)", line)
    if m:
        f.set("isa_needed", hex(words(m.group(1), ISA)))
    m = re.search(r"(?:x86|AArch64) feature: (.*)", line)
    if m:
        f.set("features_1", hex(words(m.group(1).split(", x86")[0], FEATURES)))


def by_readelf(path):
    f = Facts()
    for line in oracle.tool("readelf", "-hldnVW", path):
        for parse in (readelf_header, readelf_segment, readelf_dynamic, readelf_version,
                      readelf_note):
            parse(line, f)
    return f


def by_eu_readelf(path):
    """Strings of the dynamic section and version names only: a second opinion."""
    f = {}
    for line in oracle.tool("eu-readelf", "-d", "-V", path):
        m = re.match(r"\s+([A-Z0-9_]+)\s+(?:Shared library|Library soname|Library rpath|"
                     r"Library runpath): \[(.*)\]$", line)
        if m:
            f.setdefault(STRINGS[m.group(1)], []).append(m.group(2))
        m = re.match(r"\s+[0-9a-fx]+: Version: 1  Flags: (.*?)\s+Index: (\d+)  Cnt: \d+  Name: (.*)$",
                     line)
        if m:
            f.setdefault("verdef", []).append(
                f"{m.group(2)} {version_flags(m.group(1))} {m.group(3)}")
        m = re.match(r"\s+[0-9a-fx]+: Version: 1  File: (.*)  Cnt: \d+$", line)
        if m:
            f.setdefault("verneed", []).append(m.group(1))
        m = re.match(r"\s+0x[0-9a-f]+: Name: (.*?)  Flags: (.*?)\s+Version: (\d+)$", line)
        if m:
            f.setdefault("vernaux", []).append(
                f"{m.group(3)} {version_flags(m.group(2))} {m.group(1)}")
    return f


def compare(path, ours, theirs, who, keys):
    bad = [k for k in keys if ours.get(k, []) != theirs.get(k, [])]
    for key in bad:
        print(f"{path}: {key}: ours {ours.get(key)} {who} {theirs.get(key)}")
    return not bad


def main():
    oracle.need("readelf", "eu-readelf")
    with tempfile.TemporaryDirectory() as tmp:
        built = oracle.build_foreign(tmp)
        files = built + oracle.real_files(400)
        dumps = oracle.dump(files)
        good = 0
        for path in files:
            ours = dumps[path]
            for key in ("file", "format", "fault"):
                ours.pop(key, None)
            theirs = by_readelf(path)
            theirs.setdefault("machine", ours["machine"])
            if theirs.pop("go", None) and "build_id" not in ours:
                theirs.pop("build_id", None)
            ok = compare(path, ours, theirs, "readelf", sorted(set(ours) | set(theirs)))
            second = by_eu_readelf(path)
            keys = ["needed", "soname", "rpath", "runpath", "verdef", "verneed", "vernaux"]
            ok &= compare(path, ours, second, "eu-readelf", keys)
            good += ok
        print(f"{good} of {len(files)} files agree, {len(built)} of them built for other machines")
    return 0 if good == len(files) and len(files) >= 300 else 1


if __name__ == "__main__":
    sys.exit(main())
