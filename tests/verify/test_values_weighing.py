"""What the values and words of a claim add to the verdict of the model."""

from __future__ import annotations

import pytest

from probative.types import Verdict
from probative.verdict.judgement import Judgement, Probabilities
from probative.verify.values import Piece, Unstated, unstated, with_values

SUPPORTED, CONTRADICTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT


def judgement(verdict: Verdict, share: float = 0.8, deciding: tuple[int, ...] = (0,)) -> Judgement:
    shares = {each.value: share if each is verdict else (1 - share) / 2 for each in Verdict}
    decided = () if verdict is INSUFFICIENT else deciding
    return Judgement(verdict=verdict, probabilities=Probabilities(**shares), deciding=decided)


@pytest.mark.parametrize(
    ("claim", "evidence", "known", "found"),
    [
        ("The barn cost £14,200.", "The barn cost £9,000.", (), Unstated("£14,200", "£9,000")),
        ("The barn cost £14,200.", "The barn was dear.", (), Unstated("£14,200")),
        ("The barn cost £14,200.", "price: 14,200", (), None),
        ("The road is 2 km long.", "The road has a length of 2,000 metres.", (), None),
        ("It is kept for five weeks.", "It is kept for 35 days.", (), None),
        (
            "At most 12 guests may enter.",
            "At most 14 guests may enter.",
            (),
            Unstated("At most 12", "At most 14"),
        ),
        ("More than 300 guests came.", "The host counted 312 guests.", (), None),
        ("The barn burnt in 1891.", "The barn burnt.", ("Log of 1891",), None),
        ("The barn burnt in 1891.", "The barn burnt in 1893.", (), Unstated("1891", "1893")),
        ("It was tried on 24 April.", "It was tried on 24 April 2025.", (), None),
        ("Seven boats were lost.", "Three boats sank and four boats burnt.", (), None),
        ("It took two and a half hours.", "It took 150 minutes.", (), None),
    ],
)
def test_values_that_the_evidence_lacks(
    claim: str, evidence: str, known: tuple[str, ...], found: Unstated | None
) -> None:
    assert unstated(claim, [evidence], known) == found


def test_another_value_in_the_place_of_the_claims_contradicts_it() -> None:
    judged = with_values("The barn cost £14,200.", judgement(SUPPORTED), [Piece("The barn cost £9,000.")])
    assert judged.verdict is CONTRADICTED
    assert judged.deciding == (0,)
    assert judged.notes == ("the evidence has £9,000, and the claim £14,200",)


def test_a_missing_value_makes_support_less_probable() -> None:
    judged = with_values("The barn cost £14,200.", judgement(SUPPORTED), [Piece("The barn was dear.")])
    assert judged.verdict is not SUPPORTED
    assert judged.probabilities.supported == pytest.approx(0.08 / 0.28)
    assert judged.notes == ("support is less probable: the evidence lacks £14,200",)


def test_the_values_of_two_sources_do_not_add_up() -> None:
    last = Piece("ticket: Adult; price: 2.20", "old.csv", ("Prices of 2024",))
    now = Piece("ticket: Adult; price: 2.50", "new.csv", ("Prices of 2025",))
    both = judgement(SUPPORTED, deciding=(0, 1))
    assert with_values("In 2025 an adult pays £2.20.", both, [last, now]).verdict is not SUPPORTED
    assert with_values("In 2025 an adult pays £2.50.", both, [last, now]) is both


def test_a_sentence_in_the_words_of_the_claim_makes_support_more_probable() -> None:
    unsure = judgement(INSUFFICIENT, share=0.5)
    said = [Piece("Herons eat fish."), Piece("The fitters found a worn bearing.")]
    judged = with_values("The fitters found a worn bearing.", unsure, said)
    assert judged.verdict is SUPPORTED
    assert judged.deciding == (1,)
    denied = [Piece("The fitters did not find a worn bearing.")]
    assert with_values("The fitters found a worn bearing.", unsure, denied) is unsure
    others = [Piece("The fitters found 3 worn bearings.")]
    assert with_values("The fitters found 5 worn bearings.", unsure, others) is unsure
