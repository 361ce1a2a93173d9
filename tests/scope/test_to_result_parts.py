"""A question that asks for two things gets both answers, or names the part that is missing."""

from __future__ import annotations

import pytest

from probative.scope.options import PRESETS
from probative.scope.pipeline.to_result import joined_parts
from probative.scope.result import ScopeResult
from probative.text.english.questions import question_parts
from probative.types import Verdict


def parts(question: str) -> tuple[str, ...]:
    return question_parts(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Who painted Felicity, and in which month?",
            ("Who painted Felicity?", "{answer} painted Felicity in which month?"),
        ),
        (
            "When was the mill built and who owns it today?",
            ("When was the mill built?", "Who owns the mill today?"),
        ),
        ("When and where was Ada Holm born?", ("When was Ada Holm born?", "Where was Ada Holm born?")),
        ("What did Ada build, and when?", ("What did Ada build?", "When did Ada build {answer}?")),
        ("Who wrote Tides and where was she born?", ("Who wrote Tides?", "Where was {answer} born?")),
        ("Which team won and by how many goals?", ("Which team won?", "{answer} won by how many goals?")),
        (
            "How much does the ticket cost and where can it be bought?",
            ("How much does the ticket cost?", "Where can the ticket be bought?"),
        ),
    ],
)
def test_two_parts_are_found(question: str, expected: tuple[str, ...]) -> None:
    assert parts(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which town lies between the river and the sea?",
        "Who founded the firm and the bank?",
        "Between which town and which village does the road run?",
        "What is the difference between who and whom?",
        "Which is taller, Nord or Sund?",
        "Did Ada and Ole meet?",
    ],
)
def test_a_question_for_one_thing_stays_whole(question: str) -> None:
    assert parts(question) == (question,)


def result(verdict: Verdict, **fields: object) -> ScopeResult:
    complete = verdict is Verdict.SUPPORTED
    return ScopeResult(passages=(), verdict=verdict, complete=complete, **fields)  # type: ignore[arg-type]


def test_both_must_be_supported() -> None:
    one = result(Verdict.SUPPORTED, answer="Ole Berg", certainty=0.9)
    two = result(Verdict.SUPPORTED, answer="May", certainty=0.8)
    both = joined_parts(("Who?", "When?"), (one, two))
    assert (both.answer, both.verdict, both.missing) == ("Ole Berg; May", Verdict.SUPPORTED, ())
    assert both.certainty == pytest.approx(0.72)


def test_the_missing_part_is_named() -> None:
    one = result(Verdict.SUPPORTED, answer="Ole Berg", certainty=0.9)
    two = result(Verdict.INSUFFICIENT, reason="the model finds no answer in the chain")
    both = joined_parts(("Who?", "When?"), (one, two))
    assert (both.answer, both.candidate, both.verdict) == (None, "Ole Berg", Verdict.INSUFFICIENT)
    assert both.missing == ("part: When?",)
    assert both.reason == "When?: the model finds no answer in the chain"


def test_a_contradicted_part_contradicts_the_whole() -> None:
    one = result(Verdict.SUPPORTED, answer="Ole Berg")
    two = result(Verdict.CONTRADICTED, reason="two months", candidate="May")
    both = joined_parts(("Who?", "When?"), (one, two))
    assert (both.verdict, both.candidate) == (Verdict.CONTRADICTED, "Ole Berg; May")


def test_the_level_is_that_of_the_part_that_can_be_trusted_least() -> None:
    sure = result(Verdict.SUPPORTED, answer="Ole Berg")
    probable = result(Verdict.INSUFFICIENT, candidate="May", probable=True)
    lost, disputed = result(Verdict.INSUFFICIENT), result(Verdict.CONTRADICTED)
    levels = [
        joined_parts(("Who?", "When?"), (sure, other)).level for other in (sure, probable, lost, disputed)
    ]
    assert levels == ["supported", "probable", "not_found", "disputed"]


def test_the_paper_asks_once() -> None:
    assert not PRESETS["paper"].parts
    assert all(options.parts for name, options in PRESETS.items() if name != "paper")
