#!/usr/bin/env python3
"""Damaged layers and manifests give gaps and errors: the fuzz targets without libFuzzer."""
import os
import subprocess
import sys
import tempfile

ZERO = "0" * 64
SEEDS = {
    "layers": ["5a/\n2l\t/a\n0l/x\n=\n0a/.wh.x\n1h\ta/x\n0.wh.a\n0a/.wh..wh..opq\n=\n5a/\n",
               "0f\n1g\tf\n5f/\n0f/x\n=\n2f\tf\n0f/y\n1f\tf\n0../../up\n0/a/./b\n=\n0.wh.f\n0.wh..wh.plnk\n"],
    "manifest": ['\0[{"Config": "c.json", "RepoTags": ["a:1"], "Layers": ["l.tar", "x/layer.tar"]}]',
                 '\1{"manifests": [{"digest": "sha256:%s", "platform": {"os": "linux", "architecture": "amd64"}}]}' % ZERO,
                 '\2{"a": {"1": "x"}}',
                 '\3{"parent": "x", "os": "linux", "architecture": "amd64"}',
                 '\4{"config": {"Env": ["A=b"]}, "rootfs": {"diff_ids": ["sha256:%s"]}, "history": [{"created_by": "x"}]}' % ZERO],
}


def main():
    rounds = os.environ.get("EA_FUZZ_ROUNDS", "300")
    for target, seeds in SEEDS.items():
        program = os.path.join(os.environ.get("top_builddir", "."), "tests/fuzz/replay_image_" + target)
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for i, seed in enumerate(seeds):
                files.append(os.path.join(folder, str(i)))
                with open(files[-1], "w", encoding="utf-8", newline="") as file:
                    file.write(seed)
            if subprocess.run([program, rounds, *files], check=False).returncode:
                return 1
        print(f"{rounds} damaged forms of each of {len(seeds)} {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
