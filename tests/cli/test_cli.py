"""What cases cannot say: broken outputs, terminals, places of the matrices, and documents that must agree."""
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import case

sys.path.insert(0, str(case.SOURCE / "doc"))
import completions
import rules

COMMANDS, OPTIONS = completions.read(case.SOURCE / "auditor" / "cli")


class Scratch(unittest.TestCase):
    def setUp(self):
        self.here = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.here)

    def environment_of(self, *args, env=()):
        """What the report says the audited programs run with."""
        (self.here / "lib").mkdir(exist_ok=True)
        (self.here / "pyvenv.cfg").write_text("version = 3.11.2\n", encoding="utf-8")
        status, stdout, stderr = case.run(["list", "--format", "json", *args, "."], cwd=self.here, env=env)
        self.assertEqual((status, stderr), (0, ""))
        return json.loads(stdout)["targets"][0]["environment"]


class Outputs(Scratch):
    def test_full_device_is_told(self):
        for args in (["explain"], ["--help"], ["--version"]):
            with self.subTest(args), open("/dev/full", "wb") as full:
                done = subprocess.run([case.PROGRAM, *args], env=case.environment(), stdout=full,
                                      stderr=subprocess.PIPE, check=False)
                self.assertEqual(done.returncode, 4)
                self.assertIn(b"cannot write standard output: No space left on device", done.stderr)

    def test_full_output_file_is_told(self):
        (self.here / "pyvenv.cfg").touch()
        status, _, stderr = case.run(["--output", "/dev/full", "."], cwd=self.here)
        self.assertEqual(status, 4)
        self.assertIn("cannot write /dev/full", stderr)

    def test_output_that_cannot_be_opened_is_told_before_the_work(self):
        status, stdout, stderr = case.run(["--output", "/nonexistent/report", "/nonexistent"])
        self.assertEqual((status, stdout), (4, ""))
        self.assertEqual(stderr, "envaudit: cannot write /nonexistent/report: No such file or directory\n")

    def test_closed_output_is_told(self):
        done = subprocess.run(["sh", "-c", 'exec "$0" explain >&-', case.PROGRAM], env=case.environment(),
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"cannot write standard output", done.stderr)

    def test_closed_pipe_ends_quietly(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "wb") as pipe:
            done = subprocess.run([case.PROGRAM, "explain"], env=case.environment(), stdout=pipe,
                                  stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_output_file_gets_the_report(self):
        (self.here / "pyvenv.cfg").touch()
        args = ["list", "--format", "json", "."]
        _, stdout, _ = case.run(args, cwd=self.here)
        status, nothing, _ = case.run([*args, "--output", "report"], cwd=self.here)
        self.assertEqual((status, nothing), (0, ""))
        self.assertEqual(case.mask((self.here / "report").read_bytes()), stdout)


class Terminal(Scratch):
    def on_terminal(self, *args, **env):
        master, slave = pty.openpty()
        process = subprocess.Popen([case.PROGRAM, *args], stdin=slave, stdout=slave, stderr=slave,
                                   env={**case.environment(), "TERM": "xterm", **env})
        os.close(slave)
        output = b""
        try:
            while piece := os.read(master, 65536):
                output += piece
        except OSError:         # Linux says EIO when the other side is gone
            pass
        os.close(master)
        self.assertEqual(process.wait(), 0)
        return output

    def test_colour_only_where_it_is_wanted(self):
        self.assertIn(b"\x1b[", self.on_terminal("explain"))
        self.assertNotIn(b"\x1b", self.on_terminal("explain", NO_COLOR="1"))
        self.assertIn(b"\x1b[", self.on_terminal("explain", NO_COLOR=""))
        self.assertNotIn(b"\x1b", self.on_terminal("explain", TERM="dumb"))
        self.assertNotIn(b"\x1b", self.on_terminal("explain", "--color", "never"))
        _, stdout, _ = case.run(["explain"])
        self.assertNotIn("\x1b", stdout)
        _, stdout, _ = case.run(["explain", "--color", "always"])
        self.assertIn("\x1b[", stdout)


class Environment(Scratch):
    def test_callers_by_default(self):
        self.assertEqual(self.environment_of(env=["LD_LIBRARY_PATH=/a", "TOKEN=secret"]), {"LD_LIBRARY_PATH": "/a"})

    def test_changes_come_in_a_fixed_order(self):
        (self.here / "env").write_bytes(b"LD_LIBRARY_PATH=/file\0CUDA_HOME=/file\0PYTHONHOME=/file")
        env = self.environment_of("--set-env", "CUDA_HOME=/set", "--unset-env", "CUDA_HOME", "--unset-env",
                                  "PYTHONHOME", "--env-file", "env", "--clean-env",
                                  env=["LD_LIBRARY_PATH=/a", "CUDA_PATH=x"])
        self.assertEqual(env, {"CUDA_HOME": "/set", "LD_LIBRARY_PATH": "/file"})

    def test_another_root_has_an_empty_one(self):
        env = self.environment_of("--root", ".", "--set-env", "LD_PRELOAD=y", env=["LD_LIBRARY_PATH=/a"])
        self.assertEqual(env, {"LD_PRELOAD": "y"})

    def test_file_with_lines_is_refused(self):
        (self.here / "env").write_text("A=1\nB=2\n", encoding="utf-8")
        status, stdout, stderr = case.run(["--env-file", "env", "."], cwd=self.here)
        self.assertEqual((status, stdout), (2, ""))
        self.assertIn("env has no NUL between its variables", stderr)


class DataDir(Scratch):
    def explain(self, program):
        return subprocess.run([program, "explain"], env={}, capture_output=True, check=False)

    def test_beside_the_program(self):
        for place in ("share/envaudit", "matrices"):
            with self.subTest(place):
                top = self.here / place.replace("/", "-")
                (top / "bin").mkdir(parents=True)
                shutil.copy(case.PROGRAM, top / "bin")
                shutil.copytree(case.SOURCE / "matrices", top / place)
                done = self.explain(top / "bin" / "envaudit")
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertIn(b"EA0601", done.stdout)

    def test_nowhere_names_the_places(self):
        shutil.copy(case.PROGRAM, self.here)
        done = self.explain(self.here / "envaudit")
        if done.returncode == 0:
            self.skipTest("envaudit is installed where it was configured for")
        self.assertEqual(done.returncode, 2)
        self.assertIn(str(self.here.parent / "share" / "envaudit").encode(), done.stderr)
        self.assertIn(b"ENVAUDIT_DATADIR", done.stderr)

    def test_named_place_without_matrices_is_an_error(self):
        status, _, stderr = case.run(["explain"], env=["ENVAUDIT_DATADIR=/nonexistent"])
        self.assertEqual(status, 2)
        self.assertIn("/nonexistent", stderr)

    def test_shipped_matrices_are_valid(self):
        self.assertEqual(case.run(["check-matrix", str(case.SOURCE / "matrices")]), (0, "", ""))


@unittest.skipIf(os.getuid() != 0, "only root can become somebody else")
class Rights(Scratch):
    """A user who may not look everywhere."""

    NOBODY = 65534

    def setUp(self):
        super().setUp()
        self.here.chmod(0o755)
        shutil.copy(case.PROGRAM, self.here)
        shutil.copytree(case.SOURCE / "matrices", self.here / "matrices", copy_function=shutil.copyfile)
        self.site = self.here / "venv" / "lib" / "python3.11" / "site-packages"
        (self.site / "somebody").mkdir(parents=True)
        (self.here / "venv" / "pyvenv.cfg").write_text("version = 3.11.2\n", encoding="utf-8")
        (self.here / "there").mkdir()
        shutil.copyfile(case.PROGRAM, self.here / "there" / "libcudnn.so.9")
        (self.site / "somebody" / "libcudnn.so.9").symlink_to(self.here / "there" / "libcudnn.so.9")
        for path in self.here.rglob("*"):
            if not path.is_symlink():
                path.chmod(0o755)

    def links(self):
        """(broken links, gaps that name one) that nobody is told of."""
        done = subprocess.run([self.here / "envaudit", "--format", "json", "--clean-env", self.here / "venv"],
                              env={key: os.environ[key] for key in case.PASSED_ON if key in os.environ},
                              user=self.NOBODY, group=self.NOBODY, extra_groups=[], capture_output=True, check=False)
        self.assertEqual(done.stderr, b"")
        target = json.loads(done.stdout)["targets"][0]
        return ([item["title"] for item in target["findings"] if item["rule"].startswith("broken-link")],
                [gap["reason"] for gap in target["gaps"] if gap["path"] and gap["path"].endswith("libcudnn.so.9")])

    def test_a_link_into_a_locked_folder_is_unread(self):
        (self.here / "there").chmod(0o700)
        self.assertEqual(self.links(), ([], ["cannot follow the link: Permission denied"]))

    def test_a_link_to_nothing_is_broken(self):
        shutil.rmtree(self.here / "there")
        broken, gaps = self.links()
        self.assertEqual((len(broken), gaps), (1, []))


class Fixes(Scratch):
    """What is said of a fix after it was tried."""

    def fixes(self, name, *args):
        status, stdout, _ = case.run(["--format", "json", "--clean-env", *args, case.fixture(name)], cwd=self.here)
        self.assertEqual(status, 1)
        finding, = [item for item in json.loads(stdout)["targets"][0]["findings"] if item["severity"] == "error"]
        return [(fix["commands"][0].split()[0], fix["rechecked"]) for fix in finding["fixes"]]

    def test_one_that_helps(self):
        self.assertEqual(self.fixes("stdcxx-newer-first"), [("export", True), ("conda", False)])

    def test_one_that_does_not_help_is_not_proposed(self):
        """DT_RPATH is searched before LD_LIBRARY_PATH."""
        self.assertEqual(self.fixes("stdcxx-newer-behind"), [("conda", False)])

    def test_a_preload(self):
        hook = case.fixture("preload-needs") / "hook" / "libhook.so"
        self.assertEqual(self.fixes("preload-needs", "--set-env", f"LD_PRELOAD={hook}"), [("unset", True)])


class Config(Scratch):
    """The file of --config on an environment with one fault: NCCL is too old."""

    def audit(self, text, *args):
        """(exit status, rules with severities, ignored gaps, standard error)"""
        (self.here / "rules.cfg").write_text(text, encoding="utf-8")
        status, stdout, stderr = case.run(["--format", "json", "--clean-env", "--config", "rules.cfg", *args,
                                           case.fixture("nccl-older")], cwd=self.here)
        target = json.loads(stdout)["targets"][0] if stdout.strip() and '"gaps"' in stdout else {"findings": [], "gaps": []}
        found = [(finding["rule"], finding["severity"]) for finding in target["findings"]]
        ignored = [gap["reason"] for gap in target["gaps"] if gap["kind"] == "ignored" and "suppressed" in gap["reason"]]
        return status, found, ignored, stderr

    def test_an_empty_one_changes_nothing(self):
        self.assertEqual(self.audit(""), (1, [("nccl-skew", "error")], [], ""))

    def test_severity(self):
        self.assertEqual(self.audit('rules = ( { rule = "nccl-skew"; severity = "warning"; } );'),
                         (0, [("nccl-skew", "warning")], [], ""))

    def test_switch(self):
        """What no rule of its own names is a skew of the second level."""
        self.assertEqual(self.audit('rules = ( { rule = "nccl-skew"; enabled = false; }, '
                                    '{ rule = "second-level-skew"; enabled = false; } );'), (0, [], [], ""))

    def test_suppression(self):
        for more in ('', 'path = "*/torch/lib/*"; ', 'consumer = "torch"; ', 'until = "2999-12-31"; '):
            with self.subTest(more):
                status, found, ignored, stderr = self.audit(
                    f'suppress = ( {{ rule = "nccl-skew"; {more}reason = "it is only imported"; }} );')
                self.assertEqual((status, found, stderr), (0, [], ""))
                self.assertRegex(ignored[0], "nccl-skew.*it is only imported")

    def test_one_that_suppresses_nothing_is_told(self):
        for more in ('path = "*/elsewhere/*"; ', 'consumer = "jax"; ', 'until = "2020-01-01"; '):
            with self.subTest(more):
                status, found, ignored, stderr = self.audit(
                    f'suppress = (\n{{ rule = "nccl-skew"; {more}reason = "no"; }} );')
                self.assertEqual((status, found, ignored), (1, [("nccl-skew", "error")], []))
                self.assertRegex(stderr, "rules.cfg:2: this suppressed nothing")

    def test_mistakes_name_file_and_line(self):
        for text, error in (('rules = (\n{ rule = "no-such"; } );', "rules.cfg:2: there is no rule 'no-such'"),
                            ('suppress = ( { rule = "glibc"; } );', "rules.cfg:1: .*reason"),
                            ('suppress = ( { rule = "glibc"; reason = "r"; until = "soon"; } );', "until 'soon'"),
                            ('colour = "red";', "unknown key 'colour'")):
            with self.subTest(text):
                status, _, _, stderr = self.audit(text)
                self.assertEqual(status, 2)
                self.assertRegex(stderr, error)


class Baseline(Scratch):
    def audit(self, fixture, *args):
        status, stdout, stderr = case.run(["--format", "json", "--clean-env", *args, case.fixture(fixture)],
                                          cwd=self.here)
        rules = [item["rule"] for item in json.loads(stdout)["targets"][0]["findings"]] if stdout else []
        return status, rules, stdout, stderr

    def test_only_what_is_new_is_a_finding(self):
        (self.here / "old.json").write_text(self.audit("nccl-older")[2], encoding="utf-8")
        status, rules, stdout, _ = self.audit("nccl-older", "--baseline", "old.json")
        self.assertEqual((status, rules), (0, []))
        self.assertIn("stands in the baseline", stdout)
        self.assertEqual(self.audit("stdcxx-older", "--baseline", "old.json")[:2], (1, ["libstdcxx"]))

    def test_what_is_no_report_is_named(self):
        for text, error in (("{", "old.json:1: "), ("[]", "no report"), (None, "old.json")):
            with self.subTest(text):
                if text:
                    (self.here / "old.json").write_text(text, encoding="utf-8")
                else:
                    (self.here / "old.json").unlink()
                status, _, _, stderr = self.audit("nccl-older", "--baseline", "old.json")
                self.assertEqual(status, 2)
                self.assertIn(error, stderr)


class Documents(unittest.TestCase):
    def test_manual_names_every_option_and_command(self):
        manual = (case.SOURCE / "doc" / "envaudit.1").read_text(encoding="utf-8")
        options, commands = manual.split(".Ss Options")[1].split(".Ss")[0], manual.split(".Ss Commands")[1]
        found = set()
        for names in re.findall(r"^\.It (Fl .*)$", options, re.M):
            found.update(re.findall(r"-([a-z-]{2,})", names.split(" Ar ")[0].split(" Cm ")[0]))
        self.assertEqual(found, {option.name for option in OPTIONS})
        for option in OPTIONS:
            with self.subTest(option.name):
                if option.letter:
                    self.assertIn(f".It Fl {option.letter} , -{option.name}", options)
                for word in option.words:
                    self.assertRegex(options, rf"Fl -{option.name} Cm .*\b{word}\b")
        self.assertEqual(re.findall(r"^\.It Cm (\S+)$", commands.split(".Ss")[0], re.M),
                         [command.name for command in COMMANDS])

    def test_manual_is_clean(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        pages = [(case.SOURCE / "doc" / "envaudit.1").read_text(encoding="utf-8"), self.rules_page()]
        for page in pages:
            done = subprocess.run(["mandoc", "-Tlint"], input=page, capture_output=True, check=False, text=True)
            # It also tells which other pages this machine does not have.
            self.assertEqual([line for line in done.stdout.splitlines()
                              if "mandoc.db" not in line and "referenced manual" not in line], [])

    @staticmethod
    def rules_page():
        return subprocess.run([sys.executable, case.SOURCE / "doc" / "rules.py", case.SOURCE / "matrices" / "rules"],
                              check=True, stdout=subprocess.PIPE, text=True).stdout

    def test_manual_of_rules_says_what_explain_says(self):
        paths = sorted((case.SOURCE / "matrices" / "rules").glob("*.cfg"))
        found = re.findall(r"^\.Ss (\S+) \((\w+), \w+\)$", self.rules_page(), re.M)
        self.assertEqual(len(found), len(paths))
        for path in paths:
            rule = rules.read(path)
            with self.subTest(path.name):
                self.assertIn((rule["slug"], rule["code"]), found)
                status, stdout, _ = case.run(["explain", rule["code"]])
                self.assertEqual(status, 0)
                said = "".join(stdout.split())
                for key, _ in rules.TEXTS:
                    self.assertIn("".join(rule[key].split()), said)

    def test_help_fits_the_terminal(self):
        for args in (["--help"], *([command.name, "--help"] for command in COMMANDS)):
            status, stdout, stderr = case.run(args)
            self.assertEqual((status, stderr), (0, ""))
            self.assertLessEqual(max(map(len, stdout.splitlines())), 80)

    def test_help_of_a_command_has_its_options(self):
        for command in COMMANDS:
            _, stdout, _ = case.run([command.name, "--help"])
            for option in OPTIONS:
                with self.subTest(f"{command.name} --{option.name}"):
                    self.assertEqual(f"--{option.name}" in stdout.split(), option in command.options)

    def test_option_of_another_command_is_refused(self):
        for command in COMMANDS:
            for option in OPTIONS:
                if option in command.options:
                    continue
                value = [option.words[0] if option.words else "1"] if option.argument else []
                if option.name == "set-env":
                    value = ["A=1"]
                with self.subTest(f"{command.name} --{option.name}"):
                    status, _, stderr = case.run([command.name, f"--{option.name}", *value])
                    self.assertEqual(status, 2)
                    self.assertIn(f"`{command.name}` takes no --{option.name}", stderr)


class Schema(unittest.TestCase):
    """The words of doc/report.schema.json are those of the model."""

    def words(self, header, macro):
        text = (case.SOURCE / "auditor" / "model" / header).read_text(encoding="utf-8")
        table = text.split(f"#define {macro}(X)")[1].split("\n\n")[0]
        return set(re.findall(r'X\(\w+, "([^"]+)"', table))

    def test_words(self):
        document = json.loads((case.SOURCE / "doc" / "report.schema.json").read_text(encoding="utf-8"))
        defs = document["$defs"]
        for header, macro, place in (
                ("target.h", "EA_TARGET_KINDS", defs["target"]["properties"]["kind"]),
                ("component.h", "EA_MANAGERS", defs["manager"]),
                ("elf.h", "EA_ELF_FAULTS", defs["library"]["properties"]["faults"]["items"]),
                ("elf.h", "EA_VERSION_SOURCES", defs["library"]["properties"]["version_source"]),
                ("request.h", "EA_HOWS", defs["how"]),
                ("request.h", "EA_TRY_RESULTS",
                 defs["request"]["properties"]["tries"]["items"]["properties"]["result"]),
                ("gap.h", "EA_GAP_KINDS", defs["gap"]["properties"]["kind"])):
            with self.subTest(macro):
                self.assertEqual(set(place["enum"]) - {None}, self.words(header, macro))


class Completions(unittest.TestCase):
    def complete(self, *words):
        script = case.BUILD / "doc" / "bash" / "envaudit"
        line = f'. {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _envaudit; printf "%s\\n" "${{COMPREPLY[@]}}"'
        path = {"PATH": f"{case.BUILD}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-c", line, "bash", "envaudit", *words], capture_output=True, check=True,
                              text=True, cwd=case.SOURCE, env={**case.environment(), **path})
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash(self):
        if not shutil.which("bash"):
            self.skipTest("bash is not installed")
        self.assertEqual(self.complete("ex"), ["explain"])
        self.assertEqual(self.complete("list", "--f"), ["--format"])
        self.assertEqual(self.complete("--f"), ["--format", "--fail-on", "--for"])
        self.assertEqual(self.complete("--format", "s"), ["sarif"])
        self.assertEqual(self.complete("list", "auditor/cli/comm"), ["auditor/cli/commands.def"])
        self.assertEqual(self.complete("explain", "dup-file-owner/"), ["dup-file-owner/replaced"])

    def test_other_shells_understand_theirs(self):
        for shell, name in (("zsh", "_envaudit"), ("fish", "envaudit.fish")):
            if not shutil.which(shell):
                self.skipTest(f"{shell} is not installed")
            subprocess.run([shell, "-n", case.BUILD / "doc" / shell / name], check=True)


if __name__ == "__main__":
    unittest.main()
