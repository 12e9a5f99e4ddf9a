#!/usr/bin/env python3
"""Damaged forms of ld.so.cache and ld.so.conf do no harm: the fuzz targets without libFuzzer."""
import os
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.join(os.environ.get("top_builddir", "."), "tests", "fuzz")
ROUNDS = os.environ.get("EA_FUZZ_ROUNDS", "1000")

CONF = b"""# libc default configuration
/usr/local/lib
include /etc/ld.so.conf.d/*.conf
include ld.so.conf.d/[ab]*.conf /etc/../etc/ld.so.conf
hwcap 0 nosegneg
/lib/x86_64-linux-gnu  # and more
"""


class Replay(unittest.TestCase):
    def replay(self, name, files):
        subprocess.run([os.path.join(TOP, "replay_" + name), ROUNDS, *files], check=True)

    def test_conf(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(CONF)
            file.flush()
            self.replay("ldconf", [file.name])

    def test_cache(self):
        ldconfig = "/sbin/ldconfig"
        if not os.access(ldconfig, os.X_OK):
            self.skipTest("no ldconfig here")
        with tempfile.TemporaryDirectory() as tmp:
            files = [os.path.join(tmp, form) for form in ("new", "compat", "old")]
            for path in files:
                subprocess.run([ldconfig, "-X", "-c", os.path.basename(path), "-C", path],
                               check=True, stderr=subprocess.DEVNULL)
            self.replay("ldcache", files)


if __name__ == "__main__":
    sys.exit(unittest.main())
