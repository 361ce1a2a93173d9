"""What an import found: how much was read, what was dropped, and what is wrong with which lines."""

from __future__ import annotations

from probative.values import Value

# So many malformed lines are shown; the others are only counted.
SHOWN = 5


class BadLine(Value):
    """A line that could not be used: its number in the file, and why."""

    line: int
    why: str


class ImportReport(Value):
    """How a graph came out of a file. Self-loops are kept as edges, and never become paths."""

    source: str
    format: str
    lines: int
    edges: int
    entities: int
    relations: int
    duplicates: int
    self_loops: int
    merged: int
    """Entities that were written in several ways (`hot_dog`, `hot dog`) and are one."""
    named: int
    """Entities and relations whose names come from a names file or from labels."""
    malformed: int
    examples: tuple[BadLine, ...]
    seconds: float


class Faults:
    """Malformed lines as they are met: all counted, the first few kept.

    >>> faults = Faults()
    >>> faults.add(3, "has 2 columns")
    >>> faults.count, faults.first[0].line
    (1, 3)
    """

    def __init__(self) -> None:
        self.count = 0
        self.first: list[BadLine] = []

    def add(self, line: int, why: str) -> None:
        """Note a line that cannot be used."""
        self.count += 1
        if len(self.first) < SHOWN:
            self.first.append(BadLine(line=line, why=why))
