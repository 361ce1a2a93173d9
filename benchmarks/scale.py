"""Print how large an index becomes and how long it takes, computed from what is measured here.

    python benchmarks/scale.py --passages 20000

Bytes and seconds of a passage are measured on generated passages of about 120 words, in one process. The rows
for more passages are computed: bytes and seconds grow in proportion, since every file only grows by what is
added (merging the word index adds a factor that grows with the logarithm, and is not counted).
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmark_report import add_keep, show, text_table
from corpus_passages import generated, write_index
from probative.bench.report import Table
from probative.corpus.corpus import Corpus
from probative.corpus.documents.document import Document
from probative.corpus.documents.passages import passages_of
from probative.corpus.index.embed import embed_passages
from probative.corpus.index.index_folder import IndexFolder
from probative.corpus.indexing import static_encoder
from probative.corpus.stores.milvus import passage_rows
from probative.settings import load_settings

SIZES = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
_SAMPLE = 1_000
_QUERIES = 30
# Of each vector, the first pass of a search keeps one bit a dimension in memory.
_CODE_BYTES = 32


@dataclass(frozen=True)
class Measured:
    """Bytes and seconds of one passage."""

    passages: int
    words_seconds: float
    vector_seconds: float
    catalog_bytes: float
    words_bytes: float
    vector_bytes: float
    milvus_bytes: float
    milvus_seconds: float
    query_seconds: float


def measure(passages: int) -> Measured:
    """Index generated passages, and return what each of them costs."""
    with tempfile.TemporaryDirectory() as place:
        folder = IndexFolder(Path(place))
        documents = list(generated(passages))
        started = time.perf_counter()
        write_index(folder.path, iter(documents))
        words_seconds = time.perf_counter() - started
        encoder = static_encoder(load_settings(), fetch=True)
        started = time.perf_counter()
        if encoder is not None:
            embed_passages(folder, encoder)
        vector_seconds = time.perf_counter() - started
        rows, row_seconds = _milvus_rows(documents)
        with Corpus(folder.path, encoder=encoder) as corpus:
            n = len(corpus)
            query_seconds = _query(corpus)
        return Measured(
            passages=n,
            words_seconds=words_seconds / n,
            vector_seconds=vector_seconds / n,
            catalog_bytes=folder.catalog_file.stat().st_size / n,
            words_bytes=_size(folder.words) / n,
            vector_bytes=_size(folder.vectors) / n,
            milvus_bytes=rows,
            milvus_seconds=row_seconds,
            query_seconds=query_seconds,
        )


def _milvus_rows(documents: list[Document]) -> tuple[float, float]:
    """Return the bytes of a passage as Milvus gets it, and the seconds to make its row."""
    passages = list(islice((each for document in documents for each in passages_of(document)), _SAMPLE))
    started = time.perf_counter()
    rows = [row for number, each in enumerate(passages) for row in passage_rows(each, number, 0)]
    seconds = time.perf_counter() - started
    size = sum(len(row["terms"]) + len(row["record"]) + 24 for row in rows)
    return size / len(passages), seconds / len(passages)


def _query(corpus: Corpus) -> float:
    times = []
    for passage in islice((each for doc in generated(1_000, seed=7) for each in passages_of(doc)), _QUERIES):
        query = " ".join(passage.text.split()[:10])
        started = time.perf_counter()
        corpus.search(query, 20)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else 0


def per_passage(found: Measured) -> Table:
    """Return the table of what was measured."""
    rows = [
        (
            "words and documents",
            f"{found.words_seconds * 1e6:.0f}",
            f"{found.catalog_bytes + found.words_bytes:.0f}",
        ),
        ("of these, documents.sqlite", "", f"{found.catalog_bytes:.0f}"),
        ("vectors", f"{found.vector_seconds * 1e6:.0f}", f"{found.vector_bytes:.0f}"),
        ("a row for Milvus", f"{found.milvus_seconds * 1e6:.0f}", f"{found.milvus_bytes:.0f}"),
    ]
    title = f"One passage of {found.passages:,}"
    return text_table(title, ("part", "microseconds", "bytes"), rows)


def sizing(found: Measured) -> Table:
    """Return the table of what is computed from it."""
    rows = []
    for size in SIZES:
        folder = size * (found.catalog_bytes + found.words_bytes + found.vector_bytes)
        seconds = size * (found.words_seconds + found.vector_seconds)
        rows.append(
            (
                f"{size:,}",
                _bytes(folder),
                _bytes(size * _CODE_BYTES),
                _time(seconds),
                _bytes(size * (found.catalog_bytes + found.vector_bytes)),
                _bytes(size * found.milvus_bytes),
            )
        )
    names = ("passages", "index", "memory of vectors", "to index", "index beside Milvus", "sent to Milvus")
    return text_table("Computed from it", names, rows)


def _bytes(number: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1_000:
            return f"{number:.3g} {unit}"
        number /= 1_000
    return f"{number:.3g} TB"


def _time(seconds: float) -> str:
    for limit, divisor, unit in ((120, 1, "s"), (7_200, 60, "min"), (172_800, 3_600, "h")):
        if seconds < limit:
            return f"{seconds / divisor:.3g} {unit}"
    return f"{seconds / 86_400:.3g} days"


def main() -> None:
    """Measure, and print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=20_000)
    add_keep(parser)
    given = parser.parse_args()
    found = measure(given.passages)
    query = f"A search took {found.query_seconds * 1e3:.1f} ms, the median of {_QUERIES}."
    show([per_passage(found), sizing(found)], given, __file__, title="Sizes of a corpus", findings=[query])


if __name__ == "__main__":
    main()
