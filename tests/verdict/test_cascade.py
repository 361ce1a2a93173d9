"""Both verdict models at once: who is asked, what it costs, what an error of the second one does."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from probative import InputError, ModelError, Session
from probative.models.verdict import Judging, VerdictItem, VerdictScores
from probative.testing import ScriptedVerdict
from probative.verdict.cascade import SURE, CascadeVerdict, margin
from probative.verdict.judgement import LARGE, SMALL, reading, shipped_calibration

SURELY = VerdictScores(0.995, 0.003, 0.002, (1.0,))
HARDLY = VerdictScores(0.5, 0.3, 0.2, (1.0,))
DENIED = VerdictScores(0.01, 0.98, 0.01, (1.0,))
CLEAR, VAGUE = VerdictItem("It is red.", ("It is red.",)), VerdictItem("It is big.", ("It is tall.",))


def by_claim(item: VerdictItem) -> VerdictScores:
    return SURELY if item == CLEAR else HARDLY


def both() -> tuple[ScriptedVerdict, ScriptedVerdict, CascadeVerdict]:
    small, large = ScriptedVerdict(by_claim, name=SMALL), ScriptedVerdict(lambda item: DENIED, name=LARGE)
    return small, large, CascadeVerdict(small, large)


def calibrated(model: str, scores: VerdictScores) -> tuple[float, ...]:
    chances = shipped_calibration(model).probabilities(reading(scores[:3]))
    return chances.supported, chances.contradicted, chances.insufficient


def test_the_large_one_is_asked_only_where_the_small_one_is_unsure() -> None:
    small, large, model = both()
    first, second = model.judge([CLEAR, VAGUE])
    assert (small.asked, large.asked) == ([CLEAR, VAGUE], [VAGUE])
    assert first[:3] == pytest.approx(calibrated(SMALL, SURELY))
    assert second[:3] == pytest.approx(calibrated(LARGE, DENIED))
    assert margin(first[:3]) >= SURE > margin(calibrated(SMALL, HARDLY))


def test_the_cost_of_both_counts() -> None:
    _, _, model = both()
    sure, unsure = model.judge_each([CLEAR, VAGUE])
    assert isinstance(sure, Judging)
    assert isinstance(unsure, Judging)
    assert (sure.usage.calls, unsure.usage.calls, model.usage.calls) == (1, 2, 3)


class Failing(ScriptedVerdict):
    """A model that can judge nothing."""

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        return [ModelError("no memory") for _ in items]


def test_an_error_of_the_large_one_is_the_items_own() -> None:
    model = CascadeVerdict(ScriptedVerdict(by_claim, name=SMALL), Failing(by_claim, name=LARGE))
    fine, failed = model.judge_each([CLEAR, VAGUE])
    assert isinstance(fine, Judging)
    assert isinstance(failed, ModelError)


def test_what_the_small_one_cannot_judge_the_large_one_does() -> None:
    model = CascadeVerdict(Failing(by_claim, name=SMALL), ScriptedVerdict(lambda item: DENIED, name=LARGE))
    (judged,) = model.judge_each([CLEAR])
    assert isinstance(judged, Judging)
    assert judged.scores[:3] == pytest.approx(calibrated(LARGE, DENIED))


def test_a_judgement_by_both_names_them_and_takes_what_they_say() -> None:
    _, _, model = both()
    with Session(verdict=model) as session:
        judgement = session.judge("It is big.", ["It is tall."])
    assert judgement.verdict_model == "embedded:cascade"
    assert judgement.verdict == "contradicted"
    assert judgement.probabilities.contradicted == pytest.approx(calibrated(LARGE, DENIED)[1])


def test_an_unknown_verdict_model_is_refused_with_all_names() -> None:
    with pytest.raises(InputError, match="no verdict model called 'embedded:both'") as caught:
        Session(verdict="embedded:both")
    assert "embedded:cascade" in caught.value.hint
