"""Files out: where results are written, and the files next to them."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from probative.errors import InputError


class OutputFile:
    """The file of results. A symbolic link is followed: `path` is the file that it points to.

    The manifest, the lock and the journal stand next to that file, so that two links to one file share them.
    """

    def __init__(self, name: Path) -> None:
        self.name = name
        self.path = Path(os.path.realpath(name))

    @property
    def manifest(self) -> Path:
        """The file that says how the results were made."""
        return self.path.with_name(f"{self.path.name}.manifest.json")

    @property
    def journal(self) -> Path:
        """The file of finished results that wait for an earlier one; it exists only during a run."""
        return self.path.with_name(f".{self.path.name}.waiting")

    @property
    def lock(self) -> Path:
        """The file whose lock a run holds."""
        return self.path.with_name(f".{self.path.name}.lock")

    @property
    def earlier(self) -> list[Path]:
        """The files that have earlier results: the file itself, and the journal of a run that was killed."""
        return [file for file in (self.path, self.journal) if file.exists() and file.stat().st_size]

    def check(self, source: Path) -> None:
        """Raise `InputError` if results cannot be written here, before any work is done."""
        if self.name.name in ("", "-", ".."):
            raise InputError(f"--out names no file: {self.name}", hint="name a file for the results")
        try:
            mode = os.stat(self.name).st_mode  # noqa: PTH116 (Path.exists hides a loop of links)
        except FileNotFoundError:
            self._check_folder()
        except OSError as error:
            raise InputError(
                f"--out cannot be used: {_short(self.name)}: {error.strerror}", hint="name another file"
            ) from None
        else:
            if not stat.S_ISREG(mode):
                raise InputError(
                    f"--out is not a regular file: {self.name}",
                    hint="name a file: its results are read again when the run is resumed",
                )
            if os.path.exists(source) and os.path.samefile(source, self.name):  # noqa: PTH110, PTH121
                raise InputError(f"--in and --out are the same file: {self.name}", hint="name another --out")

    def _check_folder(self) -> None:
        if not self.path.parent.is_dir():
            raise InputError(
                f"there is no folder {self.path.parent}", hint="create it, or name another --out"
            )


def _short(name: Path) -> str:
    text = str(name)
    return text if len(text) <= 100 else f"{text[:99]}…"


@contextmanager
def writing(file: Path) -> Iterator[None]:
    """Turn an error of the operating system inside the block into an `InputError` that names the file."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{_short(file)} cannot be written: {error.strerror or error}",
            hint="free some space or name another --out; finished results are kept",
        ) from None


def replace_file(file: Path, text: str) -> None:
    """Write a file atomically: a reader sees the old content or the new content, never a part."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    with writing(file):
        try:
            temporary.write_text(text, encoding="utf-8", newline="\n")
            with suppress(FileNotFoundError):
                shutil.copymode(file, temporary)
            temporary.replace(file)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
