"""Every value of a computation is put to the verdict model, and decides how sure the answer is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from probative import Answer, ask
from probative.models.encoder import Encoder
from probative.models.verdict import VerdictItem, VerdictScores
from probative.scope.checks import Signals
from probative.scope.conclude.certainty import certainty_models
from probative.testing import ScriptedModel, ScriptedVerdict

UseVerdict = Callable[[ScriptedVerdict], ScriptedVerdict]
PEAKS = ["Skarn Fell has a summit at 1,912 metres.", "Mount Ode is 1,740 metres high."]
QUESTION = "Which peak is higher, Skarn Fell or Mount Ode?"


def judged(use_verdict: UseVerdict, encoder: Encoder, shares: dict[str, float]) -> Answer:
    """Ask with a verdict model that supports each value (by a word of its claim) as `shares` say."""

    def judge(item: VerdictItem) -> VerdictScores:
        supported = next(share for word, share in shares.items() if word in item.claim)
        rest = 1.0 - supported
        return VerdictScores(supported, rest / 2, rest / 2, (1.0 / len(item.evidence),) * len(item.evidence))

    use_verdict(ScriptedVerdict(judge, name="fake:verdict"))
    model = ScriptedModel(generate=[])
    return ask(QUESTION, passages=PEAKS, model=model, preset="words", encoder=encoder)


@pytest.mark.model
def test_each_value_is_a_claim_about_its_own_passage(use_verdict: UseVerdict, encoder: Encoder) -> None:
    verdict = use_verdict(
        ScriptedVerdict(lambda item: VerdictScores(0.9, 0.05, 0.05, (1.0,)), name="fake:verdict")
    )
    ask(QUESTION, passages=PEAKS, model=ScriptedModel(generate=[]), preset="words", encoder=encoder)
    assert verdict.asked == [
        VerdictItem("How high is Skarn Fell? 1,912 metres", (PEAKS[0],)),
        VerdictItem("How high is Mount Ode? 1,740 metres", (PEAKS[1],)),
    ]


@pytest.mark.model
def test_the_certainty_follows_the_values(use_verdict: UseVerdict, encoder: Encoder) -> None:
    pairs = [(0.97, 0.96), (0.97, 0.9), (0.9, 0.9), (0.8, 0.9), (0.8, 0.6)]
    answers = [judged(use_verdict, encoder, {"Skarn": one, "Ode": two}) for one, two in pairs]
    certainties = [answer.certainty or 0.0 for answer in answers]
    assert certainties == sorted(certainties, reverse=True)
    assert len(set(certainties)) == len(pairs)
    shown = answers[1].computation
    assert shown is not None
    assert [value.entailed for value in shown.values] == [0.97, 0.9]


@pytest.mark.model
def test_a_value_that_its_passage_does_not_state_is_no_ground(
    use_verdict: UseVerdict, encoder: Encoder
) -> None:
    answer = judged(use_verdict, encoder, {"Skarn": 0.2, "Ode": 0.95})
    assert (answer.answer, answer.candidate, answer.verdict) == (None, "Skarn Fell", "insufficient")
    assert "a value is hardly supported (20%, and 50% is needed)" in (answer.reason or "")


def test_different_values_give_different_certainties_by_the_shipped_weights() -> None:
    model = certainty_models().computed
    assert model.terms
    seen = {
        round(model.certainty(Signals(computed=1.0, entailed=low, denied=0.1, values_entailed=mean)), 12)
        for low, mean in ((0.5, 0.6), (0.5, 0.7), (0.7, 0.8), (0.9, 0.95), (0.98, 0.99))
    }
    assert len(seen) == 5
