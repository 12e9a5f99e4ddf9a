#!/usr/bin/env python3
"""Versions read from files equal what the libraries' own functions return.

First libraries that are compiled here for x86-64 and AArch64 with known numbers; then, where there are
real CUDA libraries (/usr/local/cuda, $EA_ORACLE_DIRS), each one's getter is called in a process of its
own.
"""
import os
import subprocess
import sys
import tempfile

import elf_oracle as oracle

# SONAME, source text, claim that must be read
BUILT = [
    ("libcudart.so.12", "static int get(int *v) { if (!v) return 1; *v = 12040; return 0; }"
     "int cudaRuntimeGetVersion(int *v) { return get(v); }", "getter 12.4"),
    ("libcublasLt.so.12", "unsigned long cublasLtGetVersion(void) { return 120405; }",
     "getter 12.4.5"),
    ("libcufft.so.11", "int cufftGetVersion(int *v) { if (!v) return 4; *v = 11203; return 0; }",
     "getter 11.2.3"),
    ("libnvrtc.so.12", "int nvrtcVersion(int *a, int *b) { if (!a || !b) return 3; *a = 12; *b = 4;"
     " return 0; }", "getter 12.4"),
    ("libnvJitLink.so.12", "int nvJitLinkVersion(unsigned *a, unsigned *b) { *a = 12; *b = 9;"
     " return 0; } int __nvJitLinkCreate_12_9, __nvJitLinkCreate_12_10, __nvJitLinkCreate_12_10x;",
     "symbol 12.10"),
    # the assembler lines keep compilers from storing in one place what was chosen in another
    ("libnvjpeg.so.12", "int nvjpegGetProperty(int t, int *v) { if (!v) return 2;"
     "if (t == 0) { *v = 12; __asm__ volatile(\"# 0\"); return 0; }"
     "if (t == 1) { *v = 3; __asm__ volatile(\"# 1\"); return 0; }"
     "if (t == 2) { *v = 7; __asm__ volatile(\"# 2\"); return 0; } return 1; }",
     "getter 12.3.7"),
    ("libnppc.so.12", "static const struct { int a, b, c; } v = { 12, 2, 5 };"
     "const void *nppGetLibVersion(void) { return &v; }", "getter 12.2.5"),
    ("libcudnn_graph.so.9", "const int cudnn_graph_version = 0x091300;", "object 9.19.0"),
    ("libcudnn_cnn.so.9", "int f(int, const char *, int); static int g; "
     "int cudnnCnnVersionCheck(void) { if (g == 91900) return 0; return f(91900, \"x\", g) + g; }",
     "getter 9.19.0"),
    ("libnvshmem_host.so.3", "void nvshmemx_vendor_get_version_info(int *a, int *b, int *c)"
     "{ *a = 3; *b = 4; *c = 0; }", "getter 3.4.0"),
    ("libnccl.so.2", "int ncclGetVersion(int *v) { if (!v) return 4; *v = 22809; return 0; }",
     "getter 2.28.9"),
    # two numbers that could be it: none is believed
    ("libcurand.so.10", "int g; int curandGetVersion(int *v) { *v = g ? 10305 : 10400; return 0; }",
     None),
    # a stub has none
    ("libcusolver.so.11", "int cusolverGetVersion(int *v) { return 34; }", None),
]
# The note of a forward compatibility libcuda: name, description, type 1; in a section, in no segment.
NOTE = '{"Format": 1, "CUDA Version": "12.4", "Driver": [470, 525, 535], "Device": []}'
NOTE_SOURCE = r"""
__asm__(".section .note.cuda.fwd_compatibility, \"\", @note\n"
	".long 2f - 1f, 4f - 3f, 1\n"
	"1: .asciz \"NVIDIA Corporation\"\n"
	"2: .balign 4\n"
	"3: .asciz \"%s\"\n"
	"4: .balign 4\n.previous\n");
""" % NOTE.replace('"', '\\\\\\"')
COMPILERS = [("x86_64", ["clang", "--target=x86_64-linux-gnu"], ["-O1", "-O2", "-Os"]),
             ("x86_64-cet", ["clang", "--target=x86_64-linux-gnu", "-fcf-protection"], ["-O2"]),
             ("x86_64-gcc", ["gcc"], ["-O1", "-O2", "-O3"]),
             ("aarch64", ["clang", "--target=aarch64-linux-gnu"], ["-O1", "-O2", "-Os"])]

PROBE = r"""
import ctypes, sys
path, symbol, form = sys.argv[1:]
lib = ctypes.CDLL(path)
fn = getattr(lib, symbol)
n = [ctypes.c_int(-1) for _ in range(3)]
if form == "size":
    fn.restype = ctypes.c_size_t
    print(fn())
elif form.startswith("store"):
    count = int(form[-1])
    fn(*[ctypes.byref(x) for x in n[:count]])
    print(*[x.value for x in n[:count]])
elif form == "property":
    for i in range(3):
        fn(i, ctypes.byref(n[i]))
    print(*[x.value for x in n])
elif form == "struct":
    fn.restype = ctypes.POINTER(ctypes.c_int)
    print(*fn()[:3])
"""


def thousand(n):
    return f"{n // 1000}.{n // 100 % 10}.{n % 100}"


def wide(n):
    return f"{n // 10000}.{n // 100 % 100}.{n % 100}"


def cudnn(n):
    return wide(n) if n >= 90000 else thousand(n)


def joined(*n):
    return ".".join(map(str, n))


# family: function of the library, how it is called, what its numbers mean
REAL = {
    "cudart": ("cudaRuntimeGetVersion", "store1", lambda n: f"{n // 1000}.{n % 1000 // 10}"),
    "cublasLt": ("cublasLtGetVersion", "size", wide),
    "cufft": ("cufftGetVersion", "store1", thousand),
    "curand": ("curandGetVersion", "store1", thousand),
    "cusolver": ("cusolverGetVersion", "store1", thousand),
    "cusparse": ("cusparseGetProperty", "property", joined),
    "nvrtc": ("nvrtcVersion", "store2", joined),
    "nvJitLink": ("nvJitLinkVersion", "store2", joined),
    "nvjpeg": ("nvjpegGetProperty", "property", joined),
    "nppc": ("nppGetLibVersion", "struct", joined),
    "nccl": ("ncclGetVersion", "store1", lambda n: wide(n) if n >= 20900 else thousand(n)),
    "cudnn_graph": ("cudnnGetVersion", "size", cudnn),
    "cudnn_ops_infer": ("cudnnGetVersion", "size", cudnn),
    "cusparseLt": ("cusparseLtGetProperty", "property", joined),
    "nvshmem": ("nvshmemx_vendor_get_version_info", "store3", joined),
    "cutensor": ("cutensorGetVersion", "size", lambda n: ".".join(wide(n).split(".")[:2])),
}


def build(folder):
    """{path: expected claim} of libraries compiled here."""
    made = {}
    for name, command, levels in COMPILERS:
        for level in levels:
            place = os.path.join(folder, name + level)
            os.mkdir(place)
            for soname, text, claim in BUILT:
                source = os.path.join(place, "lib.c")
                with open(source, "w", encoding="ascii") as f:
                    f.write(text + "\n")
                out = os.path.join(place, soname)
                linker = ["-fuse-ld=lld"] if command[0] == "clang" else []
                run = subprocess.run(
                    [*command, level, "-shared", "-fPIC", "-nostdlib", "-w", *linker,
                     f"-Wl,-soname,{soname}", "-o", out, source], stderr=subprocess.PIPE,
                    check=False)
                if run.returncode:
                    print(f"{name} {level} {soname}: {run.stderr.decode()[-200:]}")
                else:
                    made[out] = claim
    return made


def check_built(folder):
    made = build(folder)
    facts = oracle.dump(list(made), "-v", oracle.matrix("libraries.cfg"))
    good = 0
    for path, claim in made.items():
        ours = facts[path].get("claim", [])
        ok = claim in ours if claim else not ours
        good += ok
        if not ok:
            print(f"{path}: expected {claim}, read {ours}")
    print(f"{good} of {len(made)} compiled libraries")
    return good == len(made) and len(made) >= 100


def check_note(folder):
    """The note that makes a container toolkit prefer a compatibility library."""
    source, out = os.path.join(folder, "note.c"), os.path.join(folder, "libcuda.so.550.54.14")
    with open(source, "w", encoding="ascii") as f:
        f.write(NOTE_SOURCE)
    subprocess.run(["gcc", "-shared", "-fPIC", "-nostdlib", "-Wl,-soname,libcuda.so.1", "-o", out,
                    source], check=True)
    ours = oracle.dump([out], "-v", oracle.matrix("libraries.cfg"))[out].get("fwd_compat")
    if ours != [NOTE]:
        print(f"the note says {NOTE}, read {ours}")
    return ours == [NOTE]


def called(path, family):
    """What the library itself says; None if it cannot be loaded here."""
    symbol, form, decode = REAL[family]
    env = {**os.environ, "LD_LIBRARY_PATH": os.path.dirname(path)}
    run = subprocess.run([sys.executable, "-c", PROBE, path, symbol, form], env=env, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if run.returncode or not run.stdout:
        return None
    numbers = [int(n) for n in run.stdout.split()]
    return decode(*numbers) if -1 not in numbers else None


def check_real():
    files = [p for p in oracle.elf_files(["/usr/local/cuda/lib64/"] + oracle.own_folders())
             if "/stubs/" not in p and ".so" in os.path.basename(p)]
    facts = oracle.dump(files, "-v", oracle.matrix("libraries.cfg")) if files else {}
    asked = good = 0
    for path in files:
        family = facts[path].get("family", [None])[0]
        if family not in REAL or facts[path]["machine"] != ["62"]:
            continue
        truth = called(path, family)
        if truth is None:
            continue
        asked += 1
        ours = [c.split(" ")[1] for c in facts[path].get("claim", [])]
        if truth in ours:
            good += 1
        else:
            print(f"{path}: it says {truth}, read {ours}")
    print(f"{good} of {asked} real libraries say what was read")
    return good == asked


def main():
    oracle.need("gcc", "clang", "ld.lld")
    with tempfile.TemporaryDirectory() as tmp:
        ok = check_built(tmp)
        ok = check_note(tmp) and ok
    return 0 if check_real() and ok else 1


if __name__ == "__main__":
    sys.exit(main())
