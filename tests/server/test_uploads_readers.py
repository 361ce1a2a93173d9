"""Uploads are read in other processes: what hangs, grows or crashes there does no harm to the server."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import strange_readers
from fastapi.testclient import TestClient
from listening import Model, listening
from server_app import serving
from strange_readers import is_running, said_process, wait_gone

from probative.corpus.documents.passages import passages_of
from probative.corpus.readers.formats import read_document
from probative.corpus.reading.process import Cancellation
from probative.errors import StoreError
from probative.server.base.errors import ClientGoneError, ClosingError, TooLargeError
from probative.server.base.options import Limits
from probative.server.routes import uploads as uploads_routes
from probative.server.state.uploads import Uploads

ROOT = Path(__file__).parents[2]
PDF = ROOT / "examples" / "corpus" / "technical" / "rope-inspection-2024.pdf"
TEXT = b"The Heron was built in Molde. Pines grow slowly."


@pytest.fixture(scope="module", autouse=True)
def plug_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        strange_readers.install(tmp_path_factory.mktemp("plug-in") / "packages", patch)
        yield


class Served(NamedTuple):
    """A client of a server, and the scratch area of that server."""

    client: TestClient
    area: Path

    def upload(self, name: str, data: bytes = b"-") -> httpx.Response:
        return upload(self.client, name, data)

    def process(self) -> int:
        """Return the number of the process that reads the next file."""
        identity = self.upload("a.process").json()["id"]
        return int(self.client.get(f"/api/uploads/{identity}").json()["text"])

    def refused(self, name: str, kind: str, data: bytes = b"-") -> dict[str, Any]:
        """Return the error of a file that is refused, which says what to do and leaves nothing behind."""
        before = set(self.area.rglob("*"))
        reply = self.upload(name, data)
        assert reply.status_code == 400, reply.text
        error: dict[str, Any] = reply.json()["error"]
        assert error["type"] == kind
        assert set(self.area.rglob("*")) == before
        return error


@pytest.fixture(scope="module")
def served(plug_in: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("served")
    with serving(data, limits=Limits(readers=2, read_memory_bytes=600_000_000)) as client:
        yield Served(client, data / "uploads")


def upload(client: httpx.Client, name: str, data: bytes) -> httpx.Response:
    return client.post("/api/uploads", params={"name": name}, content=data)


@pytest.mark.parametrize("kind", ["stuck", "asleep"])
def test_a_file_that_takes_too_long_is_given_up(tmp_path: Path, kind: str) -> None:
    data, said = tmp_path / "data", tmp_path / "said"
    with serving(data, limits=Limits(read_seconds=0.5)) as client:
        error = Served(client, data / "uploads").refused(
            f"plan.{kind}", "ReadingLimitError", os.fsencode(said)
        )
        assert error["message"] == f"plan.{kind} took longer than 0.5 s to be read"
        assert error["hint"]
        if said.exists():  # a busy machine may not have come so far
            wait_gone(said_process(said))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space reliably")
def test_a_file_that_needs_too_much_memory_is_given_up(served: Served) -> None:
    first = served.process()
    error = served.refused("plan.hungry", "ReadingLimitError")
    assert error["message"] == "plan.hungry needs more than 600,000,000 bytes of memory to be read"
    assert error["hint"]
    wait_gone(first)


@pytest.mark.parametrize(
    ("kind", "how"), [("leaving", "it ended with code 7"), ("killed", "it was ended by SIGKILL")]
)
def test_a_file_that_crashes_its_reader_is_refused_and_the_next_one_is_read(
    served: Served, kind: str, how: str
) -> None:
    first = served.process()
    assert served.process() == first  # one after another, in the same process
    error = served.refused(f"plan.{kind}", "ReaderCrashError")
    assert error["message"] == f"plan.{kind} made its reader crash: {how}"
    assert error["hint"]
    assert served.process() != first


def test_a_reader_that_breaks_is_a_damaged_file(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        error = served.refused("plan.broken", "UnreadableError")
    assert error["message"] == "plan.broken could not be read"
    assert "RecursionError: too deep" in caplog.text


def test_what_a_library_prints_is_no_reply(served: Served) -> None:
    for _ in range(2):
        added = served.upload("a.noisy").json()
        text = served.client.get(f"/api/uploads/{added['id']}").json()["text"]
        assert (added["title"], text) == ("", "It was read all the same.")


def test_a_document_is_the_same_as_without_the_process(tmp_path: Path) -> None:
    expected = read_document(PDF)
    with Uploads(tmp_path, Limits()) as uploads:
        added = uploads.add(PDF.name, PDF.read_bytes())
        assert uploads.document(added.id) == expected
        assert added.passages == len(passages_of(expected))
        assert (added.title, added.pages) == (expected.title, len(expected.pages))
        assert (added.characters, added.notes) == (len(expected.text), expected.notes)
        # What the file itself does not say comes from its name.
        named = uploads.add("mill_report 2024-05-03.txt", TEXT)
        assert named.title == "mill report 2024-05-03"
        assert uploads.document(named.id).date == "2024-05-03"


def test_no_more_files_are_read_at_a_time_than_there_may_be_readers(tmp_path: Path, served: Served) -> None:
    log = tmp_path / "log"
    with ThreadPoolExecutor(8) as threads:
        sent = [threads.submit(served.upload, f"{n}.counted", os.fsencode(log)) for n in range(8)]
        assert {each.result().status_code for each in sent} == {201}
    steps = log.read_text()
    at_once = [steps[:end].count("+") - steps[:end].count("-") for end in range(len(steps) + 1)]
    assert (steps.count("+"), steps.count("-")) == (8, 8)
    assert max(at_once) <= 2


def start(port: int, name: str, data: bytes) -> socket.socket:
    """Send an upload over a socket of its own, and do not wait for the reply."""
    opened = socket.create_connection(("127.0.0.1", port), timeout=120)
    head = (
        f"POST /api/uploads?name={name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Content-Type: application/octet-stream\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    opened.sendall(head.encode() + data)
    return opened


def test_a_client_that_goes_away_ends_its_reading_and_frees_its_place(tmp_path: Path) -> None:
    said, never, area = tmp_path / "said", tmp_path / "never", tmp_path / "data" / "uploads"
    with listening(tmp_path / "data", Model(), readers=1) as (port, _):
        reading = start(port, "a.stuck", os.fsencode(said))
        process = said_process(said)
        # One that waits for its turn, and leaves before it has come.
        start(port, "b.stuck", os.fsencode(never)).close()
        # The server answers while a reader is stuck.
        assert httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=120).status_code == 200
        reading.close()
        wait_gone(process)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            assert upload(client, "c.txt", TEXT).status_code == 201
        assert not list((area / "incoming").iterdir())
        assert len(list(area.glob("*.json"))) == 1
    assert not never.exists()


def test_a_server_that_closes_ends_its_readers(tmp_path: Path) -> None:
    said = tmp_path / "said"
    with Uploads(tmp_path / "area", Limits()) as uploads, ThreadPoolExecutor(1) as threads:
        idle = int(uploads.get(uploads.add("a.process", b"-").id).text or "")
        reading = threads.submit(uploads.add, "a.stuck", os.fsencode(said))
        busy = said_process(said)
        uploads.close()
        with pytest.raises(ClosingError):
            reading.result(120)
        for process in (idle, busy):
            wait_gone(process)
        with pytest.raises(ClosingError):
            uploads.add("a.txt", TEXT)
    assert not list((tmp_path / "area" / "incoming").iterdir())


def test_a_reading_that_is_cancelled_before_it_starts_reads_nothing(tmp_path: Path) -> None:
    cancellation = Cancellation()
    cancellation.cancel(ClientGoneError("nobody waits for the file"))
    with Uploads(tmp_path / "area", Limits()) as uploads, pytest.raises(ClientGoneError):
        uploads.add("a.stuck", os.fsencode(tmp_path / "said"), cancellation)
    assert not (tmp_path / "said").exists()
    assert not [file for file in (tmp_path / "area").rglob("*") if file.is_file()]


@pytest.mark.slow
def test_a_reader_ends_if_its_server_was_killed(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from probative.server.base.options import Limits\n"
        "from probative.server.state.uploads import Uploads\n"
        "Uploads(Path(sys.argv[1]), Limits(read_seconds=8)).add('a.stuck', sys.argv[2].encode())\n"
    )
    said = tmp_path / "said"
    paths = os.pathsep.join(path for path in sys.path if path)
    server = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "area"), str(said)],
        env={**os.environ, "PYTHONPATH": paths},
    )
    process = said_process(said)
    assert is_running(process)
    server.kill()
    server.wait()
    wait_gone(process)
    assert not is_running(process)


def test_slow_clients_do_not_keep_others_from_uploading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads_routes, "_FIRST_SECONDS", 3.0)
    with listening(tmp_path / "data", Model(), readers=1) as (port, _):
        head = (
            "POST /api/uploads?name=slow.txt HTTP/1.1\r\nHost: localhost\r\n"
            "Content-Type: application/octet-stream\r\nContent-Length: 1000000\r\n\r\nIt rained."
        )
        slow = [socket.create_connection(("127.0.0.1", port), timeout=120) for _ in range(12)]
        for each in slow:
            each.sendall(head.encode())
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            assert upload(client, "c.txt", TEXT).status_code == 201
        for each in slow:  # one that nearly stops is given up
            with each:
                assert each.recv(65536).startswith(b"HTTP/1.1 400 ")
    assert not list((tmp_path / "data" / "uploads" / "incoming").iterdir())


def test_files_that_arrive_at_the_same_time_are_bounded_together(tmp_path: Path) -> None:
    limits = Limits(upload_bytes=1_000, uploads_bytes=2_000)
    with Uploads(tmp_path, limits) as uploads, uploads.arriving() as one, uploads.arriving() as other:
        uploads.receive(one, b"x" * 1_000)
        with pytest.raises(TooLargeError, match="more than 1,000 bytes"):
            uploads.receive(one, b"x")
        uploads.receive(other, b"x" * 600)
        with uploads.arriving() as third, pytest.raises(StoreError, match="too many files arrive"):
            uploads.receive(third, b"x" * 500)
    assert not list((tmp_path / "incoming").iterdir())
