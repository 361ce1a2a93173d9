"""A request that cannot be used is refused in plain words, and leaves no run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from server_app import serving

ASK: dict[str, Any] = {"question": "Where?", "passages": ["It was built in Molde."]}
PROVE: dict[str, Any] = {"claim": "It rained.", "sentences": ["It rained."]}
VERIFY: dict[str, Any] = {"text": "It rained.", "passages": ["It rained."]}
REASON: dict[str, Any] = {"question": "Does salicin ease pain?", "graph": "herbs"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("refused")) as opened:
        yield opened


@pytest.mark.parametrize(
    ("verb", "body", "named"),
    [
        ("ask", {**ASK, "method": "scoop"}, "scoop"),
        ("ask", {**ASK, "preset": "quick"}, "quick"),
        ("ask", {**ASK, "options": {"bread": 2}}, "bread"),
        ("check", {"question": "Where?", "knowledge": "In Molde.", "options": {"bread": 2}}, "bread"),
        ("prove", {**PROVE, "method": "bm52"}, "bm52"),
        ("prove", {**PROVE, "options": {"bread": 2}}, "bread"),
        ("verify", {**VERIFY, "method": "polity"}, "polity"),
        ("verify", {**VERIFY, "options": {"bread": 2}}, "bread"),
        ("reason", {**REASON, "method": "take"}, "take"),
        ("reason", {**REASON, "options": {"bread": 2}}, "bread"),
        ("reason", {**REASON, "form": "choice"}, "choices"),
    ],
)
def test_a_wrong_method_or_option_leaves_no_run(
    client: TestClient, verb: str, body: dict[str, Any], named: str
) -> None:
    before = client.get("/api/runs").json()["runs"]
    reply = client.post(f"/api/{verb}", json=body)
    assert reply.status_code == 400, reply.text
    assert named in reply.json()["error"]["message"]
    assert client.get("/api/runs").json()["runs"] == before


@pytest.mark.parametrize(
    ("verb", "body", "message"),
    [
        ("ask", {**ASK, "question": "  "}, "question must not be empty"),
        ("ask", {"passages": ["x"]}, "question is missing"),
        ("ask", {"question": "Where?"}, "give one of passages, corpus and uploads"),
        ("ask", {**ASK, "passages": []}, "passages must not be empty"),
        ("ask", {**ASK, "passages": [{"title": "x"}]}, "passages.0.text is missing"),
        ("ask", {**ASK, "passages": [3]}, "passages.0 must be a text or an object"),
        ("ask", {**ASK, "seed": -1}, "seed must be at least 0"),
        ("prove", {**PROVE, "k": "many"}, "k must be a whole number or 'auto'"),
        ("reason", {**REASON, "form": "x"}, "form must be 'yes-no', 'choice' or 'text'"),
        ("reason", {**REASON, "choices": ["a"]}, "choices must have at least 2 entries"),
        ("ask", {**ASK, "pasages": 1}, "pasages is not a field of this request"),
    ],
)
def test_a_wrong_shape_is_told_in_plain_words(
    client: TestClient, verb: str, body: dict[str, Any], message: str
) -> None:
    reply = client.post(f"/api/{verb}", json=body)
    assert (reply.status_code, reply.json()["error"]["message"]) == (422, message)


@pytest.mark.parametrize("path", ["/api/ask", "/v1/chat/completions"])
@pytest.mark.parametrize(
    "body", [r'{"\ud800": 1}', r'{"question": "\ud800", "passages": ["x"]}', r'{"options": {"\ud800": 1}}']
)
def test_half_a_character_is_a_wrong_shape(client: TestClient, path: str, body: str) -> None:
    reply = client.post(path, content=body, headers={"content-type": "application/json"})
    assert reply.status_code == (422 if path.startswith("/api") else 400), reply.text


@pytest.mark.parametrize("path", ["/api/ask", "/v1/chat/completions"])
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"[" * 200_000, "the body is nested too deeply"),
        (b'{"question": "\xff"}', "the body is not valid JSON"),
        (b'{"seed": ' + b"9" * 5_000 + b"}", "the body is not valid JSON"),
        (b'{"question": ', "the body is not valid JSON"),
    ],
    ids=["deep", "bytes", "digits", "cut"],
)
def test_a_body_that_cannot_be_read_is_a_wrong_shape(
    client: TestClient, path: str, body: bytes, message: str
) -> None:
    reply = client.post(path, content=body, headers={"content-type": "application/json"})
    assert reply.status_code == (422 if path.startswith("/api") else 400), reply.text
    error = reply.json()["error"]
    assert error["message"] == message
    assert error["type"] == ("ShapeError" if path.startswith("/api") else "invalid_request_error")


def test_a_question_that_is_too_long_names_the_limit(client: TestClient) -> None:
    reply = client.post("/api/ask", json={**ASK, "question": "a" * 4_001 + " "})
    error = reply.json()["error"]
    assert (reply.status_code, error["field"]) == (422, "question")
    assert error["message"] == "question must have at most 4,000 characters"
    assert error["hint"] == "it has 4,001: shorten it"


def test_the_openai_api_uses_the_same_words(client: TestClient) -> None:
    reply = client.post("/v1/chat/completions", json={"model": "herbs", "messages": []})
    assert reply.status_code == 400
    assert reply.json()["error"]["message"] == "messages must not be empty"
    assert reply.json()["error"]["param"] == "messages"


def test_a_question_of_white_space_is_shortened(client: TestClient) -> None:
    claim = f"The Heron{3_900 * ' '}is of Molde."
    reply = client.post("/api/judge", json={"claim": claim, "evidence": "It was built in Molde."})
    assert (reply.status_code, reply.json()["claim"]) == (200, "The Heron  is of Molde.")


BODIES: dict[str, Any] = {
    "api/ask": {"question": "Where?", "passages": [{"id": "a", "text": "b", "title": "c", "date": "2024"}]},
    "api/verify": {"text": "It rained.", "passages": [{"id": "a", "text": "b", "source": "c"}], "name": "n"},
    "api/check": {"question": "Where?", "knowledge": ["a", {"text": "b", "title": "c"}]},
    "api/reason": {"question": "Where?", "triples": [["a", "b", "c"]], "choices": ["d"]},
    "v1/chat/completions": {
        "model": "probative/c",
        "messages": [{"role": "user", "content": "Where?", "name": "n"}],
        "user": "u",
        "metadata": {"k": "v"},
        "tools": [{"type": "function", "x": ["y"]}],
    },
    "v1/responses": {
        "model": "probative/c",
        "input": [{"role": "user", "content": [{"type": "input_text", "text": "Where?"}]}],
        "metadata": {"k": "v"},
        "instructions": "i",
        "previous_response_id": "p",
    },
}


def broken(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a value once for each of its texts, with half of a character there, and the place of that."""
    if isinstance(value, str):
        yield "", "half \ud800"
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield from ((f".{key}{place}", {**value, key: changed}) for place, changed in broken(inner))
    for index, inner in enumerate(value) if isinstance(value, list) else ():
        for place, changed in broken(inner):
            yield f".{index}{place}", [*value[:index], changed, *value[index + 1 :]]


@pytest.mark.parametrize("path", BODIES)
def test_half_of_a_character_is_refused_in_every_field(client: TestClient, path: str) -> None:
    for place, body in broken(BODIES[path]):
        reply = client.post(
            f"/{path}", content=json.dumps(body), headers={"Content-Type": "application/json"}
        )
        assert reply.status_code == (400 if path.startswith("v1") else 422), place
        error = reply.json()["error"]
        assert (error.get("field") or error.get("param")) == place[1:]
        assert error["message"] == f"{place[1:]} has characters that are no text"


def test_a_whole_pair_and_an_escaped_backslash_are_no_half(client: TestClient) -> None:
    for text in (r"\ud83d\ude00", r"\\ud800", r"\\\\udc00"):
        body = f'{{"claim": "{text}", "evidence": ["It rained."]}}'
        reply = client.post("/api/judge", content=body, headers={"Content-Type": "application/json"})
        assert reply.status_code != 422, text
