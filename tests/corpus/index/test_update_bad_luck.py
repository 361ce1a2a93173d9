"""What happens around an index: other indexers, full disks, files that change, names of any kind."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest
from letter_encoder import LetterEncoder
from small_corpus import write

from probative.corpus import indexing
from probative.corpus.corpus import Corpus
from probative.corpus.documents.files import Unread
from probative.corpus.index import index_job
from probative.corpus.index.passage_vectors import PassageVectors
from probative.corpus.index.update import update_index
from probative.corpus.indexing import cached_index
from probative.errors import InUseError, StoreError
from probative.settings import load_settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "documents")


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


def found(index: Path, query: str) -> list[str | None]:
    with Corpus(index) as corpus:
        return [passage.source for passage in corpus(query, 5)]


WAITING = """
import sys
from pathlib import Path
from probative.corpus.index import batch, update
batch.BATCH_CHARACTERS = 1

def wait(done, total, source):
    if done == 2:
        print("two", flush=True)
        sys.stdin.readline()

update.update_index(sys.argv[1], Path(sys.argv[2]), progress=wait)
"""


def indexing_process(folder: Path, index: Path) -> subprocess.Popen[str]:
    """Start a process that indexes and stops after two documents, until it reads a line."""
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, str(folder), str(index)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "two\n"
    return process


def test_of_two_indexers_one_is_refused_and_the_words_so_far_answer(folder: Path, index: Path) -> None:
    process = indexing_process(folder, index)
    with pytest.raises(InUseError, match="another process is writing the index"):
        update_index(folder, index)
    with Corpus(index) as corpus:
        assert (corpus.documents, corpus.describe().read_all) == (2, False)
    process.communicate("go on\n", timeout=60)
    assert process.returncode == 0
    assert update_index(folder, index).unchanged == 4


def test_a_folder_that_is_read_for_the_first_time_elsewhere_is_waited_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = indexing_process(folder, cached_index(folder, load_settings()))
    monkeypatch.setattr(indexing, "_WAIT_SECONDS", 0.1)
    with Corpus.open(folder, vectors=False) as corpus:
        assert corpus.documents == 2
        assert "another process is updating" in corpus.notes[0]
    process.communicate("go on\n", timeout=60)
    with Corpus.open(folder, vectors=False) as corpus:
        assert (corpus.documents, corpus.notes) == (4, ())


def test_a_full_disk_at_the_vectors_is_an_error_and_words_answer(
    folder: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(PassageVectors, "_write", full)
        with pytest.raises(StoreError, match=r"the vectors cannot be written to .*: No space left on device"):
            update_index(folder, index, encoder=LetterEncoder())
    with Corpus(index, encoder=LetterEncoder()) as corpus:
        assert corpus("crane", 1) != []
        assert corpus.notes[0].startswith("0 of 5 passages have vectors")
    assert update_index(folder, index, encoder=LetterEncoder()).with_vectors == 5


def test_a_file_that_changes_while_it_is_read_keeps_its_last_form(
    folder: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    update_index(folder, index)
    log = folder / "log.txt"
    log.write_text("The ferry sank.\n", encoding="utf-8")
    changing = Unread(source="log.txt", reason="changing", what="log.txt changed each time it was read")
    with monkeypatch.context() as patched:
        patched.setattr(index_job, "read_found", lambda files, limits: [changing])
        summary = update_index(folder, index)
    assert [(item.source, item.reason) for item in summary.unread] == [("log.txt", "changing")]
    assert (summary.documents, summary.removed) == (4, 0)
    assert found(index, "quay") == ["log.txt"]
    assert update_index(folder, index).changed == 1
    assert (found(index, "quay"), found(index, "sank")) == ([], ["log.txt"])


@pytest.mark.parametrize("name", ["документы", "表 と 山", "وثائق", "a#b%20 & c?", "naïve"])
def test_a_folder_and_an_index_have_names_in_any_alphabet(tmp_path: Path, name: str) -> None:
    folder = write(tmp_path / name)
    index = tmp_path / f"{name}.index"
    assert update_index(folder, index).documents == 4
    assert update_index(folder, index).unchanged == 4
    with Corpus(index) as corpus:
        assert corpus.describe().folder == str(folder)
        assert corpus("crane", 1) != []
    with Corpus.open(folder, vectors=False) as corpus:
        assert corpus.documents == 4
