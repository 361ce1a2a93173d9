"""`probative mcp` over standard input and output, in a process of its own, with the official client."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from command import run_here
from mcp import Client, StdioServerParameters
from mcp_world import CLAIM, QUESTION, TEXT, long_text
from processes import started
from typer.main import get_command

from probative.cli.app import app

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / "tests/helpers/mcp_stdio_server.py"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
MODES = pytest.mark.parametrize("mode", ["auto", "legacy"])


def with_client(
    words: list[str], use: Callable[[Client], Awaitable[None]], log: Path, mode: Any = "auto"
) -> None:
    """Start a server as a host does, and use it; what it prints on standard error goes to `log`."""
    from mcp.client.stdio import stdio_client

    environ = {name: value for name, value in os.environ.items() if name.startswith("PROBATIVE_")}
    paths = [str(ROOT / "src"), str(ROOT / "tests/helpers")]
    parameters = StdioServerParameters(
        command=sys.executable, args=words, env={**environ, "PYTHONPATH": os.pathsep.join(paths)}
    )

    async def main() -> None:
        with log.open("w") as errors:
            async with Client(stdio_client(parameters, errlog=errors), mode=mode) as client:
                await use(client)

    anyio.run(main)


@pytest.mark.slow
@MODES
def test_tools_and_resources_over_stdio(tmp_path: Path, mode: Any) -> None:
    async def use(client: Client) -> None:
        assert len((await client.list_tools()).tools) == 6
        for name, arguments in {
            "ask": {"question": QUESTION},
            "find_evidence": {"question": QUESTION},
            "verify_text": {"text": TEXT},
            "check_claim": {"claim": CLAIM},
            "reason": {"question": "Does willow contain salicin?"},
        }.items():
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result.content
        wrong = await client.call_tool("ask", {"question": "Who?", "corpus": "other"})
        assert wrong.content[0].text.startswith("NotThereError: ")
        resource = (await client.list_resources()).resources[1]
        assert (await client.read_resource(resource.uri)).contents[0].text.startswith("It rained all day.")

    log = tmp_path / "log"
    with_client([str(SCRIPT), str(tmp_path / "documents"), str(tmp_path / "judged")], use, log, mode)
    assert "a library that prints" in log.read_text()  # and not on standard output, where it breaks the wire


@pytest.mark.slow
@MODES
def test_a_cancelled_call_stops_the_run(tmp_path: Path, mode: Any) -> None:
    judged = tmp_path / "judged"

    async def use(client: Client) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "verify_text", {"text": long_text(400)})
            while not judged.is_file():
                await anyio.sleep(0.01)
            group.cancel_scope.cancel()
        # One call runs at a time: this one is answered only after the other has stopped.
        assert not (await client.call_tool("check_claim", {"claim": CLAIM})).is_error

    with_client([str(SCRIPT), str(tmp_path / "documents"), str(judged)], use, tmp_path / "log", mode)
    assert len(judged.read_text().splitlines()) < 400


@pytest.mark.slow
def test_the_command_serves_the_examples_with_the_embedded_model(tmp_path: Path) -> None:
    async def use(client: Client) -> None:
        asked = await client.call_tool("check_claim", {"claim": "Line 2 cars carry 120 passengers."})
        assert asked.structured_content["verdict_model"] is not None
        assert len(asked.structured_content["claims"]) == 1
        reasoned = await client.call_tool("reason", {"question": "Does willow bark contain salicin?"})
        assert reasoned.structured_content["verdict"] == "read"
        listed = (await client.list_resources()).resources
        assert {resource.name for resource in listed} == {
            str(file.relative_to(corpus)) for file in corpus.rglob("*") if file.is_file()
        }
        answer = await client.call_tool("ask", {"question": "How long is the promenade?"})
        for piece in answer.structured_content["chain"]:
            part = (await client.read_resource(f"probative://examples/{piece['citation']}")).contents[0].text
            assert " ".join(part.split()) == " ".join(piece["text"].split())

    corpus = ROOT / "examples/corpus"
    words = ["--corpus", f"examples={corpus}", "--graph", f"herbs={ROOT / 'examples/apothecary.tsv'}"]
    with_client(["-m", "probative", "mcp", *words], use, tmp_path / "log")


@pytest.mark.slow
def test_standard_output_has_nothing_but_messages(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents/log.txt").write_text("It rained all day.")
    requests = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "resources/list"},
        "this is no message",
        {"jsonrpc": "2.0", "id": 3, "method": "ping"},
    ]
    lines = [request if isinstance(request, str) else json.dumps(request) for request in requests]
    with started(
        [sys.executable, "-m", "probative", "mcp", "--corpus", f"log={tmp_path / 'documents'}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("\n".join([*lines, ""]))
        server.stdin.flush()
        waited, replies = {1, 2, 3}, []
        while waited:
            replies.append(json.loads(server.stdout.readline()))
            waited.discard(replies[-1].get("id"))
        server.stdin.close()
        assert server.stdout.read() == ""
        assert server.wait(60) == 0
    assert all(reply["jsonrpc"] == "2.0" for reply in replies)


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("words", [[], ["--http", "--port", "0"]])
def test_a_signal_ends_the_server_and_leaves_nothing(tmp_path: Path, words: list[str], sent: int) -> None:
    (tmp_path / "temporary").mkdir()
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(tmp_path / "temporary")}
    with started(
        [sys.executable, "-m", "probative", "mcp", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        if words:
            assert server.stderr.readline().startswith("serving MCP on http://127.0.0.1:")
        else:
            server.stdin.write(json.dumps(INITIALIZE) + "\n")
            server.stdin.flush()
            assert json.loads(server.stdout.readline())["id"] == 1
        server.send_signal(sent)
        assert server.wait(60) == 130
        assert server.stdout.read() == ""
        assert "Traceback" not in server.stderr.read()
    assert list((tmp_path / "temporary").glob("probative-*")) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--port", "8400"], "--port can only be used with --http"),
        (["--corpus", "documents"], "--corpus must be NAME=PATH, got 'documents'"),
        (["--corpus", "a=.", "--corpus", "a=."], "--corpus has the name 'a' twice"),
        (["--corpus", "../a=."], "'../a' cannot be the name"),
        (["--graph", "herbs=nowhere.tsv"], "there is nothing at nowhere.tsv"),
        (["--http", "--host", "0.0.0.0"], "there is no token"),
        (["--http", "--token", "short"], "the token is shorter than 16 characters"),
    ],
)
def test_options_that_cannot_be_used_are_refused(words: list[str], says: str) -> None:
    done = run_here("mcp", *words)
    assert done.returncode == 1
    assert says in done.stderr
    assert done.stdout == ""


def test_a_missing_extra_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = run_here("mcp")
    assert done.returncode == 1
    assert "pip install 'probative-evidence[mcp]'" in done.stderr


def test_the_configurations_of_hosts_start_the_command() -> None:
    page = (ROOT / "docs/mcp.md").read_text(encoding="utf-8")
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    blocks += [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL)]
    servers = [
        server
        for block in blocks
        for name in ("mcpServers", "servers", "context_servers", "mcp_servers")
        for server in block.get(name, {}).values()
    ]
    started = [server["args"] for server in servers if server.get("command") == "probative"]
    assert (len(servers), len(started)) == (5, 4)
    commands: Any = get_command(app).commands  # type: ignore[attr-defined]
    known = {option for parameter in commands["mcp"].params for option in parameter.opts}
    for first, *options in started:
        assert first == "mcp"
        assert {option for option in options if option.startswith("--")} <= known
