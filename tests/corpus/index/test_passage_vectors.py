"""The vectors of an index: rows that only grow, and the nearest of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from letter_encoder import LetterEncoder
from numpy.typing import NDArray
from small_corpus import write

from probative.corpus.corpus import Corpus
from probative.corpus.index.passage_vectors import PassageVectors
from probative.corpus.index.update import update_index
from probative.corpus.stores.labels import read_vectors_label


def filled(folder: Path, rows: NDArray[np.float32], *, step: int = 100) -> PassageVectors:
    """Write rows for the passages 0, 10, 20…"""
    vectors = PassageVectors.create(folder, "a", rows.shape[1])
    for first in range(0, len(rows), step):
        part = rows[first : first + step]
        vectors = vectors.extended(part, 10 * np.arange(first, first + len(part)), 10 * (first + len(part)))
    return vectors


def unit_rows(count: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(0).normal(size=(count, 70)).astype(np.float32)
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def numbers(near: list[tuple[int, float]]) -> list[int]:
    return [number for number, _ in near]


def test_rows_grow_and_the_nearest_are_found(tmp_path: Path) -> None:
    rows = unit_rows(500)
    filled(tmp_path, rows)
    opened = PassageVectors.open(tmp_path)
    assert opened is not None
    assert len(opened) == 500
    query = rows[123] + 0.7 * rows[321]
    expected = (10 * np.argsort(-(rows @ query))[:5]).tolist()
    everything = opened.rows_of(np.array([[0, 5_000]]))
    assert numbers(opened.nearest(query, 5, everything)) == expected
    assert expected[:2] == [1230, 3210]
    some = opened.rows_of(np.array([[3_000, 500], [100, 30]]))
    assert some.sum() == 53
    assert numbers(opened.nearest(query, 3, some))[0] == 3210
    most = everything & (np.arange(500) != 123)
    assert numbers(opened.nearest(query, 1, most)) == [3210]
    assert opened.nearest(query, 3, opened.rows_of(np.empty((0, 2), dtype=np.int64))) == []
    assert opened.nearest(np.zeros(70, dtype=np.float32), 3, everything) == []


def test_what_is_compacted_has_the_same_neighbours(tmp_path: Path) -> None:
    rows, folder = unit_rows(500), tmp_path / "vectors"
    vectors = filled(folder, rows)
    live = np.arange(500) % 3 > 0
    few = vectors.compacted(np.arange(500) > 20)
    assert few is vectors
    small = vectors.compacted(live)
    assert (len(small), small.label.end) == (333, 5_000)
    opened = PassageVectors.open(folder, vectors)
    assert opened is not None
    every = np.ones(333, dtype=np.bool_)
    assert opened.nearest(rows[7], 9, every) == vectors.nearest(rows[7], 9, live)
    assert sorted(file.name for file in folder.iterdir()) == [
        "label.json", "rows-1.codes", "rows-1.f16", "rows-1.numbers"
    ]  # fmt: skip
    longer = opened.extended(rows[:1], np.array([5_000]), 5_001)
    assert numbers(longer.nearest(rows[0], 1, np.ones(334, dtype=np.bool_))) == [5_000]


def test_what_was_written_without_its_label_is_written_again(tmp_path: Path) -> None:
    rows = unit_rows(4)
    vectors = filled(tmp_path, rows[:2])
    with (tmp_path / "rows.f16").open("ab") as file:
        file.write(b"half of a row")
    opened = PassageVectors.open(tmp_path)
    assert opened is not None
    assert len(opened) == 2
    longer = vectors.extended(rows[2:], np.array([20, 30]), 31)
    assert numbers(longer.nearest(rows[3], 1, np.ones(4, dtype=np.bool_))) == [30]


def test_only_new_passages_are_encoded_and_another_encoder_makes_all_anew(tmp_path: Path) -> None:
    folder, index = write(tmp_path / "documents"), tmp_path / "index"
    encoder = LetterEncoder()
    summary = update_index(folder, index, encoder=encoder)
    assert (summary.vectors, encoder.texts) == ("letters", summary.passages)
    (folder / "new.txt").write_text("A lighthouse stands on the skerry.", encoding="utf-8")
    assert update_index(folder, index, encoder=encoder).passages == encoder.texts == summary.passages + 1
    other = LetterEncoder("other letters")
    with Corpus(index, encoder=other) as corpus:
        assert "made by another encoder (letters)" in corpus.notes[0]
        assert corpus.by_vectors("lighthouse", 1) == []
        assert corpus("lighthouse", 1)[0].source == "new.txt"
        update_index(folder, index, encoder=other)
        assert corpus.by_vectors("A lighthouse stands on the skerry", 1)[0].source == "new.txt"
    assert other.texts > encoder.texts


def test_passages_of_documents_that_are_gone_are_not_near(tmp_path: Path) -> None:
    folder, index = write(tmp_path / "documents"), tmp_path / "index"
    update_index(folder, index, encoder=LetterEncoder())
    (folder / "log.txt").unlink()
    update_index(folder, index, encoder=LetterEncoder())
    with Corpus(index, encoder=LetterEncoder()) as corpus:
        assert "log.txt" not in {passage.source for passage in corpus.by_vectors("It rained all day", 9)}


def test_embedding_that_is_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probative.corpus.index.embed.BLOCK", 2)
    folder, index = write(tmp_path / "documents"), tmp_path / "index"
    encoder = LetterEncoder()

    def stop(done: int, total: int, source: str) -> None:
        if source == "vectors":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        update_index(folder, index, encoder=encoder, progress=stop)
    label = read_vectors_label(index / "vectors")
    assert label is not None
    assert label.rows == encoder.texts == 2
    with Corpus(index, encoder=encoder) as corpus:
        assert corpus("crane", 1) != []
    update_index(folder, index, encoder=encoder)
    with Corpus(index) as corpus:
        assert len(corpus) == encoder.texts - 1  # and one query
