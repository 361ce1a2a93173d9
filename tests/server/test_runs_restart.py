"""The server is killed during runs and started again: nothing is lost that was reported done."""

from __future__ import annotations

import signal
import threading
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from real_server import RealServer, real_server

SENTENCES = ["The Heron was built in Molde.", "Pines grow slowly."]


def request(number: int) -> dict[str, Any]:
    return {"claim": f"The Heron is of Molde, {number}.", "sentences": SENTENCES}


class Clients:
    """Clients that ask until the server dies, and remember what they were told."""

    def __init__(self, server: RealServer) -> None:
        self.done: dict[str, Any] = {}
        self.accepted: dict[str, str] = {}
        self.faults: list[Any] = []
        self._server = server
        self._threads = [threading.Thread(target=self._ask, args=(number,)) for number in range(4)]
        for thread in self._threads:
            thread.start()

    def _ask(self, number: int) -> None:
        """Ask and wait (even numbers), or ask for later; an end of the connection ends the client."""
        try:
            for turn in range(1_000):
                body = request(number * 1_000 + turn)
                if number % 2:
                    status, run = self._server.call("api/annotate", body, prefer="respond-async")
                    if status == 202:
                        self.accepted[run["id"]] = body["claim"]
                        time.sleep(0.1)  # leaves room in the queue to the others
                        continue
                    run = run.get("error")
                else:
                    key = f"{self._server.port}-{body['claim']}"
                    status, run = self._server.call("api/annotate", body, idempotency_key=key)
                    if status == 200:
                        self.done[key] = run
                        continue
                time.sleep(0.05)
                if status != 429:
                    self.faults.append((status, run))
        except (OSError, ValueError, HTTPException):  # the server is gone, perhaps amid a reply
            return

    def wait_for_replies(self) -> None:
        """Wait until a run was reported done and another accepted; a slow machine needs longer."""
        end = time.monotonic() + 120
        while not (self.done and self.accepted):
            assert time.monotonic() < end, self.faults
            time.sleep(0.05)

    def wait(self) -> None:
        for thread in self._threads:
            thread.join(150)
            assert not thread.is_alive(), "a client did not notice that the server is gone"


def finished(server: RealServer, identity: str) -> dict[str, Any]:
    end = time.monotonic() + 120
    while True:
        status, run = server.call(f"api/runs/{identity}")
        assert status == 200, run
        if run["state"] not in ("queued", "running"):
            return run
        assert time.monotonic() < end, run
        time.sleep(0.05)


def listed(server: RealServer) -> list[dict[str, Any]]:
    """Return all runs."""
    runs: list[dict[str, Any]] = []
    before = ""
    while True:
        _, page = server.call(f"api/runs?limit=200{before}")
        runs += page["runs"]
        if page["next"] is None:
            return runs
        before = f"&before={page['next']}"


@pytest.mark.slow
def test_what_was_reported_done_survives_every_kill(tmp_path: Path) -> None:
    done: dict[str, Any] = {}
    accepted: dict[str, str] = {}
    for turn in range(3):
        with real_server(tmp_path, "--runs-at-once", "2", "--latency", "0.05", "--queue", "20") as server:
            clients = Clients(server)
            clients.wait_for_replies()
            time.sleep(0.5 + 0.3 * turn)
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            clients.wait()
        assert not clients.faults
        assert clients.done
        assert clients.accepted
        done |= clients.done
        accepted |= clients.accepted
    with real_server(tmp_path, "--runs-at-once", "4", "--latency", "0.01") as server:
        for identity, claim in accepted.items():
            run = finished(server, identity)
            assert (run["state"], run["request"]["claim"]) == ("done", claim), run
            status, result = server.call(f"api/runs/{identity}/result")
            assert (status, result["claim"], result["indexes"]) == (200, claim, [0])
        for key, result in done.items():
            claim = key.partition("-")[2]
            body = {"claim": claim, "sentences": SENTENCES}
            assert server.call("api/annotate", body, idempotency_key=key) == (200, result)
        # Some were accepted amid a kill, and nobody was told.
        for run in listed(server):
            finished(server, run["id"])
        runs = listed(server)
    assert {run["state"] for run in runs if run["detached"]} == {"done"}
    ended = [run for run in runs if not run["detached"] and run["state"] != "done"]
    assert {run["state"] for run in ended} <= {"cancelled"}
    assert all("the server was stopped" in run["error"]["message"] for run in ended)


@pytest.mark.slow
def test_a_signal_to_end_leaves_detached_runs_to_the_next_server(tmp_path: Path) -> None:
    with real_server(tmp_path, "--runs-at-once", "1", "--latency", "0.3") as server:
        identities = [
            server.call("api/annotate", request(number), prefer="respond-async")[1]["id"]
            for number in range(3)
        ]
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(120) in (0, -signal.SIGTERM)
    with real_server(tmp_path, "--latency", "0.01") as server:
        assert [finished(server, identity)["state"] for identity in identities] == ["done"] * 3


@pytest.mark.slow
def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    with real_server(tmp_path) as server:
        with pytest.raises(AssertionError, match="did not start"), real_server(tmp_path):
            raise RuntimeError("the second server started")
        assert server.call("api/annotate", request(1))[0] == 200
