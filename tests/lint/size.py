"""No C file is over 500 lines; those over 400, and functions over 60, are named."""
import unittest

import files

TOO_LONG, LONG, LONG_FUNCTION = 500, 400, 60


def check(top):
    """What is too long, and what is getting there."""
    problems, notes = [], []
    for path in files.c_files(top):
        lines = files.read(top, path).splitlines()
        if len(lines) > TOO_LONG:
            problems.append(f"{path}: {len(lines)} lines")
        elif len(lines) > LONG:
            notes.append(f"{path}: {len(lines)} lines")
        start = 0
        for number, line in enumerate(lines, 1):
            if line == "{":
                start = number
            elif line == "}" and start:
                if number - start - 1 > LONG_FUNCTION:
                    notes.append(f"{path}:{start}: a function of {number - start - 1} lines")
                start = 0
    return problems, notes


class Size(files.Lint):
    def test_no_file_is_too_long(self):
        problems, notes = check(files.TOP)
        for note in notes:
            print("#", note)
        self.assert_none(problems)


if __name__ == "__main__":
    unittest.main()
