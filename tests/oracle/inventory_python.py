#!/usr/bin/env python3
"""Packages, owners and folders of real Pythons equal what importlib.metadata and site say.

A virtual environment is made here and a wheel is built and installed into it by pip, without a network.
The running Python's own packages, /usr/bin/python3 and those in $EA_ORACLE_PYTHONS (separated by ':')
are compared as well.
"""
import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile

from inventory_oracle import FLAGS, Tally, dump, is_library, records

# What a Python says of itself and of its packages.
ASK = r"""
import base64, importlib.metadata, json, os, site, sys
answer = {
    "exe": sys.executable, "real": os.path.realpath(sys.executable), "prefix": sys.prefix,
    "base_prefix": sys.base_prefix, "version": "%d.%d.%d" % sys.version_info[:3],
    "sites": [s for s in site.getsitepackages() if os.path.isdir(s)], "packages": {},
}
for folder in answer["sites"]:
    found = answer["packages"][folder] = {}
    for dist in importlib.metadata.distributions(path=[folder]):
        meta = dist.metadata
        if str(dist._path).rsplit(".", 1)[-1] not in ("dist-info", "egg-info"):
            continue
        url = dist.read_text("direct_url.json")
        files = dist.files if dist.read_text("RECORD") is not None else None
        found[str(dist._path)] = {
            "name": meta["Name"], "version": meta["Version"],
            "requires": dist.requires or [],
            "installer": (dist.read_text("INSTALLER") or "").strip() or None,
            "requested": dist.read_text("REQUESTED") is not None,
            "editable": bool(url and json.loads(url).get("dir_info", {}).get("editable")),
            "n_files": None if files is None else len(files),
            "files": [] if files is None else [
                (os.path.normpath(os.path.join(folder, str(f))), f.size,
                 base64.urlsafe_b64decode(f.hash.value + "=").hex()
                 if f.hash and f.hash.mode == "sha256" and len(f.hash.value) == 43 else None)
                for f in files],
        }
print(json.dumps(answer))
"""

METADATA = """Metadata-Version: 2.1
Name: Odd_Wheel.Name
Version: 1.0.post2+cu121
Requires-Dist: six>=1.0
Requires-Dist: nvidia-cublas-cu12 (==12.1.3.1) ; platform_system == "Linux"
Requires-Dist: scipy ; extra == 'all'
Provides-Extra: all

Version: of the description
"""


def build_wheel(folder):
    """A wheel with libraries, odd names, a program outside of site-packages."""
    stem = "Odd_Wheel.Name-1.0.post2+cu121"
    files = {
        "oddwheel/__init__.py": b"",
        "oddwheel/_c.so": b"\x7fELF one",
        "oddwheel/lib/libodd.so.1.2": b"two" * 1000,
        'oddwheel/lib/comma, and "quote".so': b"three",
        "oddwheel/lib/\u00fcnicode.so": b"four",
        f"{stem}.data/data/bin/ptxas": b"five",
        f"{stem}.data/data/lib64/liboutside.so": b"six",
        f"{stem}.data/scripts/oddrun": b"#!python\n",
        f"{stem}.dist-info/METADATA": METADATA.encode(),
        f"{stem}.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"
                                   b"Tag: py3-none-any\n",
    }
    path = os.path.join(folder, f"{stem}-py3-none-any.whl")
    with zipfile.ZipFile(path, "w") as wheel:
        listed = ""
        for name, data in files.items():
            wheel.writestr(name, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            quoted = '"' + name.replace('"', '""') + '"' if '"' in name else name
            listed += f"{quoted},sha256={digest},{len(data)}\n"
        wheel.writestr(f"{stem}.dist-info/RECORD", listed + f"{stem}.dist-info/RECORD,,\n")
    return path


def make_venv(folder):
    venv = os.path.join(folder, "venv")
    run = subprocess.run([sys.executable, "-m", "venv", venv], check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        print(f"{sys.executable} makes no virtual environments: none is compared")
        return None
    python = os.path.join(venv, "bin", "python")
    subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install",
                    "--no-index", "--no-deps", build_wheel(folder)], check=True)
    return python


def without_extras(requires):
    """pip's own parser would do; the text form is all that this needs."""
    return [" ".join(r.split()) for r in requires if "extra ==" not in r.partition(";")[2]]


def compare_package(tally, location, theirs, lines):
    ours = [c for c in lines.get("component", []) if c[8] == location]
    if len(ours) != 1:
        tally.equal(f"{location}: number of components", len(ours), 1)
        return
    _, name, version, _, installer, n_files, requested, editable, _ = ours[0]
    tally.equal(f"{location}: name", name, theirs["name"])
    tally.equal(f"{location}: version", version, theirs["version"])
    tally.equal(f"{location}: installer", installer, theirs["installer"] or "-")
    tally.equal(f"{location}: requested", requested, str(int(theirs["requested"])))
    tally.equal(f"{location}: editable", editable, str(int(theirs["editable"])))
    tally.equal(f"{location}: requires",
                [" ".join(r[1].split()) for r in lines.get("requires", []) if r[0] == name],
                without_extras(theirs["requires"]))
    if theirs["n_files"] is None:
        return
    tally.equal(f"{location}: files", int(n_files), theirs["n_files"])
    kept = records(lines).get(name, {})
    listed = {path: (size, digest) for path, size, digest in theirs["files"]}
    tally.equal(f"{location}: libraries", sorted(p for p in kept if is_library(p)),
                sorted(p for p in listed if is_library(p)))
    for path, (flags, size, digest) in kept.items():
        tally.equal(f"{path}: size and hash", (
            size if flags & FLAGS["size"] else None,
            digest if flags & FLAGS["sha256"] else None), listed.get(path))


def compare_python(tally, python):
    ask = subprocess.run([python, "-I", "-c", ASK], stdout=subprocess.PIPE, check=True)
    theirs = json.loads(ask.stdout)
    lines = dump("python", theirs["prefix"])
    ours = [p for p in lines.get("python", []) if p[1] == theirs["real"]]
    tally.equal(f"{python}: found", len(ours), 1)
    if len(ours) != 1:
        return
    exe, _, version, prefix, base_prefix, _ = ours[0]
    tally.equal(f"{python}: version", version,
                ".".join(theirs["version"].split(".")[:version.count(".") + 1]))
    tally.equal(f"{python}: prefix", prefix, theirs["prefix"])
    tally.equal(f"{python}: base_prefix", base_prefix, theirs["base_prefix"])
    tally.equal(f"{python}: sites", [s[1] for s in lines.get("site", []) if s[0] == exe],
                theirs["sites"])
    for folder, packages in theirs["packages"].items():
        lines = dump("dist-info", folder)
        tally.equal(f"{folder}: packages", sorted(c[8] for c in lines.get("component", [])),
                    sorted(packages))
        for location, package in packages.items():
            compare_package(tally, location, package, lines)


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        pythons = [make_venv(os.path.realpath(folder)), sys.executable]
        if os.path.exists("/usr/bin/python3"):
            pythons.append("/usr/bin/python3")
        pythons += os.environ.get("EA_ORACLE_PYTHONS", "").split(":")
        for python in filter(None, pythons):
            compare_python(tally, python)
    tally.end()


main()
