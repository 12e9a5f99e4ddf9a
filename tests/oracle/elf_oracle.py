"""What the ELF comparisons share: tools, files to look at, and our own dump."""
import os
import shutil
import subprocess
import sys

SKIP = 77

# Machines whose libraries lld builds: other sizes, byte orders and kinds of relocations.
FOREIGN = ["i386-linux-gnu", "aarch64-linux-gnu", "armv7-linux-gnueabi", "powerpc64-linux-gnu",
           "powerpc-linux-gnu", "mips-linux-gnu", "riscv64-linux-gnu"]

SOURCE = r"""
extern int other_function(int), *other_object;
extern int weak_function(void) __attribute__((weak));
__thread int thread_variable = 3;
int table_version = 0x01020304;
static int hidden;
__asm__(".symver old_function, function@OLD_1");
int old_function(int n) { return n; }
int function(int n) { return other_function(n) + hidden + (weak_function ? weak_function() : 0); }
int *address(void) { return other_object ? other_object : &table_version; }
int (*pointer)(int) = other_function;
"""
MAP = "OLD_1 { global: table_version; };\nNEW_2 { global: *; local: hidden; } OLD_1;\n"


def need(*tools):
    for name in tools:
        if not shutil.which(name):
            print(f"skipped: {name} is not installed")
            sys.exit(SKIP)


def tool(*command):
    """The lines of a tool's output; the tool may complain."""
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                         env={**os.environ, "LC_ALL": "C"})
    return run.stdout.decode("utf-8", "surrogateescape").split("\n")


def build_foreign(folder):
    """Small libraries for other machines; none without clang and lld."""
    if not shutil.which("clang") or not shutil.which("ld.lld"):
        print("clang or lld is not installed: no files of other machines")
        return []
    source, versions = os.path.join(folder, "lib.c"), os.path.join(folder, "lib.map")
    with open(source, "w", encoding="ascii") as f:
        f.write(SOURCE)
    with open(versions, "w", encoding="ascii") as f:
        f.write(MAP)
    made = []
    for target in FOREIGN:
        for style in ("gnu", "sysv"):
            out = os.path.join(folder, f"{target}-{style}.so")
            run = subprocess.run(
                ["clang", f"--target={target}", "-shared", "-fPIC", "-nostdlib", "-fuse-ld=lld",
                 "-Wl,--soname=libforeign.so.7,--build-id=sha1", "-Wl,-rpath,$ORIGIN/x:/y",
                 f"-Wl,--hash-style={style},--version-script={versions},-z,now", "-o", out, source],
                stderr=subprocess.PIPE, check=False)
            if run.returncode == 0:
                made.append(out)
            else:
                print(f"{target} {style} cannot be built: {run.stderr.decode()[-200:].strip()}")
    return made


def is_elf(path):
    try:
        with open(path, "rb") as f:
            return f.read(4) == b"\x7fELF"
    except OSError:
        return False


def elf_files(roots, limit=0):
    """ELF files below ROOTS, each inode once, sorted; none larger than LIMIT."""
    found, seen = [], set()
    for root in roots:
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                if (".so" not in name and "." in name) or os.path.islink(path):
                    continue
                st = os.stat(path)
                if (st.st_dev, st.st_ino) in seen or (limit and st.st_size > limit):
                    continue
                seen.add((st.st_dev, st.st_ino))
                if is_elf(path):
                    found.append(path)
    return sorted(found)


def own_folders():
    return [d for d in os.environ.get("EA_ORACLE_DIRS", "").split(":") if d]


def real_files(count, limit=0):
    """About COUNT ELF files of the system's folders and half as many of $EA_ORACLE_DIRS."""
    picked = []
    for roots, share in ((own_folders(), count // 2),
                         (["/usr/lib", "/usr/bin", "/usr/local", sys.prefix], count)):
        found = elf_files(roots, limit)
        picked += [p for p in found[::max(1, len(found) // share)] if p not in picked]
    return picked


def matrix(name):
    return os.path.join(os.environ.get("top_srcdir", "."), "matrices", name)


def dump(files, *options):
    """{path: {key: [values]}} of our own reading."""
    program = os.path.join(os.environ.get("top_builddir", "."), "tests", "oracle", "elf_dump")
    facts, now = {}, None
    for i in range(0, len(files), 100):
        run = subprocess.run([program, *options, *files[i:i + 100]], stdout=subprocess.PIPE,
                             check=True)
        for line in run.stdout.decode("utf-8", "surrogateescape").split("\n"):
            key, _, value = line.partition(" ")
            if key == "file":
                now = facts.setdefault(value, {})
            if key:
                now.setdefault(key, []).append(value)
    return facts
