"""Corpora that a client of a server makes and fills."""

from __future__ import annotations

import time
from typing import Any

from fastapi.testclient import TestClient


def settled(client: TestClient, name: str) -> dict[str, Any]:
    """Wait until a corpus is indexed; returns it."""
    limit = time.monotonic() + 120
    while time.monotonic() < limit:
        found: dict[str, Any] = client.get(f"/api/corpora/{name}").json()
        if found["indexing"] is None:
            assert found["failed"] is None
            return found
        time.sleep(0.02)
    raise AssertionError("the indexing does not end")


def made(client: TestClient, name: str, **files: bytes) -> str:
    """Make a corpus with files; returns its id."""
    reply = client.post("/api/corpora", json={"name": name})
    assert reply.status_code == 201, reply.text
    for source, data in files.items():
        add(client, name, source.replace("__", "."), data)
    settled(client, name)
    return str(reply.json()["id"])


def add(client: TestClient, name: str, source: str, data: bytes) -> None:
    """Add a file to a corpus."""
    reply = client.post(f"/api/corpora/{name}/documents", params={"source": source}, content=data)
    assert reply.status_code == 202, reply.text
