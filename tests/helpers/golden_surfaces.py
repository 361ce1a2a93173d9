"""What users and programs see, as text: one function for each folder below `tests/golden/surfaces`.

Each yields the names of the files in its folder with their content.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio
from command import every_command, run_here
from fastapi.testclient import TestClient
from golden_world import CASES, golden_folder
from mcp import Client

import probative
from probative.graph.summary import GraphInfo
from probative.server.app import create_app
from probative.server.base.options import Limits, ServerOptions
from probative.server.mcp.running import temporary_state
from probative.server.mcp.server import mcp_server
from probative.server.state.catalog import Catalog
from probative.testing import LoopbackServer

Records = Iterator[tuple[str, str]]
RESULTS: dict[str, Any] = {
    "ask": probative.Answer,
    "check": probative.Check,
    "prove": probative.Proof,
    "judge": probative.Judgement,
    "verify": probative.Verification,
    "reason": probative.Reasoning,
    "annotate": probative.Annotation,
    "graph info": GraphInfo,
}
_MASKS: list[tuple[str, Any]] = [
    (r"\d+\.\d{7,}(?:e-\d+)?", lambda found: f"{float(found[0]):.6g}"),
    (r'((?:"|&quot;)(?:seconds|created|created_at|completed_at|pid)(?:"|&quot;): ?)[\d.e-]+', r"\g<1>0"),
    (r'time="[\d.]+"', 'time="0"'),
    (r"\b\d+(?:\.\d+)? (?:s|ms)\b", "0 s"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:\+00:00|Z)", "TIME"),
    (r"\d{1,2} \w+ \d{4}, \d\d:\d\d UTC", "TIME"),
    (r"corpora/[0-9a-f]{16}-\d+", "corpora/INDEX"),
    (r"http://127\.0\.0\.1:\d+/v1", "SERVER"),
    (r'"packages": \{[^}]*\}', '"packages": {}'),
    (r"ready, \d+ MB", "ready, 0 MB"),
    (r"RUN\d{13}", "RUN"),
    (r"(?m)^    0\.\d\d  ", "    0.00  "),
]


def masked(text: str) -> str:
    """Return a text without what differs from run to run."""
    text = text.replace(str(Path.cwd().parent), "FOLDER").replace(probative.__version__, "VERSION")
    for pattern, instead in _MASKS:
        text = re.sub(pattern, instead, text)
    return "".join(f"{line.rstrip()}\n" for line in text.rstrip("\n").split("\n"))


def libraries() -> dict[str, str]:
    """Return the versions of the libraries that draw what is recorded."""
    names = ("rich", "typer", "pydantic", "fastapi", "starlette", "mcp")
    return {name: version(name) for name in names}


def as_json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True)


def readable(name: str, text: str) -> str:
    """Return the content of a file with short lines."""
    if name.endswith((".html", ".svg", ".xml")):
        return text.replace("><", ">\n<").replace("}", "}\n")
    if name.endswith(".jsonl"):
        return "\n".join(as_json(json.loads(line)) for line in text.splitlines())
    return as_json(json.loads(text)) if name.endswith((".json", ".sarif")) else text


def run(command: str, server: str = "") -> str:
    """Return what a command prints, below its words."""
    done = run_here(*shlex.split(command.replace("SERVER", server)), columns=100)
    said = f"--- standard error\n{done.stderr}" if done.stderr else ""
    return masked(f"$ probative {command}\n{done.stdout}{said}--- exit code {done.returncode}")


def results() -> Records:
    """Yield each result as a terminal shows it, as JSON, and as a notebook shows it."""
    for name, command in CASES["results"].items():
        yield f"{name}.txt", run(command)
        done = run_here(*shlex.split(command), "--json")
        yield f"{name}.json", masked(as_json(json.loads(done.stdout)))
        kind = next(kind for words, kind in RESULTS.items() if command.startswith(words))
        result = kind.model_validate_json(done.stdout)
        if hasattr(result, "_repr_html_"):
            yield f"{name}.html", masked(readable(".html", result._repr_html_()))


def screens() -> Records:
    """Yield what each other command prints, and the files that it writes."""
    with LoopbackServer() as server:
        for name, command in CASES["screens"].items():
            before = files()
            yield f"{name}.txt", run(command, server.base_url)
            for file in sorted(files() - before):
                content = readable(file.name, file.read_text(encoding="utf-8"))
                yield f"{name}.{'.'.join(file.parts)}", masked(content)


def files() -> set[Path]:
    return {file for file in Path().rglob("[!.]*") if file.is_file() and file.suffix != ".sqlite"}


def helps() -> Records:
    """Yield the help of every command."""

    groups = {words.split()[0] for words in every_command() if " " in words}
    for words in ("", *sorted(groups), *every_command()):
        yield f"{words.replace(' ', '-') or 'probative'}.txt", run(f"{words} --help".strip())


@contextmanager
def workplace() -> Iterator[tuple[probative.Session, Catalog]]:
    """Open a session, and a catalog with a corpus and a graph."""
    corpus = probative.Corpus.open("documents", vectors=False)
    with probative.Session() as session, Catalog({"lift": corpus}, {"mill": "mill.tsv"}) as catalog:
        yield session, catalog


@contextmanager
def serving() -> Iterator[TestClient]:
    """Yield a client of the server."""
    with workplace() as (session, catalog):
        served = create_app(session, catalog, ServerOptions(data=Path("data")))
        with TestClient(served, base_url="http://127.0.0.1:8377", raise_server_exceptions=False) as client:
            yield client


def rest() -> Records:
    """Yield the replies of the server, and the exports of its runs."""
    with serving() as client:
        for name, body in CASES["rest"].items():
            verb = name.partition("-")[0]
            reply = client.post(f"/api/{verb}", json=body)
            yield f"{name}.txt", replied(f"POST /api/{verb}", body, reply)
            if reply.status_code == 200:
                more = ("export.sarif", "export.junit.xml", "events") if verb == "verify" else ()
                for kind in ("export.html", "export.json", *more):
                    text = client.get(f"/api/runs/{reply.headers['probative-run']}/{kind}").text
                    yield f"{name}.{kind}", masked(readable(kind, text))
        for name, path in CASES["get"].items():
            yield f"get-{name}.txt", replied(f"GET {path}", None, client.get(path))


def v1() -> Records:
    """Yield the replies in the form of OpenAI."""
    with serving() as client:
        for name, given in CASES["v1"].items():
            body = {"model": "probative/lift", **given}
            path = "/v1/responses" if name.startswith("responses") else "/v1/chat/completions"
            yield f"{name}.txt", replied(f"POST {path}", body, client.post(path, json=body))


def replied(request: str, body: Any, reply: Any) -> str:
    """Return a request and its reply as text."""
    is_json = reply.headers["content-type"].startswith("application/json")
    shown = [
        request,
        *([] if body is None else [as_json(body)]),
        f"--- {reply.status_code} {reply.headers['content-type']}",
        as_json(reply.json()) if is_json else reply.text,
    ]
    return masked("\n".join(shown))


def mcp() -> Records:
    """Yield the tools of MCP and a reply of each."""

    async def called() -> list[tuple[str, Any]]:
        async with Client(server) as client:
            tools = [tool.model_dump(mode="json") for tool in (await client.list_tools()).tools]
            found: list[tuple[str, Any]] = [
                ("tools", {"instructions": client.instructions, "tools": tools}),
            ]
            for name, arguments in CASES["mcp"].items():
                result = await client.call_tool(name.partition("-")[0], arguments)
                found.append((name, {"arguments": arguments, **result.model_dump(mode="json")}))
        return found

    with workplace() as (session, catalog), temporary_state(session, catalog, Limits()) as state:
        server = mcp_server(state)
        for name, shown in anyio.run(called):
            yield f"{name}.json", masked(as_json(shown))


SURFACES: dict[str, Callable[[], Records]] = {
    "results": results,
    "screens": screens,
    "help": helps,
    "rest": rest,
    "v1": v1,
    "mcp": mcp,
}


def taken(surface: str, folder: Path) -> dict[str, str]:
    """Return the files of a surface as they are now; works in a new folder."""
    with golden_folder(folder):
        return dict(SURFACES[surface]())
