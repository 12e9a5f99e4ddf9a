#!/usr/bin/env python3
"""Brings matrices/pins/ up to date: what each release of a package asks for, out of its METADATA.

    matrices/update.py                    all packages, releases that are not there yet
    matrices/update.py --again torch jax  these packages, every release anew
    matrices/update.py --dry-run          only show what would change

Asked is pip, at the index that it is configured for, or in folders (--find-links DIR --no-index);
where the index serves METADATA apart, no wheel is fetched. A release that has no wheel for Linux on
x86_64 is left out. The difference goes to standard output.
"""
import argparse
import concurrent.futures
import datetime
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile

from pip._vendor.packaging.markers import default_environment
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.version import Version

# Package: the oldest release of interest.
PACKAGES = {
    "ctranslate2": "3.0",
    "cuda-toolkit": "0",
    "cupy-cuda11x": "11",
    "cupy-cuda12x": "12",
    "cupy-cuda13x": "13",
    "jax": "0.4.7",
    "jax-cuda12-plugin": "0",
    "jax-cuda13-plugin": "0",
    "jaxlib": "0.4.7",
    "onnxruntime-gpu": "1.10",
    "paddlepaddle-gpu": "2.0",
    "tensorflow": "2.8",
    "torch": "1.13",
    "torchaudio": "0.13",
    "torchtext": "0.14",
    "torchvision": "0.14",
    "vllm": "0.5",
    "xformers": "0.0.17",
}

# Requirements that matter: what holds GPU code or has to fit what does.
WANTED = re.compile(r"(nvidia|cuda|torch|pytorch|triton|jax|xformers|tensorrt|tensorflow|cupy|"
                    r"onnxruntime|flash-attn|flashinfer|ctranslate2|paddlepaddle)([-a-z0-9]*)$")
PYTHONS = ("3.12", "3.10", "3.8")
PLATFORMS = (["linux_x86_64", "manylinux1_x86_64", "manylinux2010_x86_64", "manylinux2014_x86_64"] +
             ["manylinux_2_%d_x86_64" % n for n in range(17, 40)])


def name_of(text):
    return re.sub(r"[-_.]+", "-", text).lower()


def pip(args, options):
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"] + args
    return subprocess.run(command + options, capture_output=True, text=True, check=False)


def target_options(python):
    options = ["--python-version", python, "--implementation", "cp", "--only-binary", ":all:"]
    for platform in PLATFORMS:
        options += ["--platform", platform]
    return options


def releases_of(package, options):
    """The versions on the index for any of PYTHONS, pre-releases left out."""
    found = set()
    for python in PYTHONS:
        answer = pip(["index", "versions", package] + target_options(python), options)
        line = re.search(r"^Available versions: (.*)$", answer.stdout, re.M)
        found.update(line.group(1).split(", ") if line else ())
    return sorted((v for v in found if Version(v) >= Version(PACKAGES.get(package, "0"))),
                  key=Version)


def requirement_text(requirement):
    extras = "[%s]" % ",".join(sorted(requirement.extras)) if requirement.extras else ""
    specs = sorted((str(spec) for spec in requirement.specifier),
                   key=lambda spec: (spec[0] in "<!", spec))
    return name_of(requirement.name) + extras + ",".join(specs)


def holds(marker, extra):
    """Whether a marker holds on Linux and x86_64 for some Python."""
    for minor in range(7, 16):
        python = "3.%d" % minor
        environment = dict(default_environment(), platform_system="Linux", sys_platform="linux",
                           platform_machine="x86_64", os_name="posix", python_version=python,
                           implementation_name="cpython", python_full_version=python + ".0",
                           platform_python_implementation="CPython", extra=extra)
        if marker is None or marker.evaluate(environment):
            return True
    return False


def needs_of(metadata):
    """Requirements as `NAME SPEC` without the blank, those of an extra as `[EXTRA] NAME SPEC`."""
    needs = set()
    for text in metadata.get("requires_dist") or ():
        requirement = Requirement(text)
        if not WANTED.match(name_of(requirement.name)):
            continue
        if holds(requirement.marker, ""):
            needs.add(requirement_text(requirement))
            continue
        for extra in metadata.get("provides_extra") or ():
            if holds(requirement.marker, extra):
                needs.add("[%s] %s" % (name_of(extra), requirement_text(requirement)))
    return sorted(needs, key=lambda need: (need.startswith("["), need))


def report_of(package, version, python, options):
    """pip's report on one release for one Python, or None without a wheel."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        answer = pip(["install", "--quiet", "--dry-run", "--no-deps", "--ignore-installed",
                      "--ignore-requires-python", "--report", report, "--target", folder] +
                     target_options(python) + ["%s==%s" % (package, version)], options)
        if answer.returncode:
            return None
        with open(report, encoding="utf-8") as file:
            return json.load(file)["install"][0]


def fetch(package, version, options):
    """(wheel, python range, needs), or None without a wheel."""
    for python in PYTHONS:
        item = report_of(package, version, python, options)
        if item:
            wheel = item["download_info"]["url"].split("#")[0].split("/")[-1].replace("%2B", "+")
            metadata = item["metadata"]
            return wheel, metadata.get("requires_python"), needs_of(metadata)
    print("%s %s: no wheel" % (package, version), file=sys.stderr)
    return None


def row_text(version, date, wheel, python, needs):
    python = ' python = "%s";' % python if python else ""
    lines = ['{ version = "%s"; date = "%s";%s' % (version, date, python),
             '  source = "METADATA of %s";' % wheel]
    if needs:
        lines.append("  needs = (\n" + ",\n".join('\t"%s"' % need for need in needs) + " );")
    return "\n".join(lines) + " }"


def rows_of(text):
    """{version: text of its row} of a file that this program wrote."""
    rows = {}
    for row in re.findall(r"^\{ version = .*?\}(?=,?$)", text, re.M | re.S):
        rows[re.match(r'\{ version = "([^"]*)"', row).group(1)] = row
    return rows


def file_text(package, rows):
    ordered = sorted(rows, key=Version, reverse=True)
    return ("# Written by matrices/update.py: what the wheels of this package ask for on Linux, x86_64.\n"
            'package = "%s";\npins = (\n%s\n);\n'
            % (package, ",\n".join(rows[version] for version in ordered)))


def update(package, args, options, pool):
    """(file, its old text, its new text)"""
    path = os.path.join(args.dir, package + ".cfg")
    old = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            old = file.read()
    rows = {} if args.again else rows_of(old)
    jobs = {version: pool.submit(fetch, package, version, options)
            for version in releases_of(package, options) if version not in rows}
    for version, job in jobs.items():
        if job.result():
            rows[version] = row_text(version, args.date, *job.result())
    return path, old, file_text(package, rows) if rows else old


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="default: all")
    parser.add_argument("--again", action="store_true", help="fetch releases that are there, too")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="releases at a time")
    parser.add_argument("--date", default=datetime.date.today().isoformat(),
                        help="date of new rows (default: today)")
    parser.add_argument("--dir", metavar="DIR", help="folder of the files (default: pins/)",
                        default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "pins"))
    parser.add_argument("--find-links", action="append", default=[], metavar="DIR",
                        help="as pip's")
    parser.add_argument("--no-index", action="store_true", help="as pip's")
    args = parser.parse_args()
    options = ["--no-index"] if args.no_index else []
    for folder in args.find_links:
        options += ["--find-links", folder]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for package in args.packages or sorted(PACKAGES):
            path, old, new = update(package, args, options, pool)
            name = os.path.basename(path)
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True),
                                                       "old/" + name, "new/" + name))
            if new != old and not args.dry_run:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(new)


if __name__ == "__main__":
    main()
