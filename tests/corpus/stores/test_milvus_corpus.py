"""A corpus whose passages are in Milvus: the answers of the embedded index, and what happens without it."""

from __future__ import annotations

from pathlib import Path

import pytest
from letter_encoder import LetterEncoder

from probative import StoreError
from probative.corpus import corpus as corpus_module
from probative.corpus.corpus import Corpus
from probative.corpus.documents.files import SearchFilters
from probative.corpus.indexing import index_folder
from probative.corpus.stores.labels import read_store_label
from probative.settings import Settings

pytest.importorskip("pymilvus")
pytest.importorskip("milvus_lite")
pytestmark = pytest.mark.slow

TEXTS = {
    "lift.md": "# Lift\n\nThe lift closes at nine in winter. Opens at six.\n\n## Fares\n\nFare: 3 crowns",
    "minutes/may.txt": "The council met on 2 May 2024. It raised the fare of the ferry to 40 crowns.",
    "minutes/june.txt": "The council met again. The harbour stays open in winter.",
}


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    for name, text in TEXTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def found(index: Path, query: str, **filters: object) -> list[str]:
    with Corpus(index, filters=SearchFilters.of(**filters)) as corpus:
        return [hit.passage.id or "" for hit in corpus.search(query, 5)]


def test_an_index_in_milvus_answers_and_follows_its_folder(documents: Path, tmp_path: Path) -> None:
    store = f"milvus:{tmp_path / 'm.db'}"
    here, there = tmp_path / "here", tmp_path / "there"
    index_folder(documents, here, vectors=False)
    summary = index_folder(documents, there, store=store, vectors=False)
    assert (summary.documents, summary.passages) == (3, 4)
    for query in ("When does the lift close?", "What is the fare of the ferry?", "council"):
        assert sorted(found(there, query)) == sorted(found(here, query)) != []
        assert found(there, query)[0] == found(here, query)[0]
    assert found(there, "council", sources=("*/june.txt",)) == found(here, "council", sources=("*/june.txt",))
    (documents / "lift.md").unlink()
    (documents / "minutes" / "june.txt").write_text("The council closed the lift.", encoding="utf-8")
    changed = index_folder(documents, there, vectors=False)
    assert (changed.removed, changed.changed, changed.unchanged) == (1, 1, 1)
    assert found(there, "lift") == ["minutes/june.txt#char=0,28"]
    with Corpus(there) as corpus:
        assert corpus.show("minutes/june.txt#char=0,28").text == "The council closed the lift."


def test_a_store_that_is_down_or_another_one_leaves_the_old_index(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("probative.corpus.stores.milvus._SECONDS", 0.5)
    down = "milvus:http://127.0.0.1:9"
    index = tmp_path / "index"
    index_folder(documents, index, vectors=False)
    with pytest.raises(StoreError, match="are in the store embedded, not in milvus:http"):
        index_folder(documents, index, store=down, vectors=False)
    with pytest.raises(StoreError, match=r"the store milvus:http://127\.0\.0\.1:9 cannot be used"):
        index_folder(documents, index, store=down, rebuild=True, vectors=False)
    assert read_store_label(index) is None
    assert found(index, "lift") == found(index, "lift", sources=("lift.md",)) != []
    settings = Settings(home=tmp_path / "home")
    with Corpus.open(documents, settings=settings, vectors=False) as corpus:
        assert len(corpus) == 4
    with pytest.raises(StoreError, match="cannot be used"):
        Corpus.open(documents, store=down, settings=settings, vectors=False)
    with Corpus.open(documents, settings=settings, vectors=False) as corpus:
        assert len(corpus) == 4


def test_a_rebuilt_index_moves_to_another_store(documents: Path, tmp_path: Path) -> None:
    index, store = tmp_path / "index", f"milvus:{tmp_path / 'm.db'}"
    index_folder(documents, index, vectors=False)
    expected = found(index, "lift")
    index_folder(documents, index, store=store, rebuild=True, vectors=False)
    label = read_store_label(index)
    assert label is not None
    assert str(label.address) == store
    assert not (index / "words").exists()
    assert found(index, "lift") == expected
    index_folder(documents, index, store="embedded", rebuild=True, vectors=False)
    assert read_store_label(index) is None
    assert found(index, "lift") == expected


def test_vectors_are_written_in_the_background_of_a_store(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = LetterEncoder()
    monkeypatch.setattr(corpus_module, "static_encoder", lambda settings, fetch=False: encoder)
    monkeypatch.setattr(corpus_module, "_AWAITED_VECTORS", 0)
    settings = Settings(home=tmp_path / "home")
    with Corpus.open(documents, store=f"milvus:{tmp_path / 'm.db'}", settings=settings) as corpus:
        assert corpus.by_words("council", 1) != []
        assert corpus.wait_for_vectors()
        assert corpus.by_words("council", 1) != []
        (near,) = corpus.by_vectors(TEXTS["minutes/june.txt"], 1)
        assert near.source == "minutes/june.txt"
