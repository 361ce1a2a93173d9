"""Collections of whole pages, searched by words, or by words and vectors.

A question of HotpotQA or 2WikiMultihopQA comes with ten pages. A collection has the pages of all questions of
the file, so the pages of a question must be found first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from probative.bench.data.files import read_json
from probative.bench.data.splits import MULTIHOP_FILES
from probative.corpus.index.searcher import DEPTH, Weights, fuse
from probative.models.encoder import Encoder
from probative.text.words import load_bm25s, words
from probative.types import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The published pages of 2WikiMultihopQA, which lack pages that most questions need; and the same with the
# pages of all questions.
COLLECTIONS = ("2wiki-corpus", "2wiki-open")
CORPUS = "2wikimultihopqa/corpus.json"


class Collection:
    """Pages, and BM25 over them."""

    def __init__(self, pages: Sequence[Passage]) -> None:
        self._pages = list(pages)
        self._index = load_bm25s().BM25(method="lucene", k1=1.2, b=0.75)
        page_words = [words(page.whole) for page in self._pages]
        self._known = {word for page in page_words for word in page}
        self._index.index(page_words, show_progress=False)

    def __call__(self, query: str, n: int) -> list[Passage]:
        """Return the n pages with the highest BM25 scores, as a retriever does."""
        query_words = sorted(set(words(query)) & self._known)
        if not query_words:
            return []
        scores = self._index.get_scores(query_words)
        return [self._pages[index] for index in (-scores).argsort(kind="stable")[:n]]


class OpenCollection:
    """Pages with different titles, and two ways to search them. `encoder` makes the vectors when they are
    first needed.
    """

    def __init__(self, pages: Sequence[Passage], encoder: Encoder) -> None:
        self.pages = list(pages)
        self._encoder = encoder
        self.by_words = Collection(self.pages)
        self._row = {page.title: row for row, page in enumerate(self.pages)}

    def hybrid(self, query: str, n: int) -> list[Passage]:
        """Return the n best pages by the fusion of BM25 and vectors that a corpus uses."""
        depth = max(DEPTH, n)
        weights = Weights()
        by_words = [self._row[page.title] for page in self.by_words(query, depth)]
        fused = fuse([(weights.words, by_words), (weights.vectors, self._near(query, depth))])
        return [self.pages[row] for row, _ in fused[:n]]

    def _near(self, query: str, n: int) -> list[int]:
        (vector,) = self._encoder.encode([query])
        nearest = (-(self._vectors @ vector)).argsort(kind="stable")[:n]
        return [int(row) for row in nearest]

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        return self._encoder.encode([page.whole for page in self.pages])


def read_pages(data: Path, name: str) -> list[Passage]:
    """Return the pages of a collection (`COLLECTIONS`), or of a multi-hop set: those of all its questions,
    and of 2WikiMultihopQA also the published ones.
    """
    pages: dict[str, str] = {}
    if name.startswith("2wiki"):
        pages = {row["title"]: row["text"] for row in read_json(data / CORPUS)}
    if name != "2wiki-corpus":
        file = MULTIHOP_FILES["2wikimultihopqa" if name == "2wiki-open" else name]
        for row in read_json(data / file):
            for title, sentences in row["context"]:
                pages.setdefault(title, " ".join(sentence.strip() for sentence in sentences))
    return [Passage(text=text, title=title) for title, text in pages.items() if text.strip()]


def read_collection(data: Path, name: str) -> Collection:
    """Return the pages of `read_pages` with their index."""
    return Collection(read_pages(data, name))
