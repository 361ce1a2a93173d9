"""A row of a table supports only the amounts that it has."""

from __future__ import annotations

import pytest
from verdicts import shares
from verifying import by_overlap

import probative
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedVerdict
from probative.types import Verdict


@pytest.mark.parametrize(
    ("claim", "verdict", "notes"),
    [
        ("The oat loaf costs 38 crowns.", Verdict.SUPPORTED, ()),
        ("The oat loaf costs 39 crowns.", Verdict.INSUFFICIENT, ("the row has no 39",)),
        ("The oat loaf costs 42 crowns.", Verdict.INSUFFICIENT, ("the row has no 42",)),
    ],
)
def test_a_row_supports_only_the_amounts_that_it_has(
    claim: str, verdict: Verdict, notes: tuple[str, ...]
) -> None:
    """The verdict model believes everything by the row of the oat loaf, also the price of another row."""

    def believing(item: VerdictItem) -> VerdictScores:
        oat = [float("Oat" in text) for text in item.evidence]
        scores = (0.9, 0.05, 0.05) if any(oat) else (0.1, 0.1, 0.8)
        return VerdictScores(*scores, shares(oat if any(oat) else [1.0] * len(oat)))

    rows = ["Item: Rye loaf; Price: 42", "Item: Oat loaf; Price: 38"]
    with probative.Session(policy=by_overlap(), verdict=ScriptedVerdict(believing)) as session:
        (checked,) = session.verify(claim, rows).claims
    assert (checked.verdict, checked.notes) == (verdict, notes)


def test_a_sentence_with_another_amount_is_left_to_the_verdict_model() -> None:
    """It may say the same in other words, as a year and an age do."""

    def believing(item: VerdictItem) -> VerdictScores:
        return VerdictScores(0.9, 0.05, 0.05, shares([1.0] * len(item.evidence)))

    with probative.Session(policy=by_overlap(), verdict=ScriptedVerdict(believing)) as session:
        (checked,) = session.verify(
            "The talk lasted 45 minutes.", ["The talk took 0.75 hours in all."]
        ).claims
    assert (checked.verdict, checked.notes) == (Verdict.SUPPORTED, ())
