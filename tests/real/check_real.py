#!/usr/bin/env python3
"""Real environments: what sessions predict against what the real loader does in a real import.

environments.json says which environments pip makes, and with which other CUDA libraries they meet. Each is
imported in seven settings (see settings() and LikeConda); the libraries of CUDA and of the frameworks are compared as the
loader's own list has them, by name and in order, and a failing import by its error.

Without arguments (make check) only the environments marked small are tried, and where pip cannot have
them the test is skipped; make check-real tries all of them, one after the other, and removes each.
EA_REAL names a folder that keeps environments; EA_STANDIN one with a stand-in driver, for uses of a GPU.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = Path(os.environ.get("top_srcdir", HERE.parents[1])).resolve()
BUILD = Path(os.environ.get("top_builddir", ".")).resolve()
SKIPPED = 77
ANYTHING = object()

COUNTED = re.compile(r"^lib(cu|nv|nccl|torch|c10|caffe2|shm|tensorflow|onnx|ctranslate|bitsandbytes|faiss|_swigfaiss|triton|paddle|phi"
                     r"|dali|opencv|mkl|gomp|iomp)|xla_cuda|cuda_plugin")
OWN_FOLDER = re.compile(r"/nvidia/|/cv2/cv2|/(opencv|ctranslate2|faiss)[^/]*\.libs/")
# The stand-in driver ends a use before the first kernel.
BEHIND_STANDIN = re.compile(r"nvidia-ml|cudnn_(graph|ops|cnn|engines|heuristic)|nvvm")
# What Python code does beside importing, where --for's name says less.
USES = {
    "tensorflow": "tensorflow.config.list_physical_devices('GPU')",
    "jax": "jax.devices()",
    "ctranslate2": "ctranslate2.get_cuda_device_count()",
    "cupy": "cupy.cuda.runtime.getDeviceCount()",
    "numba": "numba.cuda.get_current_device()",
}
MODULES = {"opencv": "cv2", "numba": "numba.cuda", "tensorrt": "tensorrt", "dali": "nvidia.dali", "xformers": "xformers.ops"}

CHILD = r"""
import importlib, json, os, sys
out, error = sys.argv[1], None
try:
    for module, use in json.loads(sys.argv[2]):
        globals()[module.split(".")[0]] = importlib.import_module(module.split(".")[0])
        importlib.import_module(module)
        if use:
            try:
                eval(use)
            except Exception as e:
                error = str(e)
except Exception as e:
    error = str(e)
import ctypes
names = []
class Info(ctypes.Structure):
    _fields_ = [("addr", ctypes.c_void_p), ("name", ctypes.c_char_p)]
@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Info), ctypes.c_size_t, ctypes.c_void_p)
def each(info, size, data):
    names.append(os.fsdecode(info.contents.name))
    return 0
ctypes.CDLL(None).dl_iterate_phdr(each, None)
with open(out, "w") as f:
    json.dump({"names": names, "error": error}, f)
os._exit(0)
"""


class Unavailable(Exception):
    """pip could not make it."""


def pip(python, *arguments):
    done = subprocess.run([python, "-m", "pip", "install", "-q", "--no-compile",
                           "--disable-pip-version-check", *arguments],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unavailable(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "pip failed")


def make_environment(folder, commands):
    """A virtual environment by one pip command after the other; kept if it is there already."""
    if not (folder / "made").exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        for command in commands:
            pip(folder / "bin" / "python", *command)
        (folder / "made").touch()
    return folder


def make_toolkit(folder, packages):
    """Other versions of CUDA's libraries: as a toolkit's lib64, and as Python packages."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    site, lib = folder / "lib" / version / "site-packages", folder / "lib64"
    if not (folder / "made").exists():
        shutil.rmtree(folder, ignore_errors=True)
        site.mkdir(parents=True)
        if packages:
            pip(sys.executable, "--no-deps", "--target", site, *packages)
        (folder / "made").touch()
    if not lib.exists():
        lib.mkdir()
        for file in site.glob("nvidia/*/lib/*.so*"):
            os.link(file, lib / file.name)
    stubs = folder / "stubs"
    if not stubs.exists():
        stubs.mkdir()
        subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "/dev/null", "-Wl,-soname,libcuda.so.1",
                        "-o", stubs / "libcuda.so"], check=True)
        (stubs / "libcuda.so.1").symlink_to("libcuda.so")
    return folder


def settings(toolkit):
    """The settings of one environment: name, changes to the environment, whether there is a user site."""
    site = next(toolkit.glob("lib/python3*/site-packages"))
    yield "clean", {}, False
    yield "toolkit", {"LD_LIBRARY_PATH": str(toolkit / "lib64")}, False
    yield "stubs", {"LD_LIBRARY_PATH": f"{toolkit / 'stubs'}:{toolkit / 'lib64'}"}, False
    yield "user site", {"PYTHONUSERBASE": str(toolkit)}, True
    yield "PYTHONPATH", {"PYTHONPATH": str(site)}, False
    for name in ("libcudnn.so.*", "libcublasLt.so.*", "libcudart.so.*"):
        for file in sorted((toolkit / "lib64").glob(name))[:1]:
            yield "preload", {"LD_PRELOAD": str(file)}, False
            return


class LikeConda:
    """A python with an RPATH of its own to the environment's lib, where other libraries lie."""
    def __init__(self, prefix, toolkit):
        self.python = prefix / "bin" / "python"
        self.links = [prefix / "lib" / file.name for file in (toolkit / "lib64").iterdir()]
        self.toolkit = toolkit

    def __enter__(self):
        real = self.python.resolve()
        self.kept = os.readlink(self.python)
        self.python.unlink()
        shutil.copy2(real, self.python)
        path = subprocess.run(["patchelf", "--print-rpath", real], capture_output=True, text=True,
                              check=True).stdout.strip()
        subprocess.run(["patchelf", "--force-rpath", "--set-rpath", f"$ORIGIN/../lib:{path}", self.python],
                       check=True)
        for link in self.links:
            link.symlink_to(self.toolkit / "lib64" / link.name)

    def __exit__(self, *_):
        self.python.unlink()
        self.python.symlink_to(self.kept)
        for link in self.links:
            link.unlink()


def set_user_site(prefix, wanted):
    """An environment has the user's packages only together with the system's."""
    config = prefix / "pyvenv.cfg"
    text = config.read_text(encoding="utf-8")
    config.write_text(re.sub(r"(include-system-site-packages = )\w+", rf"\g<1>{str(wanted).lower()}", text),
                      encoding="utf-8")


def really(prefix, env, names, use):
    """What the real loader does: names in the order of its list, and the error."""
    steps = [(MODULES.get(name, name), USES.get(name) if use else None) for name in names]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        done = subprocess.run([prefix / "bin" / "python", "-c", CHILD, out, json.dumps(steps)],
                              env=env, capture_output=True, cwd=folder, check=False)
        if not out.exists():
            return None, f"ended with {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"
        truth = json.loads(out.read_text(encoding="utf-8"))
        return truth["names"], truth["error"]


def predicted(prefix, env, names, use):
    done = subprocess.run([BUILD / "envaudit", "tree", "--format", "json", "--clean-env", "--driver", "none",
                           *[word for key, value in env.items() for word in ("--set-env", f"{key}={value}")],
                           "--for", "+".join(names), "--stage", "use" if use else "import", prefix],
                          capture_output=True, check=False,
                          env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "ENVAUDIT_DATADIR": str(TOP / "matrices")})
    if done.returncode not in (0, 3):
        return None, f"envaudit: {done.stderr.decode()}"
    consumers = json.loads(done.stdout)["targets"][0]["consumers"]
    if len(consumers) != 1:
        return None, f"{len(consumers)} consumers"
    got = consumers[0]
    # What a framework says of a missing driver is its own matter.
    error = ANYTHING if got["outcome"] == "no-driver" else got["error"]
    return [entry["path"] for entry in got["loaded"]], error


def counted(paths):
    return [os.path.normpath(p) for p in paths
            if p and (COUNTED.search(os.path.basename(p)) or OWN_FOLDER.search(p))]


def difference(truth, guess, use):
    """Words for how a prediction differs; empty where it does not."""
    words = []
    real, ours = counted(truth[0] or []), counted(guess[0] or [])
    if truth[0] is None or guess[0] is None:
        return [truth[1] if truth[0] is None else guess[1]]
    words += [f"missing {path}" for path in real if path not in ours]
    ours = [path for path in ours if path in real or not use or not BEHIND_STANDIN.search(path)]
    words += [f"extra {path}" for path in ours if path not in real]
    if not words and real != ours:
        words += [f"order: {' '.join(map(os.path.basename, real))} but {' '.join(map(os.path.basename, ours))}"]
    # A GPU that is passed over for a missing library is no error to tensorflow and jax.
    if guess[1] is ANYTHING or use and not truth[1]:
        return words
    if bool(truth[1]) != bool(guess[1]):
        words.append(f"really: {truth[1]}, predicted: {guess[1]}")
    elif truth[1] and guess[1] not in truth[1] and truth[1] not in guess[1]:
        words.append(f"really: {truth[1][:300]}, predicted: {guess[1]}")
    return words


def check(environment, toolkit, prefix, standin):
    """All runs of one environment in all settings; returns how many disagree."""
    wrong = 0

    def compare(names, stage, setting, env):
        truth = really(prefix, env, names, stage == "use")
        words = difference(truth, predicted(prefix, env, names, stage == "use"), stage == "use")
        print(f"{environment['name']:<20} {stage + ' ' + '+'.join(names):<28} {setting:<11}"
              f"{'DIFFERS' if words else f'equal, {len(counted(truth[0]))} libraries'}"
              f"{', fails' if truth[1] and not words else ''}", flush=True)
        for word in words[:8]:
            print(f"    {word}")
        return bool(words)

    for names, stage in ((run.split("+"), stage) for stage in ("import", "use")
                         for run in environment.get(stage, [])):
        if stage == "use" and not standin:
            continue
        for setting, change, user in settings(toolkit):
            env = {"PATH": "/usr/sbin:/usr/bin:/bin", "HOME": str(toolkit), "LC_ALL": "C", **change}
            if stage == "use":
                env["LD_LIBRARY_PATH"] = ":".join(filter(None, (env.get("LD_LIBRARY_PATH"), standin)))
            set_user_site(prefix, user)
            wrong += compare(names, stage, setting, env)
            set_user_site(prefix, False)
        if shutil.which("patchelf") and stage == "import":
            with LikeConda(prefix, toolkit):
                wrong += compare(names, stage, "RPATH", {"PATH": "/usr/sbin:/usr/bin:/bin",
                                                         "HOME": str(toolkit), "LC_ALL": "C"})
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true", help="not only the small ones")
    parser.add_argument("--list", type=Path, default=HERE / "environments.json")
    parser.add_argument("names", nargs="*", help="only these")
    options = parser.parse_args()
    data = json.loads(options.list.read_text(encoding="utf-8"))
    kept = os.environ.get("EA_REAL")
    wrong = skipped = 0
    for environment in data["environments"]:
        if environment["name"] not in options.names and (options.names or not (
                options.all or environment.get("small"))):
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(kept or temporary)
            try:
                name = environment["toolkit"]
                toolkit = make_toolkit(folder / f"toolkit-{name}", data["toolkits"][name])
                prefix = make_environment(folder / environment["name"], environment["pip"])
            except Unavailable as error:
                print(f"{environment['name']}: skipped, {error}")
                skipped += 1
                continue
            wrong += check(environment, toolkit, prefix, os.environ.get("EA_STANDIN"))
    if not os.environ.get("EA_STANDIN"):
        print("uses of a GPU: skipped, EA_STANDIN names no stand-in driver")
    return 1 if wrong else SKIPPED if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
