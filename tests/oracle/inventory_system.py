#!/usr/bin/env python3
"""Owners equal what dpkg and rpm themselves say; the host's facts what the running system says.

For rpm a package is built and installed into a data base of its own, nothing else is touched.
"""
import os
import platform
import re
import shutil
import subprocess
import tempfile

from inventory_oracle import FLAGS, Tally, dump, is_library, records

MACHINES = {"x86_64": 62, "aarch64": 183, "ppc64le": 21, "riscv64": 243, "s390x": 22}
PROGRAM = re.compile(r"bin/(python[0-9.]*|nvcc|ptxas|nvlink|fatbinary|cudafe\+\+|cicc|nvidia-smi)$")

SPEC = """Name: odd-package
Version: 1.2.3
Release: 4.el9
Epoch: 7
Summary: x
License: x
AutoReqProv: no
%description
x
%install
mkdir -p %{buildroot}/usr/lib64 %{buildroot}/usr/share/odd %{buildroot}/usr/local/cuda-9.9/bin
echo one > %{buildroot}/usr/lib64/libodd.so.1.2.3
ln -s libodd.so.1.2.3 %{buildroot}/usr/lib64/libodd.so.1
echo two > %{buildroot}/usr/share/odd/README
echo three > %{buildroot}/usr/local/cuda-9.9/bin/nvcc
%files
/usr/lib64/*
/usr/share/odd/README
/usr/local/cuda-9.9/bin/nvcc
"""


def lines_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                          env={**os.environ, "LC_ALL": "C"}, encoding="utf-8",
                          errors="surrogateescape").stdout.splitlines()


def compare_dpkg(tally):
    if not shutil.which("dpkg-query") or not os.path.exists("/var/lib/dpkg/status"):
        print("dpkg is not installed: its packages are not compared")
        return
    packages = {}
    for line in lines_of("dpkg-query", "-W", "-f",
                         "${Package}\t${Version}\t${Architecture}\t${db:Status-Status}\n"):
        name, version, arch, status = line.split("\t")
        if arch != "all" and status not in ("not-installed", "config-files"):
            packages[name, arch] = version
    theirs = {}
    for line in lines_of("dpkg-query", "-S", "*.so", "*.so.*", "*bin/python*", "*bin/nvcc"):
        owners, _, path = line.partition(": ")
        if line.startswith("diversion ") or not (is_library(path) or PROGRAM.search(path)):
            continue
        for owner in owners.split(", "):
            name = owner.split(":")[0]
            if any(n == name for n, _ in packages):
                theirs.setdefault(name, set()).add(path)
    lines = dump("dpkg", "/")
    ours = {name: set(paths) for name, paths in records(lines).items()}
    tally.equal("dpkg: owners", sorted(ours), sorted(theirs))
    for name in sorted(set(ours) & set(theirs)):
        tally.equal(f"dpkg: files of {name}", sorted(ours[name]), sorted(theirs[name]))
    for _, name, version, arch, *_ in lines.get("component", []):
        tally.equal(f"dpkg: version of {name}", version, packages.get((name, arch)))


def compare_rpm(tally):
    if not shutil.which("rpmbuild") or not shutil.which("rpm"):
        print("rpm and rpmbuild are not installed: rpm is not compared")
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        spec, database = os.path.join(folder, "x.spec"), os.path.join(folder, "root/var/lib/rpm")
        os.makedirs(database)
        with open(spec, "w", encoding="ascii") as f:
            f.write(SPEC)
        if lines_of("rpm", "--eval", "%_db_backend") != ["sqlite"]:
            print("this rpm does not keep its data in SQLite: rpm is not compared")
            return
        subprocess.run(["rpmbuild", "--quiet", "-bb", "--define", f"_topdir {folder}/build",
                        "--dbpath", database, spec], check=True, stderr=subprocess.DEVNULL)
        built = [os.path.join(d, f) for d, _, files in os.walk(f"{folder}/build/RPMS")
                 for f in files]
        rpm = ["rpm", "--dbpath", database]
        subprocess.run([*rpm, "--nodeps", "--noscripts", "--justdb", "-i", *built], check=True,
                       stderr=subprocess.DEVNULL)
        theirs = {}
        for line in lines_of(*rpm, "-qa", "--qf", "[%{FILENAMES}\t%{FILESIZES}\t%{FILEDIGESTS}\t"
                                                  "%{FILEMODES:octal}\n]"):
            path, size, digest, mode = line.split("\t")
            link = mode.startswith("12")
            if is_library(path) or PROGRAM.search(path):
                theirs[f"{folder}/root{path}"] = (link, None if link else int(size), digest)
        lines = dump("rpm", f"{folder}/root")
        kept = records(lines).get("odd-package", {})
        tally.equal("rpm: files", {
            path: (bool(flags & FLAGS["link"]), size if flags & FLAGS["size"] else None,
                   digest if flags & FLAGS["sha256"] else "")
            for path, (flags, size, digest) in kept.items()}, theirs)
        tally.equal("rpm: number of files", len(theirs), 3)
        tally.equal("rpm: package", [(c[1], c[2], c[3], c[5]) for c in lines["component"]],
                    [tuple(line.split()) for line in lines_of(
                        *rpm, "-qa", "--qf", "%{NAME} %{EVR} %{ARCH} 4\n")])


def compare_host(tally):
    (libc, version, machine, system), = dump("host", "/usr/bin/env")["host"]
    tally.equal("host: C library", f"{libc} {version}", os.confstr("CS_GNU_LIBC_VERSION"))
    tally.equal("host: machine", int(machine), MACHINES[platform.machine()])
    tally.equal("host: system", system, platform.freedesktop_os_release()["PRETTY_NAME"])


def main():
    tally = Tally()
    compare_dpkg(tally)
    compare_rpm(tally)
    compare_host(tally)
    tally.end()


main()
