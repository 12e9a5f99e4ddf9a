"""Each lint finds fault with a bad sample, and none with a good one."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import files
import headers
import layers
import size
import style


class Sample(unittest.TestCase):
    """A tree of a few files, given as {path: text}."""

    def tree(self, contents):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        top = Path(folder.name)
        for path, text in contents.items():
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            (top / path).write_text(text, encoding="utf-8")
        return top

    def one_problem(self, problems, *words):
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])


class LayersTest(Sample):
    def check(self, path, text):
        return layers.check(self.tree({f"auditor/{path}": text}))

    def test_leftwards_is_right(self):
        self.assertEqual(self.check("scan/x.c", '#include "scan/x.h"\n#include "elf/elf.h"\n'
                                    '#include "base/str.h"\n#include <pthread.h>\n'), [])

    def test_rightwards_is_wrong(self):
        self.one_problem(self.check("base/x.c", '\n#include "model/elf.h"\n'), "base/x.c:2", "model")

    def test_neighbours_are_wrong(self):
        self.one_problem(self.check("elf/x.c", ' # include "loader/x.h"\n'), "elf/x.c:1", "loader")

    def test_unknown_folders_are_wrong(self):
        self.one_problem(self.check("misc/x.c", ""), "misc/x.c")
        self.one_problem(self.check("cli/x.c", '#include "x.h"\n'), "cli/x.c:1")

    def test_owned_headers(self):
        for header, good, bad in [("pcre2.h", "base/pattern.c", "base/str.c"),
                                  ("linux/openat2.h", "fs/folder.c", "scan/x.c"),
                                  ("archive.h", "fs/image_tar.c", "fs/folder.c"),
                                  ("libconfig.h", "matrix/cfg.c", "rules/x.c"),
                                  ("libelf.h", "elf/read.c", "loader/x.c"),
                                  ("gelf.h", "elf/read.c", "cli/x.c"),
                                  ("jansson.h", "report/json.c", "cli/x.c"),
                                  ("pthread.h", "scan/pool.c", "session/x.c")]:
            text = f"#include <{header}>\n"
            self.assertEqual(self.check(good, text), [])
            self.one_problem(self.check(bad, text), header)

    def test_owned_calls(self):
        for call in ['printf("x")', "exit(1)", "fputs(text, stdout)", "fprintf (stderr, text)",
                     "abort ()"]:
            text = f"void f(void)\n{{\n\t{call};\n}}\n"
            self.assertEqual(self.check("cli/x.c", text), [])
            self.one_problem(self.check("fix/x.c", text), "fix/x.c:3", "cli/*")

    def test_comments_strings_and_longer_names_are_no_calls(self):
        self.assertEqual(self.check("fix/x.c", '/* exit(1)\n stdout */ const char *t = "exit(1)";\n'
                                    "EA_PRINTF(1, 2) f; ea_buf_printf(b); snprintf(b); at_exit(f);\n"
                                    "enum { exit_code = 1 };\n"), [])

    def test_the_process_ends_in_one_place(self):
        self.assertEqual(self.check("base/arena.c", "\t_exit(4);\n"), [])
        self.one_problem(self.check("base/buf.c", "\t_exit(4);\n"), "_exit")


class HeadersTest(Sample):
    @unittest.skipUnless(shutil.which(headers.CC[0]), "no compiler")
    def test_a_header_needs_its_includes(self):
        good = "#pragma once\n#include <stddef.h>\nsize_t ea_x(void);\n"
        self.assertEqual(headers.check(self.tree({"auditor/base/x.h": good})), [])
        bad = "#pragma once\nsize_t ea_x(void);\n"
        self.one_problem(headers.check(self.tree({"auditor/base/x.h": bad})), "auditor/base/x.h")

    @unittest.skipUnless(shutil.which(headers.CC[0]), "no compiler")
    def test_a_header_may_come_twice(self):
        bad = "struct ea_x { int a; };\n"
        self.one_problem(headers.check(self.tree({"auditor/base/x.h": bad})), "auditor/base/x.h")


class SizeTest(Sample):
    def test_files(self):
        problems, notes = size.check(self.tree({"a.c": "\n" * 400, "b.h": "\n" * 401, "c.c": "\n" * 500,
                                                "d.h": "\n" * 501, "e.py": "\n" * 900}))
        self.one_problem(problems, "d.h", "501")
        self.assertEqual([note.split(":")[0] for note in notes], ["b.h", "c.c"])

    def test_functions(self):
        text = "void f(void)\n{\n" + "\t;\n" * 60 + "}\n\nvoid g(void)\n{\n" + "\t;\n" * 61 + "}\n"
        problems, notes = size.check(self.tree({"a.c": text}))
        self.assertEqual(problems, [])
        self.one_problem(notes, "a.c:66", "61")


class StyleTest(Sample):
    @style.needs_clang_format
    def test_format(self):
        self.assertEqual(style.check_format(self.tree({"a.c": "int ea_x;\n"})), [])
        bad = self.tree({"a.c": "int  ea_x;\n"})
        self.assertIn("a.c:1", style.check_format(bad)[0])
        self.assertEqual(style.check_format(bad, unformatted=["a.c"]), [])
        self.one_problem(style.check_format(self.tree({"a.c": "int ea_x;\n"}), unformatted=["a.c"]),
                         "unformatted.txt")

    @style.needs_codespell
    def test_spelling(self):
        self.assertEqual(style.check_spelling(self.tree({"a.md": "receive\n"})), [])
        self.one_problem(style.check_spelling(self.tree({"a.md": "rec" "ieve\n"})), "a.md:1")

    @style.needs_shellcheck
    def test_shell(self):
        self.assertEqual(style.check_shell(self.tree({"a": '#!/bin/sh\necho "$1"\n'})), [])
        for name in "a", "a.sh":
            problems = style.check_shell(self.tree({name: "#!/bin/sh\necho $1\n"}))
            self.assertIn("SC2086", "\n".join(problems))

    def test_comments(self):
        good = '/* // */ const char *x = "http://x//"; int y = 4 / 2; char c = \'"\'; /*\n// */\n'
        self.assertEqual(style.check_comments(self.tree({"a.c": good})), [])
        self.one_problem(style.check_comments(self.tree({"a.c": "int x;\nint y; // y\n"})), "a.c:2")

    def test_words(self):
        good = "lib/work/x ${base}/tmp/x a.example.org $TMPDIR/x network/ my" "pypi.orgs\n"
        self.assertEqual(style.check_words(self.tree({"a": good})), [])
        for bad in ["see /wo" "rk/x", "'/tm" "p/x'", "https://py" "pi.org/simple", "files.python"
                    "hosted.org", "conda.ana" "conda.org", "dock" "er.io/x", "deb.deb" "ian.org"]:
            self.one_problem(style.check_words(self.tree({"a": f"\n{bad}\n"})), "a:2")


class WholeTest(Sample):
    """The scripts themselves, by exit status."""
    rest = {".clang-format": "BasedOnStyle: LLVM\n", "tests/lint/unformatted.txt": ""}

    def run_all(self, contents):
        env = {**os.environ, "top_srcdir": str(self.tree(contents))}
        return {name: subprocess.run([sys.executable, Path(__file__).with_name(f"{name}.py")], env=env,
                                     capture_output=True, check=False).returncode
                for name in ("layers", "headers", "size", "style")}

    def test_good(self):
        good = {**self.rest, "auditor/base/x.h": "#pragma once\n"}
        self.assertEqual(set(self.run_all(good).values()), {0})

    def test_bad(self):
        bad = {**self.rest, "auditor/base/x.h": '#include "cli/x.h"\n' + "// x\n" * 501}
        self.assertEqual(set(self.run_all(bad).values()), {1})


class FilesTest(Sample):
    @unittest.skipUnless(shutil.which("git"), "needs git")
    def test_names_that_are_no_text(self):
        top = self.tree({"a.c": "\n"})
        subprocess.run(["git", "-C", top, "init", "-q"], check=True)
        (top / os.fsdecode(b"b\xff.c")).write_text("\n", encoding="utf-8")
        self.assertEqual(len(files.files(top)), 2)

    def test_generated_files_are_not_looked_at(self):
        top = self.tree({"a.c": "", "configure": "", "build-aux/x.sh": "", "_build/b.c": ""})
        self.assertEqual(files.files(top), [Path("a.c")])


if __name__ == "__main__":
    unittest.main()
