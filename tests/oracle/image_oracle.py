"""What tests of images share: writing layers and archives, and reading what image_dump says."""
import gzip
import hashlib
import io
import json
import os
import subprocess
import tarfile
from pathlib import Path

BUILD = Path(os.environ.get("top_builddir", ".")).resolve()
DUMP = BUILD / "tests/oracle/image_dump"


def entry(name, kind=tarfile.REGTYPE, data=b"", link="", mode=0o644, pax=None):
    """One member as (TarInfo, bytes)."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode, info.size = kind, link, mode, len(data)
    info.pax_headers = pax or {}
    return info, data


def layer(entries, fmt=tarfile.PAX_FORMAT):
    """The bytes of a tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=fmt, encoding="utf-8", errors="surrogateescape") as tar:
        for info, data in entries:
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def digest(data):
    return hashlib.sha256(data).hexdigest()


def pack(data, packing):
    if packing == "gzip":
        return gzip.compress(data, 1, mtime=0)
    if packing == "zstd":
        return subprocess.run(["zstd", "-qc1"], input=data, stdout=subprocess.PIPE, check=True).stdout
    if packing == "xz":
        return subprocess.run(["xz", "-c0"], input=data, stdout=subprocess.PIPE, check=True).stdout
    return data


def config(layers, **run):
    """The configuration of an image of these (unpacked) layers."""
    return json.dumps({
        "architecture": "amd64", "os": "linux", "config": run,
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + digest(one) for one in layers]},
        "history": [{"created": "1970-01-01T00:00:00Z", "created_by": f"RUN step {i}"}
                    for i in range(len(layers))],
    }).encode()


def layout(folder, layers, packings, tag="latest", **run):
    """Writes an OCI layout folder, as the image specification has it."""
    folder = Path(folder)
    blobs = folder / "blobs/sha256"
    blobs.mkdir(parents=True)

    def blob(data, kind):
        (blobs / digest(data)).write_bytes(data)
        return {"mediaType": kind, "digest": "sha256:" + digest(data), "size": len(data)}

    media = "application/vnd.oci.image."
    suffix = {"none": "", "gzip": "+gzip", "zstd": "+zstd", "xz": "+xz"}
    manifest = {
        "schemaVersion": 2, "mediaType": media + "manifest.v1+json",
        "config": blob(config(layers, **run), media + "config.v1+json"),
        "layers": [blob(pack(one, packing), media + "layer.v1.tar" + suffix[packing])
                   for one, packing in zip(layers, packings)],
    }
    top = blob(json.dumps(manifest).encode(), manifest["mediaType"])
    top["annotations"] = {"org.opencontainers.image.ref.name": tag}
    (folder / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [top]}))
    (folder / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')


def docker_save(layers, tag="app:1", **run):
    """The bytes of what `docker save` writes: the form before version 25."""
    text = config(layers, **run)
    names = [digest(one) + "/layer.tar" for one in layers]
    manifest = [{"Config": digest(text) + ".json", "RepoTags": [tag], "Layers": names}]
    members = [entry(digest(text) + ".json", data=text)]
    members += [entry(name, data=one) for name, one in zip(names, layers)]
    return layer(members + [entry("manifest.json", data=json.dumps(manifest).encode())])


def dump(archive, *args, stdin=None):
    """(images, error text): of each image the entries by path, and the gaps."""
    done = subprocess.run([DUMP, archive, *args], stdin=stdin, capture_output=True, check=False)
    fields = iter(done.stdout.split(b"\0")[:-1])
    images = []
    for field in fields:
        if field == b"image":
            images.append({"name": os.fsdecode(next(fields)), "entries": {}, "gaps": []})
        elif field == b"gap":
            images[-1]["gaps"].append(tuple(os.fsdecode(next(fields)) for _ in range(3)))
        else:
            kind, size, link, ino, sha = (os.fsdecode(next(fields)) for _ in range(5))
            images[-1]["entries"][os.fsdecode(field)] = (kind, int(size), link, int(ino), sha)
    if done.returncode not in (0, 1, 3):
        raise AssertionError(f"image_dump ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    return images, done.stderr.decode(errors="surrogateescape").strip()


def tree(folder):
    """The same of a folder on the host; inodes numbered by what they share."""
    found = {}
    for top, dirs, files in os.walk(folder):
        for name in dirs + files:
            path = os.path.join(top, name)
            st, link, sha = os.lstat(path), "", ""
            if os.path.islink(path):
                kind, link = "link", os.readlink(path)
            elif os.path.isdir(path):
                kind = "dir"
            elif os.path.isfile(path):
                kind = "file"
                with open(path, "rb") as file:
                    sha = digest(file.read())
            else:
                kind = "other"
            found["/" + os.path.relpath(path, folder)] = (kind, st.st_size, link, st.st_ino, sha)
    return found


def comparable(entries):
    """Without sizes of folders, and with the set of paths that share a file instead of its number."""
    shared = {}
    for path, (kind, _, _, ino, _) in entries.items():
        if kind == "file":
            shared.setdefault(ino, []).append(path)
    return {path: (kind, 0 if kind in ("dir", "other") else size, link, sha,
                   tuple(sorted(shared[ino])) if kind == "file" else ())
            for path, (kind, size, link, ino, sha) in entries.items()}
