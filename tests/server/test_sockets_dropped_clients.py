"""Clients that go away free their work: over real sockets."""

from __future__ import annotations

import json
import socket
import time
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from listening import PATIENCE, Model, listening

from probative.server.runs.manager import RunManager

REQUEST = {"claim": "The Heron is of Molde.", "sentences": ["The Heron was built in Molde."]}
SLOW = {"claim": "wait", "sentences": ["The Heron was built in Molde."]}
get, post = partial(httpx.get, timeout=PATIENCE), partial(httpx.post, timeout=PATIENCE)


def send(port: int, body: dict[str, Any], **headers: str) -> socket.socket:
    """Send a request and return its socket, without reading the reply."""
    data = json.dumps(body).encode()
    lines = [
        "POST /api/annotate HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Content-Type: application/json",
        f"Content-Length: {len(data)}",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    opened = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    opened.sendall("\r\n".join([*lines, "", ""]).encode() + data)
    return opened


def states(port: int) -> list[str]:
    return [run["state"] for run in get(f"http://127.0.0.1:{port}/api/runs").json()["runs"]]


def until(port: int, wanted: list[str]) -> None:
    end = time.monotonic() + PATIENCE
    while (found := states(port)) != wanted:
        assert time.monotonic() < end, found
        time.sleep(0.02)


def until_clients(manager: RunManager, wanted: int) -> None:
    """Wait until the only run has so many clients."""
    end = time.monotonic() + PATIENCE
    while (found := [live.clients for live in [*manager._live.values()]]) != [wanted]:
        assert time.monotonic() < end, found
        time.sleep(0.02)


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_a_client_that_goes_away_cancels_its_run_and_frees_the_worker(tmp_path: Path, accept: str) -> None:
    model = Model()
    with listening(tmp_path, model) as (port, _):
        running = send(port, SLOW, accept=accept)
        assert model.asked.acquire(timeout=PATIENCE)
        waiting = send(port, REQUEST, accept=accept)
        until(port, ["queued", "running"])
        waiting.close()
        until(port, ["cancelled", "running"])
        running.close()
        # Its model call does not return; the run is over all the same.
        until(port, ["cancelled", "cancelled"])
        model.goes_on.set()
        reply = post(f"http://127.0.0.1:{port}/api/annotate", json=REQUEST)
        assert reply.status_code == 200
        assert get(f"http://127.0.0.1:{port}/api/info").json()["queue"]["waiting"] == 0


def test_a_run_goes_on_for_the_other_client_of_its_key(tmp_path: Path) -> None:
    model = Model()
    with listening(tmp_path, model) as (port, manager):
        first = send(port, SLOW, idempotency_key="shared")
        assert model.asked.acquire(timeout=PATIENCE)
        with send(port, SLOW, idempotency_key="shared", connection="close") as second:
            until_clients(manager, 2)
            first.close()
            until_clients(manager, 1)
            assert states(port) == ["running"]
            model.goes_on.set()
            reply = b"".join(iter(lambda: second.recv(65536), b""))
        assert reply.startswith(b"HTTP/1.1 200")
        assert states(port) == ["done"]


def test_the_key_of_a_cancelled_run_is_free_again(tmp_path: Path) -> None:
    model = Model()
    with listening(tmp_path, model) as (port, _):
        send_once = send(port, SLOW, idempotency_key="again")
        assert model.asked.acquire(timeout=PATIENCE)
        send_once.close()
        until(port, ["cancelled"])
        model.goes_on.set()
        reply = post(
            f"http://127.0.0.1:{port}/api/annotate",
            json=SLOW,
            headers={"idempotency-key": "again"},
        )
        assert reply.status_code == 200


def test_a_detached_run_needs_no_client(tmp_path: Path) -> None:
    model = Model()
    with listening(tmp_path, model) as (port, manager):
        first = send(port, SLOW, idempotency_key="kept")
        assert model.asked.acquire(timeout=PATIENCE)
        # The same request, now to be fetched later: the run goes on without the first client.
        later = {"idempotency-key": "kept", "prefer": "respond-async"}
        reply = post(f"http://127.0.0.1:{port}/api/annotate", json=SLOW, headers=later)
        assert reply.status_code == 202
        until_clients(manager, 1)
        first.close()
        until_clients(manager, 0)
        assert states(port) == ["running"]
        address = f"http://127.0.0.1:{port}/api/runs/{reply.json()['id']}/events"
        with httpx.stream("GET", address, timeout=PATIENCE) as events:
            assert events.status_code == 200  # one that looks on, and goes away
            until_clients(manager, 1)
        until_clients(manager, 0)
        model.goes_on.set()
        until(port, ["done"])
