"""Follow-up questions are rewritten by the model, and the rewritten question is checked."""

from __future__ import annotations

from typing import Any

import pytest
from word_vectors import WordVectors

from probative import Answer, InputError, Session
from probative.models.types import Request
from probative.scope.follow_up import AS_WRITTEN, MAX_TURNS, Turn, can_rewrite, fault_of, rewriting_request
from probative.testing import ScriptedModel

HISTORY = [Turn(question="Where was the Heron built?", answer="Molde"), {"question": "Who sold it?"}]
FOLLOW_UP = "And who owned it?"
ALONE = "Who owned the Heron?"
PASSAGES = ["The Heron was built in Molde.", "Ada Berg owned the Heron.", "Tar is made of pine."]


def writing(rewritten: str, **options: Any) -> ScriptedModel:
    """Return a model that rewrites every follow-up to these words, and answers every question."""

    def reply(request: Request) -> str:
        return rewritten if is_rewriting(request) else "Ada Berg [1]"

    return ScriptedModel(generate=reply, **options)


def is_rewriting(request: Request) -> bool:
    return "Next question:" in request.messages[-1].content


def asked(model: ScriptedModel, question: str = FOLLOW_UP, **named: Any) -> Answer:
    """Ask after the history, unless another is given, with a method that makes one call."""
    with Session(model, encoder=WordVectors()) as session:
        named = {"history": HISTORY, "method": "rag", **named}
        answer: Answer = session.ask(question, PASSAGES, **named)
        return answer


def test_a_follow_up_is_asked_as_the_model_rewrote_it() -> None:
    model = writing(ALONE)
    answer = asked(model)
    assert (answer.question, answer.read_as, answer.answer) == (FOLLOW_UP, ALONE, "Ada Berg")
    rewriting, *others = [each.messages[-1].content for each in model.asked if isinstance(each, Request)]
    assert "Question: Where was the Heron built?\nAnswer: Molde" in rewriting
    assert "Question: Who sold it?\nAnswer: none was found" in rewriting
    assert others
    assert all(ALONE in prompt and FOLLOW_UP not in prompt for prompt in others)


def test_a_question_that_stands_alone_is_left_as_it_is() -> None:
    answer = asked(writing("who owned the Heron"), ALONE)
    assert (answer.read_as, answer.notes) == (None, asked(writing(ALONE), ALONE, history=()).notes)


def test_without_history_nothing_is_rewritten() -> None:
    model = writing(ALONE)
    assert asked(model, history=()).read_as is None
    assert not any(is_rewriting(each) for each in model.asked if isinstance(each, Request))


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("", "the model wrote nothing"),
        ("Who owned the Heron? And who sailed it?", "what the model wrote is not one question"),
        ("Who owned the Heron?\nAda Berg.", "what the model wrote is not one question"),
        ("Ada Berg", "what the model wrote is not one question"),
        ("Who owned the Grebe?", "the rewritten question names “Grebe”, which nobody did"),
        ("Who owned the Heron in 1911?", "the rewritten question names “1911”, which nobody did"),
        (ALONE, None),
    ],
)
def test_a_rewritten_question_is_checked(written: str, fault: str | None) -> None:
    assert fault_of(written, FOLLOW_UP, [Turn(question="Where was the Heron built?")]) == fault


def test_names_of_the_question_stay() -> None:
    turns = [Turn(question="Where was the Heron built?")]
    assert fault_of("Where was the Heron built?", "And the Tern?", turns) == (
        "the rewritten question leaves out “Tern”"
    )
    assert fault_of("Where was the Tern built?", "And the Tern?", turns) is None


def test_a_question_that_was_rewritten_wrongly_is_taken_as_written() -> None:
    answer = asked(writing("Who owned the Grebe?"))
    assert answer.read_as is None
    assert f"{AS_WRITTEN}: the rewritten question names “Grebe”, which nobody did" in answer.notes


@pytest.mark.parametrize("name", ["embedded", "embedded:plain"])
def test_a_small_model_is_not_asked_and_a_question_that_points_back_is_not_guessed(name: str) -> None:
    model = writing(ALONE, name=name)
    answer = asked(model)
    assert (answer.answer, answer.verdict.value, model.asked) == (None, "insufficient", [])
    assert answer.reason is not None
    assert answer.reason.startswith(f"“it” points at an earlier question, and {name} does not rewrite")
    assert asked(model, ALONE).answer == "Ada Berg", "a whole question is answered"


def test_what_can_rewrite() -> None:
    names = ("embedded", "embedded:plain", "embedded:large-plain", "embedded:large", "openai:tern")
    assert [can_rewrite(writing(ALONE, name=name)) for name in names] == [False, False, False, True, True]
    assert not can_rewrite(ScriptedModel(score=lambda prompt, text: -1.0))


def test_the_large_model_gets_the_prompt_that_it_was_taught() -> None:
    turns = [Turn(question="Where was the Heron built?", answer="Molde")]
    system, user = rewriting_request(FOLLOW_UP, turns, writing(ALONE, reader=True)).messages
    assert (system.role, system.content) == ("system", "alone")
    assert user.content == (
        f"Question: {FOLLOW_UP}\n1. Where was the Heron built? Molde\nQuestion: {FOLLOW_UP}"
    )


def test_only_the_last_turns_are_shown_and_long_ones_are_cut() -> None:
    model = writing(ALONE)
    long = [Turn(question=f"Turn {number}?", answer="Molde " * 1000) for number in range(MAX_TURNS + 2)]
    asked(model, history=long)
    (prompt,) = [each.messages[-1].content for each in model.asked if is_rewriting(each)]  # type: ignore[arg-type]
    shown = [number for number in range(MAX_TURNS + 2) if f"Turn {number}?" in prompt]
    assert shown == [*range(2, MAX_TURNS + 2)]
    assert len(prompt) < 4_000


@pytest.mark.parametrize("history", ["Who?", 3, [{"answer": "Molde"}], [{"question": "Who?", "by": "me"}]])
def test_a_history_that_cannot_be_used_is_refused(history: Any) -> None:
    with pytest.raises(InputError, match="history"):
        asked(writing(ALONE), history=history)


def test_a_line_of_a_batch_may_have_a_history() -> None:
    turn = {"question": "Where was the Heron built?"}
    case = {"question": FOLLOW_UP, "passages": PASSAGES, "history": [turn]}
    with Session(writing(ALONE), encoder=WordVectors()) as session:
        [(_, answer)] = session.ask_all([case], method="rag")
    assert isinstance(answer, Answer)
    assert answer.read_as == ALONE
