#!/usr/bin/env python3
"""Architectures of embedded GPU code equal what nvcc was told and what cuobjdump lists.

Needs nvcc or cuobjdump, on PATH or in /usr/local/cuda/bin or $EA_CUDA_BIN; libraries come from
/usr/local/cuda and $EA_ORACLE_DIRS.
"""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

import elf_oracle as oracle

KERNEL = """__global__ void k(float *p) { *p = 1.0f; }
void launch(float *p) { k<<<1, 1>>>(p); }
"""
# what nvcc is asked for, and how we call it
CODES = {"arch=compute_75,code=sm_75": "sm_75", "arch=compute_90a,code=sm_90a": "sm_90a",
         "arch=compute_100f,code=sm_100f": "sm_100f", "arch=compute_90,code=compute_90": "compute_90",
         "arch=compute_120,code=lto_120": "lto_120"}


def program(name):
    places = [os.environ.get("EA_CUDA_BIN", ""), os.environ.get("PATH", ""), "/usr/local/cuda/bin"]
    return shutil.which(name, path=":".join(p for p in places if p))


def arches(facts):
    """{architecture: entries} of one file."""
    return {a.split(" ")[0]: int(a.split(" ")[1]) for a in facts.get("arch", [])}


def check_built(nvcc, folder):
    source, out = os.path.join(folder, "k.cu"), os.path.join(folder, "k.so")
    with open(source, "w", encoding="ascii") as f:
        f.write(KERNEL)
    command = [nvcc, "-shared", "-Xcompiler", "-fPIC", "-o", out, source]
    for code in CODES:
        command += ["-gencode", code]
    run = subprocess.run(command, stderr=subprocess.PIPE, check=False)
    if run.returncode:
        print(f"nvcc does not build this here: {run.stderr.decode()[-300:].strip()}")
        return True
    ours = set(arches(oracle.dump([out], "-v", oracle.matrix("libraries.cfg"))[out]))
    if ours != set(CODES.values()):
        print(f"nvcc put {sorted(CODES.values())} in, read {sorted(ours)}")
        return False
    print(f"{len(CODES)} architectures of a compiled library")
    return True


def by_cuobjdump(cuobjdump, path):
    """{architecture: entries}; None where it gives up, as it does on some old cubins."""
    found = collections.Counter()
    for option in ("--list-elf", "--list-ptx"):
        run = subprocess.run([cuobjdump, "-all", option, path], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=False)
        if run.returncode:
            return None
        for line in run.stdout.decode().split("\n"):
            m = re.match(r"(ELF|PTX) file +\d+: .*\.sm_(\d+a?)\.(?:cubin|ptx)$", line)
            if m:
                found[("sm_" if m.group(1) == "ELF" else "compute_") + m.group(2)] += 1
    return dict(found)


def check_real(cuobjdump):
    files = [p for p in oracle.elf_files(["/usr/local/cuda/lib64/"] + oracle.own_folders(),
                                         limit=400 << 20) if ".so" in os.path.basename(p)]
    facts = oracle.dump(files, "-v", oracle.matrix("libraries.cfg")) if files else {}
    asked = good = entries = 0
    for path in files:
        ours = collections.Counter()
        for arch, n in arches(facts[path]).items():
            if not arch.startswith("lto_"):
                ours[arch.rstrip("f")] += n    # cuobjdump does not tell sm_100f from sm_100
        # It has lost the oldest architectures.
        if not ours or any(int(re.sub(r"\D", "", a)) < 50 for a in ours):
            continue
        theirs = by_cuobjdump(cuobjdump, path)
        if theirs is None:
            continue
        asked += 1
        entries += sum(ours.values())
        if dict(ours) == theirs:
            good += 1
        else:
            print(f"{path}: ours {dict(ours)} cuobjdump {theirs}")
    print(f"{good} of {asked} libraries agree with cuobjdump; {entries} entries")
    return good == asked


def main():
    nvcc, cuobjdump = program("nvcc"), program("cuobjdump")
    if not nvcc and not cuobjdump:
        print("skipped: neither nvcc nor cuobjdump is installed")
        return oracle.SKIP
    ok = True
    if nvcc:
        with tempfile.TemporaryDirectory() as tmp:
            ok = check_built(nvcc, tmp)
    if cuobjdump:
        ok = check_real(cuobjdump) and ok
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
