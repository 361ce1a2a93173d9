"""An index that may only be read, or cannot be brought up to date, still answers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from probative.corpus import indexing
from probative.corpus.corpus import Corpus
from probative.corpus.indexing import index_folder
from probative.errors import StoreError
from probative.settings import load_settings

NOBODY = 65534
# The first search imports what is needed, which another user may not be able to read.
SEARCH = """
import os, sys
from probative.corpus.corpus import Corpus
from probative.settings import load_settings
settings = load_settings()
def search():
    with Corpus.open(sys.argv[1], vectors=False, settings=settings) as corpus:
        return [passage.text for passage in corpus("ferry", 2)]
search()
if os.geteuid() == 0:
    os.setuid(int(sys.argv[2]))
print(search())
"""


@pytest.fixture
def index() -> Iterator[Path]:
    """An index in a folder that every user of the machine can read, and nobody can write."""
    place = Path(tempfile.mkdtemp())
    (place / "documents").mkdir()
    (place / "documents" / "log.txt").write_text("The ferry left at six.", encoding="utf-8")
    index_folder(place / "documents", place / "index", vectors=False)
    for path in (place, *place.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield place / "index"
    for path in (place, *place.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(place)


def test_an_index_that_may_only_be_read_answers(index: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in index.rglob("*") if path.is_file()}
    found = subprocess.run(
        [sys.executable, "-c", SEARCH, index, str(NOBODY)],
        capture_output=True,
        text=True,
        cwd=index.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PROBATIVE_CACHE": "false"},
        check=False,
    )
    assert "The ferry left at six." in found.stdout, found.stderr
    assert before == {path: path.stat().st_mtime_ns for path in index.rglob("*") if path.is_file()}


def test_an_index_that_cannot_be_updated_answers_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "log.txt").write_text("The ferry left at six.", encoding="utf-8")
    settings = load_settings({"home": tmp_path / "home"})
    with Corpus.open(documents, vectors=False, settings=settings):
        pass

    def full(*_: object, **__: object) -> None:
        raise StoreError("no space left on the disk")

    monkeypatch.setattr(indexing, "update_index", full)
    with Corpus.open(documents, vectors=False, settings=settings) as corpus:
        assert [passage.text for passage in corpus("ferry", 2)] == ["The ferry left at six."]
        (note,) = corpus.notes
    assert "its last state was used: no space left" in note
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(StoreError, match="no space left"):
        Corpus.open(other, vectors=False, settings=settings)
