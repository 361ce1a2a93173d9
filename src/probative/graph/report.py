"""What an import look_up: how much was read, what was dropped, and what is wrong with which lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from probative.types import Value

if TYPE_CHECKING:
    from probative.graph.graph import Graph

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
    notes: tuple[str, ...] = ()
    """What looks odd and was left as it is, such as a first line that is probably a header."""

    def _repr_html_(self) -> str:
        """Return the report as a notebook shows it."""
        from probative.graph.html import report_html

        return report_html(self)

    @property
    def unused(self) -> str | None:
        """How many lines could not be used, and what is wrong with the first; None if all could."""
        if not self.malformed:
            return None
        first = f"; the first: line {self.examples[0].line:,} {self.examples[0].why}" if self.examples else ""
        return f"{self.malformed:,} of {self.lines:,} lines of {self.source} could not be used{first}"


def unused_lines(graph: Graph) -> str | None:
    """What a user should know of the file that a graph was just read from: the lines that could not be used.
    None if there are none, or if the graph is stored: then its import has said it.

    >>> from probative.graph.graph import Graph
    >>> unused_lines(Graph.from_triples([("ferry", "part of", "fleet")])) is None
    True
    """
    return graph.report.unused if graph.report is not None and graph.folder is None else None


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
