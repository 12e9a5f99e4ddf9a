"""Writes the manual page of the rules out of their matrix files.

    rules.py RULES_FOLDER
"""
import re
import sys
import textwrap
from pathlib import Path

STRING = r'"((?:[^"\\]|\\.)*)"'
SETTING = re.compile(rf"^(\w+) =\s*((?:{STRING}\s*)+);", re.M)
TEXTS = (("why", "Why it matters"), ("explain", "What triggers it"), ("silent", "What does not"),
         ("fix", "How to fix it"))
HEAD = r""".\" Generated from matrices/rules.
.Dd {date}
.Dt ENVAUDIT-RULES 7
.Os
.Sh NAME
.Nm envaudit-rules
.Nd what envaudit looks for, and what it leaves alone
.Sh DESCRIPTION
What
.Ic envaudit explain
says of each rule of
.Xr envaudit 1 .
An
.Em error
will fail or compute wrongly; a
.Em warning
will under a condition that the report names; a
.Em note
is worth tidying up.
A finding that depends on the machine may be reported with another severity.
.Sh RULES"""
TAIL = """.Sh SEE ALSO
.Xr envaudit 1 ,
.Xr envaudit-matrix 5"""
MONTHS = ("January February March April May June July August September October November"
          " December").split()


def read(path):
    """The texts of one rule, by key."""
    rule = {}
    for setting in SETTING.finditer(path.read_text(encoding="utf-8")):
        parts = re.findall(STRING, setting[2])
        rule[setting[1]] = re.sub(r"\\(.)", r"\1", "".join(parts))
    for key in ["slug", "code", "severity", "title"] + [key for key, _ in TEXTS]:
        if not rule.get(key):
            sys.exit(f"rules.py: {path} has no {key}")
    return rule


def quoted(text):
    """A text as mdoc takes it: each sentence on its own lines, none that begins like a request."""
    text = text.replace("\\", r"\e").replace("'", r"\(aq").replace("`", r"\(ga")
    lines = []
    for sentence in re.split(r"(?<=[.?!]) +(?=[A-Z])", text):
        lines += textwrap.wrap(sentence, 76, break_long_words=False, break_on_hyphens=False)
    return "\n".join(r"\&" + line if line[0] == "." else line for line in lines)


def page(rules, date):
    year, month, day = date.split("-")
    out = [HEAD.format(date=f"{MONTHS[int(month) - 1]} {int(day)}, {year}")]
    for rule in rules:
        out += [f".Ss {rule['slug']} ({rule['code']}, {rule['severity']})", quoted(rule["title"] + ".")]
        for key, title in TEXTS:
            out += [".Pp", f".Em {title} :", quoted(rule[key])]
    return "\n".join([*out, TAIL])


def main():
    folder = Path(sys.argv[1])
    rules = sorted((read(path) for path in folder.glob("*.cfg")), key=lambda rule: rule["slug"])
    print(page(rules, (folder.parent / "DATE").read_text(encoding="utf-8").strip()))


if __name__ == "__main__":
    main()
