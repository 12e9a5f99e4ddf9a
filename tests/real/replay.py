#!/usr/bin/env python3
"""Replay of captured processes: what sessions predict against what was really mapped.

Each run of a capture is a Python process with its environment and imports; truth is its /proc/self/maps
(see capture.py for where captures lie). Compared are the libraries of CUDA and of the frameworks, as
sets of real files. What a process did beside importing (asking cuDNN for its version, opening a library
by ctypes) is written down for the test as frameworks of its own.
"""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(os.environ.get("top_srcdir", Path(__file__).parents[2])).resolve()
BUILD = Path(os.environ.get("top_builddir", ".")).resolve()
CAPTURE = Path(os.environ.get("EA_CAPTURE", TOP.parent / "shared" / "capture"))

# Libraries that count: not Python's and numpy's own.
COUNTED = re.compile(r"^lib(cu|nv|nccl|torch|c10|caffe2|shm|tensorflow|onnx|ctranslate)|xla_cuda|_cuda")
# The driver compiles kernels only where it has none for the GPU.
BY_CHANCE = re.compile(r"ptxjit")
# The stand-in driver ends a use before the first kernel.
BEHIND_STANDIN = re.compile(r"ptxjit|nvidia-ml|cudnn_(ops|cnn|engines|heuristic)")

NAMES = {"ort": "onnxruntime", "tv": "torchvision"}
STEP = 'verified = "import"; source = "this test"; date = "2026-12-01";'
LAST = re.compile(r"rc=(\d+) (?:venv: (\S+) )?env: (.*?) what: (.*)$")

# Runs that cannot be replayed from what was kept, and why.
UNFIT = {
    "clobber": "its files were removed before the root was kept",
    "np_only": "it imports no framework",
    "numba_default": "links of /etc/alternatives to the toolkit were not kept",
}


def places(prefix):
    """Dotted names of folders in site-packages, to hang actions of the test on."""
    site = next(prefix.glob("lib/python3*/site-packages"))
    return [str(p.relative_to(site)).replace("/", ".") for p in sorted(site.glob("nvidia/*/lib"))]


def actions(what, asks_version, names):
    """What a run did, as names for --for, and the frameworks that have to be invented for it."""
    wanted, made = [], []

    def make(steps):
        name = f"act{len(made)}"
        made.append(f'{{ name = "{name}"; modules = ["{names[len(made)]}"]; packages = ["none"]; '
                    f'import = ( {steps} ); {STEP} }}')
        wanted.append(name)

    for word in what:
        if word == "cudnn":
            make('{ open = ["libcudnn.so.9"]; on_error = "ignore"; }, '
                 '{ open = ["libcudnn.so.8"]; on_error = "ignore"; }')
        elif word.startswith("dl:"):
            make(f'{{ open = ["{word[3:]}"]; on_error = "ignore"; }}')
        elif not word.endswith("conv"):
            wanted.append(NAMES.get(word, word))
        if word in ("torch", "cudnn") and asks_version:
            make('{ call = ["cudnn-version"]; on_error = "ignore"; }')
    return wanted, "frameworks = ( " + ",\n".join(made) + " );"


class Replay:
    capture = None
    default_target = None

    @classmethod
    def setUpClass(cls):
        archive = CAPTURE / cls.capture / "root.tar.xz"
        if not archive.exists():
            raise unittest.SkipTest(f"no capture {archive.parent}")
        cls.truth = archive.parent / "truth"
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.root = Path(temporary.name) / "root"
        cls.root.mkdir()
        subprocess.run(["tar", "-xJSf", archive, "-C", cls.root], check=True)

    def real(self, path):
        """Where PATH leads inside the root."""
        resolved = os.path.realpath(str(self.root) + path)
        return resolved.removeprefix(str(self.root)) if resolved.startswith(str(self.root)) else path

    def environment(self, change):
        options = ["--set-env", "HOME=/root", "--set-env", "PATH=/usr/sbin:/usr/bin:/bin"]
        default = self.truth / "env.txt"
        if default.exists():
            for line in default.read_text(encoding="utf-8").splitlines():
                if line.split("=")[0] in ("LD_LIBRARY_PATH", "PATH", "HOME", "CUDA_HOME"):
                    options += ["--set-env", line]
        words = change.split()
        if words[:1] == ["-u"]:
            return options + ["--unset-env", words[1]]
        return options + [option for word in words for option in ("--set-env", word)]

    def predict(self, target, options, wanted, made):
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / "matrices"
            shutil.copytree(TOP / "matrices", data)
            (data / "frameworks" / "zz-test.cfg").write_text(made, encoding="utf-8")
            done = subprocess.run(
                [BUILD / "envaudit", "tree", "--root", self.root, "--format", "json", "--driver", "none",
                 *options, "--for", "+".join(wanted), target],
                capture_output=True, check=False,
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "ENVAUDIT_DATADIR": str(data)})
        self.assertIn(done.returncode, (0, 3), done.stderr.decode())
        return json.loads(done.stdout)["targets"][0]["consumers"][0]

    def counted(self, paths, ignored):
        return {p for p in paths if (COUNTED.search(os.path.basename(p)) or "/nvidia/" in p)
                and not ignored.search(os.path.basename(p))}

    def replay(self, name):
        lines = (self.truth / f"{name}.out").read_text(encoding="utf-8").splitlines()
        _, venv, change, what = LAST.match(lines[-1]).groups()
        target = f"/opt/envs/{venv}" if venv else self.default_target
        prefix = Path(str(self.root) + target)
        printed, maps = lines[:lines.index("MAPS")], lines[lines.index("MAPS") + 1:-1]
        what = what.split(",")
        standin = "/opt/fakedrv" in change
        use = (not venv or "jax" in what or standin and "cupy" not in what) and \
            any(w.endswith("conv") or w in ("jax", "cupy", "tensorflow") for w in what)
        asks = not use and any(line.startswith("cudnn ") for line in printed)
        wanted, made = actions(what, asks, places(prefix))
        got = self.predict(target, self.environment(change) + ["--stage", "use" if use else "import"],
                           wanted, made)
        ignored = BEHIND_STANDIN if standin else BY_CHANCE
        loaded = {self.real(entry["path"]) for entry in got["loaded"] if entry["path"]}
        self.assertEqual(sorted(self.counted(loaded, ignored)),
                         sorted(self.counted((p for p in maps if p.startswith("/")), ignored)))
        return got


    def findings(self, target, *options):
        done = subprocess.run([BUILD / "envaudit", "--root", self.root, "--format", "json", *options, target],
                              capture_output=True, check=False,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C",
                                   "ENVAUDIT_DATADIR": str(TOP / "matrices")})
        self.assertIn(done.returncode, (0, 1, 3), done.stderr.decode())
        return json.loads(done.stdout)["targets"][0]["findings"]

    def assert_errors(self, target, *rules_and_titles, options=()):
        got = [(f["rule"], f["title"]) for f in self.findings(target, *options) if f["severity"] == "error"]
        self.assertEqual(sorted(rule for rule, _ in got), sorted(rule for rule, _ in rules_and_titles))
        for rule, words in rules_and_titles:
            self.assertTrue(any(r == rule and words in title for r, title in got), (words, got))


def test_of(name):
    def test(self):
        if name in UNFIT:
            self.skipTest(UNFIT[name])
        self.replay(name)
    return test


class H200(Replay, unittest.TestCase):
    capture = "h200"
    default_target = "/opt/torch/.venv"

    def test_torch_refuses_an_older_cudnn(self):
        for name in ("torch_sys", "torch_preload"):
            got = self.replay(name)
            self.assertEqual(got["outcome"], "failed")
            self.assertIn("libcudnn_graph.so.9", got["error"])
            self.assertIn("9.14.0", got["error"])


    def test_findings(self):
        own = "/usr/local/nvidia/lib64"
        env = ("--set-env", f"LD_LIBRARY_PATH={own}")
        self.assertEqual([f for f in self.findings(self.default_target, *env) if f["severity"] != "note"], [])
        system = ("--set-env", f"LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu:{own}")
        self.assert_errors(self.default_target, ("cudnn-mixed-set", "torch 2.11.0+cu130 mixes cuDNN 9.19"),
                           options=system)
        fixes = [f["fixes"] for f in self.findings(self.default_target, *system)
                 if f["rule"] == "cudnn-mixed-set"]
        self.assertEqual(fixes[0][0]["commands"], [f"export LD_LIBRARY_PATH={own}"])
        self.assert_errors(self.default_target, ("cudnn-mixed-set", "from /usr/lib/x86_64-linux-gnu"),
                           options=(*env, "--set-env", "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libcudnn.so.9"))


class Wheels(Replay, unittest.TestCase):
    capture = "wheels"

    def test_findings(self):
        for healthy in ("jax12", "torch_latest", "cupy12"):
            loud = [f for f in self.findings(f"/opt/envs/{healthy}") if f["severity"] != "note"]
            self.assertEqual(loud, [], healthy)
        self.assert_errors("/opt/envs/mix_torch_tf",
                           ("soname-missing", "torch 2.4.1+cu121 cannot be imported: libcudnn.so.9"))
        self.assert_errors("/opt/envs/clobber",
                           ("soname-missing", "torch 2.0.1+cu117 cannot be imported: libcudnn.so.8"))
        self.assert_errors("/opt/envs/torch24", ("torch-family-pin", "torchaudio 2.3.1"),
                           ("torch-family-pin", "torchvision 0.18.1"))
        self.assert_errors("/opt/envs/whisper",
                           ("soname-missing", "ctranslate2 4.4.0 cannot use the GPU: libcudnn_ops_infer.so.8"),
                           ("soname-missing", "onnxruntime 1.18.1 cannot use the GPU: libcublasLt.so.11"))

    def test_failures_have_the_real_error(self):
        for name, error in (("mtt_torch", "libcudnn.so.9: cannot open shared object file"),
                            ("clobber_removed", "libcudnn.so.8: cannot open shared object file"),
                            ("torch24_oldvision", "undefined symbol: _ZN3c1010Dispatcher17runRecord"),
                            ("mtt_use_tf_ldp", "libnvJitLink.so.12: cannot open shared object file")):
            got = self.replay(name)
            self.assertEqual(got["outcome"], "failed", name)
            self.assertIn(error, got["error"])


for case in (H200, Wheels):
    for out in sorted((CAPTURE / case.capture / "truth").glob("*.out")):
        setattr(case, f"test_{out.stem}", test_of(out.stem))
del case    # a class is run once for each of its names

if __name__ == "__main__":
    unittest.main()
