"""`complete` is decided by the pipeline, and never true beside the verdict insufficient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError
from specialists import QUESTION, TEXTS, FakePolicy, asked, reads

from probative import Answer, Encoder, Verdict, ask
from probative.testing import ScriptedModel

pytestmark = pytest.mark.model


def test_a_chain_in_which_the_reader_finds_no_answer_is_not_complete(
    policy: FakePolicy, encoder: Encoder
) -> None:
    answer = asked(reads("unknown", unknown=1.0), encoder)
    assert answer.missing == ()  # every feature is carried, so `not missing` would call it complete
    assert (answer.verdict, answer.complete) == ("insufficient", False)
    assert asked(reads(), encoder).complete


def test_a_chain_that_only_the_policy_misses_something_in_is_not_complete(
    use: Callable[[FakePolicy], FakePolicy], encoder: Encoder
) -> None:
    use(FakePolicy("commanded", "was built", hopeless=True))
    answer = asked(reads(), encoder, min_passages=2)
    assert (answer.verdict, answer.complete) == ("insufficient", False)


def test_an_answer_that_was_forced_is_not_complete(policy: FakePolicy, encoder: Encoder) -> None:
    forced = asked(reads("unknown", unknown=1.0), encoder, answer_anyway=True)
    assert (forced.verdict, forced.complete) == ("insufficient", False)
    assert forced.answer is not None


def test_a_contradicted_chain_may_be_complete(policy: FakePolicy, encoder: Encoder) -> None:
    answer = asked(reads(), encoder, [*TEXTS, "The Sea Lark was built in Narvik by two brothers."])
    assert (answer.verdict, answer.complete) == ("contradicted", True)


@pytest.mark.parametrize(("reply", "complete"), [("Molde", True), ("unknown", False)])
def test_a_baseline_is_complete_if_it_answers(reply: str, complete: bool, encoder: Encoder) -> None:
    model = ScriptedModel(generate=reply)
    assert ask(QUESTION, TEXTS, model=model, encoder=encoder, method="rag").complete is complete


def test_an_answer_cannot_claim_both() -> None:
    fields: dict[str, Any] = {"question": "q", "answer": None, "verdict": Verdict.INSUFFICIENT}
    assert not Answer(**fields).complete
    with pytest.raises(ValidationError, match="complete beside the verdict insufficient"):
        Answer(**fields, complete=True)
