"""The official client and what is kept: keys, responses that are fetched, cancelled, deleted or not kept."""

from __future__ import annotations

from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI
from openai_server import CONTRADICTED, FAILING, INSUFFICIENT, MODEL, SLOW, SUPPORTED, asked, eventually


def keyed(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key}


def runs(url: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = httpx.get(f"{url}/api/runs", params={"limit": 200}).json()["runs"]
    return found


def test_a_key_gives_the_same_completion_again(client: OpenAI, url: str) -> None:
    first = client.chat.completions.create(
        model=MODEL, messages=asked(SUPPORTED), extra_headers=keyed("chat-1")
    )
    count = len(runs(url))
    again = client.chat.completions.create(
        model=MODEL, messages=asked(SUPPORTED), extra_headers=keyed("chat-1")
    )
    assert again.to_dict() == first.to_dict()
    streamed = client.chat.completions.create(
        model=MODEL, messages=asked(SUPPORTED), stream=True, extra_headers=keyed("chat-1")
    )
    chunks = list(streamed)
    assert {chunk.id for chunk in chunks} == {first.id}
    assert (
        "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == first.choices[0].message.content
    )
    assert len(runs(url)) == count


def test_a_key_with_another_question_is_a_conflict(client: OpenAI) -> None:
    client.responses.create(model=MODEL, input=SUPPORTED, extra_headers=keyed("conflict-1"))
    with pytest.raises(openai.ConflictError, match="came with another request"):
        client.responses.create(model=MODEL, input=INSUFFICIENT, extra_headers=keyed("conflict-1"))


def test_keys_are_those_of_the_rest_api(client: OpenAI, url: str) -> None:
    body = {"question": SUPPORTED, "corpus": "ferries"}
    asked_before = httpx.post(f"{url}/api/ask", json=body, headers=keyed("shared-1"))
    response = client.responses.create(model=MODEL, input=SUPPORTED, extra_headers=keyed("shared-1"))
    assert response.id == f"resp_{asked_before.headers['Probative-Run']}"


def test_a_failed_run_with_a_key_fails_again(client: OpenAI) -> None:
    for _ in range(2):
        with pytest.raises(openai.InternalServerError, match="gave no answer"):
            client.chat.completions.create(
                model=MODEL, messages=asked(FAILING), extra_headers=keyed("fail-1")
            )
    events = list(
        client.responses.create(model=MODEL, input=FAILING, stream=True, extra_headers=keyed("fail-1"))
    )
    assert events[-1].type == "response.failed"


@pytest.mark.parametrize("question", [SUPPORTED, INSUFFICIENT, CONTRADICTED])
def test_a_response_is_fetched_as_it_was_given(client: OpenAI, question: str) -> None:
    given = client.responses.create(model=MODEL, input=question)
    assert client.responses.retrieve(given.id).to_dict() == given.to_dict()
    [item] = client.responses.input_items.list(given.id)
    assert item.to_dict()["content"] == [{"type": "input_text", "text": question}]


def test_a_response_is_streamed_again_from_any_event_on(client: OpenAI) -> None:
    given = list(client.responses.create(model=MODEL, input=SUPPORTED, stream=True))
    assert given[-1].type == "response.completed"
    identity = given[-1].response.id
    again = list(client.responses.retrieve(identity, stream=True))
    assert [event.to_dict() for event in again] == [event.to_dict() for event in given]
    rest = list(client.responses.retrieve(identity, stream=True, starting_after=4))
    assert [event.sequence_number for event in rest] == list(range(5, len(given)))


def test_a_deleted_response_is_gone_with_its_run(client: OpenAI, url: str) -> None:
    given = client.responses.create(model=MODEL, input=SUPPORTED)
    run = given.model_dump()["probative"]["run"]
    client.responses.delete(given.id)
    with pytest.raises(openai.NotFoundError, match="there is no response"):
        client.responses.retrieve(given.id)
    assert httpx.get(f"{url}/api/runs/{run}").status_code == 404


def test_a_response_in_the_background_is_polled_and_cancelled(client: OpenAI) -> None:
    begun = client.responses.create(model=MODEL, input=SLOW, background=True)
    assert (begun.status, begun.background, begun.output) == ("queued", True, [])
    assert eventually(lambda: client.responses.retrieve(begun.id).status == "in_progress")
    with pytest.raises(openai.ConflictError, match="cancel it first"):
        client.responses.delete(begun.id)
    assert client.responses.cancel(begun.id).status == "cancelled"
    assert eventually(lambda: client.responses.retrieve(begun.id).status == "cancelled")
    assert client.responses.cancel(begun.id).status == "cancelled"
    done = client.responses.create(model=MODEL, input=SUPPORTED, background=True)
    assert eventually(lambda: client.responses.retrieve(done.id).status == "completed")
    assert client.responses.retrieve(done.id).output_text.startswith("Molde [1]")
    with pytest.raises(openai.ConflictError, match="ended already"):
        client.responses.cancel(done.id)


def test_a_streamed_response_is_cancelled_from_elsewhere(client: OpenAI) -> None:
    with client.responses.create(model=MODEL, input=SLOW, stream=True) as stream:
        events = iter(stream)
        first = next(events)
        assert first.type == "response.created"
        client.responses.cancel(first.response.id)
        assert [event.type for event in events][-1] == "response.failed"


def test_a_failed_response_says_why(client: OpenAI) -> None:
    begun = client.responses.create(model=MODEL, input=FAILING, background=True)
    assert eventually(lambda: client.responses.retrieve(begun.id).status == "failed")
    error = client.responses.retrieve(begun.id).error
    assert error is not None
    assert "gave no answer" in error.message


def test_nothing_is_kept_without_store(client: OpenAI, url: str) -> None:
    before = runs(url)
    given = client.responses.create(model=MODEL, input=SUPPORTED, store=False)
    chat = client.chat.completions.create(model=MODEL, messages=asked(SUPPORTED), store=False)
    streamed = list(
        client.chat.completions.create(model=MODEL, messages=asked(SUPPORTED), store=False, stream=True)
    )
    assert given.output_text == chat.choices[0].message.content
    assert streamed[-1].choices[0].finish_reason == "stop"
    assert given.model_dump()["probative"]["run"] is None
    assert runs(url) == before
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(given.id)


def test_a_client_that_leaves_ends_a_run_that_is_not_kept(url: str) -> None:
    def running() -> int:
        count: int = httpx.get(f"{url}/api/info").json()["queue"]["running"]
        return count

    assert eventually(lambda: running() == 0)
    with OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
        stream = client.chat.completions.create(model=MODEL, messages=asked(SLOW), stream=True, store=False)
        next(iter(stream))
        assert eventually(lambda: running() == 1)
        stream.close()
    assert eventually(lambda: running() == 0)


@pytest.mark.parametrize("extra", [{"background": True}, {"extra_headers": {"Idempotency-Key": "k"}}])
def test_what_needs_a_kept_run_is_refused_without_store(client: OpenAI, extra: Any) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client.responses.create(model=MODEL, input=SUPPORTED, store=False, **extra)
    assert caught.value.param == "store"


@pytest.mark.parametrize("identity", ["resp_nothing", "nothing", "chatcmpl-1"])
def test_an_unknown_response_is_not_found(client: OpenAI, identity: str) -> None:
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(identity)
    with pytest.raises(openai.NotFoundError):
        client.responses.cancel(identity)


def test_a_run_without_a_corpus_is_no_response(client: OpenAI, url: str) -> None:
    body = {"question": SUPPORTED, "passages": ["The Heron was built in Molde."]}
    run = httpx.post(f"{url}/api/ask", json=body).headers["Probative-Run"]
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(f"resp_{run}")
