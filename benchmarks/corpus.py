"""Measure the index of a corpus, and what a search finds.

    python benchmarks/corpus.py                               all four, one after the other
    python benchmarks/corpus.py words                         build and query against bare tantivy
    python benchmarks/corpus.py llama-index --data DIR        the whole path against LlamaIndex
    python benchmarks/corpus.py recall --data DIR             gold pages found by each ranking
    python benchmarks/corpus.py generated --passages 1000000  memory, time to open, time of a query

Passages of `words` and `generated` are generated (corpus_passages.py). Each step that is measured runs in a
process of its own. `llama-index` needs `pip install llama-index-core llama-index-retrievers-bm25`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmark_report import add_keep, show
from corpus_generated import many_passages
from corpus_llama_index import against_llama_index
from corpus_recall import recall
from corpus_words import against_tantivy
from probative.bench.report import Table

TITLES = {
    "words": "The word index against bare tantivy",
    "llama-index": "The whole path against LlamaIndex",
    "recall": "What one round of search finds",
    "generated": "An index of many passages",
}


def words(given: argparse.Namespace) -> list[Table]:
    """Compare with bare tantivy at each size."""
    return [against_tantivy(size, given.turns, given.scratch) for size in given.sizes]


def llama_index(given: argparse.Namespace) -> list[Table]:
    """Compare with LlamaIndex on the collection of 2WikiMultihopQA."""
    return [against_llama_index(given.data, given.turns, given.scratch)]


def found(given: argparse.Namespace) -> list[Table]:
    """Return the recall of each ranking on both open collections."""
    return recall(given.data, given.limit, given.rerank, given.scratch)


def generated(given: argparse.Namespace) -> list[Table]:
    """Measure an index of many generated passages."""
    return [many_passages(given.passages, given.scratch)]


STEPS: dict[str, Callable[[argparse.Namespace], list[Table]]] = {
    "words": words,
    "llama-index": llama_index,
    "recall": found,
    "generated": generated,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one of the measurements, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("all", *STEPS), nargs="?", default="all")
    parser.add_argument("--data", type=Path, default=Path("data"), help="the folder of data sets")
    parser.add_argument("--sizes", type=int, nargs="+", default=[30_000, 300_000], help="words: passages")
    parser.add_argument("--turns", type=int, default=1, help="how often each build is measured")
    parser.add_argument("--passages", type=int, default=1_000_000, help="generated: passages")
    parser.add_argument("--limit", type=int, help="recall: at most this many questions of each set")
    parser.add_argument(
        "--rerank", type=int, nargs="*", default=[20], help="recall: passages ranked again by MiniLM"
    )
    parser.add_argument("--scratch", type=Path, help="a folder with room for the indexes")
    add_keep(parser)
    given = parser.parse_args(arguments)
    for what in STEPS if given.what == "all" else (given.what,):
        show(STEPS[what](given), given, __file__, title=TITLES[what], name=f"corpus-{what}")


if __name__ == "__main__":
    main()
