"""One verdict from several sources."""

from __future__ import annotations

import pytest
from probative.verify.numbers import numbers_of, with_numbers

from probative.types import Verdict
from probative.verdict.judgement import Judgement, Probabilities
from probative.verify.candidates import Candidate
from probative.verify.conclusion import ReadGroup, conclude
from probative.verify.evidence import Group

SUPPORTED, CONTRADICTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT


def judgement(verdict: Verdict, share: float = 0.8) -> Judgement:
    shares = {each.value: share if each is verdict else (1 - share) / 2 for each in Verdict}
    deciding = () if verdict is INSUFFICIENT else (0,)
    return Judgement(verdict=verdict, probabilities=Probabilities(**shares), deciding=deciding)


def read(origin: str, verdict: Verdict, date: str | None = None, share: float = 0.8) -> ReadGroup:
    sentence = Candidate(f"{origin} says so.", origin, origin, None, 0, 9, "", date)
    return ReadGroup(Group(origin, (sentence,)), judgement(verdict, share))


@pytest.mark.parametrize(
    ("reads", "verdict", "conflict"),
    [
        ([read("a", SUPPORTED), read("b", INSUFFICIENT)], SUPPORTED, False),
        ([read("a", CONTRADICTED), read("b", INSUFFICIENT)], CONTRADICTED, False),
        ([read("a", INSUFFICIENT), read("b", INSUFFICIENT)], INSUFFICIENT, False),
        ([read("a", SUPPORTED, "2024"), read("b", CONTRADICTED, "2025")], CONTRADICTED, True),
        ([read("a", SUPPORTED, "2025-05"), read("b", CONTRADICTED, "2025")], SUPPORTED, True),
        ([read("a", SUPPORTED, "2024"), read("b", CONTRADICTED)], CONTRADICTED, True),
        ([read("a", SUPPORTED), read("b", CONTRADICTED)], CONTRADICTED, True),
    ],
)
def test_later_sources_prevail_and_a_conflict_is_told(
    reads: list[ReadGroup], verdict: Verdict, conflict: bool
) -> None:
    outcome = conclude(reads)
    assert (outcome.verdict, outcome.conflict) == (verdict, conflict)
    sides = {sentence.stance for sentence in outcome.evidence if sentence.deciding}
    assert len(sides) == (2 if conflict else int(verdict is not INSUFFICIENT))


def test_the_most_certain_reading_of_a_side_gives_the_probabilities() -> None:
    outcome = conclude([read("a", SUPPORTED, share=0.6), read("b", SUPPORTED, share=0.9)])
    assert outcome.probabilities.supported == pytest.approx(0.9)
    assert [sentence.source for sentence in outcome.evidence] == ["b", "a"]


def test_support_needs_the_numbers_of_the_claim() -> None:
    judged = judgement(SUPPORTED)
    claim = "Pell paid £14,200 for 3 cars in 1891."
    lacking = with_numbers(claim, judged, ["Pell paid £9,000 for three cars.", "A history of 1891"])
    assert lacking.verdict is not SUPPORTED
    assert lacking.probabilities.supported == pytest.approx(0.08 / 0.28)
    assert lacking.deciding == ()
    assert lacking.notes == ("less probable: the evidence lacks 14200",)
    assert with_numbers(claim, judged, ["£14,200 for three cars", "1891"]) is judged
    assert with_numbers(claim, judgement(CONTRADICTED), ["nothing"]).verdict is CONTRADICTED


def test_numbers_are_compared_in_one_form() -> None:
    assert numbers_of("£2.20, 2.2 and twelve cars") >= {"2.2", "12"}
    assert numbers_of("twelve", words=False) == frozenset()
