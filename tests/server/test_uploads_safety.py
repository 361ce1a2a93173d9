"""Uploads: hostile names and files, and a scratch area that stays bounded."""

from __future__ import annotations

import errno
import io
import os
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from layouts import Pdf
from server_app import serving

from probative.errors import StoreError
from probative.server.base.errors import NotThereError, TooLargeError
from probative.server.base.options import Limits
from probative.server.state.uploads import Uploads, safe_name

TEXT = b"The Heron was built in Molde. Pines grow slowly."
SCRIPT = "<img src=x onerror=alert(1)>.txt"


@pytest.fixture(scope="module")
def area(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("uploads") / "area"


@pytest.fixture(scope="module")
def uploads(area: Path) -> Iterator[Uploads]:
    with Uploads(area, Limits()) as opened:
        yield opened


@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/passwd",
        "..\\..\\windows\\win.ini",
        "/etc/shadow",
        ".",
        "..",
        "....",
        ".htaccess",
        "a\x00b.txt",
        "a\nb\r.txt",
        "\u202etxt.exe",
        "x." + "ż" * 110,
        "y." + "𐍈" * 110,
        "z" * 400 + ".html",
        "CON",
        " . ",
        SCRIPT,
        "incoming",
    ],
)
def test_a_hostile_name_stays_a_name(area: Path, uploads: Uploads, name: str) -> None:
    before = {file for file in area.parent.rglob("*") if file.is_file()}
    upload = uploads.add(name, TEXT)
    after = {file for file in area.parent.rglob("*") if file.is_file()} - before
    assert [file.parent for file in after] == [area]
    assert upload.name == safe_name(name)
    assert 0 < len(upload.name) <= 120
    assert not set(upload.name) & set("/\\\x00\n\r\u202e")
    assert uploads.get(upload.id).text


def test_names_come_over_http_as_they_are(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        reply = client.post("/api/uploads", params={"name": SCRIPT}, content=TEXT)
        assert (reply.status_code, reply.json()["name"]) == (201, SCRIPT)
        # JSON that no browser takes for a page.
        assert reply.headers["content-type"] == "application/json"
        assert client.post("/api/uploads", params={"name": ""}, content=TEXT).status_code == 422
        assert client.post("/api/uploads", content=TEXT).status_code == 422


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Path]]:
    folder = tmp_path_factory.mktemp("served")
    with serving(folder) as client:
        yield client, folder


def bomb(megabytes: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b"<w:document>" + b" " * (megabytes * 1_000_000))
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.txt", b""),
        ("blank.txt", b" \n \n"),
        ("a.pdf", b"%PDF-1.7 and no more"),
        ("a.pdf", TEXT),
        ("a.docx", b"PK\x03\x04" + b"\x00" * 200),
        ("a.docx", bomb(300)),
        ("a.xlsx", b"PK\x03\x04" + b"\x00" * 200),
        ("a.xlsx", TEXT),
        ("a.epub", b"PK\x05\x06" + b"\x00" * 18),
        ("a.txt", b"\x89PNG\r\n" + bytes(range(256))),
        ("a.txt", bytes(range(256)) * 8),
        ("a.html", b"<html><head></head><body></body></html>"),
        ("a.jsonl", b'{"text": ' + b"[" * 5_000),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} bytes",
)
def test_what_cannot_be_read_is_refused_and_leaves_nothing(
    served: tuple[TestClient, Path], name: str, data: bytes
) -> None:
    client, folder = served
    reply = client.post("/api/uploads", params={"name": name}, content=data)
    assert reply.status_code in (400, 413), reply.text
    assert reply.json()["error"]["message"]
    assert not [file for file in (folder / "uploads").rglob("*") if file.is_file()]


def test_the_area_is_bounded_and_the_oldest_go(tmp_path: Path) -> None:
    limits = Limits(uploads_bytes=4_000)
    with Uploads(tmp_path, limits) as uploads:
        identities = []
        for number in range(12):
            identities.append(uploads.add(f"{number}.txt", TEXT * 10).id)
            file = tmp_path / f"{identities[-1]}.json"
            os.utime(file, (time.time() - 100 + number,) * 2)
            assert sum(file.stat().st_size for file in tmp_path.glob("*.json")) <= limits.uploads_bytes
        assert uploads.get(identities[-1]).text
        with pytest.raises(NotThereError):
            uploads.get(identities[0])
        with pytest.raises(TooLargeError):
            uploads.add("large.txt", b"Pines grow slowly. " * 400)


def test_an_expired_file_is_gone(tmp_path: Path) -> None:
    with Uploads(tmp_path, Limits(upload_hours=1)) as uploads:
        kept, read, swept = (uploads.add(f"{number}.txt", TEXT).id for number in range(3))
        for identity in (read, swept):
            os.utime(tmp_path / f"{identity}.json", (time.time() - 3_700,) * 2)
        with pytest.raises(NotThereError):
            uploads.get(read)
        uploads.clean()
        assert [file.stem for file in tmp_path.glob("*.json")] == [kept]


def two_pages() -> bytes:
    pdf = Pdf()
    for line in ("The Heron was built in Molde.", "Pines grow slowly."):
        pdf.page().paragraph(60, 780, [line])
    return pdf.bytes()


def test_the_file_of_an_upload_with_pages_is_kept_as_long_and_counts(tmp_path: Path) -> None:
    data = two_pages()
    with Uploads(tmp_path, Limits(upload_hours=1)) as uploads:
        old, new = (uploads.add("a.pdf", data).id for _ in range(2))
        assert uploads.original(new)[1].read_bytes() == data
        os.utime(tmp_path / f"{old}.json", (time.time() - 3_700,) * 2)
        with pytest.raises(NotThereError):
            uploads.original(old)
        assert [file.stem for file in tmp_path.glob("*.original")] == [new]
        with pytest.raises(NotThereError):
            uploads.original(uploads.add("a.txt", TEXT).id)
        size = (tmp_path / f"{new}.json").stat().st_size
    with Uploads(tmp_path / "small", Limits(uploads_bytes=2 * size + len(data))) as uploads:
        first, second = (uploads.add("a.pdf", data).id for _ in range(2))
        assert uploads.original(second)[1].is_file()
        with pytest.raises(NotThereError):
            uploads.get(first)
    with Uploads(tmp_path / "tiny", Limits(uploads_bytes=1_000)) as uploads:
        textual = uploads.add("a.pdf", data).id
        assert uploads.get(textual).text
        with pytest.raises(NotThereError):
            uploads.original(textual)


def test_leftovers_of_a_killed_server_are_deleted(tmp_path: Path) -> None:
    Uploads(tmp_path, Limits())
    (tmp_path / "incoming" / "half.pdf").write_bytes(b"x" * 1_000)
    (tmp_path / "abcdefgh.original").write_bytes(b"x" * 1_000)  # its text was not written any more
    Uploads(tmp_path, Limits())
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def test_a_broken_file_of_the_area_is_not_there(tmp_path: Path) -> None:
    with Uploads(tmp_path, Limits()) as uploads:
        identity = uploads.add("a.txt", TEXT).id
        (tmp_path / f"{identity}.json").write_text('{"upload": 1}', encoding="utf-8")
        with pytest.raises(NotThereError):
            uploads.get(identity)


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Uploads(tmp_path, Limits()) as uploads:
        for place in ("write_bytes", "open"):  # of the document, and of the file itself
            with monkeypatch.context() as patched:
                patched.setattr(Path, place, full)
                with pytest.raises(StoreError, match="No space left"):
                    uploads.add("a.txt", TEXT)
    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(StoreError, match=r"uploads cannot be kept in .*No space left"):
        Uploads(tmp_path / "new", Limits())
