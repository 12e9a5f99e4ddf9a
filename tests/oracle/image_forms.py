"""Every form of archive gives the same file systems, and what hostile ones give is a clear word."""
import gzip
import io
import json
import os
import random
import resource
import shutil
import subprocess
import tarfile
import tempfile
import time
import unittest
from pathlib import Path

import image_oracle as oracle
from image_oracle import entry

DIR, LINK, HARD, CHAR, FIFO = tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.work = Path(tempfile.mkdtemp(prefix="image"))
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)

    def write(self, data, name="image.tar"):
        path = self.work / name
        path.write_bytes(data)
        return path

    def image(self, data, *args):
        """The only image of an archive."""
        images, error = oracle.dump(self.write(data), *args)
        self.assertEqual(error, "")
        self.assertEqual(len(images), 1)
        return images[0]

    def save(self, *layers, **kw):
        return self.image(oracle.docker_save([oracle.layer(one) for one in layers], **kw))

    def refused(self, path, *args):
        images, error = oracle.dump(path, *args)
        self.assertNotEqual(error, "", images)
        return error


LAYERS = [
    [entry("etc/", DIR), entry("etc/os-release", data=b"NAME=x\n"), entry("usr/lib/libx.so.1", data=b"\177ELF" + b"a" * 70000),
     entry("usr/lib/libx.so", LINK, link="libx.so.1"), entry("data/weights", data=random.Random(1).randbytes(200000))],
    [entry("usr/lib/.wh.libx.so"), entry("usr/lib/liby.so", HARD, link="usr/lib/libx.so.1"), entry("var/empty/", DIR)],
]


class Forms(Case):
    def setUp(self):
        super().setUp()
        self.layers = [oracle.layer(one) for one in LAYERS]
        self.want = oracle.comparable(self.image(oracle.docker_save(self.layers))["entries"])
        self.assertEqual(self.want["/usr/lib/liby.so"][4], ("/usr/lib/libx.so.1", "/usr/lib/liby.so"))
        self.assertNotIn("/usr/lib/libx.so", self.want)
        self.assertEqual(self.want["/data/weights"][3], oracle.digest(LAYERS[0][4][1]))

    def check(self, path, **kw):
        images, error = oracle.dump(path, **kw)
        self.assertEqual(error, "")
        self.assertEqual(oracle.comparable(images[0]["entries"]), self.want)
        self.assertEqual(images[0]["gaps"], [])

    def test_layout_folder_of_each_packing(self):
        for packing in ("none", "gzip", "zstd", "xz"):
            if packing == "zstd" and not shutil.which("zstd"):
                continue
            oracle.layout(self.work / packing, self.layers, [packing] * 2)
            self.check(self.work / packing)

    def test_oci_archive(self):
        oracle.layout(self.work / "layout", self.layers, ["gzip", "none"])
        subprocess.run(["tar", "-C", self.work / "layout", "-cf", self.work / "oci.tar", "."], check=True)
        self.check(self.work / "oci.tar")

    def test_standard_input(self):
        with open(self.write(oracle.docker_save(self.layers)), "rb") as file:
            self.check("-", stdin=file)

    def test_whole_archive_packed(self):
        for packing in ("gzip", "xz"):
            self.check(self.write(oracle.pack(oracle.docker_save(self.layers), packing)))

    def test_links_between_layers_of_docker_save(self):
        """Old versions write a layer that occurs twice as a link."""
        text = oracle.config(self.layers)
        manifest = [{"Config": "c.json", "RepoTags": None, "Layers": ["a/layer.tar", "b/layer.tar"]}]
        self.check(self.write(oracle.layer([
            entry("c.json", data=text), entry("x/layer.tar", data=self.layers[0]), entry("a/layer.tar", LINK, link="../x/layer.tar"),
            entry("b/layer.tar", data=self.layers[1]), entry("manifest.json", data=json.dumps(manifest).encode())])))

    def test_repositories_alone(self):
        members = [entry("repositories", data=b'{"app": {"1": "up"}}'),
                   entry("up/json", data=b'{"id": "up", "parent": "low", "architecture": "amd64", "os": "linux"}'),
                   entry("up/layer.tar", data=self.layers[1]), entry("low/json", data=b'{"id": "low"}'),
                   entry("low/layer.tar", data=self.layers[0])]
        self.check(self.write(oracle.layer(members)))

    def test_bare_root(self):
        root = oracle.layer([entry("etc/os-release", data=b"NAME=x\n"), entry(".wh.odd", data=b"1")])
        for packing in ("none", "gzip"):
            found = self.image(oracle.pack(root, packing))["entries"]
            self.assertEqual(sorted(found), ["/.wh.odd", "/etc", "/etc/os-release"])

    def test_two_images(self):
        both = [json.loads(tarfile.open(fileobj=io.BytesIO(oracle.docker_save(self.layers[:n], tag=f"app:{n}")))
                           .extractfile("manifest.json").read())[0] for n in (1, 2)]
        members = {name: data for n in (1, 2) for name, data in self.members(oracle.docker_save(self.layers[:n]))}
        members["manifest.json"] = json.dumps(both).encode()
        images, error = oracle.dump(self.write(oracle.layer([entry(*one[:1], data=one[1]) for one in members.items()])))
        self.assertEqual((error, [one["name"] for one in images]), ("", ["app:1", "app:2"]))
        self.assertIn("/usr/lib/libx.so", images[0]["entries"])
        self.assertNotIn("/usr/lib/libx.so", images[1]["entries"])

    @staticmethod
    def members(archive):
        tar = tarfile.open(fileobj=io.BytesIO(archive))
        return [(one.name, tar.extractfile(one).read()) for one in tar if one.isfile()]

    def test_skopeo_and_buildah_archives(self):
        if not shutil.which("skopeo"):
            self.skipTest("skopeo is not installed")
        oracle.layout(self.work / "layout", self.layers, ["gzip", "gzip"])
        for form in ("docker-archive", "oci-archive", "dir"):
            target = self.work / (form + ".tar")
            name = f"{form}:{target}" + ("" if form == "dir" else ":app:1")
            done = subprocess.run(["skopeo", "--insecure-policy", "copy", "-q", f"oci:{self.work}/layout:latest", name],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            if form != "dir":
                self.check(target)


class Entries(Case):
    """What tar can say of a file."""

    def test_sparse_as_gnu_tar_unpacks_it(self):
        tree = self.work / "tree"
        tree.mkdir()
        with open(tree / "sparse", "wb") as file:
            file.write(b"begin" * 1000)
            file.seek(10 << 20)
            file.write(b"middle" * 1000)
            file.truncate(33 << 20)
        (tree / "plain").write_bytes(b"x" * 70000)
        for form in ("--format=gnu", "--format=pax --sparse-version=0.0", "--format=pax --sparse-version=0.1",
                     "--format=pax --sparse-version=1.0"):
            path = self.work / "root.tar"
            subprocess.run(["tar", "-S", *form.split(), "-C", tree, "-cf", path, "."], check=True)
            self.assertLess(path.stat().st_size, 1 << 20)
            for packing in ("none", "gzip"):
                oracle.layout(self.work / "layout", [path.read_bytes()], [packing])
                images, error = oracle.dump(self.work / "layout")
                shutil.rmtree(self.work / "layout")
                self.assertEqual(error, "", form)
                self.assertEqual(oracle.comparable(images[0]["entries"]), oracle.comparable(oracle.tree(tree)), form)

    def test_pax_headers(self):
        name, link = "deep/" * 60 + "file", "t" * 3000
        found = self.save([entry(name, data=b"1", pax={"SCHILY.xattr.user.x": "y", "mtime": "1.5"}),
                           entry("link", LINK, link=link), entry("Főtanúsítvány.crt", data=b"2")])
        self.assertEqual(found["gaps"], [])
        self.assertEqual(found["entries"]["/link"][2], link)
        self.assertEqual({"/" + name, "/Főtanúsítvány.crt"} - found["entries"].keys(), set())

    def test_global_pax_header(self):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "of all"}) as tar:
            info, data = entry("file", data=b"1")
            tar.addfile(info, io.BytesIO(data))
        self.assertEqual(list(self.image(oracle.docker_save([out.getvalue()]))["entries"]), ["/file"])

    def test_twice_in_one_layer(self):
        found = self.save([entry("f", data=b"1"), entry("d/x", data=b"1"), entry("f", data=b"22"), entry("d", data=b"3")])
        self.assertEqual(found["entries"]["/f"][1], 2)
        self.assertEqual(found["entries"]["/d"][0], "file")
        self.assertNotIn("/d/x", found["entries"])

    def test_whiteouts_spare_their_own_layer(self):
        found = self.save([entry("d/old", data=b"1"), entry("d/both", data=b"1")],
                          [entry("d/both", data=b"22"), entry("d/new", data=b"2"), entry("d/.wh..wh..opq"), entry("d/.wh.new")])
        self.assertEqual(sorted(found["entries"]), ["/d", "/d/both", "/d/new"])

    def test_link_as_folder(self):
        found = self.save([entry("lib", LINK, link="usr/lib")], [entry("lib/x", data=b"1")])
        self.assertEqual(found["entries"]["/lib"][0], "link")
        self.assertIn("/usr/lib/x", found["entries"])


class Hostile(Case):
    """Each gives a clear gap or error, in bounded time and memory."""

    def gaps(self, *layers):
        return [(kind, path) for kind, path, _ in self.save(*layers)["gaps"]]

    def test_names_that_lead_out(self):
        found = self.save([entry("../../up", data=b"1"), entry("/etc/absolute", data=b"2"), entry("a/../../b", data=b"3")])
        self.assertEqual(sorted(found["entries"]), ["/b", "/etc", "/etc/absolute", "/up"])
        self.assertEqual([one[:2] for one in found["gaps"]], [("assumed", "/up"), ("assumed", "/etc/absolute"), ("assumed", "/b")])

    def test_links_to_the_host(self):
        found = self.save([entry("etc/", DIR), entry("out", LINK, link="/etc"), entry("out/passwd", data=b"inside"),
                           entry("up", LINK, link="../../../../etc/passwd")])
        self.assertEqual(found["entries"]["/etc/passwd"][4], oracle.digest(b"inside"))

    def test_chains_and_loops(self):
        chain = [entry(f"l{i}", LINK, link=f"l{i + 1}") for i in range(100)] + [entry("l100/", DIR), entry("l0/x", data=b"1")]
        self.assertEqual(self.gaps(chain), [("unread", "/l0/x")])
        self.assertEqual(self.gaps([entry("a", LINK, link="b"), entry("b", LINK, link="a"), entry("a/x", data=b"1")]),
                         [("unread", "/a/x")])

    def test_hard_link_to_nothing(self):
        self.assertEqual(self.gaps([entry("h", HARD, link="none"), entry("d/", DIR), entry("e", HARD, link="d")]),
                         [("unread", "/h"), ("unread", "/e")])

    def test_file_as_folder(self):
        self.assertEqual(self.gaps([entry("f", data=b"1"), entry("f/x", data=b"2")]), [("unread", "/f/x")])

    def test_devices_are_not_opened(self):
        found = self.save([entry("dev/null", CHAR), entry("pipe", FIFO)])["entries"]
        self.assertEqual({found["/dev/null"][0], found["/pipe"][0]}, {"other"})

    def test_control_characters(self):
        name = "a\x1b[2J\nb\x7f"
        self.assertIn("/" + name, self.save([entry(name, data=b"1")])["entries"])

    def test_names_too_long(self):
        self.assertEqual([one[0] for one in self.save([entry("n/" * 3000 + "f", data=b"1")])["gaps"]], ["limit"])

    def limited(self, path, program=(oracle.DUMP,), seconds=60):
        """Runs it in bounded time and memory (but for a sanitizer's, which reserves more than that)."""
        begin = time.monotonic()
        limit = resource.RLIM_INFINITY if b"__asan_init" in Path(program[0]).read_bytes() else 256 << 20
        done = subprocess.run([*program, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
        self.assertLess(time.monotonic() - begin, seconds)
        return done

    def test_a_hole_of_10_gb(self):
        tree = self.work / "tree"
        tree.mkdir()
        with open(tree / "hole", "wb") as file:
            file.truncate(10 << 30)
        subprocess.run(["tar", "-S", "-C", tree, "-cf", self.work / "root.tar", "."], check=True)
        path = self.work / "root.tar"
        self.assertLess(path.stat().st_size, 1 << 20)
        program = oracle.BUILD / "envaudit"
        done = self.limited(path, program=[program, "list", "--deep", "--format", "json"])
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_decompression_bomb(self):
        layer = io.BytesIO()
        with gzip.open(layer, "wb", 9) as file:
            info = tarfile.TarInfo("zeros")
            info.size = 300 << 20
            file.write(info.tobuf())
            for _ in range(300):
                file.write(bytes(1 << 20))
            file.write(bytes(1024))
        packed = layer.getvalue()
        oracle.layout(self.work / "layout", [packed], ["none"])
        self.assertIn("--tmp-limit", self.refused(self.work / "layout", str(100 << 20)))
        self.assertIn("--tmp-limit", self.refused(self.write(packed, "bomb.tar.gz"), str(100 << 20)))

    def test_truncated_gzip(self):
        packed = oracle.pack(oracle.layer([entry("f", data=random.Random(2).randbytes(2 << 20))]), "gzip")[:1 << 20]
        oracle.layout(self.work / "layout", [packed], ["none"])
        images, error = oracle.dump(self.work / "layout")
        self.assertEqual(error, "")
        self.assertEqual([one[0] for one in images[0]["gaps"]], ["unread"])

    def test_truncated_tar(self):
        whole = oracle.layer([entry("a", data=b"1"), entry("f", data=bytes(100000)), entry("z", data=b"1")])
        found = self.image(oracle.docker_save([whole[:50000]]))
        self.assertEqual([one[0] for one in found["gaps"]], ["unread"])
        self.assertIn("/a", found["entries"])

    def test_bad_header_checksum(self):
        whole = bytearray(oracle.layer([entry("a", data=b"1"), entry("f", data=b"2"), entry("z", data=b"3")]))
        whole[1024 + 20] ^= 1
        found = self.image(oracle.docker_save([bytes(whole)]))
        self.assertEqual([one[0] for one in found["gaps"]][:1], ["unread"], found)

    def test_wrong_digests(self):
        for packing, verify in (("gzip", ()), ("none", (str(1 << 30), "verify"))):
            folder = self.work / packing
            oracle.layout(folder, [oracle.layer(LAYERS[1][2:])], [packing])
            blob = max((folder / "blobs/sha256").iterdir(), key=lambda one: b"layer" not in one.name.encode() and self.is_layer(one))
            data = bytearray(blob.read_bytes())
            data[-1] ^= 1
            blob.write_bytes(data)
            self.assertIn("another digest", self.refused(folder, *verify))

    @staticmethod
    def is_layer(path):
        return not path.read_bytes().startswith(b"{")

    def test_changed_config(self):
        folder = self.work / "layout"
        oracle.layout(folder, [oracle.layer(LAYERS[1][2:])], ["gzip"])
        for blob in (folder / "blobs/sha256").iterdir():
            if b'"rootfs"' in blob.read_bytes():
                blob.write_bytes(blob.read_bytes() + b" ")
        self.assertIn("another digest", self.refused(folder))

    def test_absent_blob(self):
        folder = self.work / "layout"
        oracle.layout(folder, [oracle.layer(LAYERS[1][2:])], ["gzip"])
        for blob in list((folder / "blobs/sha256").iterdir()):
            if self.is_layer(blob):
                blob.unlink()
        self.assertIn("cannot be read", self.refused(folder))

    def test_huge_json(self):
        text = b'[' + b'{"a": "' + b"x" * (100 << 20) + b'"}]'
        self.assertIn("larger than", self.refused(self.write(oracle.layer([entry("manifest.json", data=text)]))))

    def test_deep_json(self):
        self.refused(self.write(oracle.layer([entry("manifest.json", data=b"[" * 1000000)])))

    def test_odd_manifests(self):
        for text in (b"", b"{", b'[{"Config": "x"}]', b'[{"Config": "../../etc/passwd", "Layers": []}]',
                     b'[{"Config": 1, "Layers": {}}]', b'[{"Layers": ["/etc/passwd"], "Config": "manifest.json"}]', b'[null]', b"[[]]"):
            self.refused(self.write(oracle.layer([entry("manifest.json", data=text)])))

    def test_cyclic_indexes(self):
        folder = self.work / "layout"
        (folder / "blobs/sha256").mkdir(parents=True)
        (folder / "oci-layout").write_text("{}")
        name = "0" * 64
        index = json.dumps({"manifests": [{"digest": "sha256:" + name, "size": 1}]})
        (folder / "index.json").write_text(index)
        (folder / "blobs/sha256" / name).write_text(index)
        self.assertIn("another digest", self.refused(folder))
        (folder / "index.json").write_text('{"manifests": [{"digest": "sha256:../../../../etc/passwd"}]}')
        self.assertIn("no sha256 digest", self.refused(folder))

    def test_cyclic_parents(self):
        data = oracle.layer([entry("repositories", data=b'{"a": {"1": "x"}}'), entry("x/json", data=b'{"parent": "x"}')])
        self.assertIn("circle", self.refused(self.write(data)))

    def test_million_entries(self):
        block = bytearray(tarfile.TarInfo("f00000000").tobuf(tarfile.USTAR_FORMAT))
        path = self.work / "many.tar"
        with open(path, "wb") as file:
            for i in range(1000000):
                block[0:9] = b"f%08d" % i
                block[148:156] = b"        "
                block[148:156] = b"%06o\0 " % sum(block)
                file.write(block)
            file.write(bytes(1024))
        done = self.limited(path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count(b"/f"), 1000000)


if __name__ == "__main__":
    unittest.main()
