"""A judgement: the verdict, its probabilities, and the deciding sentences in their surroundings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from probative.cli.views.features import show_notes
from probative.cli.views.marked_text import marked_text
from probative.cli.views.terminal import console, plain
from probative.types import Verdict
from probative.verdict.judgement import Judgement, Probabilities

if TYPE_CHECKING:
    from rich.text import Text

STYLES = {
    Verdict.SUPPORTED: "bold green",
    Verdict.CONTRADICTED: "bold red",
    Verdict.INSUFFICIENT: "bold yellow",
}
BAR_WIDTH = 30


def show_judgement(judgement: Judgement) -> None:
    """Print a judgement."""
    terminal = console()
    terminal.print(verdict_line(judgement.verdict, judgement.probabilities, judged=judgement.judged))
    if judgement.disputed is not None:
        terminal.print(both_sides(judgement.disputed, judgement.deciding_texts))
    if judgement.judged:
        terminal.print(probability_bars(judgement.probabilities))
    if judgement.evidence and judgement.judged:
        marks = {index: f"[{index + 1}]" for index in judgement.deciding}
        texts = [sentence.text for sentence in judgement.evidence]
        terminal.print(marked_text(texts, marks, STYLES[judgement.verdict]))
        for index in judgement.opposing:
            terminal.print(f"the other side: [{index + 1}] {plain(texts[index])}", markup=False)
    show_notes(terminal, judgement.notes)


def verdict_line(verdict: Verdict, probabilities: Probabilities, *, judged: bool = True) -> Text:
    """Return the verdict with its probability, or that nothing was judged."""
    from rich.text import Text

    if not judged:
        return Text.assemble(("not judged", STYLES[verdict]), f" (counts as {verdict.value})")
    return Text.assemble((verdict.value, STYLES[verdict]), f" ({probabilities.describe(verdict)})")


def both_sides(claim: str, deciding: tuple[str, ...]) -> Text:
    """Return the claim and the sentences that contradict it, one below the other."""
    from rich.text import Text

    sides = Text.assemble(("claim:    ", "dim"), plain(claim))
    for text in deciding:
        sides.append("\nevidence: ", style="dim").append(plain(text), style="bold")
    return sides


def probability_bars(probabilities: Probabilities) -> Text:
    """Return a bar for each verdict."""
    from rich.text import Text

    bars = Text()
    for verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT):
        value = probabilities.of(verdict)
        bars.append(f"  {verdict.value:<13}{value:>4.0%} ")
        bars.append("█" * round(BAR_WIDTH * value), style=STYLES[verdict].removeprefix("bold "))
        bars.append("\n")
    return bars
