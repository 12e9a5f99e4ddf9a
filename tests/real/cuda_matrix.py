#!/usr/bin/env python3
"""Real CUDA libraries, opened for real by a small program in many environments, and by `tree`.

What is compared is what /proc/self/maps shows at the end: every file, or the loader's own error. Skipped
where there is no toolkit.
"""
import itertools
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(os.environ.get("top_srcdir", Path(__file__).parents[2])).resolve()
BUILD = Path(os.environ.get("top_builddir", ".")).resolve()
TOOLKIT = Path(os.environ.get("EA_CUDA", "/usr/local/cuda"))

OPENED = ("libcublas", "libcublasLt", "libcusolver", "libcusparse", "libcufft", "libnvrtc", "libcudart", "libcurand",
          "libcudnn", "libcudnn_graph", "libcudnn_ops", "libcudnn_cnn", "libcudnn_adv", "libnvJitLink", "libnccl",
          "libcupti", "libcusolverMg")
PROGRAM = r"""
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	char line[8192];
	FILE *maps;
	if (argc < 2 || !dlopen(argv[1], RTLD_NOW)) {
		printf("error %s\n", argc < 2 ? "" : dlerror());
		return 0;
	}
	maps = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof(line), maps))
		fputs(line, stdout);
	return 0;
}
"""


def folder():
    for name in ("lib64", "lib", "targets/x86_64-linux/lib"):
        if (TOOLKIT / name / "libcublas.so").exists() or list((TOOLKIT / name).glob("libcublas.so.*")):
            return (TOOLKIT / name).resolve()
    raise unittest.SkipTest(f"no CUDA toolkit in {TOOLKIT}")


class Matrix(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lib = folder()
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.top = Path(temporary.name).resolve()
        cls.libraries = {}
        for stem in OPENED:
            found = sorted(p for p in cls.lib.glob(f"{stem}.so.*") if p.name.count(".") == 2)
            if found:
                cls.libraries[stem] = found[0]
        # A second home for some of them, and files that a loader passes over or stops at.
        for name, stems in (("some", OPENED[::2]), ("others", OPENED[1::2]), ("all", OPENED)):
            (cls.top / name).mkdir()
            for stem in stems:
                if stem in cls.libraries:
                    (cls.top / name / cls.libraries[stem].name).symlink_to(cls.libraries[stem].resolve())
        (cls.top / "empty").mkdir()
        (cls.top / "empty" / cls.libraries["libcublas"].name.replace("cublas", "cublasLt")).touch()
        cls.programs = {tag: cls.program(tag, flags) for tag, flags in (
            ("plain", []), ("rpath", [f"-Wl,--disable-new-dtags,-rpath,{cls.top}/some"]),
            ("runpath", [f"-Wl,--enable-new-dtags,-rpath,{cls.top}/some"]),
            ("needs", ["-Wl,--no-as-needed", str(cls.libraries["libcudart"])]))}

    @classmethod
    def program(cls, tag, flags):
        path = cls.top / tag
        subprocess.run([*os.environ.get("CC", "cc").split(), "-x", "c", "-", "-x", "none", "-o", path, "-ldl", *flags],
                       input=PROGRAM, text=True, check=True)
        return path

    def real(self, program, library, env):
        done = subprocess.run([program, library], env=env, capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        if done.returncode or not lines:
            return "error", done.stderr.strip().splitlines()[0].split(": ", 1)[-1]
        if lines[0].startswith("error "):
            return "error", lines[0][6:]
        return "maps", sorted({line.split()[-1] for line in lines if "/" in line})

    def predicted(self, program, library, env):
        options = [o for name, value in env.items() for o in ("--set-env", f"{name}={value}")]
        done = subprocess.run([BUILD / "envaudit", "tree", "--format", "json", "--clean-env", *options,
                               "--python", program, library], capture_output=True, text=True, check=False,
                              env={"PATH": "/usr/bin:/bin", "ENVAUDIT_DATADIR": str(TOP / "matrices")})
        consumer = json.loads(done.stdout)["targets"][0]["consumers"][0]
        if consumer["error"]:
            return "error", consumer["error"]
        return "maps", sorted({os.path.realpath(e["path"]) for e in consumer["loaded"] if e["path"]})

    def environments(self):
        paths = [str(self.top / name) for name in ("some", "others", "all", "empty")]
        yield {}
        for path in paths:
            yield {"LD_LIBRARY_PATH": path}
        if os.environ.get("EA_ALL"):    # minutes
            for chosen in itertools.permutations(paths, 2):
                yield {"LD_LIBRARY_PATH": ":".join(chosen)}
        yield {"LD_LIBRARY_PATH": f"{self.lib}/stubs"}
        yield {"LD_LIBRARY_PATH": str(self.lib)}
        for stem in ("libcublasLt", "libcudart", "libnvJitLink"):
            if stem in self.libraries:
                yield {"LD_PRELOAD": str(self.libraries[stem])}

    def check(self, tag):
        n = 0
        for stem, library in self.libraries.items():
            for env in self.environments():
                with self.subTest(stem, **env):
                    self.assertEqual(self.predicted(self.programs[tag], library, env),
                                     self.real(self.programs[tag], library, env))
                n += 1
        self.assertGreater(n, len(self.libraries) * 5)

    def test_plain(self):
        self.check("plain")

    def test_program_with_rpath(self):
        self.check("rpath")

    def test_program_with_runpath(self):
        self.check("runpath")

    def test_program_that_needs_cudart(self):
        self.check("needs")


if __name__ == "__main__":
    unittest.main()
