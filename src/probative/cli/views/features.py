"""Features and passages: a table with a dot where a passage carries a feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from probative.cli.views.terminal import plain
from probative.scope.features import Features
from probative.text.labels import passage_label

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# More columns than this are hard to read.
MAX_COLUMNS = 12
# The width of a row without its columns: kind, feature and end.
ROW_WIDTH = 38

Carried = tuple[int, Sequence[str]]
"""The index of a passage and the names of the features that it carries."""


def show_features(
    console: Console, features: Features, carried: Sequence[Carried], missing: Sequence[str]
) -> None:
    """Print a row for each feature and a column for each passage.

    If not all passages fit, those that carry the most features have a column, and each row counts the others.
    """
    from rich.table import Table
    from rich.text import Text

    columns = _columns(carried, console.width)
    others = [passage for passage in carried if passage not in columns]
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", style="dim", no_wrap=True)
    table.add_column("feature", overflow="fold")
    for index, _ in columns:
        table.add_column(Text(passage_label(index)), justify="center", no_wrap=True)
    table.add_column("", no_wrap=True)
    for feature in features.listed():
        dots = [_dot(feature.name in carries) for _, carries in columns]
        more = sum(feature.name in carries for _, carries in others)
        end = Text(f"+{more:,}" if more else "", style="dim")
        if feature.name in missing:
            end = Text("missing", style="bold red")
        table.add_row(feature.kind, Text(plain(feature.text)), *dots, end)
    console.print(table)
    if others:
        passages = "passages" if len(others) > 1 else "passage"
        console.print(f"and {len(others):,} more {passages}, counted at the end of each row", style="dim")


def _dot(carries: bool) -> Text:
    from rich.text import Text

    return Text("●", style="bold green") if carries else Text("·", style="dim")


def _columns(carried: Sequence[Carried], width: int) -> list[Carried]:
    """Return the passages that have a column, in their order."""
    column_width = max((len(passage_label(index)) + 1 for index, _ in carried), default=1)
    n = max(1, min(MAX_COLUMNS, (width - ROW_WIDTH) // column_width))
    best = sorted(range(len(carried)), key=lambda at: (-len(carried[at][1]), at))[:n]
    return [carried[at] for at in sorted(best)]


def listed(features: Sequence[str]) -> str:
    """Return the names of features in a row.

    >>> listed(["node: mill", "intent: year"])
    'node: mill; intent: year'
    """
    return "; ".join(plain(feature) for feature in features)


def show_notes(console: Console, notes: Sequence[str]) -> None:
    """Print the notes of a result."""
    for note in notes:
        console.print(f"note: {plain(note)}", style="yellow", markup=False)
