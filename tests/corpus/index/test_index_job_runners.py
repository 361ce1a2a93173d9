"""An index made with workers is that of one process, whatever happens to the workers."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from index_jobs import DyingJob, OpenEncoder
from letter_encoder import LetterEncoder
from small_corpus import TEXTS, write

from probative.corpus.corpus import Corpus
from probative.corpus.documents.files import FoundFile, Unread, find_files
from probative.corpus.index import index_job
from probative.corpus.index.index_folder import IndexSummary
from probative.corpus.index.index_job import IndexJob, ToRead, read_in_order
from probative.corpus.index.update import update_index
from probative.corpus.reading.messages import ReadContent
from probative.errors import InputError
from probative.runners.choice import InProcess
from probative.runners.processes import Processes

pytestmark = pytest.mark.slow
FILES = 60
QUERIES = ("the ferry left the quay", "crane", "Fahrkarte", "sacks of flour and salt", "Ida Lund 17")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {
        f"logs/{n:02}.txt": f"Ferry {n % 7} left the quay. It had {n} sacks of {('flour', 'salt')[n % 2]}."
        for n in range(FILES)
    }
    folder = write(tmp_path / "documents", {**TEXTS, **texts})
    (folder / "scan.png").write_bytes(b"GIF89a" + bytes(100))
    return folder


def without_place(summary: IndexSummary) -> dict[str, object]:
    return {name: value for name, value in summary.to_dict().items() if name not in ("index", "seconds")}


def hits(index: Path) -> list[list[tuple[str | None, float]]]:
    with Corpus(index, encoder=LetterEncoder()) as corpus:
        return [[(hit.passage.id, hit.score) for hit in corpus.search(query, 20)] for query in QUERIES]


def rows(index: Path) -> tuple[bytes, bytes]:
    return (index / "vectors" / "rows.f16").read_bytes(), (index / "vectors" / "rows.codes").read_bytes()


def same(one: Path, other: Path) -> bool:
    return hits(one) == hits(other) and rows(one) == rows(other)


def test_workers_make_the_index_of_one_process(folder: Path, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    alone = update_index(folder, here, encoder=LetterEncoder())
    encoder = LetterEncoder()
    runner = Processes(3)
    shared = update_index(folder, there, encoder=encoder, runner=runner, open_encoder=OpenEncoder())
    assert without_place(shared) == without_place(alone)
    assert shared.with_vectors == shared.passages > FILES
    assert encoder.texts == 0  # the workers have encoded all of them
    assert same(here, there)
    (folder / "log.txt").write_text("The ferry sank at seven.\n", encoding="utf-8")
    (folder / "logs" / "03.txt").unlink()
    alone = update_index(folder, here, encoder=LetterEncoder())
    shared = update_index(folder, there, encoder=encoder, runner=runner, open_encoder=OpenEncoder())
    assert (shared.changed, shared.removed, shared.unchanged) == (1, 1, FILES + 2)
    assert without_place(shared) == without_place(alone)
    assert same(here, there)


def test_killed_workers_lose_nothing(folder: Path, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    alone = update_index(folder, here, encoder=LetterEncoder())
    killed: list[int] = []

    def kill(done: int, total: int, source: str) -> None:
        children = multiprocessing.active_children()
        if done in (1, 20, 40) and source != "vectors" and children:
            killed.append(done)
            children[0].kill()

    shared = update_index(
        folder,
        there,
        encoder=LetterEncoder(),
        progress=kill,
        runner=Processes(2),
        open_encoder=OpenEncoder(tmp_path / "mark"),
    )
    assert killed
    assert (tmp_path / "mark").exists()
    assert without_place(shared) == without_place(alone)
    assert same(here, there)
    assert multiprocessing.active_children() == []


def test_an_update_that_is_stopped_goes_on_with_another_runner(folder: Path, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    update_index(folder, here, encoder=LetterEncoder())

    def stop(done: int, total: int, source: str) -> None:
        if source == "vectors" or done > 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        update_index(folder, there, progress=stop, runner=Processes(2))
    assert multiprocessing.active_children() == []
    update_index(folder, there, encoder=LetterEncoder())
    assert hits(there) == hits(here)


@pytest.mark.parametrize("groups", [2, 16])
def test_a_file_that_ends_its_worker_is_named_and_the_others_are_read(
    tmp_path: Path, groups: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_job, "_MIN_GROUPS", groups)
    texts = {"a.txt": "One.", "b.txt": "Two.", "die.txt": "Three.", "e.txt": "Four.", "f.txt": "Five."}
    folder = write(tmp_path / "d", {**texts, "g.txt": "Six."})
    files = [ToRead(file) for file in find_files(folder) if isinstance(file, FoundFile)]
    with Processes(1).open(DyingJob()) as pool:
        read = list(read_in_order(pool, files))
    assert [wanted.file.source for wanted, _ in read] == [*texts, "g.txt"]
    contents = [content.content for _, content in read]
    assert [isinstance(content, ReadContent) for content in contents] == [True, True, False, True, True, True]
    assert isinstance(contents[2], Unread)
    assert contents[2].reason == "worker ended"
    assert "was killed by signal 9, 3 times in a row" in contents[2].what


def test_files_are_read_in_windows_and_known_content_is_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_job, "_WINDOW_FILES", 7)
    files = [file for file in find_files(folder) if isinstance(file, FoundFile)]
    with InProcess().open(IndexJob()) as pool:
        read = list(read_in_order(pool, [ToRead(file) for file in files]))
        again = [ToRead(file, content.digest) for file, (_, content) in zip(files, read, strict=True)]
        known = list(read_in_order(pool, again))
    assert [wanted.file.source for wanted, _ in read] == [file.source for file in files]
    assert {content.content for _, content in known} == {None}


def test_a_worker_with_another_version_or_encoder_ends_the_run(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a worker has probative"), InProcess().open(IndexJob(version="0.0")):
        pass
    with pytest.raises(InputError, match="a worker has the encoder letters, the run other letters"):
        update_index(
            folder,
            tmp_path / "index",
            encoder=LetterEncoder("other letters"),
            runner=Processes(1),
            open_encoder=OpenEncoder(),
        )
    with Corpus(tmp_path / "index") as corpus:
        assert corpus("crane", 1) != []


@pytest.mark.parametrize("runner", ["local:2", "ray"])
def test_the_command_line_indexes_with_workers(folder: Path, tmp_path: Path, runner: str) -> None:
    if runner == "ray":
        pytest.importorskip("ray")

    def index(name: str, runner: str) -> dict[str, object]:
        words = ("index", "documents", "--out", name, "--runner", runner, "--json")
        done = subprocess.run(
            [sys.executable, "-m", "probative", *words],
            env={**os.environ, "HOME": str(tmp_path)},  # Ray writes a token into the home folder
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        summary: dict[str, object] = json.loads(done.stdout)
        return {key: value for key, value in summary.items() if key not in ("index", "seconds")}

    assert index("here", "local") == index("there", runner)
    assert same(tmp_path / "here", tmp_path / "there")
