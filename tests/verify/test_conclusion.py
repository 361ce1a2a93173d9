"""One verdict from what was read together, and from cited sources alone."""

from __future__ import annotations

import pytest

from probative.corpus.documents.places import Place
from probative.types import Verdict
from probative.verdict.judgement import Judgement, Probabilities
from probative.verify.conclusion import Reading, conclude
from probative.verify.evidence import Candidate

SUPPORTED, CONTRADICTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT


def judgement(verdict: Verdict, share: float = 0.8) -> Judgement:
    shares = {each.value: share if each is verdict else (1 - share) / 2 for each in Verdict}
    deciding = () if verdict is INSUFFICIENT else (0,)
    return Judgement(verdict=verdict, probabilities=Probabilities(**shares), deciding=deciding)


def read(origin: str, verdict: Verdict, date: str | None = None, share: float = 0.8) -> Reading:
    sentence = Candidate(f"{origin} says so.", origin, origin, Place(), 0, 9, "", date)
    return Reading((sentence,), judgement(verdict, share))


@pytest.mark.parametrize(
    ("first", "other", "verdict", "conflict"),
    [
        (read("a", SUPPORTED), read("b", INSUFFICIENT), SUPPORTED, False),
        (read("a", CONTRADICTED), read("b", INSUFFICIENT), CONTRADICTED, False),
        (read("a", SUPPORTED, "2024"), read("b", CONTRADICTED, "2025"), CONTRADICTED, True),
        (read("a", CONTRADICTED, "2024"), read("b", SUPPORTED, "2025"), SUPPORTED, True),
        (read("a", SUPPORTED, "2025-05"), read("b", CONTRADICTED, "2025"), CONTRADICTED, True),
        (read("a", SUPPORTED, "2024"), read("b", CONTRADICTED), CONTRADICTED, True),
        (read("a", SUPPORTED), read("b", CONTRADICTED), CONTRADICTED, True),
        (read("a", SUPPORTED), read("b", CONTRADICTED, "2025", share=0.6), SUPPORTED, False),
    ],
)
def test_of_two_sides_the_later_counts_and_both_are_shown(
    first: Reading, other: Reading, verdict: Verdict, conflict: bool
) -> None:
    outcome = conclude([first, other])
    assert (outcome.verdict, outcome.conflict) == (verdict, conflict)
    sides = [(sentence.source, sentence.stance) for sentence in outcome.evidence if sentence.deciding]
    assert len(sides) == 1 + conflict
    assert sides[0][1] == ("supports" if verdict is SUPPORTED else "contradicts")
    assert len(outcome.evidence) == 2


def test_sentences_that_were_read_together_change_the_verdict_only_by_their_date() -> None:
    assert conclude([read("a", SUPPORTED, "2024")], [read("b", CONTRADICTED, "2025")]).verdict is CONTRADICTED
    outcome = conclude([read("a", SUPPORTED)], [read("b", CONTRADICTED)])
    assert (outcome.verdict, outcome.conflict) == (SUPPORTED, True)
    assert [sentence.stance for sentence in outcome.evidence] == ["supports", "contradicts"]
    unsure = conclude([read("a", SUPPORTED)], [read("b", CONTRADICTED, share=0.6)])
    assert (unsure.verdict, unsure.conflict) == (SUPPORTED, False)


def test_a_cited_source_counts_if_all_together_say_nothing() -> None:
    outcome = conclude([read("a", INSUFFICIENT), read("b", SUPPORTED, share=0.9)])
    assert (outcome.verdict, outcome.conflict) == (SUPPORTED, False)
    assert outcome.probabilities.supported == pytest.approx(0.9)
    assert [sentence.source for sentence in outcome.evidence] == ["b", "a"]


def test_a_cited_source_that_says_the_opposite_is_shown() -> None:
    outcome = conclude([read("a", SUPPORTED, "2025"), read("b", CONTRADICTED, "2020")])
    assert (outcome.verdict, outcome.conflict) == (SUPPORTED, True)
    assert [sentence.stance for sentence in outcome.evidence] == ["supports", "contradicts"]


def test_why_nothing_was_judged_is_told() -> None:
    note = "the evidence is in Finnish, which the verdict model does not read"
    unread = judgement(INSUFFICIENT).model_copy(update={"judged": False, "notes": (note,)})
    outcome = conclude([Reading(read("a", INSUFFICIENT).candidates, unread)])
    assert (outcome.judged, outcome.notes) == (False, (note,))
    assert not any(sentence.deciding for sentence in outcome.evidence)
