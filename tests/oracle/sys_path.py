#!/usr/bin/env python3
"""sys.path of real Pythons in many environments equals what the inventory makes of their files.

Prefixes: a virtual environment with and one without the system's sites, made here from each Python, and
the Pythons themselves: the running one, /usr/bin/python3 and those in $EA_ORACLE_PYTHONS (separated by
':'). Each is asked in every combination of a user site, PYTHONPATH, PYTHONHOME and .pth files.
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile

from inventory_oracle import Tally

ASK = """
import json, os, sys
print(json.dumps([sys.path[1:], list(sys.version_info[:2]), sys.base_prefix, sys.prefix]))
"""
PTH = {
    "a.pth": b"one\n# a remark\n\n../two\nmissing\none\n \nfile.zip\n/usr/share  \n",
    "b.pth": b"import os; os\none\r\n./two/../three\n  one\n",
    "B.pth": b"three\n../two",
    "z-nspkg.pth": b"import sys, types\nnested/deeper\n",
    "not-a-pth.txt": b"nested\n",
}


def fill_site(site):
    for folder in ("one", "three", "nested/deeper", "../two"):
        os.makedirs(os.path.join(site, folder), exist_ok=True)
    for name, text in {**PTH, "file.zip": b""}.items():
        with open(os.path.join(site, name), "wb") as file:
            file.write(text)


def real(exe, env, cwd):
    run = subprocess.run([exe, "-c", ASK], cwd=cwd, env=env, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False, encoding="utf-8")
    return json.loads(run.stdout) if run.returncode == 0 else None


def ours(exe, env, cwd, prefixes):
    tool = os.path.abspath(os.path.join(os.environ.get("top_builddir", "."),
                                        "tests/oracle/sys_path_dump"))
    lines = subprocess.run([tool, cwd, *prefixes], env=env, stdout=subprocess.PIPE, check=True,
                           encoding="utf-8").stdout.splitlines()
    fields = [line.split("\t") for line in lines]
    mine = [path for name, *rest in fields for path in rest[:1]
            if name != "gap" and os.path.realpath(name) == os.path.realpath(exe)]
    gaps = {}
    for name, *rest in fields:
        if name == "gap":
            folder, file = os.path.split(rest[0])
            gaps.setdefault(folder, []).append(f"{file}: {rest[1][:6]}")
    return mine, gaps


def environments(top, version, base_prefix):
    """The variables, one combination after the other."""
    home = os.path.join(top, "home")
    base = os.path.join(top, "userbase")
    for folder in (os.path.join(home, ".local"), base):
        fill_site(os.path.join(folder, f"lib/python{version}/site-packages"))
    homes = ({}, {"HOME": home}, {"HOME": os.path.join(top, "empty")})
    users = ({}, {"PYTHONUSERBASE": base}, {"PYTHONNOUSERSITE": "1"}, {"PYTHONNOUSERSITE": ""})
    paths = ({}, {"PYTHONPATH": ""}, {"PYTHONPATH": f"{top}/p1:rel:{top}/p1"},
             {"PYTHONPATH": f"{top}/missing/../p1::{top}/p2/"})
    for parts in itertools.product(homes, users, paths):
        env = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
        for part in parts:
            env.update(part)
        # without HOME the password file would decide
        if "HOME" in env or "PYTHONUSERBASE" in env or "PYTHONNOUSERSITE" in env:
            yield env
    # Debian's pythons have sites of their own below PYTHONHOME
    if not os.path.isdir(os.path.join(base_prefix, "lib/python3/dist-packages")):
        for home in (base_prefix, f"{base_prefix}:{base_prefix}"):
            yield {"PATH": "/usr/bin:/bin", "HOME": homes[1]["HOME"], "PYTHONHOME": home}


def compare(tally, top, exe, prefix, base):
    first = real(exe, {"PATH": "/usr/bin:/bin", "HOME": top}, top)
    if not first:
        return
    version = "%d.%d" % tuple(first[1])
    prefixes = [prefix] if prefix == base else [prefix, base]
    for env in environments(top, version, base):
        theirs = real(exe, env, top)
        what = " ".join(f"{k}={v}" for k, v in env.items() if k not in ("PATH", "PYTHONIOENCODING"))
        tally.equal(f"{exe} {what}", ours(exe, env, top, prefixes)[0], theirs[0])


def make_venv(exe, folder, flags):
    return subprocess.run([exe, "-m", "venv", "--without-pip", *flags, folder], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def main():
    tally = Tally()
    pythons = dict.fromkeys(os.path.realpath(exe) for exe in (
        sys.executable, "/usr/bin/python3", *os.environ.get("EA_ORACLE_PYTHONS", "").split(":"))
        if os.path.exists(exe))
    for number, exe in enumerate(pythons):
        with tempfile.TemporaryDirectory() as top:
            top = os.path.realpath(top)
            for folder in ("p1", "p2", "rel"):
                os.mkdir(os.path.join(top, folder))
            base = os.path.dirname(os.path.dirname(exe))
            compare(tally, top, exe, base, base)
            for name, flags in (("alone", []), ("system", ["--system-site-packages"])):
                venv = os.path.join(top, f"{name}{number}")
                if not make_venv(exe, venv, flags):
                    continue
                own = os.path.join(venv, "bin/python")
                site = next(path for path in real(own, {"PATH": "/bin", "HOME": top}, top)[0]
                            if path.startswith(venv))
                fill_site(site)
                compare(tally, top, own, venv, base)
                tally.equal(f"{own} code", ours(own, {"HOME": top}, top, [venv, base])[1].get(site),
                            ["b.pth: line 1"])
    tally.end()


if __name__ == "__main__":
    main()
