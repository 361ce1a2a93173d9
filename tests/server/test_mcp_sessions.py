"""Idle sessions of MCP clients make room for new ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp_world import served, world

from probative.server.mcp import http

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
OPEN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-03-26",
        "capabilities": {},
        "clientInfo": {"name": "a test", "version": "1"},
    },
}
PING = {"jsonrpc": "2.0", "id": 2, "method": "ping"}


def post(client: httpx.Client, body: Any, session: str | None = None) -> httpx.Response:
    own = {} if session is None else {"Mcp-Session-Id": session}
    return client.post("", content=json.dumps(body), headers={**HEADERS, **own})


def test_a_new_session_ends_the_one_that_was_idle_for_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "MAX_SESSIONS", 3)
    with (
        world(tmp_path / "documents") as made,
        served(made.server()) as url,
        httpx.Client(base_url=url, timeout=60, follow_redirects=True) as client,
    ):
        first, second, third = (post(client, OPEN).headers["Mcp-Session-Id"] for _ in range(3))
        assert post(client, PING, first).status_code == 200  # now the second one has waited longest
        # A stream that is open and silent keeps no session.
        with client.stream("GET", "", headers={**HEADERS, "Mcp-Session-Id": second}) as stream:
            assert stream.status_code == 200
            fourth = post(client, OPEN)
            assert fourth.status_code == 200
        statuses = {session: post(client, PING, session).status_code for session in (first, third, second)}
        assert statuses == {first: 200, third: 200, second: 404}
        for _ in range(10):
            assert post(client, OPEN).status_code == 200


def test_a_session_that_its_client_ends_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_SESSIONS", 2)
    with (
        world(tmp_path / "documents") as made,
        served(made.server()) as url,
        httpx.Client(base_url=url, timeout=60, follow_redirects=True) as client,
    ):
        first, second = (post(client, OPEN).headers["Mcp-Session-Id"] for _ in range(2))
        assert client.delete("", headers={**HEADERS, "Mcp-Session-Id": second}).status_code == 200
        assert post(client, OPEN).status_code == 200
        assert post(client, PING, first).status_code == 200
