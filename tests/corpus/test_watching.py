"""Changes of files, folders and indexes are noticed, and only when they are whole."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_corpus import write

from probative import Corpus
from probative.corpus.indexing import index_folder
from probative.corpus.watching import following, settled, state_of
from probative.settings import Settings


def test_a_file_that_is_written_touched_or_removed_has_another_state(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    states = [state_of(file)]
    file.write_text("It rained.", encoding="utf-8")
    states.append(state_of(file))
    file.write_text("It rained all day.", encoding="utf-8")
    states.append(state_of(file))
    os.utime(file, ns=(0, 0))
    states.append(state_of(file))
    assert len(set(states)) == 4
    assert state_of(file) == states[-1]
    file.unlink()
    assert state_of(file) is states[0] is None


def test_a_folder_changes_with_its_files_but_not_with_hidden_ones(tmp_path: Path) -> None:
    folder = write(tmp_path / "documents")
    before = state_of(folder)
    write(folder, {".reports/report.html": "<p>a report</p>", "minutes/.may.md.swp": "…"})
    assert state_of(folder) == before
    write(folder, {"minutes/may.md": "Nothing."})
    assert state_of(folder) != before


def test_an_index_changes_when_its_documents_do(tmp_path: Path) -> None:
    folder = write(tmp_path / "documents")
    index_folder(folder, tmp_path / "index", vectors=False)
    before = state_of(tmp_path / "index")
    index_folder(folder, tmp_path / "index", vectors=False)
    assert state_of(tmp_path / "index") == before
    (folder / "log.txt").write_text("It snowed.", encoding="utf-8")
    index_folder(folder, tmp_path / "index", vectors=False)
    assert state_of(tmp_path / "index") not in (before, None)


@pytest.mark.parametrize("looks", [["a", "b", "b"], ["a", "b", "a", "c", "c"], ["a", "a", None, None]])
def test_a_state_counts_when_it_is_new_and_seen_twice(looks: list[str | None]) -> None:
    states: Iterator[str | None] = iter(looks)
    assert settled(lambda: next(states), "a", interval=0) == looks[-1]
    assert next(states, "none left") == "none left"


def test_a_file_that_grows_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("", encoding="utf-8")
    before, looked = state_of(file), threading.Event()
    lines = iter(["It rained.\n", "It rained.\nAll day.\n"])

    def look() -> object:
        if (text := next(lines, None)) is not None:  # written between two looks
            file.write_text(text, encoding="utf-8")
        looked.set()
        return state_of(file)

    assert settled(look, before, interval=0) == state_of(file)  # type: ignore[arg-type]
    assert file.read_text(encoding="utf-8").count("\n") == 2


def test_an_opened_corpus_finds_what_comes_into_its_folder(tmp_path: Path) -> None:
    folder = write(tmp_path / "ferries", {"heron.txt": "The Grey Heron carried the mail."})
    settings = Settings(cache=False)
    told: queue.Queue[str] = queue.Queue()
    with Corpus.open(folder, vectors=False, settings=settings) as corpus:
        with following({"ferries": folder}, settings, told.put):
            (folder / "lark.txt").write_text("The Lark sank off Molde.", encoding="utf-8")
            assert told.get(timeout=120) == "ferries: 1 added, 0 changed, 0 removed; 2 documents"
            assert [passage.source for passage in corpus("Who sank off Molde?", 1)] == ["lark.txt"]
            (folder / "heron.txt").unlink()
            assert told.get(timeout=120) == "ferries: 0 added, 0 changed, 1 removed; 1 document"
        (folder / "tern.txt").write_text("The Tern is new.", encoding="utf-8")
    assert told.empty()


def test_nothing_is_waited_for_after_the_end() -> None:
    ended = threading.Event()
    ended.set()
    assert settled(lambda: "old", "old", ended=ended) == "old"
