"""All pages of a multi-hop data set as one collection, searched by words, or by words and vectors.

A question of HotpotQA or 2WikiMultihopQA comes with ten pages. Here it is asked of the pages of all questions
of the file, and of the published collection of 2WikiMultihopQA, so its pages must be found first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from probative.bench.data.files import read_json
from probative.bench.data.multihop import CORPUS, Collection
from probative.bench.splits import MULTIHOP_FILES
from probative.corpus.index.searcher import DEPTH, Weights, fuse
from probative.models.encoder import Encoder
from probative.types import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def open_pages(data: Path, name: str) -> list[Passage]:
    """Return the pages of all questions of a set; of 2WikiMultihopQA, also those of its collection."""
    pages: dict[str, str] = {}
    if name == "2wikimultihopqa":
        pages = {row["title"]: row["text"] for row in read_json(data / CORPUS)}
    for row in read_json(data / MULTIHOP_FILES[name]):
        for title, sentences in row["context"]:
            pages.setdefault(title, " ".join(sentence.strip() for sentence in sentences))
    return [Passage(text=text, title=title) for title, text in pages.items() if text.strip()]


class OpenCollection:
    """Pages with different titles, and two ways to search them. `encoder` makes the vectors when they are
    first needed.
    """

    def __init__(self, pages: Sequence[Passage], encoder: Encoder) -> None:
        self.pages = list(pages)
        self._encoder = encoder
        self._words = Collection(self.pages)
        self._row = {page.title: row for row, page in enumerate(self.pages)}

    def by_words(self, query: str, n: int) -> list[Passage]:
        """Return the n best pages by BM25."""
        return self._words(query, n)

    def hybrid(self, query: str, n: int) -> list[Passage]:
        """Return the n best pages by the fusion of BM25 and vectors that a corpus uses."""
        depth = max(DEPTH, n)
        weights = Weights()
        words = [self._row[page.title] for page in self._words(query, depth)]
        fused = fuse([(weights.words, words), (weights.vectors, self._near(query, depth))])
        return [self.pages[row] for row, _ in fused[:n]]

    def _near(self, query: str, n: int) -> list[int]:
        (vector,) = self._encoder.encode([query])
        nearest = (-(self._vectors @ vector)).argsort(kind="stable")[:n]
        return [int(row) for row in nearest]

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        return self._encoder.encode([page.whole for page in self.pages])
