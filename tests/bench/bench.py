#!/usr/bin/env python3
"""`make bench`: envaudit against the tools that people use, on the same trees in the same run.

Every command runs warm, in turn with its rivals, several times; the figures are medians of wall time and
the ratio envaudit / rival. Trees that this machine lacks are skipped with a word. Nothing here can fail:
figures are for people to read, unless
envaudit itself does not run.
"""
import argparse
import glob
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# Below an environment of its own with torch in it.
CUDA_PART = "lib/python3*/site-packages/torch/lib/libtorch_cuda.so"
ENV = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C"}


def run_once(command):
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENV,
                   check=False)
    return time.perf_counter() - begin


def race(commands, rounds):
    """Median seconds of each command; they take turns, so that all meet the same machine."""
    times = {name: [] for name in commands}
    for name, command in commands.items():
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENV,
                              text=True, check=False)
        if name == "envaudit" and done.returncode not in (0, 1, 3):
            sys.exit(f"envaudit failed: {done.stderr.strip()}")
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(run_once(command))
    return {name: statistics.median(values) for name, values in times.items()}


def peak_memory(command):
    """MiB of the largest child so far; called for one command in a process of its own."""
    script = ("import resource,subprocess,sys;subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,"
              "stderr=subprocess.DEVNULL);print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run([sys.executable, "-c", script, *command], capture_output=True, text=True,
                          env=ENV, check=False)
    return int(done.stdout or 0) / 1024


def file_operations(command):
    """(number of system calls on files, bytes read), as strace counts them."""
    if not shutil.which("strace"):
        return None
    with tempfile.NamedTemporaryFile("r") as log:
        subprocess.run(["strace", "-f", "-qq", "-e",
                        "trace=%file,read,pread64,getdents64,fstat", "-o", log.name, *command],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENV, check=False)
        calls = bytes_read = 0
        for line in log:
            calls += 1
            match = re.search(r"\b(?:read|pread64)\(.*= (\d+)$", line)
            if match:
                bytes_read += int(match.group(1))
    return calls, bytes_read


def tree_size(paths):
    total = files = 0
    for top in paths:
        for folder, _, names in os.walk(top):
            for name in names:
                info = os.lstat(os.path.join(folder, name))
                files += 1
                total += info.st_size
    return files, total


class Bench:
    def __init__(self, envaudit, rounds):
        self.envaudit = envaudit
        self.rounds = rounds

    def show(self, title, commands, goal):
        commands = {n: c for n, c in commands.items() if shutil.which(c[0]) or "/" in c[0]}
        medians = race(commands, self.rounds)
        ours = medians["envaudit"]
        print(f"\n{title}  (goal: {goal})")
        for name, seconds in medians.items():
            ratio = f"{ours / seconds:6.2f} x" if name != "envaudit" else ""
            print(f"  {name:24}{seconds * 1000:9.1f} ms  {ratio}")
        return commands["envaudit"]

    def details(self, command, paths):
        files, size = tree_size(paths)
        print(f"  tree: {files} files, {size / 1e6:.0f} MB; peak memory {peak_memory(command):.1f} MiB")
        counted = file_operations(command)
        if counted:
            calls, read = counted
            print(f"  {calls} file operations; {read / 1e6:.2f} MB read,"
                  f" {100 * read / max(size, 1):.3f} % of the tree")


    def images(self, root):
        """The root as an archive, unpacked and in each packing, against tar's listing of it."""
        with tempfile.TemporaryDirectory(dir="/var/tmp") as work:
            plain = os.path.join(work, "root.tar")
            subprocess.run(["tar", "-C", root, "-cf", plain, "."], check=True)
            size = os.path.getsize(plain) / 1e6
            ours = self.show(f"audit of a root as tar, {size:.0f} MB", {
                "envaudit": [self.envaudit, plain], "tar -t": ["tar", "-tf", plain]}, "<= 1.2 x tar -t")
            print(f"  peak memory {peak_memory(ours):.1f} MiB")
            for suffix, tool in ((".gz", ["gzip", "-1"]), (".zst", ["zstd", "-q"])):
                if not shutil.which(tool[0]):
                    continue
                subprocess.run([*tool, "-k", plain], check=True)
                layout = os.path.join(work, "layout" + suffix)
                write_layout(layout, plain + suffix)
                ours = self.show(f"audit of an image with one layer {suffix}", {
                    "envaudit": [self.envaudit, layout],
                    f"{tool[0]} -dc | tar -t": ["sh", "-c", f"{tool[0]} -dc '{plain}{suffix}' | tar -t"],
                }, "<= 1.2 x it")
                print(f"  peak memory {peak_memory(ours):.1f} MiB")


def write_layout(folder, layer):
    """An OCI layout folder of an image that has this layer; its file is moved there."""
    blobs = os.path.join(folder, "blobs/sha256")
    os.makedirs(blobs)

    def add(data):
        name = hashlib.sha256(data).hexdigest()
        with open(os.path.join(blobs, name), "wb") as file:
            file.write(data)
        return {"digest": "sha256:" + name, "size": len(data)}

    sha256 = hashlib.sha256()
    with open(layer, "rb") as file:
        while piece := file.read(1 << 20):
            sha256.update(piece)
    digest = sha256.hexdigest()
    os.link(layer, os.path.join(blobs, digest))
    config = add(b'{"os": "linux", "architecture": "amd64"}')
    manifest = add(json.dumps({"config": config, "layers": [{"digest": "sha256:" + digest}]}).encode())
    for name, text in (("index.json", {"manifests": [manifest]}), ("oci-layout", {})):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            json.dump(text, file)


def cuda_libraries(cuda):
    libs = pathlib.Path(cuda) / "lib64"
    return [str(p) for p in sorted(libs.glob("*.so*")) if p.is_file() and not p.is_symlink()]


def loader_tools(program):
    """Tools that say what a program will load: how often they are right, and how long they take."""
    print("\nprogram starts of tests/oracle/cases, right answers")
    sys.stdout.flush()
    subprocess.run([program], check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envaudit", default="./envaudit")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--environment", action="append", default=[],
                        help="a real environment to list and audit; may be given several times")
    parser.add_argument("--image", help="a root file system to make image archives of, such as a debootstrap root")
    parser.add_argument("--loader-tools", metavar="PROGRAM", help="tests/oracle/loader_tools, built")
    options = parser.parse_args()
    bench = Bench(os.path.abspath(options.envaudit), options.rounds)
    cuda = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    libraries = cuda_libraries(cuda)
    if libraries:
        ours = bench.show(f"{len(libraries)} libraries of {cuda} with versions", {
            "envaudit": [bench.envaudit, "list", cuda],
            "eu-readelf -d -V": ["eu-readelf", "-d", "-V", *libraries],
            "scanelf -n -S": ["scanelf", "-q", "-F", "%n %S %F", *libraries],
            "find": ["find", cuda + "/", "-name", "*.so*"],
        }, "<= 1.0 x eu-readelf")
        bench.details(ours, [cuda])
    else:
        print(f"skipped: no CUDA toolkit in {cuda}")
    ours = bench.show("/usr, facts of every ELF file", {
        "envaudit": [bench.envaudit, "list", "/usr"],
        "find": ["find", "/usr", "-name", "*.so*"],
        "scanelf -R": ["scanelf", "-qR", "-F", "%n %S %F", "/usr"],
    }, "<= 1.0 x find")
    bench.details(ours, ["/usr"])
    for program in filter(os.path.exists, ["/usr/bin/gdb", *(p for e in options.environment for p in glob.glob(f"{e}/{CUDA_PART}"))]):
        bench.show(f"tree of {program}", {
            "envaudit": [bench.envaudit, "tree", program],
            "ldd": ["ldd", program],
            "ldd -r": ["ldd", "-r", program],
            "libtree": ["libtree", "-vvv", program],
            "lddtree": ["lddtree", program],
        }, "<= the fastest; envaudit and ldd -r look up symbols, too")
    if options.loader_tools:
        loader_tools(options.loader_tools)
    for environment in options.environment:
        for command in ("list", "audit"):
            ours = bench.show(f"{command} {environment}", {
                "envaudit": [bench.envaudit, command, environment],
                "find": ["find", environment + "/", "-name", "*.so*"],
            }, "<= 2 x find")
        bench.details(ours, [environment])
    if options.image:
        bench.images(options.image)
    print(f"\nmachine: {os.cpu_count()} processors; {resource.getpagesize()} byte pages;"
          f" medians of {options.rounds} warm runs")


if __name__ == "__main__":
    main()
