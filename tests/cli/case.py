"""CLI cases as data: a folder each, with a file `case` and what the program must write.

The file `case` has lines `key: value`; blank lines and those that begin with # are passed over.

    about     one line that says what the case shows
    args      the command line, quoted as for a shell
    env       NAME=VALUE; may be repeated
    fixture   a case of fixtures/ that is built first; may be repeated
    tree      a folder of tests/cli/trees that is copied first; may be repeated
    exit      exit status; 0 if absent
    stdout    `any`: is not compared

The program runs in a folder that holds these, each under its own name, with an environment that has
only what the case says. The files `stdout` and `stderr` beside `case` are what it
must write; absent means nothing. JSON on standard output is compared with `report.json` instead, and
always validated against doc/report.schema.json. In them the name of the build folder reads @BUILD@, and
the version of the running Python, for which fixtures are built, @X.Y.Z@ or @X.Y@, that of glibc @GLIBC@.
"""
import atexit
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ.get("top_srcdir", Path(__file__).parents[2])).resolve()
BUILD = Path(os.environ.get("top_builddir", ".")).resolve()
WORK = BUILD / "tests" / "cli" / "work"
WORK.mkdir(parents=True, exist_ok=True)
# Of this process alone: several tests build the same fixtures at a time.
FIXTURES = Path(tempfile.mkdtemp(prefix="fixtures-", dir=WORK))
atexit.register(shutil.rmtree, FIXTURES, ignore_errors=True)
PROGRAM = BUILD / "envaudit"
ONCE = {"about", "args", "exit", "stdout"}
REPEATED = {"env", "fixture", "tree"}
# What a sanitized or covered program needs of the caller's environment.
PASSED_ON = ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "GCOV_PREFIX")

_built = {}


class CaseError(Exception):
    """The case itself is wrong."""


class Skip(Exception):
    """The case cannot be run here."""


def parse(folder):
    keys = {key: [] for key in REPEATED}
    path = folder / "case"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        if not colon or key not in ONCE | REPEATED:
            raise CaseError(f"{path}:{number}: unknown key '{key}'")
        if key in REPEATED:
            keys[key].append(value)
        elif key in keys:
            raise CaseError(f"{path}:{number}: '{key}' stands twice")
        else:
            keys[key] = value
    for key in ("about", "args"):
        if key not in keys:
            raise CaseError(f"{path}: '{key}' is missing")
    if keys.get("stdout", "any") != "any":
        raise CaseError(f"{path}: stdout can only be 'any'")
    return keys


def fixture(name):
    """Builds a fixture once a run."""
    if name not in _built:
        if sys.version_info < (3, 11) or not shutil.which("gcc"):
            raise Skip("fixtures need Python 3.11 and gcc")
        subprocess.run([sys.executable, SOURCE / "fixtures" / "build.py", name, "--out", FIXTURES],
                       check=True, stdout=subprocess.DEVNULL)
        _built[name] = FIXTURES / name
    return _built[name]


def prepare(folder, keys):
    """The folder to run in."""
    here = WORK / folder.name
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir(parents=True)
    trees = [SOURCE / "tests" / "cli" / "trees" / name for name in keys["tree"]]
    for path in trees + [fixture(name) for name in keys["fixture"]]:
        subprocess.run(["cp", "-a", path, here], check=True)
    return here


def environment(extra=()):
    env = {"LC_ALL": "C", "TZ": "UTC", "ENVAUDIT_DATADIR": str(SOURCE / "matrices")}
    env.update((name, os.environ[name]) for name in PASSED_ON if name in os.environ)
    env.update(pair.split("=", 1) for pair in extra)
    return env


def run(args, cwd=None, env=(), **more):
    """The program's exit status, output and complaints."""
    done = subprocess.run([PROGRAM, *args], cwd=cwd or WORK, env=environment(env), check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120, **more)
    return done.returncode, mask(done.stdout), mask(done.stderr)


def mask(output):
    major, minor, micro = sys.version_info[:3]
    text = output.decode("utf-8").replace(str(BUILD), "@BUILD@")
    # The libc of the machine lies in fixtures that have a loader.
    text = re.sub(r'(glibc |"libc_version": ")[0-9.]+', r"\1@GLIBC@", text)
    text = text.replace(f"Python {major}.{minor}.{micro}", "Python @X.Y.Z@")
    return text.replace(f"python{major}.{minor}", "python@X.Y@")


def validate(text):
    """Against the schema, where the validator is there."""
    document = json.loads(text)
    try:
        import jsonschema
    except ImportError:
        return
    schema = json.loads((SOURCE / "doc" / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)


def outputs(folder, keys):
    """Runs the case: exit status, and what belongs into which file (None: is not compared)."""
    status, stdout, stderr = run(shlex.split(keys["args"]), prepare(folder, keys), keys["env"])
    is_json = stdout.startswith("{\n \"schema\"")
    if is_json:
        validate(stdout)
    files = {"stdout": "" if is_json else stdout, "report.json": stdout if is_json else "", "stderr": stderr}
    if "stdout" in keys:
        files["stdout"] = files["report.json"] = None
    return status, files


def wanted(folder, name):
    path = folder / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def update(folder, keys):
    status, files = outputs(folder, keys)
    if status != int(keys.get("exit", "0")):
        raise CaseError(f"{folder.name}: exit status {status}, the case says {keys.get('exit', '0')}")
    for name, text in files.items():
        if text:
            (folder / name).write_text(text, encoding="utf-8")
        elif text is not None:
            (folder / name).unlink(missing_ok=True)
