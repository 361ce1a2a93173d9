"""Probative in DeepEval: a metric for single cases, for `evaluate` and for `assert_test`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from deepeval import assert_test, evaluate
from deepeval.errors import MissingTestCaseParamsError
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig
from deepeval.test_case import LLMTestCase, RetrievedContextData

from probative import InputError, Session
from probative.integrations.deepeval import ProbativeFaithfulnessMetric

OUTPUTS = ["Herons eat fish.", "The tower is green.", "What do you mean?"]
CONTEXT = ["Herons eat fish.", "The tower is not green."]


@pytest.fixture(autouse=True)
def _closed_loops(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close the event loops that DeepEval leaves open."""
    loops: list[asyncio.AbstractEventLoop] = []
    make = asyncio.new_event_loop

    def kept() -> asyncio.AbstractEventLoop:
        loops.append(make())
        return loops[-1]

    monkeypatch.setattr(asyncio, "new_event_loop", kept)
    yield
    for loop in loops:
        loop.close()
    asyncio.set_event_loop(None)


def case(output: str, context: list[str] | None = CONTEXT) -> LLMTestCase:
    return LLMTestCase(input="What?", actual_output=output, retrieval_context=context)


def test_the_score_is_the_share_of_claims(verifying: Session) -> None:
    metric = ProbativeFaithfulnessMetric(threshold=0.7, session=verifying)
    assert metric.measure(case("Herons eat fish. The tower is green.")) == 0.5
    assert metric.reason is not None
    assert "contradicted: The tower is green." in metric.reason
    assert metric.is_successful() is False
    assert asyncio.run(metric.a_measure(case("Herons eat fish."))) == 1.0
    assert metric.is_successful() is True
    assert metric.verification is not None
    assert len(metric.verification.claims) == 1


def test_a_context_may_name_its_source(verifying: Session) -> None:
    context = [RetrievedContextData(context="The tower is not green.", source="log.txt")]
    metric = ProbativeFaithfulnessMetric(session=verifying)
    metric.measure(
        LLMTestCase(input="What?", actual_output="The tower is green.", retrieval_context=list(context))
    )
    assert 'contradicts (log.txt#char=0,23): "The tower is not green."' in (metric.reason or "")


def test_strict_mode_wants_every_claim(verifying: Session) -> None:
    metric = ProbativeFaithfulnessMetric(0.5, session=verifying, strict_mode=True, include_reason=False)
    metric.measure(case("Herons eat fish. The tower is green."))
    assert (metric.is_successful(), metric.reason) == (False, None)


@pytest.mark.parametrize("run_async", [True, False])
def test_evaluate_measures_many_cases(verifying: Session, run_async: bool) -> None:
    result = evaluate(
        [case(output) for output in OUTPUTS],
        [ProbativeFaithfulnessMetric(session=verifying, options={"per_claim": 4})],
        async_config=AsyncConfig(run_async=run_async),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        cache_config=CacheConfig(write_cache=False),
        error_config=ErrorConfig(ignore_errors=True),
    )
    measured = {test.actual_output: data for test in result.test_results for data in test.metrics_data or ()}
    assert [measured[output].score for output in OUTPUTS] == [1.0, 0.0, None]
    assert [measured[output].success for output in OUTPUTS] == [True, False, False]
    assert "cannot be scored" in (measured[OUTPUTS[2]].error or "")


def test_assert_test_fails_with_the_metric(verifying: Session) -> None:
    metric = ProbativeFaithfulnessMetric(session=verifying)
    assert_test(case("Herons eat fish."), [metric], run_async=False)
    with pytest.raises(AssertionError, match="Faithfulness"):
        assert_test(case("The tower is green."), [metric], run_async=False)


def test_a_case_that_cannot_be_scored_is_an_error(verifying: Session) -> None:
    metric = ProbativeFaithfulnessMetric(session=verifying)
    metric.measure(case("Herons eat fish."))
    with pytest.raises(MissingTestCaseParamsError):
        metric.measure(case("Herons eat fish.", None))
    with pytest.raises(InputError, match="cannot be scored"):
        metric.measure(case("What do you mean?"))
    assert (metric.score, metric.success) == (None, False)
