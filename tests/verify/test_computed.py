"""Values that no sentence states are computed from those that sentences state, or do not support a claim."""

from __future__ import annotations

import pytest
from verdicts import shares
from verifying import by_overlap

import probative
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedVerdict
from probative.types import Verdict
from probative.verify.computed import computed_from, unstated_values
from probative.verify.evidence import Candidate, candidates_of

PRICES = [
    probative.Passage(text="The new boiler cost 1,500 crowns.", source="invoice.txt"),
    probative.Passage(text="The old boiler cost 1,200 crowns. It was sold in May.", source="letter.txt"),
]


def verify(claim: str, passages: list[probative.Passage], support: float = 0.9) -> probative.CheckedClaim:
    """Return a claim checked with a verdict model that believes everything this much."""

    def believing(item: VerdictItem) -> VerdictScores:
        rest = (1 - support) / 2
        return VerdictScores(support, rest, rest, shares([1.0] * len(item.evidence)))

    with probative.Session(policy=by_overlap(), verdict=ScriptedVerdict(believing)) as session:
        (checked,) = session.verify(claim, passages).claims
    return checked


@pytest.mark.parametrize(
    ("claim", "rule"),
    [
        ("The new boiler cost 300 crowns more than the old one.", "1,500 − 1,200 = 300"),
        ("The old boiler was 300 crowns cheaper than the new one.", "1,500 − 1,200 = 300"),
        ("Both boilers together cost 2,700 crowns.", "1,500 + 1,200 = 2,700"),
        ("The old boiler cost 80% of the price of the new one.", "1,200 / 1,500 = 80 %"),
    ],
)
def test_a_value_that_two_sentences_give_is_computed_and_both_are_cited(claim: str, rule: str) -> None:
    checked = verify(claim, PRICES)
    assert checked.verdict is Verdict.SUPPORTED
    assert checked.notes == (f"computed: {rule}",)
    deciding = {(sentence.source, sentence.text, sentence.stance) for sentence in checked.deciding}
    assert deciding >= {
        ("invoice.txt", "The new boiler cost 1,500 crowns.", "supports"),
        ("letter.txt", "The old boiler cost 1,200 crowns.", "supports"),
    }


@pytest.mark.parametrize(
    ("claim", "note"),
    [
        (
            "The new boiler cost 400 crowns more than the old one.",
            "no sentence states 400, and no two of their values give it",
        ),
        (
            "Both boilers together cost 2,900 crowns.",
            "no sentence states 2,900, and no two of their values give it",
        ),
        (
            "The old boiler cost 300 crowns more than the new one.",
            "computed the other way round: 1,500 − 1,200 = 300",
        ),
        (
            "The new boiler was 300 crowns cheaper than the old one.",
            "computed the other way round: 1,500 − 1,200 = 300",
        ),
    ],
)
def test_a_wrong_value_is_never_supported(claim: str, note: str) -> None:
    checked = verify(claim, PRICES)
    assert (checked.verdict, checked.notes, checked.deciding) == (Verdict.INSUFFICIENT, (note,), ())


def test_a_sum_that_is_not_found_is_left_to_the_verdict_model() -> None:
    """It may be one of many values."""
    third = probative.Passage(text="The boiler of the barn cost 900 crowns.", source="barn.txt")
    claim = "All boilers together cost 3,600 crowns."
    assert verify(claim, [*PRICES, third]).verdict is Verdict.SUPPORTED


def test_a_value_that_is_stated_or_small_is_left_to_the_verdict_model() -> None:
    assert verify("The new boiler cost 1,500 crowns.", PRICES).notes == ()
    assert verify("The two boilers were sold.", PRICES).notes == ()
    assert verify("The boiler was sold in May 1990.", PRICES).notes == ()


def test_the_computation_decides_where_both_sentences_alone_do_not() -> None:
    """The verdict model believes only a claim whose value stands before it."""

    def literal(item: VerdictItem) -> VerdictScores:
        stated = any("300" in text for text in item.evidence)
        return VerdictScores(
            *((0.8, 0.1, 0.1) if stated else (0.2, 0.2, 0.6)), shares([1.0] * len(item.evidence))
        )

    with probative.Session(policy=by_overlap(), verdict=ScriptedVerdict(literal)) as session:
        (checked,) = session.verify("The new boiler cost 300 crowns more than the old one.", PRICES).claims
    assert (checked.verdict, checked.probabilities.supported) == (Verdict.SUPPORTED, 0.8)
    assert {sentence.source for sentence in checked.deciding} == {"invoice.txt", "letter.txt"}
    assert all("300" not in sentence.text for sentence in checked.evidence)


def test_a_verdict_against_the_claim_is_kept_unless_the_computation_surely_supports_it() -> None:
    claim = "The new boiler cost 300 crowns more than the old one."
    assert verify(claim, PRICES, support=0.2).verdict is not Verdict.SUPPORTED


def test_units_are_converted_and_the_fittest_sentences_are_taken() -> None:
    texts = [
        "The pier is 1.5 km long.",
        "The mole is 1,200 m long.",
        "It has 500 lamps.",
        "It had 200 lamps.",
    ]
    candidates: list[Candidate] = candidates_of([probative.Passage(text=" ".join(texts), source="a")])
    (value,) = unstated_values("The pier is 300 m longer than the mole.", texts)
    worth = {candidate.key: -float(row) for row, candidate in enumerate(candidates)}
    way = computed_from(value, candidates, worth)
    assert way is not None
    assert [entry.text for entry in way.sentences] == texts[:2]
    assert way.rule == "1.5 km − 1,200 m = 0.3 km"


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
