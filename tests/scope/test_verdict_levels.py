"""Each answer has a level: a candidate that is sure enough is probable, whatever refused it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from answer_verdicts import always
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from specialists import FakePolicy, asked, reads

from probative import Answer, Encoder, Verdict
from probative.scope.result import Level, ScopeResult
from probative.testing import ScriptedModel, ScriptedVerdict
from probative.views.html import notebook
from probative.views.terminal import show_result

UseVerdict = Callable[[ScriptedVerdict], ScriptedVerdict]


def declining(shares: dict[str, float]) -> ScriptedModel:
    """Return a tuned reader whose most probable text is "unknown"."""
    return ScriptedModel(
        generate="unknown",
        alternatives=lambda _: shares,
        choose=lambda _, options: [1.0] * len(options),
        name="embedded",
        reader=True,
    )


@pytest.mark.model
def test_a_refused_candidate_that_is_sure_enough_is_probable(policy: FakePolicy, encoder: Encoder) -> None:
    sure = asked(reads(), encoder)
    assert (sure.level, sure.answer) == ("supported", "Molde")
    assert sure.certainty is not None
    refused = asked(reads(), encoder, min_certainty=1.0)
    assert (refused.verdict, refused.level, refused.answer) == ("insufficient", "probable", None)
    assert (refused.candidate, refused.certainty) == ("Molde", sure.certainty)
    assert [cited.text for cited in refused.cited if cited.holds_answer] == [
        "The Sea Lark was built in Molde by two brothers."
    ]


@pytest.mark.model
def test_a_candidate_that_is_not_sure_is_not_found(
    policy: FakePolicy, encoder: Encoder, use_verdict: UseVerdict
) -> None:
    use_verdict(always(supported=0.01))
    answer = asked(reads(unknown=0.9), encoder)
    assert (answer.verdict, answer.level, answer.candidate) == ("insufficient", "not_found", "Molde")
    assert answer.certainty is not None


@pytest.mark.model
def test_what_the_reader_would_have_said_gets_its_certainty(
    use: Callable[[FakePolicy], FakePolicy], encoder: Encoder
) -> None:
    use(FakePolicy("commanded", "was built", hopeless=True))
    answer = asked(declining({"unknown": 0.5, "Molde": 0.45}), encoder)
    assert (answer.answer, answer.candidate, answer.verdict) == (None, "Molde", "insufficient")
    assert answer.certainty is not None
    assert answer.citations == (3,)


@pytest.mark.parametrize("verdict", list(Verdict))
@given(probable=st.booleans())
def test_a_level_follows_from_the_verdict(verdict: Verdict, probable: bool) -> None:
    result = ScopeResult(passages=(), verdict=verdict, complete=False, probable=probable)
    answer = Answer(question="?", answer=None, verdict=verdict, level=result.level)
    assert Answer.from_dict(answer.to_dict()) == answer
    assert (answer.level is Level.SUPPORTED) is (verdict is Verdict.SUPPORTED)
    assert (answer.level is Level.DISPUTED) is (verdict is Verdict.CONTRADICTED)


def test_a_result_of_an_earlier_version_has_the_level_of_its_verdict() -> None:
    answer = Answer(question="?", answer=None, verdict=Verdict.CONTRADICTED)
    older = {name: value for name, value in answer.to_dict().items() if name != "level"}
    assert Answer.from_dict(older).level is Level.DISPUTED


def test_a_level_that_does_not_follow_is_refused() -> None:
    with pytest.raises(ValidationError, match="the level supported does not follow"):
        Answer(question="?", answer="Molde", verdict=Verdict.INSUFFICIENT, level=Level.SUPPORTED)


def test_a_probable_candidate_is_shown_as_not_confirmed(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(
        question="Where was it built?",
        answer=None,
        candidate="Molde",
        certainty=0.62,
        verdict=Verdict.INSUFFICIENT,
        level=Level.PROBABLE,
        reason="the answer is too uncertain",
        citations=(3,),
    )
    show_result(answer)
    first, second, third, *_ = (shown.rstrip() for shown in capsys.readouterr().out.splitlines())
    assert first == "probably Molde [4]"
    assert second == "not confirmed, 62% certain: the answer is too uncertain"
    assert third == "verdict: insufficient, probable"
    page = notebook(answer) or ""
    assert "probably Molde" in page
    assert "≈ Probable, not confirmed" in page
    assert "62% certain" in page
    show_result(answer.model_copy(update={"level": Level.NOT_FOUND}))
    assert "verdict: insufficient, not found\ncandidate: Molde\n" in capsys.readouterr().out
