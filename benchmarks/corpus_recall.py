"""The share of gold pages that one round of search finds in the open collections, by each ranking.

A question of HotpotQA or 2WikiMultihopQA is asked of the pages of all questions of the file (and of the
published collection of 2WikiMultihopQA). Weights and depths were chosen on the tuned questions; the table is
of the others.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmark_report import text_table
from corpus_passages import the_static_encoder, write_index
from probative.bench.data.pages import read_pages
from probative.bench.data.questions import read_questions
from probative.bench.data.splits import MULTIHOP_FILES
from probative.bench.report import Table
from probative.corpus.corpus import Corpus
from probative.corpus.documents.document import Document
from probative.corpus.documents.passages import CorpusPassage

CUTS = (5, 10, 20, 50)
# A page may have several passages: this many passages are enough for the first 50 pages.
_PASSAGES = 100


@dataclass(frozen=True)
class Asked:
    """A question and the titles of its gold pages."""

    text: str
    gold: frozenset[str]


def recall(data: Path, limit: int | None, rerank: Sequence[int], scratch: Path | None) -> list[Table]:
    """Return a table for each open collection."""
    return [_table(data, name, limit, rerank, scratch) for name in MULTIHOP_FILES]


def _table(data: Path, name: str, limit: int | None, rerank: Sequence[int], scratch: Path | None) -> Table:
    questions = [
        Asked(each.text, frozenset(str(each.passages[index].title) for index in each.gold))
        for each in read_questions(data, name)[:limit]
    ]
    pages = read_pages(data, name)
    documents = (Document(source=str(p.title), title=str(p.title), text=p.text) for p in pages)
    encoder = the_static_encoder()
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        write_index(Path(folder), documents, encoder)
        with Corpus(Path(folder), encoder=encoder) as corpus:
            rows = [_row(way, search, questions) for way, search in _rankings(corpus, rerank).items()]
    columns = ("ranking", *(f"at {cut}" for cut in CUTS), "seconds a query")
    return text_table(
        f"Gold pages of {len(questions)} questions among {len(pages):,} of {name}", columns, rows
    )


def _rankings(corpus: Corpus, rerank: Sequence[int]) -> dict[str, Callable[[str], list[CorpusPassage]]]:
    rankings: dict[str, Callable[[str], list[CorpusPassage]]] = {
        "words": lambda text: corpus.by_words(text, _PASSAGES),
        "vectors": lambda text: corpus.by_vectors(text, _PASSAGES),
        "words and vectors": lambda text: _passages(corpus, text, 0),
    }
    for depth in rerank:
        rankings[f"the same, MiniLM over the best {depth}"] = partial(_passages, corpus, rerank=depth)
    return rankings


def _passages(corpus: Corpus, text: str, rerank: int) -> list[CorpusPassage]:
    return [hit.passage for hit in corpus.search(text, _PASSAGES, rerank=rerank)]


def _row(
    name: str, search: Callable[[str], list[CorpusPassage]], questions: Sequence[Asked]
) -> tuple[str, ...]:
    search(questions[0].text)  # opens what is opened at its first use
    started = time.perf_counter()
    ranked = [list(dict.fromkeys(passage.source for passage in search(asked.text))) for asked in questions]
    seconds = (time.perf_counter() - started) / len(questions)
    cells = [
        statistics.mean(
            len(asked.gold & set(own[:cut])) / len(asked.gold)
            for asked, own in zip(questions, ranked, strict=True)
        )
        for cut in CUTS
    ]
    return (name, *(f"{100 * cell:.1f}" for cell in cells), f"{seconds:.3f}")
