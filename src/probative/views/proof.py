"""A proof: the text with its evidence marked, the verdict, and what each sentence adds."""

from __future__ import annotations

from collections.abc import Sequence

from probative.mcse.result import Proof, ProofSentence, RunnerUp
from probative.types import Verdict
from probative.views.blocks import (
    TONES,
    Bar,
    Block,
    Cell,
    Column,
    Folded,
    Notes,
    Part,
    Span,
    Table,
    columns,
    cost,
    faint,
    line,
    page,
    page_badge,
    screen,
    strong,
)
from probative.views.judgement import both_sides, marked_text, probabilities_table, sides_table, verdict_words

MAX_CHARACTERS = 120


def proof_view(proof: Proof, text: str | Sequence[str] = ()) -> Sequence[Block]:
    """Return the claim, the verdict, the evidence with what each sentence adds, the notes and the cost.

    A screen shows the evidence marked in `text`: a text, or its sentences.
    """
    return [
        page(
            line(strong(proof.claim), " ", *_verdict(proof)),
            *([sides_table(*_sides(proof))] if _is_contradicted(proof) else []),
            _evidence(proof),
            *_folded(proof),
            *_stops(proof),
        ),
        screen(
            marked_text(_sentences(text), _labels(proof)),
            line(),
            steps_table(proof),
            *_curve(proof),
            *_stops(proof),
            *_verdict_lines(proof),
        ),
        Notes(proof.notes),
        cost(proof),
    ]


def _sentences(text: str | Sequence[str]) -> list[str]:
    from probative.text.sentences import split_sentences

    return [part.text for part in split_sentences(text)] if isinstance(text, str) else list(text)


def _is_contradicted(proof: Proof) -> bool:
    return proof.verdict is Verdict.CONTRADICTED and proof.deciding_text is not None


def _sides(proof: Proof) -> tuple[str, tuple[str]]:
    return proof.disputed or proof.claim, (proof.deciding_text or "",)


def _verdict(proof: Proof) -> list[Part]:
    if proof.verdict is None:
        return []
    badge = page_badge(proof.verdict, judged=proof.judged)
    if not proof.judged:
        return [badge]
    share = "" if proof.probabilities is None else f" {proof.probabilities.of(proof.verdict):.0%}"
    return [badge, faint(share)]


def _verdict_lines(proof: Proof) -> list[Block]:
    """Return the verdict with the number of the sentence that decides; for a contradiction, both sides."""
    if proof.verdict is None or proof.probabilities is None:
        return []
    words = verdict_words(proof.verdict, proof.probabilities, judged=proof.judged)
    by = f", by {_labels(proof)[proof.deciding]}" if proof.deciding is not None else ""
    sides = both_sides(*_sides(proof)) if _is_contradicted(proof) else []
    return [line(), line("verdict: ", *words, by), *sides]


def _labels(proof: Proof) -> dict[int, str]:
    """Return the number of each chosen sentence: [1], or (1) if it adds nothing to those before it."""
    return {
        sentence.index: f"({number})" if _adds_nothing(sentence) else f"[{number}]"
        for number, sentence in enumerate(proof.evidence, 1)
    }


def _adds_nothing(sentence: ProofSentence) -> bool:
    return sentence.gain is not None and sentence.gain <= 0


def _evidence(proof: Proof) -> Table:
    """Return the chosen sentences for a page; a scored claim has its gains and their curve."""
    scored = _is_scored(proof.evidence)
    highest = max(proof.curve, default=0.0)
    rows: list[tuple[Cell, ...]] = []
    for position, sentence in enumerate(proof.evidence):
        decides = proof.verdict is not None and sentence.index == proof.deciding
        tone = TONES[proof.verdict] if decides and proof.verdict is not None else "neutral"
        text = (Span(sentence.text, tone), *([faint(" decides")] if decides else []))
        values: list[Cell] = [_number(_value(sentence))]
        if scored:
            risen = proof.curve[position] if position < len(proof.curve) else 0.0
            values = [_number(sentence.alone), _signed(sentence.gain), Bar(risen, highest)]
        rows.append((f"[{position + 1}]", str(sentence.index), text, *values))
    titles = ["alone", "adds", "in all"] if scored else [_value_name(proof)]
    return Table(rows, columns("", "index", "sentence", *titles, right=[1, 3, 4]))


def _folded(proof: Proof) -> list[Block]:
    """Return the probabilities of the verdicts, and the sentences that were not chosen."""
    blocks: list[Block] = []
    if proof.probabilities is not None and proof.judged:
        blocks.append(Folded("Probabilities of the verdicts", (probabilities_table(proof.probabilities),)))
    others = [
        (position, other)
        for position, sentence in enumerate(proof.evidence, 1)
        for other in sentence.runners_up
    ]
    if others:
        rows = [
            (
                f"[{position}]",
                str(other.index),
                other.text,
                _number(_value(other)) if other.gain is None else _signed(other.gain),
            )
            for position, other in others
        ]
        value = "would add" if _is_scored([other for _, other in others]) else _value_name(proof)
        titles = columns("instead of", "index", "sentence", value, right=[1, 3])
        blocks.append(Folded("Sentences that were not chosen", (Table(rows, titles),)))
    return blocks


def steps_table(proof: Proof) -> Table:
    """Return a row for each chosen sentence, and below it what other sentences would have added."""
    scored = _is_scored(proof.evidence)
    titles = [Column(least=3), Column("sentence", room="fill")]
    if scored:
        titles += [Column("alone", "right", least=7), Column("adds", "right", least=6)]
    else:
        titles.append(Column(_value_name(proof), "right", least=6))
    labels = _labels(proof)
    rows: list[tuple[Cell, ...]] = []
    for sentence in proof.evidence:
        values = [_number(sentence.alone), _signed(sentence.gain)] if scored else [_number(_value(sentence))]
        weak = _adds_nothing(sentence)
        label = Span(labels[sentence.index], "yellow" if weak else "bold green")
        rows.append((label, Span(_short(sentence.text), "" if weak else "bold"), *values))
        for other in sentence.runners_up:
            values = ["", _signed(other.gain)] if scored else [_number(_value(other))]
            text = Span(f"instead: {_short(other.text)}", "dim")
            rows.append(("", text, *(Span(value, "dim") for value in values)))
    return Table(rows, titles, caption=_caption(proof) if scored else "")


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


def _curve(proof: Proof) -> list[Block]:
    """Return the gain curve as bars."""
    if len(proof.curve) < 2 or proof.without_evidence is None:
        return []
    highest = max(*proof.curve, 1e-9)
    bars = [
        line(" ", Span(str(number), "bold green"), " ", Bar(value, highest), f" {value:+.1f}")
        for number, value in enumerate(proof.curve, 1)
    ]
    return [line(), line("how much the evidence raises the probability of the claim"), *bars]


def _stops(proof: Proof) -> list[Block]:
    """Return the policy's probabilities of stopping, before each sentence and perhaps after the last."""
    if not proof.stops:
        return []
    complete = " → ".join(_number(stop.complete) for stop in proof.stops)
    nothing = " → ".join(_number(stop.nothing) for stop in proof.stops)
    return [
        page(line(faint(f"P(complete): {complete}; P(no sentence carries what is missing): {nothing}"))),
        screen(
            line(),
            line(f"probability that the evidence is complete: {complete}"),
            line(f"that no sentence helps: {nothing}"),
        ),
    ]


def _is_scored(sentences: Sequence[ProofSentence] | Sequence[RunnerUp]) -> bool:
    return any(sentence.gain is not None for sentence in sentences)


def _value(sentence: ProofSentence | RunnerUp) -> float:
    """Return the policy's probability if the method has one, otherwise the method's score."""
    return sentence.score if sentence.probability is None else sentence.probability


def _value_name(proof: Proof) -> str:
    has_probability = any(sentence.probability is not None for sentence in proof.evidence)
    return "probability" if has_probability else "score"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.2f}"
