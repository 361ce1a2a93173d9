"""Words answer while vectors are written; the writing may be stopped or killed at any moment."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from letter_encoder import LetterEncoder
from numpy.typing import NDArray
from small_corpus import write

from probative.corpus import corpus as corpus_module
from probative.corpus.corpus import Corpus
from probative.corpus.index import embed
from probative.corpus.index.embed import embed_passages, missing_vectors
from probative.corpus.index.index_folder import IndexFolder
from probative.corpus.index.update import update_index
from probative.corpus.stores.labels import read_vectors_label
from probative.corpus.stores.word_index import WordIndex
from probative.errors import ModelError
from probative.models.contract import Progress

PASSAGES = 5


class GatedEncoder(LetterEncoder):
    """Encodes documents only when its gate is open; `started` is set when it is first asked for some."""

    def __init__(self) -> None:
        super().__init__()
        self.gate, self.started = threading.Event(), threading.Event()

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        if threading.current_thread() is not threading.main_thread():
            self.started.set()
            assert self.gate.wait(60)
        return super().encode(texts)


class StoppingEncoder(LetterEncoder):
    """Sets `stop` when it has read `after` texts."""

    def __init__(self, stop: threading.Event, after: int) -> None:
        super().__init__()
        self._stop, self._after = stop, after

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        rows = super().encode(texts)
        if self.texts >= self._after:
            self._stop.set()
        return rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "documents")


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def gated(monkeypatch: pytest.MonkeyPatch) -> GatedEncoder:
    """The encoder of folders that are opened; their vectors are never waited for."""
    encoder = GatedEncoder()
    monkeypatch.setattr(corpus_module, "static_encoder", lambda settings, fetch=False: encoder)
    monkeypatch.setattr(corpus_module, "_AWAITED_VECTORS", 0)
    monkeypatch.setattr(embed, "PART", 2)
    return encoder


def rows_of(index: Path) -> int:
    label = read_vectors_label(index / "vectors")
    return 0 if label is None else label.rows


def test_a_folder_answers_by_words_before_it_has_vectors(folder: Path, gated: GatedEncoder) -> None:
    with Corpus.open(folder) as corpus:
        assert gated.started.wait(60)
        assert corpus.by_words("crane", 1) != []
        assert [passage.source for passage in corpus("Ida Lund", 1)] == ["minutes/june.md"]
        assert corpus.by_vectors("It rained all day", 1) == []
        assert corpus.notes == (
            "0 of 5 passages have vectors, the others are found by their words alone: they are being made",
        )
        state = corpus.describe()
        assert (state.documents, state.passages, state.with_vectors) == (4, PASSAGES, 0)
        assert (state.read_all, state.vectors_growing) == (True, True)
        assert not corpus.wait_for_vectors(0.0)
        gated.gate.set()
        assert corpus.wait_for_vectors()
        assert corpus.by_vectors("It rained all day", 1)[0].source == "log.txt"
        assert corpus.notes == ()
        state = corpus.describe()
        assert (state.vectors, state.with_vectors, state.vectors_growing) == ("letters", PASSAGES, False)


def test_closing_stops_the_vectors_and_opening_again_goes_on(folder: Path, gated: GatedEncoder) -> None:
    corpus = Corpus.open(folder)
    assert gated.started.wait(60)
    closing = threading.Thread(target=corpus.close)
    closing.start()
    gated.gate.set()
    closing.join()
    assert corpus._background is not None
    assert not corpus._background.is_running
    with Corpus.open(folder) as again:
        assert again.summary is not None
        assert again.summary.unchanged == 4
        assert again.wait_for_vectors()
    assert gated.texts == PASSAGES


def test_few_vectors_and_those_of_a_batch_are_waited_for(
    folder: Path, gated: GatedEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    gated.gate.set()
    with Corpus.open(folder, background=False) as corpus:
        assert not corpus.describe().vectors_growing
        assert corpus.notes == ()
    monkeypatch.setattr(corpus_module, "_AWAITED_VECTORS", 1)
    (folder / "new.txt").write_text("A lighthouse stands on the skerry.", encoding="utf-8")
    with Corpus.open(folder) as corpus:
        assert rows_of(corpus.path) == PASSAGES + 1


def test_what_ends_the_vectors_is_a_note_and_words_still_answer(
    folder: Path, gated: GatedEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: GatedEncoder, texts: Sequence[str]) -> None:
        if threading.current_thread() is not threading.main_thread():
            raise ModelError("the weights are gone")
        return

    monkeypatch.setattr(GatedEncoder, "encode", fail)
    with Corpus.open(folder) as corpus:
        corpus.wait_for_vectors()
        assert corpus.by_words("crane", 1) != []
        assert "probative index makes the others" in corpus.notes[0]
        assert corpus.notes[1] == "the vectors could not be completed: the weights are gone"


def test_vectors_that_are_stopped_are_kept_and_nothing_is_encoded_twice(
    folder: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "PART", 2)
    update_index(folder, index)
    stop = threading.Event()
    first = StoppingEncoder(stop, after=3)
    embed_passages(IndexFolder(index), first, stop=stop)
    assert rows_of(index) == first.texts == 4
    with Corpus(index, encoder=LetterEncoder()) as corpus:
        assert len(corpus.by_vectors("the ferry and the crane", 9)) == 4
        assert corpus.notes[0].startswith("4 of 5 passages have vectors")
    rest = LetterEncoder()
    embed_passages(IndexFolder(index), rest)
    assert (rows_of(index), rest.texts) == (PASSAGES, 1)


def test_documents_that_are_being_written_get_their_vectors_later(
    folder: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their numbers are taken before their words are there: no empty row may be written for them."""
    encoder = LetterEncoder()
    update_index(folder, index, encoder=encoder)
    (folder / "new.txt").write_text("A lighthouse stands on the skerry.", encoding="utf-8")
    commit = WordIndex.commit

    def commit_late(self: WordIndex) -> None:
        embed_passages(IndexFolder(index), encoder)
        assert rows_of(index) == PASSAGES
        commit(self)

    with monkeypatch.context() as patched:
        patched.setattr(WordIndex, "commit", commit_late)
        update_index(folder, index)
    with Corpus(index) as corpus:
        assert missing_vectors(IndexFolder(index), corpus._catalog, encoder) == 1
    embed_passages(IndexFolder(index), encoder)
    with Corpus(index, encoder=encoder) as corpus:
        assert corpus.by_vectors("A lighthouse stands on the skerry", 1)[0].source == "new.txt"


EMBEDDING = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from letter_encoder import LetterEncoder
from probative.corpus.index import embed, update

class Encoder(LetterEncoder):
    def encode(self, texts, *, progress=None):
        if self.texts == 2:
            print("two", flush=True)
            if sys.stdin.readline() == "die\\n":
                os.kill(os.getpid(), 9)
        return super().encode(texts)

embed.PART = embed.BLOCK = 2
update.update_index(sys.argv[1], Path(sys.argv[2]), encoder=Encoder())
"""


def embedding(folder: Path, index: Path) -> subprocess.Popen[str]:
    """Start a process that indexes and stops after the vectors of two passages, until it reads a line."""
    import letter_encoder

    helpers = str(Path(letter_encoder.__file__).parent)
    process = subprocess.Popen(
        [sys.executable, "-c", EMBEDDING, str(folder), str(index), helpers],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "two\n"
    return process


def test_another_process_searches_and_updates_while_vectors_are_written(folder: Path, index: Path) -> None:
    process = embedding(folder, index)
    with Corpus(index, encoder=LetterEncoder()) as corpus:
        assert corpus.by_words("crane", 1) != []
        assert len(corpus.by_vectors("the ferry and the crane", 9)) == 2
        (folder / "new.txt").write_text("A lighthouse stands on the skerry.", encoding="utf-8")
        assert update_index(folder, index).added == 1
        assert corpus.by_words("lighthouse", 1)[0].source == "new.txt"
        process.communicate("go on\n", timeout=60)
        assert process.returncode == 0
        assert corpus.describe().with_vectors == PASSAGES + 1
        assert corpus.by_vectors("A lighthouse stands on the skerry", 1)[0].source == "new.txt"


def test_a_second_indexer_waits_for_the_vectors_of_the_first(folder: Path, index: Path) -> None:
    process = embedding(folder, index)
    encoder = LetterEncoder()
    seen: list[tuple[int, int]] = []

    def watch(done: int, total: int, source: str) -> None:
        if source == "vectors":
            seen.append((done, total))
            if process.poll() is None:
                process.communicate("go on\n", timeout=60)

    assert update_index(folder, index, encoder=encoder, progress=watch).with_vectors == PASSAGES
    assert (seen[0], encoder.texts) == ((2, PASSAGES), 0)


def test_a_process_that_is_killed_at_the_vectors_leaves_a_good_index(folder: Path, index: Path) -> None:
    process = embedding(folder, index)
    process.communicate("die\n", timeout=60)
    assert process.returncode == -9
    encoder = LetterEncoder()
    with Corpus(index, encoder=encoder) as corpus:
        assert corpus.by_words("crane", 1) != []
        assert corpus.describe().with_vectors == 2
    assert update_index(folder, index, encoder=encoder).with_vectors == PASSAGES
    assert encoder.texts == PASSAGES - 2


FORGOTTEN = """
import sys
from pathlib import Path
from probative.corpus import corpus
from probative.corpus.index import embed
corpus._AWAITED_VECTORS, embed.PART = 0, 1
opened = corpus.Corpus.open(sys.argv[1])
print(len(opened("The ferry left", 3)) > 0)
"""


def test_a_script_that_closes_nothing_ends_without_an_error(tmp_path: Path) -> None:
    texts = {f"{n}.txt": f"Ferry {n} left the quay. It carried {n * 7} sacks of flour." for n in range(300)}
    folder = write(tmp_path / "many", texts)
    done = subprocess.run(
        [sys.executable, "-c", FORGOTTEN, str(folder)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
