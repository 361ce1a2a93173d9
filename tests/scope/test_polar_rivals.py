"""Passages that say the opposite of a yes or no."""

from __future__ import annotations

import pytest
from runs import make_run

from probative.models.verdict import VerdictScores
from probative.scope.polar_rivals import polar_rivals

QUESTION = "Did the ferry to Vell leave on time?"
TEXTS = [
    "The ferry to Vell left on time.",
    "The ferry to Vell left an hour late. It rained.",
    "The ferry to Molde left an hour late.",
    "Vell has a harbour.",
]


def denied(question: str, texts: list[str], contradicted: float) -> tuple[list[str], list[str]]:
    """Return the sentences that were judged, and those that deny a yes, all judged alike."""
    run = make_run(question, texts)
    search = polar_rivals(run, "yes", range(1, len(texts)))
    judged: list[str] = []
    try:
        ask = next(search)
        while True:
            judged += [text for item in ask.items for text in item.evidence]
            scores = VerdictScores(0.0, contradicted, 1.0 - contradicted, (1.0,))
            ask = search.send([scores for _ in ask.items])
    except StopIteration as stop:
        return judged, [sentence.text for sentence in stop.value]


def test_only_a_sentence_about_the_same_thing_is_judged() -> None:
    judged, rivals = denied(QUESTION, TEXTS, 0.95)
    assert judged == rivals == ["The ferry to Vell left an hour late."]


def test_an_unsure_denial_is_no_contradiction() -> None:
    assert denied(QUESTION, TEXTS, 0.6)[1] == []


@pytest.mark.parametrize("texts", [TEXTS[:1], [TEXTS[0], TEXTS[3]]])
def test_without_such_a_sentence_nothing_is_judged(texts: list[str]) -> None:
    assert denied(QUESTION, texts, 0.95) == ([], [])
