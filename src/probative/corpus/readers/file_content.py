"""The bytes of a file, read once, whole, and unchanged while they were read."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from probative.errors import UnreadableError

# A larger file is data or a scan. The longest novels have 3 MB of text; a PDF of 256 MB is full of images.
MAX_BYTES = 256 * 2**20
# Text of 64 million characters is a shelf of 60 books: more is an export that belongs into several files.
MAX_CHARACTERS = 64 * 2**20
_READS = 3


@dataclass(frozen=True)
class FileContent:
    """A file as a reader gets it: what it is called in the corpus, its path and its bytes."""

    source: str
    path: Path
    data: bytes

    @property
    def suffix(self) -> str:
        """The last suffix in lower case, with its dot."""
        return self.path.suffix.lower()


def read_bytes(path: Path, source: str, max_bytes: int = MAX_BYTES) -> FileContent:
    """Read a file whole. Raises `UnreadableError` if it is too large, empty, no regular file, may not be
    read, or still changes after three attempts.
    """
    try:
        for _ in range(_READS):
            before = path.stat()
            _check_kind(before, source, max_bytes)
            with path.open("rb") as file:
                data = file.read(max_bytes + 1)
                after = os.fstat(file.fileno())
            if _version(before) == _version(after) and len(data) == after.st_size:
                if not data:
                    raise UnreadableError("empty", f"{source} is empty")
                return FileContent(source, path, data)
    except FileNotFoundError:
        raise UnreadableError("gone", f"{source} does not exist") from None
    except OSError as error:
        raise UnreadableError("no access", f"{source} cannot be read: {error.strerror}") from error
    raise UnreadableError(
        "changing",
        f"{source} changed each time it was read",
        hint="wait until the program that writes it has ended",
    )


def _check_kind(status: os.stat_result, source: str, max_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):  # a pipe or a device could block for ever
        raise UnreadableError("no file", f"{source} is not a regular file")
    if status.st_size > max_bytes:
        raise UnreadableError(
            "too large",
            f"{source} has {status.st_size:,} bytes, more than {max_bytes:,}",
            hint="split it, or raise max_bytes",
        )


def _version(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns
