"""An index of many generated passages: memory, the time to open it, and the time of a query."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from benchmark_report import text_table
from corpus_measure import in_process, milliseconds, size, times
from corpus_passages import generated, queries, the_static_encoder, write_index
from probative.bench.report import Table
from probative.corpus.corpus import Corpus
from probative.corpus.index.embed import embed_passages
from probative.corpus.index.index_folder import IndexFolder

N = 20


def make_words(folder: Path, passages: int) -> None:
    """Index generated documents by their words; they are never all in memory."""
    write_index(folder, generated(passages))


def make_vectors(folder: Path) -> None:
    """Add the vectors."""
    embed_passages(IndexFolder(folder), the_static_encoder())


def open_and_search(folder: Path) -> tuple[float, float, list[float], list[float], int]:
    """Return the seconds to open an index, of its first search, of searches by words, and by words and
    vectors, and its number of passages.
    """
    started = time.perf_counter()
    corpus = Corpus(folder, encoder=the_static_encoder())
    opened = time.perf_counter() - started
    texts = queries(100)
    started = time.perf_counter()
    corpus.search(texts[-1], N)
    first = time.perf_counter() - started
    by_words = times(lambda text: corpus.by_words(text, N), texts)
    by_both = times(lambda text: corpus.search(text, N), texts)
    return opened, first, by_words, by_both, len(corpus)


def many_passages(passages: int, scratch: Path | None) -> Table:
    """Index generated passages, open the index in a new process, and search it."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    try:
        words = in_process(make_words, folder, passages)
        words_size = size(folder)
        vectors = in_process(make_vectors, folder)
        asking = in_process(open_and_search, folder)
        opened, first, by_words, by_both, found = asking.result
        rows = [
            ("passages", f"{found:,}"),
            ("words and documents: time", f"{words.seconds:.0f} s"),
            ("words and documents: peak memory", f"{words.memory:.0f} MB"),
            ("words and documents: on disk", f"{words_size / 1e6:.0f} MB"),
            ("vectors: time", f"{vectors.seconds:.0f} s"),
            ("vectors: peak memory", f"{vectors.memory:.0f} MB"),
            ("vectors: on disk", f"{(size(folder) - words_size) / 1e6:.0f} MB"),
            ("open", f"{1000 * opened:.0f} ms"),
            ("first search", f"{1000 * first:.0f} ms"),
            ("search by words, median", milliseconds(by_words)),
            ("search by words, slowest of 100", f"{1000 * max(by_words):.0f} ms"),
            ("search by words and vectors, median", milliseconds(by_both)),
            ("search by words and vectors, slowest of 100", f"{1000 * max(by_both):.0f} ms"),
            ("searching: peak memory", f"{asking.memory:.0f} MB"),
        ]
    finally:
        shutil.rmtree(folder)
    return text_table(f"An index of {passages:,} generated passages", ("", "measured"), rows)
