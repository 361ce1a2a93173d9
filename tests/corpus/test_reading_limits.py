"""Files that would take minutes or gigabytes are given up, and the others of their folder are indexed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import strange_readers
from command import run_here

from probative.corpus.documents.files import Unread
from probative.corpus.index.update import update_index
from probative.corpus.indexing import index_folder
from probative.corpus.reading import limited, process
from probative.corpus.reading.limited import ReadLimits, read_document, read_limited
from probative.doctor import _readers as doctor_says
from probative.errors import InputError, ReadingLimitError
from probative.runners.processes import Processes
from probative.settings import Settings

pytestmark = pytest.mark.slow
# A reader starts within the time also on a machine that is busy.
LIMITS = ReadLimits(seconds=8.0, memory_bytes=700_000_000)
TEXTS = {"a.txt": "The ferry left the quay.", "z.md": "# Log\n\nIt rained all day in Molde."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module", autouse=True)
def plug_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        strange_readers.install(tmp_path_factory.mktemp("plug-in") / "packages", patch)
        yield


def form_that_draws_itself(copies: int) -> bytes:
    """Return a small PDF with a form that draws itself several times."""
    drawn = b"/F Do " * copies
    resources = b"/Resources << /XObject << /F 4 0 R >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] " + resources + b" /Contents 5 0 R >>",
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] "
        + resources
        + b" /Length %d >>\nstream\n%b\nendstream" % (len(drawn), drawn),
        b"<< /Length 6 >>\nstream\n/F Do \nendstream",
    ]
    written, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(written)
    return written + b"xref\n0 6\n0000000000 65535 f \n" + table + trailer


def only_unread(unread: tuple[Unread, ...], source: str) -> Unread:
    (item,) = unread
    assert item.source == source
    return item


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize(("kind", "reason"), [("stuck", "time"), ("asleep", "time"), ("leaving", "crash")])
def test_a_file_that_hangs_or_ends_its_reader_is_named_and_the_others_are_indexed(
    folder: Path, tmp_path: Path, kind: str, reason: str, workers: int
) -> None:
    (folder / f"m.{kind}").write_bytes(os.fsencode(tmp_path / "said"))
    runner = Processes(workers) if workers else None
    summary = update_index(folder, tmp_path / "index", runner=runner, limits=LIMITS)
    assert (summary.documents, only_unread(summary.unread, f"m.{kind}").reason) == (2, reason)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space reliably")
def test_a_file_that_needs_too_much_memory_is_named(folder: Path, tmp_path: Path) -> None:
    (folder / "m.hungry").write_bytes(b"-")
    summary = update_index(folder, tmp_path / "index", limits=LIMITS)
    assert summary.documents == 2
    unread = only_unread(summary.unread, "m.hungry")
    assert unread.reason == "memory"
    assert "needs more than 700,000,016 bytes of memory" in unread.what
    # A file that is the same as before is not tried again at each update.
    again = update_index(folder, tmp_path / "index", limits=LIMITS)
    assert (again.unread, again.unchanged) == (summary.unread, 2)


def test_a_form_that_draws_itself_does_not_stop_an_index(folder: Path, tmp_path: Path) -> None:
    (folder / "form.pdf").write_bytes(form_that_draws_itself(8))
    summary = update_index(folder, tmp_path / "index", limits=LIMITS)
    assert summary.documents == 2
    assert only_unread(summary.unread, "form.pdf").reason in ("time", "memory", "crash")


def test_a_file_that_a_reader_did_not_expect_is_damaged(folder: Path, tmp_path: Path) -> None:
    (folder / "m.broken").write_bytes(b"-")
    unread = only_unread(update_index(folder, tmp_path / "index").unread, "m.broken")
    assert (unread.reason, unread.what) == ("damaged", "m.broken could not be read: RecursionError: too deep")


def test_one_process_reads_many_small_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(40):
        (folder / f"{number}.process").write_bytes(b"-")
    files = [(file, file.name) for file in sorted(folder.iterdir())]
    processes = {read.document.text for read in read_limited(files) if not isinstance(read, Exception)}
    assert len(processes - set(TEXTS.values())) == 1
    monkeypatch.setattr(process, "_MAX_FILES", 1)  # libraries leak: it is replaced after a while
    assert read_document(folder / "1.process", "1").text != read_document(folder / "2.process", "2").text


def test_a_text_to_verify_is_read_with_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "draft.asleep"
    file.write_bytes(os.fsencode(tmp_path / "said"))
    monkeypatch.setattr(limited, "ReadLimits", lambda: LIMITS)
    with pytest.raises(ReadingLimitError, match=r"draft.asleep took longer than 8 s"):
        read_document(file, "draft.asleep")


def test_the_command_takes_limits(folder: Path, tmp_path: Path) -> None:
    (folder / "m.asleep").write_bytes(os.fsencode(tmp_path / "said"))
    done = run_here("index", str(folder), "--out", str(tmp_path / "index"), "--read-seconds", "1")
    assert done.returncode == 0, done.stderr
    assert "m.asleep took longer than 1 s" in done.stdout
    with pytest.raises(InputError, match="read_memory at least 256"):
        index_folder(folder, read_memory=1)


@pytest.mark.parametrize(("limits", "state"), [(True, "ok"), (False, "note")])
def test_doctor_says_whether_memory_is_limited(
    monkeypatch: pytest.MonkeyPatch, limits: bool, state: str
) -> None:
    monkeypatch.setattr(limited, "limits_memory", lambda: limits)
    (finding,) = doctor_says(Settings())
    assert finding.state == state
    assert "memory" in finding.what


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space reliably")
def test_memory_is_limited_here() -> None:
    assert limited.limits_memory()
