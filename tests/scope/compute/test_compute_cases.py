"""Comparisons over many domains, with a reader that finds what a sentence says in the words of the question.

The reader here knows nothing: it copies the span that each case allows it to find. What is tested is the
parsing of the question, the values in the sentences, and the comparison; not a model.
"""

from __future__ import annotations

import pytest
from compare_cases_after import AFTER
from compare_cases_before import BEFORE, CompareCase
from compare_cases_clauses import CLAUSES
from runs import make_run

from probative.engine.runner import run_searches
from probative.models.types import Request
from probative.scope.compute.compute import compute_answer
from probative.scope.compute.evidence import ComputedAnswer
from probative.testing import ScriptedModel

CASES = [*BEFORE, *AFTER, *CLAUSES]


def computed(case: CompareCase) -> ComputedAnswer | None:
    def reply(request: Request) -> str:
        question = request.messages[-1].content.splitlines()[0].removeprefix("Question: ")
        return dict(case.replies).get(question, "unknown")

    run = make_run(case.question, case.passages, ScriptedModel(generate=reply, reader=True))
    searches = [compute_answer(run, range(len(case.passages)))]
    ((_, finished),) = run_searches(searches, run.tools)
    assert finished.error is None
    return finished.result


def test_there_are_at_least_forty_cases_and_half_of_them_are_older_than_the_parser() -> None:
    assert len(CASES) >= 40
    assert len(BEFORE) >= 20
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_values_decide_or_what_is_missing_is_named(case: CompareCase) -> None:
    result = computed(case)
    if case.answer is None:
        assert result is None or result.answer is None
        if case.missing:
            assert result is not None
            assert any(case.missing in entry for entry in result.missing)
        return
    assert result is not None
    assert result.answer == case.answer
    assert result.reason
    values = [value for value in result.values if value.index is not None]
    assert values
    assert set(result.citations) >= {value.index for value in values}


@pytest.mark.parametrize(
    ("first", "second", "total"),
    [
        ("$7m", "$900,000", "7,900,000 USD"),
        ("£2m", "£300k", "2,300,000 GBP"),
        ("4 euros", "3 euros", "7 euros"),
    ],
)
def test_a_sum_of_money_keeps_its_currency(first: str, second: str, total: str) -> None:
    question = "How much did the Orla bridge and the Pell bridge cost together?"
    passages = [f"The Orla bridge cost {first}.", f"The Pell bridge cost {second}."]
    run = make_run(question, passages, ScriptedModel(generate="unknown", reader=True))
    ((_, finished),) = run_searches([compute_answer(run, range(2))], run.tools)
    assert finished.result is not None
    assert finished.result.answer == total
