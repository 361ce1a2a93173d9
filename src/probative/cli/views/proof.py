"""A proof as people read it: the text with its evidence marked, and what each sentence added."""

from __future__ import annotations

from collections.abc import Sequence

from probative.cli.views.plain_text import plain
from probative.mcse.proof import Proof
from probative.mcse.result import ProofSentence, RunnerUp

# Sentences shown around the evidence in a long text.
AROUND = 1
WHOLE_TEXT = 40


def show_proof(proof: Proof, text: str | Sequence[str]) -> None:
    """Print a proof: the text, the steps, the notes."""
    from rich.console import Console

    console = Console(highlight=False)
    console.print(_marked_text(proof, text))
    console.print()
    console.print(_steps(proof))
    if (curve := _curve(proof)) is not None:
        console.print(curve)
    if proof.stops:
        console.print(_stops(proof))
    if proof.verdict is not None:
        sure = (
            f" (probability that it is supported: {proof.confidence:.2f})"
            if proof.confidence is not None
            else ""
        )
        console.print(f"\nverdict: [bold]{proof.verdict.value}[/bold]{sure}")
    for note in proof.notes:
        console.print(f"note: {note}", style="yellow", markup=False)


def _marked_text(proof: Proof, text: str | Sequence[str]) -> object:
    """The text with each chosen sentence in bold after its number in the order of proof; of a long text only
    what stands around the evidence.
    """
    from rich.text import Text

    from probative.text.sentences import split_sentences

    sentences = [one.text for one in split_sentences(text)] if isinstance(text, str) else list(text)
    order = {one.index: place for place, one in enumerate(proof.evidence, 1)}
    shown = Text()
    skipped = 0
    for number, sentence in enumerate(sentences):
        near = any(abs(number - index) <= AROUND for index in order)
        if len(sentences) > WHOLE_TEXT and not near:
            skipped += 1
            continue
        if skipped:
            shown.append(f"[… {skipped} sentence{'s' if skipped > 1 else ''} …] ", style="dim italic")
            skipped = 0
        if number in order:
            shown.append(f"[{order[number]}] ", style="bold green")
            shown.append(plain(sentence), style="bold")
            shown.append(" ")
        else:
            shown.append(plain(sentence) + " ", style="dim")
    if skipped:
        shown.append(f"[… {skipped} sentence{'s' if skipped > 1 else ''} …]", style="dim italic")
    return shown


def _steps(proof: Proof) -> object:
    """A row for each sentence taken, and under it what others would have added."""
    from rich.table import Table
    from rich.text import Text

    knows = any(one.gain is not None for one in proof.evidence)
    weighs = not knows and any(one.probability is not None for one in proof.evidence)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    table.add_column("", min_width=3)
    table.add_column("sentence", overflow="ellipsis", no_wrap=True, ratio=1)
    if knows:
        table.add_column("alone", justify="right", min_width=7)
        table.add_column("adds", justify="right", min_width=6)
    else:
        table.add_column("probability" if weighs else "score", justify="right", min_width=6)
    for place, one in enumerate(proof.evidence, 1):
        values = [_number(one.alone), _signed(one.gain)] if knows else [_value(one)]
        table.add_row(Text(f"[{place}]", style="bold green"), Text(_short(one.text), style="bold"), *values)
        for other in one.runners_up:
            values = ["", _signed(other.gain)] if knows else [_value(other)]
            table.add_row("", Text(f"instead: {_short(other.text)}", style="dim"), *values, style="dim")
    if knows:
        table.caption = (
            "nats: the claim's log-probability after the sentence alone, and what it adds to those before"
        )
        adds = [(one.gain, other.gain) for one in proof.evidence for other in one.runners_up]
        if any(mine is not None and other is not None and other > mine for mine, other in adds):
            table.caption += "; a sentence is taken by its whole score (--json), not by this alone"
        table.caption_justify = "left"
    return table


def _curve(proof: Proof) -> object | None:
    """The gain curve, drawn as bars."""
    from rich.text import Text

    if len(proof.curve) < 2 or proof.without_evidence is None:
        return None
    highest = max(*proof.curve, 1e-9)
    drawn = Text("\nhow far the evidence brings the claim\n")
    for place, value in enumerate(proof.curve, 1):
        length = max(0, round(40 * value / highest))
        drawn.append(f" {place} ", style="bold green")
        drawn.append("█" * length, style="green")
        drawn.append(f" {value:+.1f}\n")
    drawn.rstrip()
    return drawn


def _stops(proof: Proof) -> str:
    """How probable the policy found it, before each sentence and perhaps after the last, that nothing more is
    needed, and that no sentence carries what is missing.
    """
    complete = " → ".join(_number(one.complete) for one in proof.stops)
    nothing = " → ".join(_number(one.nothing) for one in proof.stops)
    return f"\ncomplete: {complete}\nno sentence carries what is missing: {nothing}"


def _value(one: ProofSentence | RunnerUp) -> str:
    """The policy's probability, where the method knows it, else the method's value."""
    return _number(one.score if one.probability is None else one.probability)


def _short(text: str) -> str:
    text = plain(text)
    return text if len(text) <= 120 else text[:119] + "…"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.2f}"
