"""A proof as HTML, for notebooks."""

from __future__ import annotations

from probative import html
from probative.html import Html
from probative.mcse.proof import Proof
from probative.mcse.result import ProofSentence, RunnerUp
from probative.types import Verdict
from probative.verdict.html import TONES, probabilities_html


def proof_html(proof: Proof) -> str:
    """Return the claim, the verdict, the evidence with what each sentence adds, the notes and the cost."""
    parts = [
        html.paragraph(html.tag("b", proof.claim), " ", _verdict(proof)),
        _sides(proof),
        _evidence(proof),
    ]
    if proof.probabilities is not None and proof.judged:
        parts.append(html.details("Probabilities of the verdicts", probabilities_html(proof.probabilities)))
    if any(sentence.runners_up for sentence in proof.evidence):
        parts.append(html.details("Sentences that were not chosen", _runners_up(proof)))
    if proof.stops:
        parts.append(_stops(proof))
    parts.append(html.notes(proof.notes))
    parts.append(html.paragraph(html.faded(_source(proof))))
    return html.result(*parts)


def _verdict(proof: Proof) -> Html:
    if proof.verdict is None:
        return Html()
    if not proof.judged:
        return html.badge("not judged", TONES[proof.verdict])
    probability = "" if proof.probabilities is None else f" {proof.probabilities.of(proof.verdict):.0%}"
    return html.join(html.badge(proof.verdict.value, TONES[proof.verdict]), html.faded(probability))


def _sides(proof: Proof) -> Html:
    """Return the claim and the sentence that contradicts it, if one does."""
    if proof.verdict is not Verdict.CONTRADICTED or proof.deciding_text is None:
        return Html()
    rows = [
        ["claim", proof.disputed or proof.claim],
        ["evidence", html.highlight(proof.deciding_text, "bad")],
    ]
    return html.table(rows)


def _evidence(proof: Proof) -> Html:
    """Return a table of the chosen sentences; a scored claim has its gains and their curve."""
    scored = any(sentence.gain is not None for sentence in proof.evidence)
    highest = max(proof.curve, default=0.0)
    rows = []
    for position, sentence in enumerate(proof.evidence):
        decides = proof.verdict is not None and sentence.index == proof.deciding
        tone = TONES[proof.verdict] if decides and proof.verdict is not None else "neutral"
        text = html.highlight(sentence.text, tone)
        row = [
            f"[{position + 1}]",
            str(sentence.index),
            html.join(text, html.faded(" decides")) if decides else text,
        ]
        if scored:
            row += [_number(sentence.alone), _signed(sentence.gain)]
            risen = proof.curve[position] if position < len(proof.curve) else 0.0
            row.append(html.bar(risen, highest))
        else:
            row.append(_number(_value(sentence)))
        rows.append(row)
    values = ["alone", "adds", "in all"] if scored else [_value_name(proof)]
    return html.table(rows, ["", "index", "sentence", *values], numeric=(1, 3, 4) if scored else (1, 3))


def _runners_up(proof: Proof) -> Html:
    rows = [
        [
            f"[{position}]",
            str(other.index),
            other.text,
            _number(_value(other)) if other.gain is None else _signed(other.gain),
        ]
        for position, sentence in enumerate(proof.evidence, 1)
        for other in sentence.runners_up
    ]
    scored = any(other.gain is not None for sentence in proof.evidence for other in sentence.runners_up)
    value = "would add" if scored else _value_name(proof)
    return html.table(rows, ["instead of", "index", "sentence", value], numeric=(1, 3))


def _stops(proof: Proof) -> Html:
    """Return the policy's probabilities of stopping, before each sentence and perhaps after the last."""
    complete = " → ".join(_number(stop.complete) for stop in proof.stops)
    nothing = " → ".join(_number(stop.nothing) for stop in proof.stops)
    return html.paragraph(
        html.faded(f"P(complete): {complete}; P(no sentence carries what is missing): {nothing}")
    )


def _source(proof: Proof) -> str:
    """Name the method, the models and the cost."""
    models = [name for name in (proof.model, proof.policy, proof.verdict_model) if name is not None]
    return ", ".join([f"method {proof.method}", *models, proof.usage.describe()])


def _value(sentence: ProofSentence | RunnerUp) -> float:
    return sentence.score if sentence.probability is None else sentence.probability


def _value_name(proof: Proof) -> str:
    has_probability = any(sentence.probability is not None for sentence in proof.evidence)
    return "probability" if has_probability else "score"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.2f}"
