"""A server in a process of its own, with a scripted model that takes its time."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "server_scripted.py"


class RealServer(NamedTuple):
    """The address and the process of a server."""

    url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self.url.rstrip("/").rsplit(":", 1)[1])

    def call(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Return the status and the JSON of a reply; a POST if there is a body."""
        data = None if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(
            f"{self.url}{path}", data, {"content-type": "application/json", **named}
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as reply:
                return reply.status, json.loads(reply.read())
        except HTTPError as error:
            with error:
                return error.code, json.loads(error.read())


@contextmanager
def real_server(data: Path, *options: str) -> Iterator[RealServer]:
    """Yield a server on a free port; it is killed at the end, if it still runs."""
    command = [sys.executable, str(SCRIPT), "--data", str(data), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        assert url.startswith("http"), "the server did not start"
        yield RealServer(url, process)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
