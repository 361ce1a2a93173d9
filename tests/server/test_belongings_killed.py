"""The server is killed while corpora are filled, answers marked and threads asked on: what was reported is
there, and nothing is there by half.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from real_server import RealServer, real_server

from probative.server.state.calibration_folder import CalibrationFolder

pytestmark = pytest.mark.slow
SOURCES = tuple(f"boats/{number}.txt" for number in range(5))
QUESTION = {
    "question": "Where was the Heron built?",
    "passages": ["The Heron was built in Molde."],
    "method": "rag",
}


def version(number: int) -> str:
    """Return a text whose end tells whether all of it is there: 60 kB, which take some writes."""
    return f"Version {number} begins.\n\n" + "It rained all day.\n\n" * 3_000 + f"Version {number} ends.\n"


class Writers:
    """Clients that each write one thing after another until the server dies. For each name, they remember
    what was reported as written last and what was sent after it.
    """

    def __init__(self, server: RealServer, writes: dict[str, Callable[[int], None]], first: int) -> None:
        self.reported: dict[str, int] = {}
        self.sent: dict[str, int] = {}
        self.faults: list[Any] = []
        self._threads = [
            threading.Thread(target=self._write, args=(name, write, first)) for name, write in writes.items()
        ]
        for thread in self._threads:
            thread.start()

    def _write(self, name: str, write: Callable[[int], None], first: int) -> None:
        try:
            for number in range(first, first + 1_000):
                self.sent[name] = number
                write(number)
                self.reported[name] = number
        except (AssertionError, HTTPError) as error:  # an error of the server is no end of it
            self.faults.append((name, error))
        except (OSError, ValueError, HTTPException):  # the server is gone, perhaps amid a reply
            return

    def wait_for_replies(self) -> None:
        end = time.monotonic() + 120
        while len(self.reported) < len(self._threads):
            assert time.monotonic() < end, (self.reported, self.faults)
            time.sleep(0.02)

    def wait(self) -> None:
        for thread in self._threads:
            thread.join(150)
            assert not thread.is_alive(), "a client did not notice that the server is gone"
        assert self.faults == []


def put(server: RealServer, path: str, body: bytes, method: str, kind: str) -> None:
    request = urllib.request.Request(f"{server.url}{path}", body, {"content-type": kind}, method=method)
    with urllib.request.urlopen(request, timeout=120) as reply:
        assert reply.status in (200, 202)


def add(server: RealServer, source: str) -> Callable[[int], None]:
    path = f"api/corpora/boats/documents?source={source}"
    return lambda number: put(server, path, version(number).encode(), "POST", "application/octet-stream")


def mark(server: RealServer, run: str) -> Callable[[int], None]:
    def marking(number: int) -> None:
        right = b"true" if number // 2 % 2 else b"false"
        put(server, f"api/runs/{run}/marks", b'{"right": %b}' % right, "PUT", "application/json")

    return marking


def rename(server: RealServer, thread: str) -> Callable[[int], None]:
    def renaming(number: int) -> None:
        body = b'{"name": "Name %d"}' % number
        put(server, f"api/threads/{thread}", body, "PATCH", "application/json")

    return renaming


def ask(server: RealServer, thread: str, asked: list[str]) -> Callable[[int], None]:
    def asking(number: int) -> None:
        status, run = server.call(f"api/threads/{thread}/ask", QUESTION)
        assert status == 202, run
        asked.append(run["id"])
        ended(server, run["id"])

    return asking


def ended(server: RealServer, run: str) -> None:
    end = time.monotonic() + 120
    while server.call(f"api/runs/{run}")[1]["state"] in ("queued", "running"):
        assert time.monotonic() < end
        time.sleep(0.02)


def settled(server: RealServer) -> dict[str, Any]:
    end = time.monotonic() + 120
    while True:
        _, corpus = server.call("api/corpora/boats")
        if corpus["indexing"] is None:
            return dict(corpus)
        assert time.monotonic() < end, corpus
        time.sleep(0.05)


def check_corpus(server: RealServer, sent: dict[str, int], reported: dict[str, int]) -> None:
    """Each file and each document is one whole version: the one reported last, or the one sent after it."""
    corpus = settled(server)
    assert (corpus["failed"], corpus["unread"]) == (None, [])
    for source in SOURCES:
        _, document = server.call(f"api/corpora/boats/document?source={source}")
        with urllib.request.urlopen(f"{server.url}api/corpora/boats/original?source={source}") as reply:
            original = reply.read().decode()
        versions = {version(number): number for number in (reported[source], sent[source])}
        assert original in versions, (source, original[:40], original[-40:])
        assert document["text"] == original
    _, listed = server.call("api/corpora/boats/documents")
    assert [each["source"] for each in listed["documents"]] == list(SOURCES)


def test_what_belongs_to_users_survives_every_kill_whole(tmp_path: Path) -> None:
    asked: list[str] = []
    reported: dict[str, int] = {}
    sent: dict[str, int] = {}
    with real_server(tmp_path, "--latency", "0.01") as server:
        server.call("api/corpora", {"name": "boats"})
        _, run = server.call("api/ask", QUESTION, prefer="respond-async")
        ended(server, run["id"])
        assert server.call(f"api/runs/{run['id']}")[1]["state"] == "done"
        thread = server.call("api/threads", {"run": run["id"]})[1]["id"]
    for turn in range(3):
        with real_server(tmp_path, "--latency", "0.01") as server:
            writes = {
                **{source: add(server, source) for source in SOURCES},
                "mark": mark(server, run["id"]),
                "name": rename(server, thread),
                "asked": ask(server, thread, asked),
            }
            writers = Writers(server, writes, first=turn * 10_000)
            writers.wait_for_replies()
            time.sleep(random.Random(turn).uniform(0.1, 1.0))
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            writers.wait()
        reported, sent = writers.reported, writers.sent
        with real_server(tmp_path, "--latency", "0.01") as server:
            check_corpus(server, sent, reported)
            _, marks = server.call(f"api/runs/{run['id']}/marks")
            (said,) = [each["right"] for each in marks["marks"]]
            assert said in {number // 2 % 2 == 1 for number in (reported["mark"], sent["mark"])}
            _, found = server.call(f"api/threads/{thread}")
            assert found["name"] in {f"Name {number}" for number in (reported["name"], sent["name"])}
            turns = [each["id"] for each in found["runs"]]
            assert turns[0] == run["id"]
            # One more may be there: its question was accepted when the server was killed.
            assert [each for each in turns if each in asked] == asked
            assert len(turns) <= len(asked) + 1 + (turn + 1)
            for each in turns:
                ended(server, each)
                assert server.call(f"api/runs/{each}")[1]["state"] in ("done", "cancelled")


LABELLING = """
import sys
from pathlib import Path
from probative.server.state.calibration_folder import CalibrationFolder
folder = CalibrationFolder(Path(sys.argv[1]))
for number in range(100_000):
    folder.label(f"mark-{number % 50}", number // 50 % 2 == 0)
    print(number, flush=True)
"""


def test_labels_survive_every_kill_whole(tmp_path: Path) -> None:
    for turn in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", LABELLING, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "0\n"
        time.sleep(random.Random(turn).uniform(0.05, 0.4))
        process.kill()
        written = [0, *(int(line) for line in process.stdout if line.endswith("\n"))]
        process.wait()
        process.stdout.close()
        labels = CalibrationFolder(tmp_path).labels()
        last = written[-1]
        # The label after the last reported one may be there, too.
        for number in range(max(0, last - 48), last + 1):
            assert labels[f"mark-{number % 50}"] == (number // 50 % 2 == 0)
