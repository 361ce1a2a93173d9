"""A proof: the text with its evidence marked, and what each sentence adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from probative.cli.views.features import show_notes
from probative.cli.views.judgement import both_sides, verdict_line
from probative.cli.views.marked_text import marked_text
from probative.cli.views.terminal import console, plain
from probative.mcse.proof import Proof
from probative.mcse.result import ProofSentence, RunnerUp
from probative.types import Verdict
from probative.verdict.judgement import Probabilities

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

BAR_WIDTH = 40
MAX_CHARACTERS = 120


def show_proof(proof: Proof, text: str | Sequence[str]) -> None:
    """Print a proof of a claim from `text`: a text, or its sentences."""
    terminal = console()
    terminal.print(_marked_text(proof, text))
    terminal.print()
    terminal.print(steps_table(proof))
    if (curve := _curve(proof)) is not None:
        terminal.print(curve)
    if proof.stops:
        terminal.print(_stops(proof))
    if proof.verdict is not None and proof.probabilities is not None:
        _show_verdict(terminal, proof, proof.verdict, proof.probabilities)
    show_notes(terminal, proof.notes)


def _show_verdict(terminal: Console, proof: Proof, verdict: Verdict, probabilities: Probabilities) -> None:
    """Print the verdict with the number of the sentence that decides; for a contradiction, both sides."""
    from rich.text import Text

    line = Text("\nverdict: ").append(verdict_line(verdict, probabilities, judged=proof.judged))
    if proof.deciding is not None:
        line.append(f", by {_labels(proof)[proof.deciding]}")
    terminal.print(line)
    if verdict is Verdict.CONTRADICTED and proof.deciding_text is not None:
        terminal.print(both_sides(proof.disputed or proof.claim, (proof.deciding_text,)))


def _marked_text(proof: Proof, text: str | Sequence[str]) -> Text:
    """Return the text with each chosen sentence in bold, after its number in the order of the proof."""
    from probative.text.sentences import split_sentences

    sentences = [part.text for part in split_sentences(text)] if isinstance(text, str) else list(text)
    return marked_text(sentences, _labels(proof))


def _labels(proof: Proof) -> dict[int, str]:
    """Return the number of each chosen sentence: [1], or (1) if it adds nothing to those before it."""
    return {
        sentence.index: f"({number})" if _adds_nothing(sentence) else f"[{number}]"
        for number, sentence in enumerate(proof.evidence, 1)
    }


def _adds_nothing(sentence: ProofSentence) -> bool:
    return sentence.gain is not None and sentence.gain <= 0


def steps_table(proof: Proof) -> Table:
    """Return a row for each chosen sentence, and below it what other sentences would have added."""
    from rich.table import Table
    from rich.text import Text

    has_gains = any(sentence.gain is not None for sentence in proof.evidence)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    table.add_column("", min_width=3)
    table.add_column("sentence", overflow="ellipsis", no_wrap=True, ratio=1)
    if has_gains:
        table.add_column("alone", justify="right", min_width=7)
        table.add_column("adds", justify="right", min_width=6)
    else:
        has_probabilities = any(sentence.probability is not None for sentence in proof.evidence)
        table.add_column("probability" if has_probabilities else "score", justify="right", min_width=6)
    labels = _labels(proof)
    for sentence in proof.evidence:
        values = [_number(sentence.alone), _signed(sentence.gain)] if has_gains else [_value(sentence)]
        weak = _adds_nothing(sentence)
        label = Text(labels[sentence.index], style="yellow" if weak else "bold green")
        table.add_row(label, Text(_short(sentence.text), style="" if weak else "bold"), *values)
        for other in sentence.runners_up:
            values = ["", _signed(other.gain)] if has_gains else [_value(other)]
            table.add_row("", Text(f"instead: {_short(other.text)}", style="dim"), *values, style="dim")
    if has_gains:
        table.caption = _caption(proof)
        table.caption_justify = "left"
    return table


def _caption(proof: Proof) -> str:
    caption = (
        "nats: the log-probability of the claim after the sentence alone, and what the sentence adds to "
        "those before it"
    )
    gains = [(sentence.gain, other.gain) for sentence in proof.evidence for other in sentence.runners_up]
    if any(gain is not None and other is not None and other > gain for gain, other in gains):
        caption += "; a sentence is chosen by its whole score (see --json), not by this alone"
    weak = [label for label in _labels(proof).values() if label.startswith("(")]
    if weak:
        verb = "adds" if len(weak) == 1 else "add"
        caption += (
            f". {', '.join(weak)} {verb} nothing to the proof: taken to fill k, use -k auto to stop before"
        )
    return caption


def _curve(proof: Proof) -> Text | None:
    """Return the gain curve as bars."""
    from rich.text import Text

    if len(proof.curve) < 2 or proof.without_evidence is None:
        return None
    highest = max(*proof.curve, 1e-9)
    drawn = Text("\nhow much the evidence raises the probability of the claim\n")
    for number, value in enumerate(proof.curve, 1):
        drawn.append(f" {number} ", style="bold green")
        drawn.append("█" * max(0, round(BAR_WIDTH * value / highest)), style="green")
        drawn.append(f" {value:+.1f}\n")
    drawn.rstrip()
    return drawn


def _stops(proof: Proof) -> str:
    """Return the policy's probabilities of stopping, before each sentence and perhaps after the last."""
    complete = " → ".join(_number(stop.complete) for stop in proof.stops)
    nothing = " → ".join(_number(stop.nothing) for stop in proof.stops)
    return f"\nprobability that the evidence is complete: {complete}\nthat no sentence helps: {nothing}"


def _value(sentence: ProofSentence | RunnerUp) -> str:
    """Return the policy's probability if the method has one, otherwise the method's score."""
    return _number(sentence.score if sentence.probability is None else sentence.probability)


def _short(text: str) -> str:
    text = plain(text)
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.2f}"
