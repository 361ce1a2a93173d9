"""Each sentence of the evidence is shown under the side that it is on."""

from __future__ import annotations

import probative
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedVerdict
from probative.views.html import notebook

CLAIM = "The adult ticket costs 12 euros."
EVIDENCE = ["The adult ticket costs 12 euros.", "The adult ticket costs 14 euros."]


def both_decide(item: VerdictItem) -> VerdictScores:
    """Support the claim by both prices together, and deny it by the other price alone."""
    share = 1 / len(item.evidence)
    if item.evidence == (EVIDENCE[1],):
        return VerdictScores(0.02, 0.95, 0.03, (share,))
    return VerdictScores(0.95, 0.03, 0.02, (share,) * len(item.evidence))


def test_a_sentence_with_another_value_is_not_among_those_that_support() -> None:
    judgement = probative.judge(CLAIM, EVIDENCE, verdict=ScriptedVerdict(both_decide))
    assert judgement.verdict == "supported"
    assert (judgement.deciding, judgement.opposing) == ((0,), (1,))
    shown = notebook(judgement) or ""
    first, second = (shown.index(text) for text in EVIDENCE)
    assert shown[second - 80 : second].rpartition("<")[2] != shown[first - 80 : first].rpartition("<")[2]


def test_a_long_piece_is_read_alone_in_one_window() -> None:
    long = [f"{text} {'Herons nest by the pier. ' * 120}" for text in EVIDENCE]
    asked: list[VerdictItem] = []

    def scores(item: VerdictItem) -> VerdictScores:
        asked.append(item)
        return both_decide(item)

    judgement = probative.judge(CLAIM, long, verdict=ScriptedVerdict(scores))
    assert (judgement.deciding, judgement.opposing) == ((0,), (1,))
    assert [item.evidence for item in asked if len(item.evidence) == 1] == [(text,) for text in EVIDENCE]


def test_verify_shows_both_sides_of_one_source() -> None:
    passage = {"text": " ".join(EVIDENCE), "source": "prices"}
    (claim,) = probative.verify(CLAIM, [passage], verdict=ScriptedVerdict(both_decide), method="bm25").claims
    stances = {sentence.text: sentence.stance for sentence in claim.deciding}
    assert stances == {EVIDENCE[0]: "supports", EVIDENCE[1]: "contradicts"}
    assert claim.conflict
