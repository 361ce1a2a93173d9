"""The parts of folders and archives, one form inside another."""

from __future__ import annotations

import bz2
import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from probative.bench.data.archives import parts


def packed_tar(mode: str, **files: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            member = tarfile.TarInfo(f"top/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def packed_zip(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.mkdir("top")
        for name, content in files.items():
            archive.writestr(f"top/{name}", content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", b"pier", [("a.txt", b"pier")]),
        ("a.txt.gz", gzip.compress(b"pier"), [("a.txt", b"pier")]),
        ("a.zip", packed_zip(b=b"1", c=b"2"), [("top/b", b"1"), ("top/c", b"2")]),
        ("a.tar", packed_tar("w", b=b"1"), [("top/b", b"1")]),
        ("a.tar.gz", packed_tar("w:gz", b=b"1", c=b"2"), [("top/b", b"1"), ("top/c", b"2")]),
        ("a.tar.bz2", packed_tar("w:bz2", **{"w.bz2": bz2.compress(b"1")}), [("top/w", b"1")]),
        ("a.zip", packed_zip(**{"b.tar": packed_tar("w", c=b"3")}), [("top/c", b"3")]),
    ],
    # Packed bytes have the time in them, and all processes of a run must give a test one name.
    ids=["plain", "gz", "zip", "tar", "tar.gz", "bz2 in a tar", "tar in a zip"],
)
def test_every_file_is_yielded_unpacked(
    tmp_path: Path, name: str, content: bytes, expected: list[tuple[str, bytes]]
) -> None:
    (tmp_path / name).write_bytes(content)
    for path in (tmp_path / name, tmp_path):
        assert [(inside, stream.read()) for inside, stream in parts(path)] == expected
