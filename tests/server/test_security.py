"""Who may call the server, with what, and what every reply carries."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from server_app import scripted_session, serving

from probative.errors import InputError
from probative.server.base.options import Limits, ServerOptions
from probative.server.base.security import PAGE_POLICY
from probative.testing import ScriptedModel

TOKEN = "a-long-and-secret-text-of-a-test"
JUDGE = {"claim": "The Heron is of Molde.", "evidence": ["The Heron was built in Molde."]}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with serving(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8377", 200),
        ("LOCALHOST", 200),
        ("[::1]:8377", 200),
        ("evil.example", 403),
        ("127.0.0.1.evil.example:8377", 403),
        ("evil.example:8377@127.0.0.1:8377", 403),
        ("127.0.0.1/evil.example", 403),
        ("localhost.", 403),
        ("", 403),
        ("[::1", 403),
        ("0.0.0.0:8377", 403),
    ],
)
def test_only_known_hosts_are_answered(client: TestClient, host: str, status: int) -> None:
    for path in ("/api/info", "/", "/healthz", "/static/app.js", "/openapi.json"):
        assert client.get(path, headers={"host": host}).status_code == status, path


def test_two_hosts_are_none(client: TestClient) -> None:
    headers = [("host", "evil.example"), ("host", "127.0.0.1:8377")]
    assert client.get("/api/info", headers=headers).status_code == 403


def test_a_proxy_is_named_by_the_operator(tmp_path: Path) -> None:
    with serving(tmp_path, allowed_hosts=("answers.example",)) as client:
        assert client.get("/api/info", headers={"host": "Answers.example"}).status_code == 200
        assert client.get("/api/info", headers={"host": "evil.example"}).status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://127.0.0.1:8377"}, 200),
        ({"origin": "http://127.0.0.1:8377", "sec-fetch-site": "same-origin"}, 200),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "http://["}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
)
def test_pages_of_other_sites_may_not_post(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.post("/api/judge", json=JUDGE, headers=headers).status_code == status
    deleted = client.delete("/api/runs/abcdefgh", headers=headers)
    assert deleted.status_code == (404 if status == 200 else 403)
    upload = client.post("/api/uploads?name=a.txt", content=b"Text.", headers=headers)
    assert upload.status_code == (201 if status == 200 else 403)


def test_pages_of_other_sites_may_link_but_not_read(client: TestClient) -> None:
    site = {"sec-fetch-site": "cross-site"}
    assert client.get("/", headers={**site, "sec-fetch-mode": "navigate"}).status_code == 200
    assert client.get("/api/info", headers={**site, "sec-fetch-mode": "no-cors"}).status_code == 403
    assert client.get("/api/info", headers={**site, "sec-fetch-mode": "cors"}).status_code == 403
    asked = {"origin": "http://evil.example", "access-control-request-method": "POST"}
    preflight = client.options("/api/judge", headers=asked)
    assert not any(name.startswith("access-control") for name in preflight.headers)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"]
)
def test_only_json_is_taken(client: TestClient, kind: str) -> None:
    headers = {"content-type": kind} if kind else {}
    reply = client.post("/api/judge", content=b'{"claim": "x", "evidence": ["y"]}', headers=headers)
    assert reply.status_code == 415
    assert reply.json()["error"]["type"] == "WrongTypeError"


def test_a_form_cannot_upload(client: TestClient) -> None:
    reply = client.post("/api/uploads?name=a.txt", files={"file": ("a.txt", b"Text.")})
    assert (reply.status_code, "octet-stream" in reply.json()["error"]["hint"]) == (415, True)


@pytest.mark.parametrize(
    "header",
    [
        None,
        "Bearer",
        "Bearer wrong",
        f"Basic {TOKEN}",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        "Bearer żółw-żółw-żółw-żółw".encode(),
        b"Bearer \xff\xfe",
        f"Bearer {TOKEN}, Bearer {TOKEN}",
    ],
)
def test_a_wrong_token_is_refused(tmp_path: Path, header: str | bytes | None) -> None:
    headers = {} if header is None else {"authorization": header}
    with serving(tmp_path, token=TOKEN) as client:
        for path in ("/api/info", "/openapi.json", "/api/runs", "/api/uploads/abcdefgh", "/v1/models", "/x"):
            reply = client.get(path, headers=headers)  # type: ignore[arg-type]
            assert reply.status_code == 401, path
            assert reply.headers["www-authenticate"] == "Bearer"
            assert TOKEN not in reply.text
        assert client.get("/").status_code == 200
        assert client.get("/healthz").status_code == 200


def test_paths_that_look_open_need_the_token(tmp_path: Path) -> None:
    with serving(tmp_path, token=TOKEN) as client:
        for path in ("/static/../api/info", "/static/%2e%2e/api/info", "//api/info", "/static/..%2fapi/info"):
            assert client.get(path).status_code in (401, 404), path


def test_the_token_is_accepted_and_never_shown(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Any) -> str:
        raise RuntimeError("unforeseen")

    caplog.set_level(logging.DEBUG)
    headers = {"authorization": f"bearer {TOKEN}"}
    session = scripted_session(model=ScriptedModel(generate=fail))
    with serving(tmp_path, session=session, token=TOKEN) as client:
        assert client.get("/api/info", headers=headers).json()["token_needed"] is True
        assert client.post("/api/judge", json=JUDGE, headers=headers).status_code == 200
        failing = {"claim": "The Heron is of Molde.", "sentences": ["It is."]}
        replies = [
            client.post("/api/annotate", json=failing, headers=headers),
            client.get("/api/info", headers=headers),
            client.get("/api/runs", headers=headers),
            client.get("/api/runs/none", headers=headers),
        ]
    assert replies[0].status_code == 500
    assert "unforeseen" not in replies[0].text
    assert not [reply for reply in replies if TOKEN in reply.text or TOKEN in str(reply.headers)]
    assert "unforeseen" in caplog.text
    assert TOKEN not in caplog.text
    assert TOKEN not in repr(ServerOptions(token=TOKEN))  # type: ignore[arg-type]
    assert not [
        file for file in tmp_path.rglob("*") if file.is_file() and TOKEN.encode() in file.read_bytes()
    ]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "answers.example"])
def test_another_address_needs_a_token(host: str) -> None:
    with pytest.raises(InputError, match="no token"):
        ServerOptions(host=host).checked()
    assert ServerOptions(host=host, token=TOKEN).checked()  # type: ignore[arg-type]


@pytest.mark.parametrize("token", ["short", "", "żółw-żółw-żółw-żółw", "with a space in the middle"])
def test_a_weak_token_is_refused(token: str) -> None:
    with pytest.raises(InputError, match="token"):
        ServerOptions(token=token).checked()  # type: ignore[arg-type]


def test_bodies_are_bounded(tmp_path: Path) -> None:
    headers = {"content-type": "application/json"}

    def chunks() -> Iterator[bytes]:
        yield b'{"claim": "'
        for _ in range(50):
            yield b"x" * 100

    with serving(tmp_path, limits=Limits(body_bytes=2_000, upload_bytes=1_000)) as client:
        for content in (b"x" * 2_001, chunks()):
            reply = client.post("/api/judge", content=content, headers=headers)
            assert (reply.status_code, reply.json()["error"]["type"]) == (413, "TooLargeError")
        declared = {**headers, "content-length": "9" * 400}
        assert client.post("/api/judge", content=b"{}", headers=declared).status_code == 413
        file = client.post("/api/uploads?name=a.txt", content=b"x" * 1_001)
        assert file.status_code == 413


@pytest.mark.parametrize(
    ("verb", "body", "words"),
    [
        ("ask", {"question": "Why?", "passages": ["a.", "b.", "c."]}, "3 passages"),
        ("check", {"question": "Why?", "knowledge": ["a.", "b.", "c."]}, "3 passages"),
        ("verify", {"text": "x" * 101, "passages": ["a."]}, "101 characters"),
        ("verify", {"upload": "", "passages": ["a."]}, "characters"),
        ("reason", {"question": "Why?", "triples": [["a", "is", "b"]] * 3}, "3 triples"),
    ],
)
def test_what_a_request_brings_is_bounded(
    tmp_path: Path, verb: str, body: dict[str, Any], words: str
) -> None:
    with serving(tmp_path, limits=Limits(passages=2, triples=2, text_characters=100)) as client:
        if "upload" in body:
            text = b"Pines grow slowly. " * 20
            body = {**body, "upload": client.post("/api/uploads?name=a.txt", content=text).json()["id"]}
        reply = client.post(f"/api/{verb}", json=body)
        assert client.get("/api/runs").json()["runs"] == []
    assert (reply.status_code, words in reply.json()["error"]["message"]) == (413, True)


def everything(client: TestClient) -> Iterator[Any]:
    run = client.post("/api/verify", json={"text": "The Heron is of Molde.", "passages": ["It is."]})
    identity = run.headers["probative-run"]
    yield run
    for path in ("/", "/static/app.js", "/openapi.json", "/api/info", "/healthz", "/nothing", "/api/runs"):
        yield client.get(path)
    for kind in ("html", "json", "sarif", "junit.xml", "docx"):
        yield client.get(f"/api/runs/{identity}/export.{kind}")
    yield client.get(f"/api/runs/{identity}/events")
    yield client.post("/api/judge", json={})
    yield client.post("/api/judge", content=b"x", headers={"content-type": "text/plain"})
    yield client.get("/api/info", headers={"host": "evil.example"})
    yield client.put("/api/info")


def test_every_reply_has_the_headers_of_safety(client: TestClient) -> None:
    statuses = set()
    for reply in everything(client):
        statuses.add(reply.status_code)
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["x-frame-options"] == "DENY"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"
        assert reply.headers["cache-control"]
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert "unsafe-eval" not in reply.headers["content-security-policy"]
    assert statuses == {200, 403, 404, 405, 415, 422}
    assert client.get("/").headers["content-security-policy"] == PAGE_POLICY


def test_a_fault_of_ours_has_them_too(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(client.app.state.server.catalog, "describe", fail)  # type: ignore[attr-defined]
    reply = client.get("/api/info")
    assert (reply.status_code, reply.json()["error"]["type"]) == (500, "UnexpectedError")
    assert "unforeseen" not in reply.text
    assert reply.headers["content-security-policy"] == PAGE_POLICY


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e%2f%2e%2e%2foptions.py",
        "/static/..%5capp.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/page%00.js",
        "/api/uploads/..%2f..%2fruns",
        "/api/uploads/%2e%2e",
        "/api/runs/..%2f..%2fetc",
        "/api/runs/%2e%2e/result",
        "/api/corpora/..%2f..%2fetc/documents",
        "/api/corpora/%2e%2e/document?source=passwd",
        "/api/corpora/herbs/document?source=..%2f..%2fetc%2fpasswd",
        "/api/graphs/..%2fherbs/find",
    ],
)
def test_no_path_leads_out(client: TestClient, path: str) -> None:
    reply = client.get(path)
    assert reply.status_code in (404, 422), reply.text
    assert "root:" not in reply.text
    assert "import" not in reply.text
