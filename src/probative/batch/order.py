"""The order of results: as the input has it, or as they are finished."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Self, TextIO

from probative.batch.output import OutputFile, replace_file, writing


class UnorderedWriter:
    """Writes each line as soon as it is finished."""

    def __init__(self, output: OutputFile, kept: Iterable[str]) -> None:
        replace_file(output.path, _joined(kept))
        output.journal.unlink(missing_ok=True)
        self._output = output
        self._file: TextIO

    def __enter__(self) -> Self:
        with writing(self._output.path):
            self._file = self._output.path.open("a", encoding="utf-8", newline="\n")
        return self

    def __exit__(self, *_: object) -> None:
        _close(self._file)

    def write(self, position: int, line: str) -> None:
        """Append a line and hand it to the operating system."""
        with writing(self._output.path):
            self._file.write(f"{line}\n")
            self._file.flush()


class OrderedWriter:
    """Writes lines by their position in the input.

    A line that is finished before an earlier one waits. It is in the journal file meanwhile, so that a run
    that is killed loses nothing; a run that stops in any other way writes the waiting lines to the output.
    `kept` are the lines of earlier runs by position, `others` those that are not in this input: they go to
    the end.
    """

    def __init__(self, output: OutputFile, kept: Mapping[int, str], others: Sequence[str] = ()) -> None:
        self._output = output
        self._waiting = dict(kept)
        self._others = list(others)
        self._next = 0
        leading = self._take_leading()
        # The journal comes first: a run that is killed between the two has all lines in it.
        replace_file(output.journal, _joined([*self._waiting.values(), *self._others]))
        replace_file(output.path, _joined(leading))
        self._file: TextIO
        self._journal: TextIO

    def __enter__(self) -> Self:
        with writing(self._output.path):
            self._file = self._output.path.open("a", encoding="utf-8", newline="\n")
            self._journal = self._output.journal.open("a", encoding="utf-8", newline="\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as files, writing(self._output.path):
            files.callback(_close, self._journal)
            files.callback(_close, self._file)
            rest = [self._waiting[position] for position in sorted(self._waiting)]
            self._append(self._file, [*rest, *self._others])
            self._output.journal.unlink(missing_ok=True)

    def write(self, position: int, line: str) -> None:
        """Append a line and those that waited for it, or let it wait."""
        self._waiting[position] = line
        ready = self._take_leading()
        with writing(self._output.path):
            if ready:
                self._append(self._file, ready)
            else:
                self._append(self._journal, [line])

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
