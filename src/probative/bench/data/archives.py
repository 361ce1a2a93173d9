"""The files in a folder or an archive, each unpacked, whatever form a set is published in."""

from __future__ import annotations

import bz2
import gzip
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast


def parts(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield each file of a folder or an archive with its path inside, or the file itself with its name.

    Archives in it (zip, tar) are opened, compressed files (gz, bz2) are decompressed and lose that ending. A
    stream is to be read before the next one is taken.
    """
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file():
                with file.open("rb") as stream:
                    yield from _unpacked(file.relative_to(path).as_posix(), stream)
        return
    with path.open("rb") as stream:
        yield from _unpacked(path.name, stream)


def _unpacked(name: str, stream: IO[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    lower = name.lower()
    if lower.endswith((".tar", ".tar.gz", ".tgz", ".tar.bz2")):
        with tarfile.open(fileobj=stream, mode="r:*") as archive:
            for member in archive:
                inside = archive.extractfile(member) if member.isfile() else None
                if inside is not None:
                    yield from _unpacked(member.name, inside)
    elif lower.endswith(".zip"):
        with zipfile.ZipFile(stream) as packed:
            for entry in packed.infolist():
                if not entry.is_dir():
                    with packed.open(entry) as inside:
                        yield from _unpacked(entry.filename, inside)
    elif lower.endswith(".gz"):
        yield name[:-3], cast(IO[bytes], gzip.GzipFile(fileobj=stream))
    elif lower.endswith(".bz2"):
        yield name[:-4], bz2.BZ2File(stream)
    else:
        yield name, stream
