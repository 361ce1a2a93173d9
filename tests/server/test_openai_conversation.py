"""Earlier messages of a request of `/v1`: follow-ups are rewritten, and the reply says how."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from openai import OpenAI
from openai_server import BUILT, MODEL, SUPPORTED, asked, listening

from probative import Session
from probative.models.types import Request
from probative.models.verdict import VerdictScores
from probative.scope.follow_up import Turn
from probative.server.openai.conversation import Message, conversation_of
from probative.settings import Settings
from probative.testing import ScriptedModel, ScriptedVerdict

FOLLOW_UP = "And how many seats does it have?"
ALONE = "How many seats does the Heron have?"


class Rewriter:
    """A model that rewrites every follow-up to `reply`, and answers with one text to everything else."""

    def __init__(self) -> None:
        self.reply = ALONE
        self.prompts: list[str] = []

    def __call__(self, request: Request) -> str:
        prompt = request.messages[-1].content
        if "Next question:" not in prompt:
            return "unknown"
        self.prompts.append(prompt)
        return self.reply


@pytest.fixture(scope="module")
def rewriter() -> Rewriter:
    return Rewriter()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, rewriter: Rewriter) -> Iterator[OpenAI]:
    """A client of a server whose model rewrites; by its name, no other call is made before the answer."""
    session = Session(
        ScriptedModel(generate=rewriter, score=lambda prompt, text: -1.0, name="embedded:large"),
        verdict=ScriptedVerdict(lambda item: VerdictScores(0.9, 0.05, 0.05, (1.0,) * len(item.evidence))),
        settings=Settings(cache=False),
    )
    with (
        listening(tmp_path_factory.mktemp("server"), session=session) as url,
        OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0, timeout=120) as made,
    ):
        yield made


def turns_before(question: str) -> list[dict[str, str]]:
    said = f"Molde [1]\n\nSources:\n\n1. [Ferries](http://there) (ferries.md): “{BUILT}”"
    return [*asked(SUPPORTED), {"role": "assistant", "content": said}, *asked(question)]


pytestmark = pytest.mark.model


def test_a_follow_up_is_read_as_rewritten(client: OpenAI, rewriter: Rewriter) -> None:
    done = client.chat.completions.create(model=MODEL, messages=turns_before(FOLLOW_UP))  # type: ignore[arg-type]
    assert (done.choices[0].message.content or "").startswith(f"Read as: {ALONE}\n\n")
    assert done.model_dump()["probative"]["read_as"] == ALONE
    prompt = rewriter.prompts[-1]
    assert f"Question: {SUPPORTED}\nAnswer: Molde\n" in prompt
    assert "Sources" not in prompt


def test_a_marker_stands_where_the_annotation_says(client: OpenAI) -> None:
    done = client.chat.completions.create(model=MODEL, messages=turns_before(FOLLOW_UP))  # type: ignore[arg-type]
    message = done.choices[0].message
    places = [annotation.url_citation for annotation in message.annotations or []]
    assert places
    marked = [(message.content or "")[place.start_index : place.end_index] for place in places]
    assert all(mark.startswith("[") and mark.endswith("]") for mark in marked)


def test_a_wrongly_rewritten_question_is_taken_as_written(client: OpenAI, rewriter: Rewriter) -> None:
    rewriter.reply = "How many seats does the Grebe have?"
    done = client.chat.completions.create(model=MODEL, messages=turns_before(FOLLOW_UP))  # type: ignore[arg-type]
    rewriter.reply = ALONE
    assert (done.choices[0].message.content or "").startswith(
        "The question was taken as it is written: the rewritten question names “Grebe”, which nobody did.\n\n"
    )
    assert done.model_dump()["probative"]["read_as"] is None


def test_a_response_goes_on_from_the_one_before(client: OpenAI, rewriter: Rewriter) -> None:
    first = client.responses.create(model=MODEL, input=SUPPORTED)
    assert not first.output_text.startswith("Read as")
    second = client.responses.create(model=MODEL, input=FOLLOW_UP, previous_response_id=first.id)
    assert second.output_text.startswith(f"Read as: {ALONE}\n\n")
    client.responses.create(model=MODEL, input="And who painted it?", previous_response_id=second.id)
    assert f"Question: {SUPPORTED}\n" in rewriter.prompts[-1]
    assert f"Question: {ALONE}\n" in rewriter.prompts[-1], "an earlier follow-up is shown as it was read"


def test_turns_that_are_not_known_are_not_guessed(client: OpenAI) -> None:
    response = client.responses.create(model=MODEL, input=FOLLOW_UP, previous_response_id="resp_gone")
    assert "“it” points at an earlier one" in response.output_text


def task(order: str, form: str) -> list[dict[str, str]]:
    history = f"<chat_history>\nUSER: {SUPPORTED}\nASSISTANT: Molde [1]\n</chat_history>"
    prompt = f"### Task:\n{order}\n### Output:\nJSON format: {form}\n### Chat History:\n{history}"
    return asked(prompt)


def test_a_chat_page_lists_streams_goes_on_and_asks_for_a_title(client: OpenAI, rewriter: Rewriter) -> None:
    """What Open WebUI sends for a conversation of two questions, in its order."""
    (model,) = [each.id for each in client.models.list()]

    def streamed(messages: list[dict[str, str]]) -> str:
        chunks = client.chat.completions.create(
            model=model,
            messages=messages,  # type: ignore[arg-type]
            stream=True,
            stream_options={"include_usage": True},
        )
        return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)

    messages = [{"role": "system", "content": "Answer like a pirate."}, *asked(SUPPORTED)]
    first = streamed(messages)
    assert "Sources:" in first or first.startswith("Not found")
    runs = len(rewriter.prompts)
    for order, form, expected in (
        ("Generate a concise title of the chat history.", '{ "title": "your title" }', {"title": SUPPORTED}),
        ("Generate 1-3 broad tags for the chat history.", '{ "tags": ["tag"] }', {"tags": []}),
        ("Suggest questions the user may ask next.", '{ "follow_ups": ["one"] }', {"follow_ups": []}),
    ):
        done = client.chat.completions.create(model=model, messages=task(order, form), stream=False)  # type: ignore[call-overload]
        assert json.loads(done.choices[0].message.content) == expected
    assert len(rewriter.prompts) == runs, "such a prompt is no question"
    # The page sends back what it was given, as the words of the assistant.
    second = streamed([*messages, {"role": "assistant", "content": first}, *asked(FOLLOW_UP)])
    assert second.startswith(f"Read as: {ALONE}\n\n")
    assert "pirate" not in rewriter.prompts[-1]
    third = [*messages, {"role": "assistant", "content": first}, *asked(FOLLOW_UP)]
    third += [{"role": "assistant", "content": second}, *asked("And who painted it?")]
    streamed(third)
    assert f"Question: {ALONE}\n" in rewriter.prompts[-1]


def test_questions_without_replies_are_turns_too() -> None:
    said = [("user", "Who?"), ("user", "Where?"), ("assistant", ""), ("assistant", "Here."), ("user", "Why?")]
    conversation = conversation_of([Message(role=role, content=text) for role, text in said], "messages")  # type: ignore[arg-type]
    assert conversation.turns == (Turn(question="Who?"), Turn(question="Where?"))
    assert conversation.question == "Why?"
