"""The MCP server over streamable HTTP with the official client, for both generations of the protocol."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_world import CLAIM, QUESTION, TEXT, SlowJudge, cancelled_call, served, world
from verifying import by_words

from probative.errors import InputError
from probative.models.verdict import VerdictItem, VerdictScores
from probative.server.base.options import Limits, ServerOptions
from probative.server.mcp.http import serve_http

TOKEN = "a-long-token-for-this-test"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
MODES = pytest.mark.parametrize("mode", ["auto", "legacy"])


@contextmanager
def address(folder: Path, judge: Any = by_words, limits: Any = None, **options: Any) -> Iterator[str]:
    server = {} if limits is None else limits
    with (
        world(folder / "documents", judge) as made,
        served(made.server(**server), limits=Limits(**server), **options) as url,
    ):
        yield url


def post(url: str, body: Any = PING, **headers: str) -> tuple[int, str]:
    """Send a message as a browser or a script would; returns the status and the body."""
    accepted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {**accepted, **headers})
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


@MODES
def test_tools_and_resources_over_http(tmp_path: Path, mode: Any) -> None:
    told: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async def main(url: str) -> None:
        async with Client(url, mode=mode) as client:
            assert len((await client.list_tools()).tools) == 6
            verified = await client.call_tool("verify_text", {"text": TEXT}, progress_callback=note)
            assert len(verified.structured_content["claims"]) == 3
            for name, arguments in {
                "ask": {"question": QUESTION},
                "find_evidence": {"claim": CLAIM},
                "check_claim": {"claim": CLAIM},
                "reason": {"question": "Does willow contain salicin?"},
            }.items():
                assert not (await client.call_tool(name, arguments)).is_error
            wrong = await client.call_tool("ask", {"question": "Who?", "corpus": "other"})
            assert wrong.content[0].text.startswith("NotThereError: ")
            first = (await client.list_resources()).resources[0]
            assert (await client.read_resource(first.uri)).contents[0].text.startswith("Die Fähre")

    with address(tmp_path) as url:
        anyio.run(main, url)
    assert told[-1] == 3


@MODES
def test_a_cancelled_call_stops_the_run(tmp_path: Path, mode: Any) -> None:
    judge = SlowJudge()

    async def main(url: str) -> None:
        async with Client(url, mode=mode) as client:
            await cancelled_call(client, judge, claims=400)
            # One call runs at a time: this one is answered only after the other has stopped.
            assert not (await client.call_tool("check_claim", {"claim": CLAIM})).is_error

    with address(tmp_path, judge, {"runs_at_once": 1}) as url:
        anyio.run(main, url)
    assert judge.judged < 400


def test_two_clients_are_served_at_once(tmp_path: Path) -> None:
    both = threading.Barrier(2)
    met = threading.local()

    def meets(item: VerdictItem) -> VerdictScores:
        if not getattr(met, "once", False):
            met.once = True
            both.wait(60)
        return by_words(item)

    async def check(url: str, verdicts: list[str]) -> None:
        async with Client(url) as client:
            result = await client.call_tool("check_claim", {"claim": CLAIM})
            verdicts.append(result.structured_content["claims"][0]["verdict"])

    async def main(url: str) -> list[str]:
        verdicts: list[str] = []
        async with anyio.create_task_group() as group:
            for _ in range(2):
                group.start_soon(check, url, verdicts)
        return verdicts

    with address(tmp_path, meets, {"runs_at_once": 2}) as url:
        assert anyio.run(main, url) == ["supported", "supported"]


def test_a_token_is_asked_for(tmp_path: Path) -> None:
    async def main(url: str) -> int:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=120) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return len((await client.list_tools()).tools)

    with address(tmp_path, token=TOKEN) as url:
        assert anyio.run(main, url) == 6
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}):
            status, body = post(url, **headers)
            assert status == 401
            assert "the token is missing or wrong" in body
            assert TOKEN not in body


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Content-Type": "text/plain"}, 400),
    ],
)
def test_pages_of_other_sites_are_refused(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    with address(tmp_path) as url:
        assert post(url, **headers)[0] == status


def test_a_large_body_is_refused(tmp_path: Path) -> None:
    with address(tmp_path, limits={"body_bytes": 2_000}) as url:
        assert post(url, {**PING, "params": {"_meta": {"text": "a" * 3_000}}})[0] == 413


@pytest.mark.parametrize("body", [b"{", b"[]", b"null", b'{"jsonrpc": "2.0"}', b"\xff"])
def test_what_is_no_message_is_a_client_error(tmp_path: Path, body: bytes) -> None:
    with address(tmp_path) as url:
        status, text = post(url, body)
    assert 400 <= status < 500
    assert "Traceback" not in text


def test_another_address_needs_a_token(tmp_path: Path) -> None:
    with world(tmp_path / "documents") as made, pytest.raises(InputError, match="there is no token"):
        serve_http(made.server(), ServerOptions(host="0.0.0.0", port=0))


def test_a_port_in_use_is_an_error(tmp_path: Path) -> None:
    with world(tmp_path / "documents") as made, served(made.server()) as url:
        port = int(url.split(":")[2].split("/")[0])
        with pytest.raises(InputError, match="cannot be listened on"):
            serve_http(made.server(), ServerOptions(port=port))
