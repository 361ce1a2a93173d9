"""An answer: the text or why there is none, the features, the chain and the conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from probative.cli.views.features import listed, show_features, show_notes
from probative.cli.views.terminal import console, plain
from probative.scope.checks import AnswerCheck
from probative.scope.result import Answer, ChainPassage, Computation, Conflict
from probative.text.labels import passage_label
from probative.types import Verdict

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


def show_answer(answer: Answer) -> None:
    """Print an answer."""
    terminal = console()
    terminal.print(_first_line(answer))
    terminal.print(f"verdict: [bold]{answer.verdict.value}[/bold]{numbers_line(answer.checks)}")
    if answer.candidate is not None:
        terminal.print(_candidate(answer.candidate))
    if answer.computation is not None:
        terminal.print(_computation(answer.computation))
    if answer.features is not None:
        carried = [(passage.index, passage.carries) for passage in answer.chain]
        terminal.print()
        show_features(terminal, answer.features, carried, answer.missing)
    if answer.chain:
        terminal.print("\nthe chain" if answer.features is not None else "\nthe passages used")
        terminal.print(_chain(answer))
        if cited := _cited(answer):
            terminal.print(cited)
    for conflict in answer.conflicts:
        terminal.print()
        terminal.print(_conflict(conflict))
    show_notes(terminal, answer.notes)


def _first_line(answer: Answer) -> Text:
    from rich.text import Text

    if answer.answer is None:
        return Text.assemble(("no answer: ", "bold"), _reason(answer))
    line = Text(plain(answer.answer), style="bold")
    cited = "".join(passage_label(index) for index in answer.citations)
    return line.append(f" {cited}", style="green") if cited else line


def _candidate(candidate: str) -> Text:
    from rich.text import Text

    return Text.assemble("candidate: ", (plain(candidate), "bold"))


def _computation(computation: Computation) -> Text:
    """Return the rule of a computation, and below it each value with the passage that gives it."""
    from rich.text import Text

    text = Text.assemble("computed: ", (plain(computation.rule), "bold"))
    for value in computation.values:
        text.append(f"\n  {plain(value.name)}, {plain(value.attribute)}: {plain(value.value or 'not given')}")
        if value.index is not None:
            text.append(f" {passage_label(value.index)}", style="green")
    return text


def numbers_line(checks: Sequence[AnswerCheck]) -> str:
    """Return the checks that have a number, each with it and with a mark if it fails."""
    shown = ", ".join(
        f"{check.name} {check.value:.0%}{'' if check.passed else ' ✗'}"
        for check in checks
        if check.value is not None
    )
    return f" ({shown})" if shown else ""


def _reason(answer: Answer) -> str:
    """Return why there is no answer."""
    if answer.verdict is Verdict.CONTRADICTED:
        sides = "; ".join(_both_sides(conflict) for conflict in answer.conflicts if conflict.blocking)
        return f"the passages contradict one another: {sides}"
    if answer.missing:
        return f"the chain does not carry {listed(answer.missing)}"
    if answer.reason:
        return plain(answer.reason)
    return "none was found in the passages" if answer.chain else "no passage helps to answer"


def _cited(answer: Answer) -> Text:
    """Return the sentences of longer passages that hold the answer or decide, each on a line."""
    from rich.text import Text

    texts = {passage.index: passage.text for passage in answer.chain}
    lines = [
        Text.assemble(
            (f"  {passage_label(cited.index)} ", "green"),
            plain(cited.text),
            _place(cited.citation),
        )
        for cited in answer.cited
        if cited.citation is not None or cited.text != texts.get(cited.index)
    ]
    return Text("\n").join([Text("the answer rests on"), *lines]) if lines else Text()


def _both_sides(conflict: Conflict) -> str:
    return (
        f"{passage_label(conflict.index)} says {plain(conflict.says)}, "
        f"{passage_label(conflict.other)} says {plain(conflict.instead)}"
    )


def _chain(answer: Answer) -> Table:
    """Return a row for each passage of the chain, cut to the width, with a mark if the answer cites it."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), expand=True, show_header=False)
    table.add_column(no_wrap=True)
    if answer.citations:
        table.add_column(no_wrap=True)
    has_probabilities = any(passage.probability is not None for passage in answer.chain)
    if has_probabilities:
        table.add_column(no_wrap=True, justify="right")
    table.add_column(overflow="ellipsis", no_wrap=True, ratio=1)
    several_sources = len({passage.source for passage in answer.chain}) > 1
    for passage in answer.chain:
        cited = passage.index in answer.citations
        cells = [Text(passage_label(passage.index), style="bold green" if cited else "dim")]
        if answer.citations:
            cells.append(Text("cited" if cited else "", style="green"))
        if has_probabilities:
            probability = "" if passage.probability is None else f"{passage.probability:.0%}"
            cells.append(Text(probability, style="dim"))
        table.add_row(*cells, _passage(passage, cited=cited, with_source=several_sources))
    return table


def _passage(passage: ChainPassage, *, cited: bool, with_source: bool) -> Text:
    """Return the text of a passage after its title; after its file, if the chain comes from several."""
    from rich.text import Text

    text = Text(plain(passage.text), style="bold" if cited else "")
    if passage.title is not None:
        # Of a document, the file and the last heading: the whole path would leave no room for the text.
        title = passage.title if passage.citation is None else passage.title.split(" › ")[-1]
        text = Text.assemble((f"{plain(title)}: ", "italic"), text)
    if (with_source or passage.citation is not None) and passage.source is not None:
        text = Text.assemble((f"{plain(passage.source)}: ", "dim"), text)
    return text


def _conflict(conflict: Conflict) -> Text:
    """Return both sides and the sentences that say so."""
    from rich.text import Text

    return Text.assemble(
        (_both_sides(conflict), "bold red"),
        f"\n  {passage_label(conflict.index)} {plain(conflict.text)}",
        _place(conflict.citation),
        f"\n  {passage_label(conflict.other)} {plain(conflict.other_text)}",
        _place(conflict.other_citation),
    )


def _place(citation: str | None) -> tuple[str, str]:
    """Return a citation on a line of its own, with its style."""
    return (f"\n      {plain(citation)}" if citation else "", "cyan")
