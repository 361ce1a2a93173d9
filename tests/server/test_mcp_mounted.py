"""`probative serve` offers MCP at /mcp, behind its own checks."""

from __future__ import annotations

import json
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_world import CLAIM, world
from served_app import served_app
from server_app import serving

from probative.server.app import create_app
from probative.server.base.options import ServerOptions

TOKEN = "a-long-token-for-this-test"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@contextmanager
def mounted(folder: Path) -> Iterator[str]:
    """Serve everything on a free port; yields the address without a path."""
    options = ServerOptions(port=0, data=folder / "data")
    with (
        world(folder / "documents") as made,
        served_app(create_app(made.session, made.catalog, options)) as url,
    ):
        yield url


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_uses_the_server(tmp_path: Path, mode: Any) -> None:
    async def main(url: str) -> None:
        async with Client(f"{url}/mcp", mode=mode) as client:
            result = await client.call_tool("check_claim", {"claim": CLAIM})
            assert result.structured_content["claims"][0]["verdict"] == "supported"
            assert len((await client.list_resources()).resources) == 4

    with mounted(tmp_path) as url:
        anyio.run(main, url)
        with urllib.request.urlopen(f"{url}/api/runs", timeout=60) as reply:
            (run,) = json.load(reply)["runs"]
    assert (run["verb"], run["title"], run["state"]) == ("verify", CLAIM, "done")


def test_the_checks_of_the_server_stand_before_the_endpoint(tmp_path: Path) -> None:
    with serving(tmp_path, token=TOKEN) as client:
        assert client.post("/mcp", json=PING).status_code == 401
        known = {"Authorization": f"Bearer {TOKEN}"}
        assert client.post("/mcp", json=PING, headers={**known, "Host": "evil.example"}).status_code == 403
        assert (
            client.post("/mcp", json=PING, headers={**known, "Origin": "https://evil.example"}).status_code
            == 403
        )
        assert "/mcp" not in client.get("/openapi.json", headers=known).json()["paths"]


def test_without_the_extra_there_is_no_endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("probative.server.mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with serving(tmp_path) as client:
        assert client.post("/mcp", json=PING).status_code == 404
        assert client.get("/healthz").status_code == 200
