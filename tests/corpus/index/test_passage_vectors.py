"""The vectors of an index: rows that only grow, and the nearest of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from letter_encoder import LetterEncoder
from small_corpus import write

from probative.corpus.corpus import Corpus
from probative.corpus.index.passage_vectors import PassageVectors
from probative.corpus.index.update import update_index
from probative.corpus.index.vectors_label import read_label


def test_rows_grow_and_the_nearest_are_found(tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(500, 70)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = PassageVectors.create(tmp_path, "a", 70)
    for part in np.split(rows, [1, 100, 350]):
        vectors = vectors.extended(part)
    opened = PassageVectors.open(tmp_path)
    assert opened is not None
    assert len(opened) == 500
    query = rows[123] + 0.7 * rows[321]
    expected = np.argsort(-(rows @ query))[:5].tolist()
    assert opened.nearest(query, 5)[:2] == expected[:2] == [123, 321]
    assert opened.nearest(query, 3, [(300, 50), (10, 3)])[0] == 321
    assert opened.nearest(query, 3, []) == []
    assert opened.nearest(np.zeros(70, dtype=np.float32), 3) == []


def test_what_was_written_without_its_label_is_written_again(tmp_path: Path) -> None:
    rows = np.eye(4, dtype=np.float32)
    vectors = PassageVectors.create(tmp_path, "a", 4).extended(rows[:2])
    with (tmp_path / "rows.f16").open("ab") as file:
        file.write(b"half of a row")
    opened = PassageVectors.open(tmp_path)
    assert opened is not None
    assert len(opened) == 2
    longer = vectors.extended(rows[2:])
    assert longer.nearest(rows[3], 1) == [3]
    (tmp_path / "rows.f16").write_bytes(b"")
    assert PassageVectors.open(tmp_path) is None


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
    label = read_label(index / "vectors")
    assert label is not None
    assert label.rows == encoder.texts == 2
    with Corpus(index, encoder=encoder) as corpus:
        assert corpus("crane", 1) != []
    update_index(folder, index, encoder=encoder)
    with Corpus(index) as corpus:
        assert len(corpus) == encoder.texts - 1  # and one query
