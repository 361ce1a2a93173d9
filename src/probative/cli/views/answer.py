"""An answer as people read it: what it rests on, which passage carries what, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from probative.cli.views.plain_text import plain
from probative.scope.features import Features
from probative.scope.result import Answer, Conflict
from probative.types import Verdict

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

# More passages than this do not fit beside one another.
MOST_COLUMNS = 12
# What a row's kind, feature and end need beside its columns.
ROW_WIDTH = 38

Carried = tuple[int, Sequence[str]]
"""A passage's place, and the features that it carries."""


def show_answer(answer: Answer) -> None:
    """Print an answer: what it is or why there is none, the drawing, the chain, the conflicts, the notes."""
    from rich.console import Console

    console = Console(highlight=False)
    console.print(_first_line(answer))
    console.print(f"verdict: [bold]{answer.verdict.value}[/bold]{_how_sure(answer)}")
    if answer.features is not None:
        carried = [(one.index, one.carries) for one in answer.chain]
        console.print()
        show_drawing(console, answer.features, carried, answer.missing)
    if answer.chain:
        console.print("\nthe chain" if answer.features is not None else "\nthe passages used")
        console.print(_passages(answer))
    for conflict in answer.conflicts:
        console.print()
        console.print(_conflict(conflict))
    show_notes(answer.notes)


def show_notes(notes: Sequence[str]) -> None:
    """Print the notes of a result."""
    from rich.console import Console

    console = Console(highlight=False)
    for note in notes:
        console.print(f"note: {plain(note)}", style="yellow", markup=False)


def show_drawing(
    console: Console, features: Features, carried: Sequence[Carried], missing: Sequence[str]
) -> None:
    """Print a row for each feature and a column for each passage, with a dot where the passage carries it. Of
    many passages only those that carry most are drawn, as many as fit, and the rows count the others.
    """
    from rich.table import Table
    from rich.text import Text

    drawn = _drawn(carried, console.width)
    others = [one for one in carried if one not in drawn]
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", style="dim", no_wrap=True)
    table.add_column("feature", overflow="fold")
    for place, _ in drawn:
        table.add_column(Text(number(place)), justify="center", no_wrap=True)
    table.add_column("", no_wrap=True)
    for feature in features.listed():
        marks = [
            Text("●", style="bold green") if feature.name in carries else Text("·", style="dim")
            for _, carries in drawn
        ]
        more = sum(feature.name in carries for _, carries in others)
        end = Text(f"+{more:,}", style="dim") if more else Text("")
        if feature.name in missing:
            end = Text("missing", style="bold red")
        table.add_row(feature.kind, Text(plain(feature.text)), *marks, end)
    console.print(table)
    if others:
        said = f"and {len(others):,} more passage{'s' if len(others) > 1 else ''}, counted where a row ends"
        console.print(said, style="dim")


def number(place: int) -> str:
    """How a passage is called: by its number from 1, as it was given.

    >>> number(0)
    '[1]'
    """
    return f"[{place + 1}]"


def _drawn(carried: Sequence[Carried], width: int) -> list[Carried]:
    """The passages that have a column: all, or those that carry most; in the order given."""
    each = max((len(number(place)) + 1 for place, _ in carried), default=1)
    columns = max(1, min(MOST_COLUMNS, (width - ROW_WIDTH) // each))
    most = sorted(range(len(carried)), key=lambda at: (-len(carried[at][1]), at))[:columns]
    return [carried[at] for at in sorted(most)]


def _first_line(answer: Answer) -> Text:
    from rich.text import Text

    if answer.answer is not None:
        shown = Text(plain(answer.answer), style="bold")
        cited = "".join(number(place) for place in answer.citations)
        return shown.append(f" {cited}", style="green") if cited else shown
    return Text.assemble(("no answer: ", "bold"), _why_none(answer))


def _how_sure(answer: Answer) -> str:
    """What the evidence policy and the reader say of the chain, where they were asked."""
    said = {"complete": answer.completeness, "answerable": answer.answerable}
    shown = ", ".join(f"{name} {share:.0%}" for name, share in said.items() if share is not None)
    return f" ({shown})" if shown else ""


def _why_none(answer: Answer) -> str:
    if answer.verdict is Verdict.CONTRADICTED:
        both = "; ".join(_both_sides(conflict) for conflict in answer.conflicts)
        return f"the passages contradict one another: {both}"
    if answer.missing:
        return f"the chain does not carry {named(answer.missing)}"
    if answer.completeness is not None and answer.answerable is None and answer.chain:
        return "something is missing in the passages"
    return "none was found in the passages" if answer.chain else "nothing was found to answer from"


def named(features: Sequence[str]) -> str:
    """Features in a row.

    >>> named(["node: mill", "intent: year"])
    'node: mill; intent: year'
    """
    return "; ".join(plain(feature) for feature in features)


def _both_sides(conflict: Conflict) -> str:
    return (
        f"{number(conflict.index)} says {plain(conflict.says)}, "
        f"{number(conflict.other)} says {plain(conflict.instead)}"
    )


def _passages(answer: Answer) -> Table:
    """A row for each passage of the chain, cut to the width; those that the answer cites are marked."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), expand=True, show_header=False)
    table.add_column(no_wrap=True)
    if answer.citations:
        table.add_column(no_wrap=True)
    weighed = any(one.probability is not None for one in answer.chain)
    if weighed:
        table.add_column(no_wrap=True, justify="right")
    table.add_column(overflow="ellipsis", no_wrap=True, ratio=1)
    for one in answer.chain:
        cited = one.index in answer.citations
        mark = [Text("cited" if cited else "", style="green")] if answer.citations else []
        if weighed:
            mark.append(Text("" if one.probability is None else f"{one.probability:.0%}", style="dim"))
        text = Text(plain(one.text), style="bold" if cited else "")
        if one.title is not None:
            text = Text.assemble((f"{plain(one.title)}: ", "italic"), text)
        table.add_row(Text(number(one.index), style="bold green" if cited else "dim"), *mark, text)
    return table


def _conflict(conflict: Conflict) -> Text:
    """Both sides, and the sentences that say so."""
    from rich.text import Text

    return Text.assemble(
        (_both_sides(conflict), "bold red"),
        f"\n  {number(conflict.index)} {plain(conflict.text)}",
        f"\n  {number(conflict.other)} {plain(conflict.other_text)}",
    )
