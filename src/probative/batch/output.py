"""Files out: where results are written, in which order, and the files next to them."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Self, TextIO

from probative.errors import InputError


class OutputFile:
    """The file of results. A symbolic link is followed: `path` is the file that it points to.

    The manifest, the lock and the journal stand next to that file, so that two links to one file share them.
    """

    def __init__(self, name: Path) -> None:
        self.name = name
        self.path = Path(os.path.realpath(name))
        self.manifest = self.path.with_name(f"{self.path.name}.manifest.json")
        # Finished results that wait for an earlier one; it exists only during a run.
        self.journal = self.path.with_name(f".{self.path.name}.waiting")
        self.lock = self.path.with_name(f".{self.path.name}.lock")

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
            if not self.path.parent.is_dir():
                raise InputError(
                    f"there is no folder {self.path.parent}", hint="create it, or name another --out"
                ) from None
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


def replace_file(file: Path, content: str | bytes) -> None:
    """Write a file atomically: a reader sees the old content or the new content, never a part."""
    content = content.encode() if isinstance(content, str) else content
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    with writing(file):
        try:
            temporary.write_bytes(content)
            with suppress(FileNotFoundError):
                shutil.copymode(file, temporary)
            temporary.replace(file)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


class ResultWriter:
    """Writes lines by their position in the input, or as they are finished if the run is `unordered`.

    A line that is finished before an earlier one waits. It is in the journal file meanwhile, so that a run
    that is killed loses nothing; a run that stops in any other way writes the waiting lines to the output.
    `kept` are the lines of earlier runs by position, `others` those that are not in this input: they go to
    the end.
    """

    def __init__(
        self,
        output: OutputFile,
        kept: Mapping[int, str],
        others: Sequence[str] = (),
        *,
        unordered: bool = False,
    ) -> None:
        self._output, self._unordered = output, unordered
        self._waiting, self._others, self._next = dict(kept), list(others), 0
        leading = self._take_leading()
        if unordered:
            leading, self._others = self._others, []
        files = [(output.journal, [*self._waiting.values(), *self._others]), (output.path, leading)]
        # The one that gains lines comes first: a run that is killed between the two has all of them.
        for file, lines in reversed(files) if unordered else files:
            replace_file(file, _joined(lines))
        self._file: TextIO
        self._journal: TextIO

    def __enter__(self) -> Self:
        with writing(self._output.path):
            self._file = self._output.path.open("a", encoding="utf-8", newline="\n")
            self._journal = self._output.journal.open("a", encoding="utf-8", newline="\n")
        return self

    def __exit__(self, *_: object) -> None:
        with ExitStack() as files, writing(self._output.path):
            files.callback(_close, self._journal)
            files.callback(_close, self._file)
            rest = [self._waiting[position] for position in sorted(self._waiting)]
            self._append(self._file, [*rest, *self._others])
            self._output.journal.unlink(missing_ok=True)

    def write(self, position: int, line: str) -> None:
        """Append a line and those that waited for it, or let it wait."""
        if not self._unordered:
            self._waiting[position] = line
        ready = [line] if self._unordered else self._take_leading()
        with writing(self._output.path):
            self._append(self._file if ready else self._journal, ready or [line])

    def _take_leading(self) -> list[str]:
        """Remove and return the waiting lines that are next in order."""
        lines = []
        while self._next in self._waiting:
            lines.append(self._waiting.pop(self._next))
            self._next += 1
        return lines

    @staticmethod
    def _append(file: TextIO, lines: Iterable[str]) -> None:
        file.write(_joined(lines))
        file.flush()


def _close(file: TextIO) -> None:
    """Close a file that was flushed after each line; what could not be written then cannot be now."""
    with suppress(OSError):
        file.close()


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
