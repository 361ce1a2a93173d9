"""A prompt that is longer than the model's window is cut in its middle, by whatever counts its tokens."""

from __future__ import annotations

import pytest
from servers import Saying

from probative import Request, Session, load_model
from probative.engine.fit_prompt import MARK, SHORT, fit_prompt
from probative.engine.search import Search, generate
from probative.models.types import Message, Selection
from probative.testing import ScriptedModel

LONG = " ".join(f"word{number}" for number in range(2_000))
NARROW = ScriptedModel(generate="yes", window=500)


def texts(request: Request) -> list[str]:
    return [message.content for message in request.messages]


def test_the_longest_message_keeps_its_two_ends() -> None:
    request = Request.user(f"Read this. {LONG} What is it?", system="Be brief.", max_tokens=100)
    (fitted, cut) = fit_prompt(NARROW, request)
    system, text = texts(fitted)
    assert cut
    assert system == "Be brief."
    assert text.startswith("Read this. word0 word1 ")
    assert text.endswith(" word1999 What is it?")
    assert text.count(MARK) == 1
    assert 480 <= NARROW.prompt_tokens(fitted) + 100 <= 500
    first, last = (len(part.split()) for part in text.split(MARK))
    assert first / (first + last) == pytest.approx(0.75, abs=0.04)


def test_what_fits_is_left_as_it_is() -> None:
    for request in (Request.user("word " * 300), Request.user(LONG), Request.user("short", max_tokens=SHORT)):
        assert fit_prompt(ScriptedModel(generate="yes", window=5_000), request) == (request, False)
        assert fit_prompt(ScriptedModel(generate="yes"), request) == (request, False)


def test_an_output_has_at_most_half_of_the_window() -> None:
    fitted, cut = fit_prompt(NARROW, Request.user("word " * 100, max_tokens=3_000))
    assert (fitted.max_tokens, cut) == (250, False)


def test_choices_and_scores_fit_too() -> None:
    options = ("yes " * 20, "no")
    selection, cut = fit_prompt(NARROW, Selection(request=Request.user(LONG), options=options))
    assert cut
    assert selection.options == options
    assert NARROW.choice_tokens(selection) < 500
    pair, cut = fit_prompt(NARROW, (LONG, " and so it ends"))
    assert cut
    assert pair.continuation == " and so it ends"
    assert MARK in pair.prompt
    assert NARROW.count_tokens(pair.prompt + pair.continuation) <= 500


def test_a_message_that_cannot_be_cut_enough_is_sent_as_it_is() -> None:
    messages = tuple(Message(role="user", content=LONG) for _ in range(2))
    request = Request(messages=messages)
    assert texts(fit_prompt(NARROW, request).item) == [LONG, LONG]


def searches(text: str) -> Search[str]:
    (reply,) = yield from generate([Request.user(text, max_tokens=20)], step="answer")
    return reply.text


@pytest.mark.parametrize("setting", [None, 50_000, 1_000])
def test_a_server_gets_no_prompt_that_it_refuses_for_good(setting: int | None) -> None:
    """Its window is found by asking it, by its refusal of what a wrong setting allows, or is the setting."""
    says = {"/v1/models": {"data": [{"id": "m", "max_model_len": 1_000}]}}
    with Saying(says, window=1_000) as server:
        model = load_model("openai:m", base_url=server.base_url, window=setting, cache=False)
        with Session(model) as session:
            finished = session.finish_search(searches(f"Begin. {LONG} End."))
            short = session.finish_search(searches("Is it short?"))
    assert finished.error is None
    assert short.notes == ()
    assert finished.notes == (
        "prompts longer than the model's window, whose middle was left out: 1 of answer",
    )
    (sent,) = server.bodies[-2]["messages"]
    assert sent["content"].startswith("Begin. word0")
    assert sent["content"].endswith("word1999 End.")
    assert MARK in sent["content"]
