"""One verdict from several sources."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probative.types import Verdict
from probative.verdict.judgement import Judgement, Probabilities
from probative.verify.conclusion import ReadGroup, conclude
from probative.verify.evidence import Candidate, Group

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
        ([read("a", SUPPORTED), read("b", CONTRADICTED, "2025", share=0.6)], SUPPORTED, True),
        ([read("a", SUPPORTED, "2025", share=0.6), read("b", CONTRADICTED)], CONTRADICTED, True),
        ([read("a", SUPPORTED, share=0.6), read("b", CONTRADICTED, share=0.6)], CONTRADICTED, True),
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


def test_the_sources_together_count_only_if_none_says_anything_alone() -> None:
    together = read("", CONTRADICTED, share=0.9)
    assert conclude([read("a", SUPPORTED), together]).verdict is SUPPORTED
    assert conclude([read("a", INSUFFICIENT), together]).verdict is CONTRADICTED


def test_the_side_that_speaks_of_the_claim_counts() -> None:
    near, far = read("a", SUPPORTED, "2020"), replace(read("b", CONTRADICTED, "2025"), shared=0.6)
    assert conclude([near, far]).verdict is SUPPORTED
    assert conclude([near, replace(far, shared=0.9)]).verdict is CONTRADICTED
    unrelated = conclude([replace(far, shared=0.2)])
    assert unrelated.verdict is INSUFFICIENT
    assert not any(sentence.deciding for sentence in unrelated.evidence)


def test_why_a_source_was_not_judged_is_told_if_no_other_says_anything() -> None:
    note = "the evidence is in German, which the verdict model does not read"
    unread = ReadGroup(
        read("b", INSUFFICIENT).group,
        judgement(INSUFFICIENT).model_copy(update={"judged": False, "notes": (note,)}),
    )
    assert conclude([read("a", INSUFFICIENT), unread]).notes == (note,)
    assert conclude([read("a", SUPPORTED), unread]).notes == ()
