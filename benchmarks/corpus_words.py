"""Build and query our word index against bare tantivy, by turns, on generated passages.

Bare tantivy stores the text of each passage and its source, and returns both. Ours also stores what leads
back to the place: title, page and the offsets of each sentence. `whole index` starts from documents: it
splits them into sentences and passages, compares them for duplicates, and keeps them in the catalog; its
queries are those of `Corpus.by_words`, which returns complete passages.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmark_report import text_table
from corpus_measure import Measured, in_process, milliseconds, size, times
from corpus_passages import generated, passages_in_memory, queries, write_index
from probative.bench.report import Table
from probative.corpus.corpus import Corpus
from probative.corpus.stores.word_index import WordIndex

N = 20
_QUERIES = 200
_HEAP_BYTES = 128_000_000
Step = tuple[float, list[float]]
"""The seconds of the build, and those of each query."""


def bare_tantivy(folder: Path, passages: int) -> Step:
    """Build bare tantivy over passages that are in memory, and query it."""
    import tantivy

    texts = [(passage.source or "", passage.text) for passage in passages_in_memory(passages)]
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("source", stored=True, tokenizer_name="raw")
    builder.add_text_field("text", stored=True, tokenizer_name="en_stem", index_option="freq")
    folder.mkdir(parents=True)
    started = time.perf_counter()
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(_HEAP_BYTES)
    for source, text in texts:
        writer.add_document(tantivy.Document(source=source, text=text))
    writer.commit()
    writer.wait_merging_threads()
    seconds = time.perf_counter() - started
    index.reload()
    searcher = index.searcher()

    def query(text: str) -> list[str]:
        parsed, _ = index.parse_query_lenient(text, ["text"])
        return [searcher.doc(address)["text"][0] for _, address in searcher.search(parsed, N).hits]

    return seconds, times(query, queries(_QUERIES))


def word_index(folder: Path, passages: int) -> Step:
    """Build our word index over the same passages, and query it."""
    texts = passages_in_memory(passages)
    started = time.perf_counter()
    words = WordIndex(folder, create=True)
    with words.writing() as writer:
        writer.add(texts, 0, 0)
        writer.commit()
    seconds = time.perf_counter() - started
    words.reload()

    def query(text: str) -> list[bytes]:
        return [words.record(hit) for hit in words.search(text, N, ["en"])]

    return seconds, times(query, queries(_QUERIES))


def whole_index(folder: Path, passages: int) -> Step:
    """Index the same documents, without vectors, and query the corpus."""
    documents = list(generated(passages))
    started = time.perf_counter()
    write_index(folder, iter(documents))
    seconds = time.perf_counter() - started
    with Corpus(folder) as corpus:
        return seconds, times(lambda text: corpus.by_words(text, N), queries(_QUERIES))


STEPS: dict[str, Callable[[Path, int], Step]] = {
    "bare tantivy": bare_tantivy,
    "word index": word_index,
    "whole index": whole_index,
}


def against_tantivy(passages: int, turns: int, scratch: Path | None) -> Table:
    """Return the seconds, sizes and memory of each; the ratio is that of the medians over all turns."""
    found: dict[str, list[tuple[Measured, int]]] = {name: [] for name in STEPS}
    with tempfile.TemporaryDirectory(dir=scratch) as place:
        for _ in range(turns):
            for name, step in STEPS.items():
                folder = Path(place, step.__name__)
                found[name].append((in_process(step, folder, passages), size(folder)))
                shutil.rmtree(folder)
    builds = {name: statistics.median(step.result[0] for step, _ in own) for name, own in found.items()}
    asked = {name: [one for step, _ in own for one in step.result[1]] for name, own in found.items()}
    bare = "bare tantivy"
    rows = [
        (
            name,
            f"{builds[name]:.1f} s",
            f"{builds[name] / builds[bare]:.2f}",
            milliseconds(asked[name]),
            f"{statistics.median(asked[name]) / statistics.median(asked[bare]):.2f}",
            f"{own[0][1] / 1e6:.0f} MB",
            f"{max(step.memory for step, _ in own):.0f} MB",
        )
        for name, own in found.items()
    ]
    return text_table(
        f"{passages:,} generated passages",
        ("index", "build", "× bare", "query, median", "× bare query", "on disk", "peak memory"),
        rows,
        note=f"Top {N} of {_QUERIES} queries of eight words; median of {turns} turns. The memory counts the "
        "passages or documents that the build starts from.",
    )
