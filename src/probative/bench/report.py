"""What a run found out: tables (cells know their interval and the published figure), plots, findings; and
what the run was made of.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from probative.types import Value

# A figure on fewer cases has no interval: none that could be computed would be believed.
FEWEST_INTERVAL = 5
# A figure on fewer cases has no difference from a published one.
FEWEST_COMPARED = 10

PlotKind = Literal["lines", "bars", "scatter", "reliability"]


class Cell(Value):
    """A figure: its 95% interval, the number of cases behind it, and what the paper has in its place.

    `comparable` is False where the published figure is another quantity or has another unit, as seconds on
    another machine. An interval of fewer than five cases, and one without width, are left out: a bootstrap of
    equal cases says nothing.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    published: float | None = None
    comparable: bool = True

    @model_validator(mode="before")
    @classmethod
    def _without_empty_interval(cls, fields: Any) -> Any:
        if not isinstance(fields, dict) or fields.get("low") is None:
            return fields
        n = fields.get("n")
        if (n is not None and n < FEWEST_INTERVAL) or fields["low"] == fields.get("high"):
            return {**fields, "low": None, "high": None}
        return fields

    @property
    def difference(self) -> float | None:
        """The figure less the published one; None where that means nothing: of too few cases, or of figures
        that cannot be compared.
        """
        if self.value is None or self.published is None or not self.comparable:
            return None
        if self.n is not None and self.n < FEWEST_COMPARED:
            return None
        return self.value - self.published


class TableRow(Value):
    """A row of a table: its name and its cells; a text stands as it is."""

    name: str
    cells: tuple[Cell | str, ...]


class Table(Value):
    """A table: `columns` name the cells, `corner` the names of the rows."""

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    note: str = ""


class Series(Value):
    """A named line, group of bars or cloud of points."""

    name: str
    points: tuple[tuple[float, float], ...]
    published: bool = False

    @property
    def label(self) -> str:
        """The name, and that the figures are published ones."""
        return f"{self.name} (published)" if self.published else self.name


class Plot(Value):
    """A plot; `ticks` are names for the values of x, where these are no numbers."""

    title: str
    kind: PlotKind
    x: str
    y: str
    series: tuple[Series, ...]
    ticks: tuple[str, ...] = ()


class Report(Value):
    """Tables, plots and findings of a run. A finding is one plain sentence that the figures show."""

    tables: tuple[Table, ...]
    plots: tuple[Plot, ...] = ()
    findings: tuple[str, ...] = ()


NOT_FINISHED = "The run is not finished"
"""How the note of a run that is not finished begins."""


class DataUsed(Value):
    """A file of data and its checksum; `kept` says whether our kept reports were made with the same file."""

    path: str
    sha256: str
    kept: bool | None


class ErrorCount(Value):
    """The cases that failed with one type of error, and the message of the first."""

    type: str
    count: int
    first: str


class RunReport(Value):
    """A report with the experiment, models, data and settings it was made with.

    Nothing in it depends on when or how fast the run was made: the same seed gives the same report. `trained`
    counts the cases that trained a shipped model, by model. `limit_of` says what `--limit` counts.
    """

    version: str
    experiment: str
    title: str
    paper: str
    shown_as: str
    models: dict[str, str | None]
    settings: dict[str, Any]
    data: tuple[DataUsed, ...]
    cases: int
    errors: tuple[ErrorCount, ...]
    trained: dict[str, int] = Field(default_factory=dict)
    notes: tuple[str, ...]
    report: Report
    limit_of: str = ""

    @property
    def unfinished(self) -> str:
        """The note that the run is not finished, or nothing."""
        return next((note for note in self.notes if note.startswith(NOT_FINISHED)), "")

    @property
    def failed(self) -> int:
        """The number of cases with an error instead of a result."""
        return sum(error.count for error in self.errors)
