"""A verb that another package adds to the table can be called by every way in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_world import world
from pydantic import Field
from server_app import scripted_session, serving
from typer.testing import CliRunner

import probative
from probative.batch.verb_files import verb_file
from probative.cli.app import app
from probative.engine.methods import Method, MethodChoice, Methods, Tools
from probative.engine.runner import Finished
from probative.engine.search import Search, generate
from probative.errors import InputError
from probative.server.runs.live import LiveRun
from probative.testing import LoopbackServer, ScriptedModel
from probative.types import Usage, Value
from probative.verbs.requests import Line, Options, VerbRequest
from probative.verbs.spec import BoundVerb, Host, OpenedVerb, Parts, Tool, VerbRun, VerbSpec, choose
from probative.verbs.table import VERBS


class ShoutCase(Value):
    word: str


class Shout(Value):
    loud: str
    usage: Usage = Field(default_factory=Usage)


class Syllable(Value):
    text: str


class ShoutOptions(Value):
    marks: int = Field(default=0, ge=0, le=3, description="exclamation marks at the end")


class ShoutRequest(VerbRequest):
    word: Line
    times: int = 1
    options: Options = Field(default_factory=dict)


class ShoutArguments(Value):
    word: str
    options: Options = Field(default_factory=dict)


LOUDLY = Method(lambda: None, ShoutOptions)
METHODS = Methods("shout", {"loudly": f"{__name__}:LOUDLY"})


def bind(
    host: Host,
    *,
    times: int = 1,
    syllable_done: Callable[[int, Syllable, int], None] | None = None,
    breathing: Callable[[int, int], None] | None = None,
    **changes: Any,
) -> BoundVerb:
    """Say a word louder."""
    if times < 1:
        raise InputError(f"times must be at least 1, got {times}")
    chosen = choose(host, METHODS, MethodChoice("loudly", changes=changes))

    def search(case: ShoutCase, tools: Tools) -> Search[str]:
        if breathing is not None:
            breathing(1, 1)
        (reply,) = yield from generate([f"Say it: {case.word}"], step="shout")
        loud = str(getattr(reply, "text", "")).upper()
        for index in range(times if syllable_done is not None else 0):
            assert syllable_done is not None
            syllable_done(index, Syllable(text=loud), times)
        return loud * times + "!" * chosen.options.marks

    def result(case: ShoutCase, finished: Finished[str], tools: Tools) -> Shout:
        return Shout(loud=finished.result or "", usage=finished.usage)

    @contextmanager
    def opened(many: bool) -> Iterator[OpenedVerb]:
        yield OpenedVerb(VerbRun("shout", SHOUT.as_case, search, result))

    return BoundVerb(opened, lambda: {"times": times})


SHOUT = VerbSpec(
    name="shout",
    help="Say a word louder",
    case=ShoutCase,
    case_hint='a case is {"word": "…"}',
    request=ShoutRequest,
    result=Shout,
    bind=bind,
    positional=("word",),
    methods=METHODS,
    counters={"breathing": "taking a breath"},
    parts=Parts("syllable_done", "syllable", "syllables said"),
    tool=Tool("Shout", "Say a word louder.", ShoutArguments),
)


@pytest.fixture(autouse=True)
def added() -> Iterator[None]:
    VERBS.add(SHOUT)
    yield
    VERBS.remove("shout")


def model() -> ScriptedModel:
    return ScriptedModel(generate="hey")


def test_a_session_has_its_three_methods() -> None:
    with probative.Session(model()) as session:
        shout: Any = session
        assert shout.shout("hey", times=2).loud == "HEYHEY"
        ((index, result),) = shout.shout_all([{"word": "hey"}])
        assert (index, result.loud) == (0, "HEY")
        assert asyncio.run(shout.shout_async("hey")).loud == "HEY"
        with pytest.raises(InputError, match="times must be at least 1"):
            shout.shout("hey", times=0)
        with pytest.raises(AttributeError, match="whisper"):
            shout.whisper("hey")


def test_the_package_has_its_functions() -> None:
    functions: Any = probative
    assert functions.shout("hey", model=model()).loud == "HEY"
    assert [result.loud for _, result in functions.shout_all([{"word": "hey"}], model=model())] == ["HEY"]
    with pytest.raises(AttributeError, match="whisper"):
        functions.whisper("hey")


def test_a_file_is_run_and_its_manifest_has_what_decides(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"id": 1, "word": "hey"}\n{"id": 2, "wort": "hey"}\n', encoding="utf-8")
    with probative.Session(model()) as session:
        manifest = verb_file("shout", source, target, session=session, times=2)
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert lines[0]["loud"] == "HEYHEY"
    assert "a case for shout cannot be read" in lines[1]["error"]["what"]
    assert manifest.done == 1
    assert json.loads(next(tmp_path.glob("*manifest*")).read_text(encoding="utf-8"))["settings"]["times"] == 2


@pytest.mark.model
def test_there_is_a_command() -> None:
    runner = CliRunner()
    assert "shout" in runner.invoke(app, ["--help"]).output
    helped = runner.invoke(app, ["shout", "--help"]).output
    assert "Say a word louder" in helped
    assert "--times" in helped
    counted = runner.invoke(app, ["shout", "hey", "--times", "3", "--dry-run"])
    assert counted.exit_code == 0, counted.output
    assert "would make about 1 call" in counted.output
    with LoopbackServer(answer=lambda _: "hey") as server:
        words = ["shout", "hey", "--model", "openai:any", "--base-url", server.base_url, "--no-cache"]
        assert "loud  HEY" in runner.invoke(app, words).output


def test_there_is_a_route(tmp_path: Path) -> None:
    with scripted_session(model=model()) as session, serving(tmp_path, session=session) as client:
        assert client.post("/api/shout", json={"word": "hey", "times": 2}).json()["loud"] == "HEYHEY"
        refused = client.post("/api/shout", json={"word": "hey", "times": 0})
        assert refused.status_code == 400
        assert "times must be at least 1" in refused.json()["error"]["message"]
        louder = client.post("/api/shout", json={"word": "hey", "options": {"marks": 2}})
        assert louder.json()["loud"] == "HEY!!"
        described = client.get("/openapi.json").json()
    assert "/api/shout" in described["paths"]
    assert "shout" in described["components"]["schemas"]["Run"]["properties"]["verb"]["enum"]
    options = described["components"]["schemas"]["ShoutRequest"]["properties"]["options"]
    assert options["anyOf"][0]["properties"]["marks"]["maximum"] == 3


def test_its_run_has_events_of_its_parts_and_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(LiveRun, "publish", lambda _, name, data: events.append((name, data)))
    with scripted_session(model=model()) as session, serving(tmp_path, session=session) as client:
        client.post("/api/shout", json={"word": "hey", "times": 2}, headers={"Prefer": "respond-async"})
        while (run := client.get("/api/runs?verb=shout").json()["runs"][0])["state"] != "done":
            assert run["state"] in ("queued", "running")
    assert ("progress", {"step": "taking a breath", "done": 1, "total": 1}) in events
    assert ("syllable", {"index": 1, "total": 2, "syllable": {"text": "HEY"}}) in events
    assert ("progress", {"done": 2, "total": 2}) in events


def test_its_run_is_exported(tmp_path: Path) -> None:
    with scripted_session(model=model()) as session, serving(tmp_path, session=session) as client:
        identity = client.post("/api/shout", json={"word": "hey"}).headers["probative-run"]
        exports = {
            kind: client.get(f"/api/runs/{identity}/export.{kind}") for kind in ("html", "md", "json", "svg")
        }
    assert [reply.status_code for reply in exports.values()] == [200, 200, 200, 404]
    assert exports["json"].json()["result"]["loud"] == "HEY"
    assert "HEY" in exports["html"].text
    assert "HEY" in exports["md"].text


def test_a_run_is_listed_and_saved_without_a_view_of_its_own(tmp_path: Path) -> None:
    with scripted_session(model=model()) as session, serving(tmp_path, session=session) as client:
        client.post("/api/shout", json={"word": "hey"})
        (run,) = client.get("/api/runs", params={"verb": "shout"}).json()["runs"]
        for kind, text in (("html", "<b>loud</b>"), ("md", "| **loud** | HEY |")):
            assert text in client.get(f"/api/runs/{run['id']}/export.{kind}").text


def test_there_is_a_tool(tmp_path: Path) -> None:
    told: list[str | None] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def main(server: Any) -> Any:
        async with Client(server) as client:
            (tool,) = [tool for tool in (await client.list_tools()).tools if tool.name == "shout"]
            options = tool.input_schema["properties"]["options"]["anyOf"][0]
            assert options["properties"]["marks"]["description"] == "exclamation marks at the end"
            arguments = {"word": "hey", "options": {"marks": 1}}
            return await client.call_tool("shout", arguments, progress_callback=progress)

    with world(tmp_path / "documents") as made:
        result = anyio.run(main, made.server())
    assert result.structured_content["loud"] == "IDA LUND [1]!"
    assert json.loads(result.content[0].text)["loud"] == "IDA LUND [1]!"
    assert told == ["1 of 1 syllables said"]
