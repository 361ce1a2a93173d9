"""The report of an import: what was read, what was dropped, and which lines are malformed."""

from __future__ import annotations

from probative.types import Value

# The number of malformed lines that are kept; the others are only counted.
MAX_EXAMPLES = 5


class BadLine(Value):
    """A malformed line: its number in the file, and what is wrong with it."""

    line: int
    why: str


class ImportReport(Value):
    """The report of an import. Self-loops are kept as edges, but never become paths."""

    source: str
    format: str
    lines: int
    edges: int
    entities: int
    relations: int
    duplicates: int
    self_loops: int
    merged: int
    """Entities that were merged because only their spelling differs (`hot_dog`, `hot dog`)."""
    named: int
    """Entities and relations whose names come from a names file or from labels."""
    malformed: int
    examples: tuple[BadLine, ...]
    seconds: float
    notes: tuple[str, ...] = ()
    """What looks wrong but was not changed, such as a first line that is probably a header."""

    @property
    def unused(self) -> str | None:
        """A message with the number of unused lines and the first of them; None if all were used."""
        if not self.malformed:
            return None
        first = f"; the first: line {self.examples[0].line:,} {self.examples[0].why}" if self.examples else ""
        return f"{self.malformed:,} of {self.lines:,} lines of {self.source} could not be used{first}"


class MalformedLines:
    """A collector of malformed lines: all are counted, the first few are kept.

    >>> malformed = MalformedLines()
    >>> malformed.add(3, "has 2 columns")
    >>> malformed.count, malformed.first[0].line
    (1, 3)
    """

    def __init__(self) -> None:
        self.count = 0
        self.first: list[BadLine] = []

    def add(self, line: int, why: str) -> None:
        """Add a line that cannot be used."""
        self.count += 1
        if len(self.first) < MAX_EXAMPLES:
            self.first.append(BadLine(line=line, why=why))
