"""A server with a scripted model that takes its time and has its own process, for tests and `server_load.py`.

    python benchmarks/server_scripted.py --data FOLDER [--latency 0.05] [--runs-at-once 16] [--queue 64]

Prints its address, then serves until it is stopped. `--bare` serves one route that waits as long and does
nothing else.
"""

from __future__ import annotations

import argparse
import socket
import time
from pathlib import Path
from typing import Any

from probative.types import Value

ANSWER = "[1]"


class Claim(Value):
    """What the bare route takes."""

    claim: str
    sentences: tuple[str, ...]


def scripted_session(latency: float) -> Any:
    """Return a session whose model writes the same after `latency` seconds."""
    from probative import Session
    from probative.models.verdict import VerdictScores
    from probative.settings import Settings
    from probative.testing import ScriptedModel, ScriptedVerdict

    def generate(request: Any) -> str:
        time.sleep(latency)
        model.asked.clear()  # a scripted model remembers every request
        return ANSWER

    model = ScriptedModel(generate=generate)
    return Session(
        model=model,
        verdict=ScriptedVerdict(lambda item: VerdictScores(0.9, 0.05, 0.05, (1.0,) * len(item.evidence))),
        settings=Settings(cache=False),
    )


def serve_scripted(given: argparse.Namespace) -> None:
    """Serve Probative with a scripted session."""
    from probative.server.app import listen
    from probative.server.base.options import Limits, ServerOptions
    from probative.server.state.catalog import Catalog

    limits = Limits(runs_at_once=given.runs_at_once, queue=given.queue, kept_runs=given.kept_runs)
    options = ServerOptions(port=given.port, data=given.data, limits=limits)
    with scripted_session(given.latency) as session, Catalog() as catalog:
        listen(session, catalog, options, ready=lambda url: print(url, flush=True))


def serve_bare(given: argparse.Namespace) -> None:
    """Serve one route that waits and gives back a text."""
    import asyncio

    import uvicorn
    from fastapi import FastAPI

    app = FastAPI()

    @app.post("/api/annotate")
    async def annotate(body: Claim) -> dict[str, object]:
        await asyncio.sleep(given.latency)
        return {"claim": body.claim, "indexes": [0]}

    with socket.socket() as bound:
        bound.bind(("127.0.0.1", given.port))
        bound.listen(2048)
        print(f"http://127.0.0.1:{bound.getsockname()[1]}/", flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[bound])


def main() -> None:
    """Serve until the process is stopped."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--runs-at-once", type=int, default=16)
    parser.add_argument("--queue", type=int, default=64)
    parser.add_argument("--kept-runs", type=int, default=2_000)
    parser.add_argument("--bare", action="store_true")
    given = parser.parse_args()
    if given.bare:
        serve_bare(given)
    else:
        serve_scripted(given)


if __name__ == "__main__":
    main()
