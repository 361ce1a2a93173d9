"""Threads: questions that follow one another, kept, listed, exported, deleted and brought back."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from server_app import serving
from word_vectors import WordVectors

from probative import Session
from probative.models.types import Request
from probative.models.verdict import VerdictScores
from probative.server.runs.store import RunStore
from probative.settings import Settings
from probative.testing import ScriptedModel, ScriptedVerdict

FIRST = "Where was the Heron built?"
FOLLOW_UP = "And who owned it?"
ALONE = "Who owned the Heron?"
BODY = {"passages": ["The Heron was built in Molde.", "Ada Berg owned the Heron."], "method": "rag"}

pytestmark = pytest.mark.model


SLOW = "Who owned the Heron before the war?"
GATE = threading.Event()


def reply(request: Request) -> str:
    """Rewrite the follow-up, and answer; the answer to one question waits for the gate."""
    prompt = request.messages[-1].content
    if "before the war" in prompt:
        assert GATE.wait(120)
    if "Next question:" in prompt:
        return SLOW if SLOW in prompt else ALONE
    return "Ada Berg [1]" if ALONE in prompt else "Molde [1]"


def session() -> Session:
    return Session(
        ScriptedModel(generate=reply),
        verdict=ScriptedVerdict(lambda item: VerdictScores(0.9, 0.05, 0.05, (1.0,) * len(item.evidence))),
        encoder=WordVectors(),
        settings=Settings(cache=False),
    )


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with session() as opened, serving(tmp_path / "data", session=opened) as made:
        yield made


def ended(client: TestClient, run: str) -> dict[str, Any]:
    """Wait for the end of a run and return it."""
    limit = time.monotonic() + 120
    while time.monotonic() < limit:
        found: dict[str, Any] = client.get(f"/api/runs/{run}").json()
        if found["state"] in ("done", "failed", "cancelled"):
            return found
        time.sleep(0.02)
    raise AssertionError("the run does not end")


def begun(client: TestClient) -> tuple[str, str]:
    """Ask a first question and begin a thread with it; returns the ids of the thread and the run."""
    run = client.post("/api/ask", json={"question": FIRST, **BODY}).headers["Probative-Run"]
    made = client.post("/api/threads", json={"run": run})
    assert made.status_code == 201
    return made.json()["id"], run


def follow(client: TestClient, thread: str, question: str = FOLLOW_UP, **query: str) -> str:
    """Ask in a thread, wait, and return the id of the run."""
    asked = client.post(f"/api/threads/{thread}/ask", params=query, json={"question": question, **BODY})
    assert asked.status_code == 202, asked.text
    assert ended(client, asked.json()["id"])["state"] == "done"
    return str(asked.json()["id"])


def test_a_thread_has_the_name_of_its_first_question_and_the_runs_in_order(client: TestClient) -> None:
    thread, first = begun(client)
    second = follow(client, thread)
    found = client.get(f"/api/threads/{thread}").json()
    assert (found["name"], found["turns"], [run["id"] for run in found["runs"]]) == (
        FIRST,
        2,
        [first, second],
    )
    assert client.post("/api/threads", json={"run": second}).json()["id"] == thread, "a run is in one thread"


def test_a_follow_up_has_the_turns_before_it_as_history(client: TestClient) -> None:
    thread, _ = begun(client)
    second = follow(client, thread)
    assert client.get(f"/api/runs/{second}").json()["request"]["history"] == [
        {"question": FIRST, "answer": "Molde"}
    ]
    result = client.get(f"/api/runs/{second}/result").json()
    assert (result["question"], result["read_as"], result["answer"]) == (FOLLOW_UP, ALONE, "Ada Berg")
    third = follow(client, thread, "Who built it?")
    questions = [turn["question"] for turn in client.get(f"/api/runs/{third}").json()["request"]["history"]]
    assert questions == [FIRST, ALONE]


def test_an_edited_question_takes_the_place_and_is_asked_as_written(client: TestClient) -> None:
    thread, first = begun(client)
    second = follow(client, thread)
    edited = follow(client, thread, "Who owned the Heron, then?", instead_of=second)
    assert client.get(f"/api/runs/{edited}").json()["request"]["history"] == []
    runs = [run["id"] for run in client.get(f"/api/threads/{thread}").json()["runs"]]
    assert runs == [first, edited]
    refused = client.post(
        f"/api/threads/{thread}/ask", params={"instead_of": second}, json={"question": "Why?", **BODY}
    )
    assert refused.status_code == 404


def test_a_thread_can_be_renamed(client: TestClient) -> None:
    thread, _ = begun(client)
    assert client.patch(f"/api/threads/{thread}", json={"name": " The Heron "}).json()["name"] == "The Heron"
    assert [each["name"] for each in client.get("/api/threads").json()["threads"]] == ["The Heron"]
    assert client.patch(f"/api/threads/{thread}", json={"name": " "}).status_code == 422
    assert client.patch("/api/threads/none", json={"name": "x"}).status_code == 404


def test_exports_have_every_question_with_answer_and_verdict(client: TestClient) -> None:
    thread, first = begun(client)
    second = follow(client, thread)
    markdown = client.get(f"/api/threads/{thread}/export.md")
    assert markdown.headers["content-disposition"] == f'attachment; filename="thread-{thread}.md"'
    assert markdown.text.startswith(f"# {FIRST}\n\n## 1. {FIRST}\n\n")
    for words in (f"## 2. {FOLLOW_UP}", f"read as: {ALONE}", "Molde", "Ada Berg", "**✓ Supported**"):
        assert words in markdown.text
    exported = client.get(f"/api/threads/{thread}/export.json").json()
    assert exported["thread"]["id"] == thread
    assert [(turn["run"]["id"], turn["result"]["answer"]) for turn in exported["turns"]] == [
        (first, "Molde"),
        (second, "Ada Berg"),
    ]
    assert client.get(f"/api/threads/{thread}/export.html").status_code == 404


def test_a_deleted_thread_can_be_had_back_with_its_runs(client: TestClient) -> None:
    thread, _ = begun(client)
    assert client.delete(f"/api/threads/{thread}").status_code == 204
    (listed,) = client.get("/api/threads").json()["threads"]
    assert listed["deleted"] is not None
    assert client.get("/api/runs").json() == {"runs": [], "next": None, "total": 0}
    refused = client.post(f"/api/threads/{thread}/ask", json={"question": "Why?", **BODY})
    assert refused.status_code == 409
    assert client.post(f"/api/threads/{thread}/restore").json()["deleted"] is None
    assert client.get("/api/runs").json()["total"] == 1
    follow(client, thread)


def test_after_a_day_the_thread_and_its_words_are_gone(tmp_path: Path) -> None:
    with session() as opened, serving(tmp_path / "data", session=opened) as client:
        thread, run = begun(client)
        other, _ = begun(client)
        client.patch(f"/api/threads/{thread}", json={"name": "Kittiwake"})
        client.delete(f"/api/threads/{thread}")
    store = RunStore(tmp_path / "data" / "runs.sqlite")
    try:
        assert store.threads.clean(datetime.now(UTC) + timedelta(hours=23)) == 0
        assert store.threads.clean(datetime.now(UTC) + timedelta(hours=25)) == 1
        assert [each.id for each in store.threads.newest(9)] == [other]
        assert store.threads.runs(thread) == []
        assert run not in [each.id for each in store.newest(9).runs]
    finally:
        store.close()
    assert all(b"Kittiwake" not in file.read_bytes() for file in (tmp_path / "data").glob("runs*"))


def test_a_thread_goes_with_its_last_run(client: TestClient) -> None:
    thread, run = begun(client)
    client.delete(f"/api/runs/{run}")
    assert client.get("/api/threads").json()["threads"] == []
    assert client.get(f"/api/threads/{thread}").json()["runs"] == []


def test_only_questions_begin_a_thread(client: TestClient) -> None:
    body = {"claim": "It rained.", "evidence": "It rained."}
    run = client.post("/api/judge", json=body).headers["Probative-Run"]
    assert client.post("/api/threads", json={"run": run}).status_code == 409
    assert client.post("/api/threads", json={"run": "missing-run"}).status_code == 404
    assert client.post("/api/threads/none/ask", json={"question": "Why?", **BODY}).status_code == 404


def test_a_file_of_runs_without_threads_is_brought_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    store = RunStore(file)
    store.close()
    with closing(sqlite3.connect(file)) as db:
        db.executescript("DROP TABLE threads; DROP TABLE turns; PRAGMA user_version=3")
    store = RunStore(file)
    assert store.threads.newest(1) == []
    store.close()


def test_the_thread_of_a_run_is_found(client: TestClient) -> None:
    thread, first = begun(client)
    second = follow(client, thread)
    other = client.post("/api/ask", json={"question": FIRST, **BODY}).headers["Probative-Run"]
    for run, threads in ((first, [thread]), (second, [thread]), (other, []), ("missing-run", [])):
        listed = client.get("/api/threads", params={"run": run}).json()["threads"]
        assert [each["id"] for each in listed] == threads
    assert client.get("/api/threads", params={"run": "no id"}).status_code == 422


def test_a_thread_whose_answer_has_not_ended_is_not_deleted_and_asked_nothing(client: TestClient) -> None:
    GATE.clear()
    thread, _ = begun(client)
    asked = client.post(f"/api/threads/{thread}/ask", json={"question": SLOW, **BODY}).json()["id"]
    again = client.post(f"/api/threads/{thread}/ask", json={"question": FOLLOW_UP, **BODY})
    deleting = client.delete(f"/api/threads/{thread}")
    assert (again.status_code, deleting.status_code) == (409, 409)
    assert again.json()["error"]["hint"] == "wait for it, or cancel it"
    runs = client.get(f"/api/threads/{thread}").json()["runs"]
    assert (len(runs), runs[1]["state"] in ("queued", "running")) == (2, True)
    GATE.set()
    assert ended(client, asked)["state"] == "done"
    assert client.delete(f"/api/threads/{thread}").status_code == 204


def test_a_cancelled_question_stays_in_the_thread_and_is_no_history(client: TestClient) -> None:
    GATE.clear()
    thread, _ = begun(client)
    asked = client.post(f"/api/threads/{thread}/ask", json={"question": SLOW, **BODY}).json()["id"]
    client.post(f"/api/runs/{asked}/cancel")
    GATE.set()
    assert ended(client, asked)["state"] == "cancelled"
    third = follow(client, thread)
    history = client.get(f"/api/runs/{third}").json()["request"]["history"]
    assert [turn["question"] for turn in history] == [FIRST]
    assert client.get(f"/api/threads/{thread}/export.md").text.count("\n## ") == 2


def test_what_cannot_be_used_is_refused(client: TestClient) -> None:
    thread, _ = begun(client)
    assert client.get("/api/threads", params={"limit": 0}).status_code == 422
    assert client.patch(f"/api/threads/{thread}", json={"name": "x" * 161}).status_code == 422
    assert client.post(f"/api/threads/{thread}/ask", json={"question": "", **BODY}).status_code == 422
    assert client.get(f"/api/threads/{thread}/export.pdf").status_code == 404
    for path in ("", "/export.md"):
        assert client.get(f"/api/threads/missing{path}").status_code == 404
    assert client.delete("/api/threads/missing").status_code == 404
    assert client.post("/api/threads/missing/restore").status_code == 404
