"""The best passages of a search, ranked again by an encoder."""

from __future__ import annotations

from pathlib import Path

import pytest
from letter_encoder import LetterEncoder
from small_corpus import write

from probative.corpus.corpus import Corpus, rerank_hits
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.index.searcher import Hit
from probative.corpus.indexing import index_folder
from probative.errors import InputError


def hits(*texts: str) -> list[Hit]:
    return [Hit(CorpusPassage(text=text), 1 / rank) for rank, text in enumerate(texts, 1)]


def test_the_nearest_passage_passes_its_neighbours_and_none_is_lost() -> None:
    found = rerank_hits("zzz", hits("abc", "zzz", "bcd"), LetterEncoder())
    # 1/12 + 0.5/11 for the second and nearest, 1/11 + 0.5/12 for the first, which has no letter in common.
    assert [hit.passage.text for hit in found] == ["abc", "zzz", "bcd"]
    assert found[0].score == pytest.approx(1 / 11 + 0.5 / 12)
    assert found[1].score == pytest.approx(1 / 12 + 0.5 / 11)
    found = rerank_hits("zzz", hits("abc", "bcd", "zzz", "cde"), LetterEncoder())
    assert [hit.passage.text for hit in found][:3] == ["abc", "zzz", "bcd"]


def test_one_passage_needs_no_encoder() -> None:
    encoder = LetterEncoder()
    assert len(rerank_hits("zzz", hits("abc"), encoder)) == 1
    assert encoder.texts == 0


def test_a_search_ranks_only_the_best_again(tmp_path: Path) -> None:
    index_folder(write(tmp_path / "documents"), tmp_path / "index", vectors=False)
    encoder = LetterEncoder()
    with Corpus(tmp_path / "index", rerank=2, reranker=encoder) as corpus:
        plain = corpus.search("the ferry ticket in the harbour", 4, rerank=0)
        again = corpus.search("the ferry ticket in the harbour", 4)
        assert encoder.texts == 3
        assert {hit.passage.id for hit in again[:2]} == {hit.passage.id for hit in plain[:2]}
        assert [hit.passage.id for hit in again[2:]] == [hit.passage.id for hit in plain[2:]]
        assert [hit.score for hit in again] == sorted((hit.score for hit in again), reverse=True)
        assert corpus.fingerprint.endswith("rerank=2")


def test_a_negative_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rerank must be 0 or more, got -1"):
        Corpus(tmp_path, rerank=-1)
