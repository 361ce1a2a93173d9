"""Greetings and vague messages: they are no questions to a corpus, and are told what can be asked."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import httpx
import pytest
from openai_server import ANSWERS, BUILT, INSUFFICIENT, MODEL, answering_session, asked, listening

from probative.server.openai.answer_text import reply_of

# The limit of httpx itself is 5 s, which a busy machine may need.
get, post = partial(httpx.get, timeout=120), partial(httpx.post, timeout=120)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", ["chat/completions", "responses"])
def test_a_greeting_makes_no_run(tmp_path: Path, path: str, stream: bool) -> None:
    session = answering_session()
    with listening(tmp_path, session=session) as url:
        said = {"messages": asked("hi there")} if path.startswith("chat") else {"input": "hi there"}
        reply = post(f"{url}/v1/{path}", json={"model": MODEL, "stream": stream, **said})
        assert get(f"{url}/api/runs").json()["runs"] == []
    assert reply.status_code == 200
    assert "Only questions about the documents of “ferries” are answered here." in reply.text
    assert reply.headers["content-type"].startswith("text/event-stream" if stream else "application/json")
    assert session.seen == []


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", ["chat/completions", "responses"])
@pytest.mark.parametrize(
    "message",
    [
        "What can you do?",
        "help",
        "Help me please!",
        "hello, who are you",
        "Thank you! Who are you?",
        "What is this?",
        "???",
        "👍",
    ],
)
def test_a_vague_message_is_told_what_can_be_asked(
    tmp_path: Path, message: str, path: str, stream: bool
) -> None:
    session = answering_session()
    with listening(tmp_path, session=session) as url:
        said = {"messages": asked(message)} if path.startswith("chat") else {"input": message}
        reply = post(f"{url}/v1/{path}", json={"model": MODEL, "stream": stream, **said})
        sources = [
            entry["source"] for entry in get(f"{url}/api/corpora/ferries/documents").json()["documents"]
        ]
    assert reply.status_code == 200
    assert "Only questions about the documents of “ferries” are answered here." in reply.text
    assert all(source in reply.text for source in sources[:5])
    assert session.seen == []


def test_a_vague_message_after_an_answer_is_not_taken_for_a_question_about_it(tmp_path: Path) -> None:
    turns = [*asked("Where was the Heron built?"), {"role": "assistant", "content": "Molde"}]
    with listening(tmp_path, session=answering_session()) as url:
        said = {"model": MODEL, "messages": [*turns, *asked("What can you do?")]}
        reply = post(f"{url}/v1/chat/completions", json=said).json()
        follow_up = post(
            f"{url}/v1/chat/completions", json={**said, "messages": [*turns, *asked("And when?")]}
        )
    assert "Only questions about the documents" in reply["choices"][0]["message"]["content"]
    assert "points at an earlier one" in follow_up.text


@pytest.mark.parametrize(
    ("said", "quoted"), [("hello", 0), ("How are you?", 0), ("Tell me of the Heron.", 1)]
)
def test_a_greeting_is_not_answered_with_a_quotation(said: str, quoted: int) -> None:
    answer = ANSWERS[INSUFFICIENT].model_copy(update={"question": said, "missing": ()})
    reply = reply_of(answer, "ferries", "run", str)
    assert reply.text.count(BUILT) == quoted
    assert ("Only questions about the documents of “ferries”" in reply.text) == (quoted == 0)
    assert reply.finding.refusal
    assert len(reply.annotations) == quoted
