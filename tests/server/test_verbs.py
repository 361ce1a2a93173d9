"""`POST /api/VERB` in its three forms, its keys, and its errors."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from server_app import scripted_session, serving

from probative import Request
from probative.server.base.options import Limits
from probative.testing import ScriptedModel

PASSAGES = ["The Heron was built in Molde.", "Pines grow slowly."]
REQUESTS: dict[str, dict[str, Any]] = {
    "ask": {"question": "Where was the Heron built?", "passages": PASSAGES, "method": "rag"},
    "check": {"question": "Where was the Heron built?", "knowledge": PASSAGES, "preset": "words"},
    "prove": {"claim": "The Heron is of Molde.", "sentences": PASSAGES, "k": 1, "method": "bm25"},
    "judge": {"claim": "The Heron is of Molde.", "evidence": PASSAGES},
    "verify": {"text": "The Heron was built in Molde.", "passages": PASSAGES},
    "reason": {"question": "Does willow bark ease pain?", "graph": "herbs"},
    "annotate": {"claim": "The Heron is of Molde.", "sentences": PASSAGES},
}


def direct(verb: str) -> dict[str, Any]:
    """Return what the session itself says to the request of a verb."""
    request = dict(REQUESTS[verb])
    with scripted_session(model=script()) as session:
        arguments = [request.pop(name) for name in ("question", "claim", "text") if name in request]
        others = ("passages", "knowledge", "sentences", "evidence")
        arguments += [request.pop(name) for name in others if name in request]
        if verb == "reason":
            request["graph"] = [("willow bark", "contains", "salicin"), ("salicin", "eases", "pain")]
        result = getattr(session, verb)(*arguments, **request)
    return timeless(result.model_copy(update={"trace": None}).to_dict())


def script() -> ScriptedModel:
    def reply(request: Request) -> str:
        return "1: maybe" if "willow bark" in str(request.messages) else "[1]"

    return ScriptedModel(generate=reply, score=lambda prompt, text: -1.0)


def timeless(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result without its seconds."""
    return json.loads(
        json.dumps(result), object_hook=lambda found: {k: v for k, v in found.items() if k != "seconds"}
    )


@pytest.mark.model
@pytest.mark.parametrize("verb", REQUESTS)
def test_a_result_is_that_of_the_session(verb: str, tmp_path: Path) -> None:
    with serving(tmp_path, session=scripted_session(model=script())) as client:
        reply = client.post(f"/api/{verb}", json=REQUESTS[verb])
    assert reply.status_code == 200, reply.text
    assert timeless(reply.json()) == direct(verb)
    assert reply.headers["probative-run"]


def events_of(text: str) -> list[tuple[str, dict[str, Any]]]:
    blocks = [block for block in text.split("\n\n") if "event:" in block]
    lines = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
    return [(line["event"], json.loads(line["data"])) for line in lines]


def test_events_end_with_the_result(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        reply = client.post("/api/verify", json=REQUESTS["verify"], headers={"accept": "text/event-stream"})
        events = events_of(reply.text)
        stored = client.get(f"/api/runs/{reply.headers['probative-run']}/result").json()
    assert events[0][0] == "state"
    assert events[-1][0] == "result"
    assert events[-1][1]["result"] == stored
    assert events[-1][1]["run"]["request"]["text"] == REQUESTS["verify"]["text"]
    assert [data["claim"] for name, data in events if name == "claim"] == stored["claims"]
    assert {"name": "verdict"} in [data for name, data in events if name == "step"]
    assert events[-1][1]["run"]["counts"] == {"supported": 1, "contradicted": 0, "insufficient": 0}


def test_a_detached_run_is_polled(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        reply = client.post("/api/judge", json=REQUESTS["judge"], headers={"prefer": "respond-async"})
        assert reply.status_code == 202
        assert events_of(client.get(f"{reply.headers['location']}/events").text)[-1][0] == "result"
        run = client.get(reply.headers["location"]).json()
    assert (run["state"], run["verdict"], run["request"]["claim"]) == (
        "done",
        "supported",
        REQUESTS["judge"]["claim"],
    )


def test_a_key_gives_the_same_run_and_refuses_another_body(tmp_path: Path) -> None:
    headers = {"idempotency-key": "first"}
    with serving(tmp_path) as client:
        first = client.post("/api/judge", json=REQUESTS["judge"], headers=headers)
        again = client.post("/api/judge", json=REQUESTS["judge"], headers=headers)
        other = client.post("/api/judge", json={"claim": "No.", "evidence": ["x."]}, headers=headers)
        assert len(client.get("/api/runs").json()["runs"]) == 1
    assert again.headers["probative-run"] == first.headers["probative-run"]
    assert again.json() == first.json()
    assert (other.status_code, other.json()["error"]["type"]) == (409, "ConflictError")


@pytest.mark.parametrize(
    ("verb", "body", "status", "words"),
    [
        ("ask", {"question": "Why?"}, 422, "give one of passages, corpus and uploads"),
        ("ask", {"question": "Why?", "passages": ["x."], "corpus": "a"}, 422, "give one of"),
        ("ask", {"question": " ", "passages": ["x."]}, 422, "question"),
        ("ask", {"question": "Why?", "corpus": "secret"}, 404, "there is no corpus called 'secret'"),
        ("ask", {"question": "Why?", "corpus": "/etc"}, 404, "there is no corpus"),
        (
            "ask",
            {"question": "Why?", "passages": ["x."], "options": {"corpus": "/etc"}},
            400,
            "not an option",
        ),
        ("ask", {"question": "Why?", "passages": ["x."], "options": {"retriever": 1}}, 400, "not an option"),
        ("ask", {"question": "Why?", "passages": ["x."], "options": {"speed": 1}}, 400, "speed"),
        ("ask", {"question": "Why?", "passages": ["x."], "method": "magic"}, 400, "magic"),
        ("ask", {"question": "Why?", "uploads": ["../../etc/passwd"]}, 422, "uploads"),
        ("ask", {"question": "Why?", "uploads": ["abcdefgh"]}, 404, "there is no upload"),
        ("reason", {"question": "Why?", "graph": "../herbs"}, 404, "there is no graph"),
        ("reason", {"question": "Why?", "triples": [["a", "b"]]}, 422, "triples"),
        ("judge", {"claim": "x", "evidence": ["y"], "more": 1}, 422, "more"),
        ("judge", {"claim": "half \ud800", "evidence": ["y"]}, 422, "claim"),
        ("prove", {"claim": "x", "text": "y.", "k": 0}, 422, "k"),
    ],
)
def test_a_wrong_request_is_refused_with_words(
    verb: str, body: dict[str, Any], status: int, words: str, tmp_path: Path
) -> None:
    with serving(tmp_path) as client:
        reply = client.post(
            f"/api/{verb}", content=json.dumps(body), headers={"content-type": "application/json"}
        )
    assert reply.status_code == status, reply.text
    assert words in json.dumps(reply.json(), ensure_ascii=False)


@pytest.mark.model
def test_a_failing_model_is_a_bad_gateway(tmp_path: Path) -> None:
    from probative.errors import OverloadError

    def fail(prompt: str) -> str:
        raise OverloadError("the server failed", hint="try later")

    with serving(tmp_path, session=scripted_session(model=ScriptedModel(generate=fail))) as client:
        reply = client.post("/api/ask", json=REQUESTS["ask"])
    assert (reply.status_code, reply.json()["error"]["hint"]) == (502, "try later")


@pytest.mark.model
def test_too_many_runs_are_refused_and_the_queue_is_told(tmp_path: Path) -> None:
    goes_on = threading.Event()

    def wait(prompt: str) -> str:
        goes_on.wait(120)
        return "Molde"

    session = scripted_session(model=ScriptedModel(generate=wait))
    limits = Limits(runs_at_once=1, queue=1)
    with serving(tmp_path, session=session, limits=limits) as client:
        replies = [
            client.post("/api/ask", json=REQUESTS["ask"], headers={"prefer": "respond-async"})
            for _ in range(4)
        ]
        goes_on.set()
        refused = [reply for reply in replies if reply.status_code == 429]
        for reply in replies:
            if reply.status_code == 202:
                client.get(f"{reply.headers['location']}/events")
        states = [run["state"] for run in client.get("/api/runs").json()["runs"]]
    assert len(refused) == 2
    assert refused[0].headers["retry-after"]
    assert refused[0].json()["queue"]["limit"] == 1
    assert states == ["done", "done"]


@pytest.mark.model
def test_a_queued_and_a_running_run_are_cancelled(tmp_path: Path) -> None:
    goes_on = threading.Event()

    def wait(prompt: str) -> str:
        goes_on.wait(120)
        return "Molde"

    session = scripted_session(model=ScriptedModel(generate=wait))
    with serving(tmp_path, session=session, limits=Limits(runs_at_once=1)) as client:
        first, second = (
            client.post("/api/ask", json=REQUESTS["ask"], headers={"prefer": "respond-async"}).json()["id"]
            for _ in range(2)
        )
        assert client.post(f"/api/runs/{second}/cancel").json()["state"] == "cancelled"
        client.post(f"/api/runs/{first}/cancel")
        goes_on.set()
        assert events_of(client.get(f"/api/runs/{first}/events").text)[-1][0] == "error"
        assert client.get(f"/api/runs/{first}").json()["state"] == "cancelled"
        assert client.post(f"/api/runs/{first}/cancel").status_code == 409
        assert client.get(f"/api/runs/{first}/result").status_code == 409
        assert client.delete(f"/api/runs/{first}").status_code == 204
        assert client.get(f"/api/runs/{first}").status_code == 404
