"""A judgement as HTML, for notebooks."""

from __future__ import annotations

from probative import html
from probative.html import Html, Tone
from probative.types import Verdict
from probative.verdict.judgement import Judgement, Probabilities

TONES: dict[Verdict, Tone] = {
    Verdict.SUPPORTED: "good",
    Verdict.INSUFFICIENT: "warning",
    Verdict.CONTRADICTED: "bad",
}
# How many sentences before and after a deciding one are shown, and how many are shown if none decides.
CONTEXT = 1
MAX_UNDECIDED = 6


def judgement_html(judgement: Judgement) -> str:
    """Return the claim, the verdict, its probabilities, the deciding sentences, the notes and the cost."""
    source = [name for name in (judgement.verdict_model, judgement.usage.describe()) if name]
    return html.result(
        html.paragraph(
            html.tag("b", judgement.claim), " ", html.badge(_verdict(judgement), TONES[judgement.verdict])
        ),
        _sides(judgement),
        probabilities_html(judgement.probabilities) if judgement.judged else Html(),
        _evidence(judgement),
        html.notes(judgement.notes),
        html.paragraph(html.faded(", ".join(source))),
    )


def _verdict(judgement: Judgement) -> str:
    return judgement.verdict.value if judgement.judged else "not judged"


def _sides(judgement: Judgement) -> Html:
    """Return the sentence of the claim that is contradicted, and what contradicts it, if something does."""
    if judgement.disputed is None:
        return Html()
    rows = [["claim", html.tag("b", judgement.disputed)]]
    rows += [["evidence", html.highlight(text, "bad")] for text in judgement.deciding_texts]
    return html.table(rows)


def probabilities_html(probabilities: Probabilities) -> Html:
    """Return a bar for each verdict."""
    rows = [
        [verdict.value, f"{probabilities.of(verdict):.0%}", html.bar(probabilities.of(verdict), 1.0)]
        for verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT)
    ]
    return html.table(rows, ["verdict", "probability", ""], numeric=(1,))


def _tones(judgement: Judgement) -> dict[int, Tone]:
    """Return the colour of each sentence that is on a side: that of the verdict, or the opposite one."""
    own: Tone = "bad" if judgement.verdict is Verdict.CONTRADICTED else "good"
    other: Tone = "good" if own == "bad" else "bad"
    return {**dict.fromkeys(judgement.deciding, own), **dict.fromkeys(judgement.opposing, other)}


def _evidence(judgement: Judgement) -> Html:
    """Return the deciding sentences between their neighbours, or the first sentences if none decides."""
    tones = _tones(judgement)
    shown = [
        sentence
        for sentence in judgement.evidence
        if any(abs(sentence.index - index) <= CONTEXT for index in tones)
        or (not tones and sentence.index < MAX_UNDECIDED)
    ]
    rows = [
        [
            str(sentence.index),
            html.highlight(sentence.text, tones[sentence.index])
            if sentence.index in tones
            else html.faded(sentence.text),
        ]
        for sentence in shown
    ]
    left = len(judgement.evidence) - len(shown)
    more = html.paragraph(html.faded(f"… and {left:,} more sentences")) if left else Html()
    return html.join(html.table(rows, ["index", "sentence"], numeric=(0,)), more)
