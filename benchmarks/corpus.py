"""Measure the index of a corpus.

    python benchmarks/corpus.py build                 300,000 passages: build and query against bare tantivy
    python benchmarks/corpus.py recall --data DIR     gold paragraphs of HotpotQA found by each ranking
    python benchmarks/corpus.py generated --passages 1000000    memory, time to open, time of a query

Passages of `build` and `generated` are generated: words drawn by Zipf's law, so that the dictionary and the
lists of the index grow as with real text. Each step runs in a process of its own, one after the other, so
that its memory is its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmark_report import add_keep, show, text_table
from probative.bench.report import Table
from probative.corpus.corpus import Corpus
from probative.corpus.document import Document
from probative.corpus.folder import FoundFile
from probative.corpus.fusion import fuse
from probative.corpus.index.batch import IndexWriter
from probative.corpus.index.embed import embed_passages
from probative.corpus.index.index_folder import FORMAT, IndexFolder, IndexLabel
from probative.corpus.index.read_file import ReadDocument
from probative.corpus.index.word_index import WordIndex
from probative.models.encoder import Encoder
from probative.models.loading import load_encoder
from probative.settings import load_settings

_VOCABULARY = 200_000
_PASSAGES_PER_DOCUMENT = 100
_WORDS = 60


def generated(passages: int, seed: int = 0) -> Iterator[Document]:
    """Yield documents of 100 paragraphs with about 60 words each, drawn by Zipf's law."""
    draw = random.Random(seed)
    names = [_word(number) for number in range(_VOCABULARY)]
    weights = [1 / (rank + 3) for rank in range(_VOCABULARY)]
    many = draw.choices(names, weights, k=2_000_000)
    for number in range(-(-passages // _PASSAGES_PER_DOCUMENT)):
        paragraphs = []
        for _ in range(_PASSAGES_PER_DOCUMENT):
            start = draw.randrange(len(many) - _WORDS)
            words = many[start : start + _WORDS]
            # Long enough that a passage is one paragraph.
            paragraphs.append(" ".join(words).capitalize() + " " + " ".join(words[::-1]) + ".")
        yield Document(source=f"{number // 1000:03}/{number:06}.txt", text="\n\n".join(paragraphs))


def _word(number: int) -> str:
    letters = ""
    while True:
        number, rest = divmod(number, 100)
        letters += "bcdfghklmnprstvwxz"[rest % 18] + "aeiou"[rest // 20]
        if number == 0:
            return letters + "rst"[len(letters) % 3]


def write_index(folder: Path, documents: Iterator[Document], encoder: Encoder | None = None) -> None:
    """Index documents that are in memory, as `update_index` indexes files."""
    index = IndexFolder(folder)
    index.path.mkdir(parents=True, exist_ok=True)
    catalog = index.open_writable_catalog()
    words = WordIndex(index.words, create=True)
    with IndexWriter(catalog, words) as writer:
        for document in documents:
            writer.add(ReadDocument.of(document), FoundFile(Path(document.source), document.source, 0, 0), "")
        writer.flush()
    index.write_label(IndexLabel(format=FORMAT, version="benchmark", folder=str(folder)))
    catalog.tidy()
    catalog.close()
    if encoder is not None:
        embed_passages(index, encoder)


def _in_process(function: Callable[..., Any], *arguments: Any) -> Any:
    """Run a function in a process of its own; return its result, the seconds and its memory in MB."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(_measured, (function, arguments))


def _measured(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, float, float]:
    started = time.perf_counter()
    result = function(*arguments)
    seconds = time.perf_counter() - started
    return result, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def passages_in(passages: int) -> list[tuple[str, str]]:
    """Return generated passages as (source, text)."""
    from probative.corpus.passages import passages_of

    return [
        (document.source, passage.text)
        for document in generated(passages)
        for passage in passages_of(document)
    ]


def build_bare(folder: Path, passages: int) -> tuple[float, list[float]]:
    """Build bare tantivy over passages that are in memory; return seconds, and seconds of queries."""
    import tantivy

    texts = passages_in(passages)
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("source", stored=True, tokenizer_name="raw")
    builder.add_text_field("text", stored=True, tokenizer_name="en_stem")
    started = time.perf_counter()
    folder.mkdir(parents=True)
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(128_000_000)
    for source, text in texts:
        writer.add_document(tantivy.Document(source=source, text=text))
    writer.commit()
    writer.wait_merging_threads()
    seconds = time.perf_counter() - started
    index.reload()
    searcher = index.searcher()

    def query(text: str) -> None:
        parsed, _ = index.parse_query_lenient(text, ["text"])
        for _, address in searcher.search(parsed, 20).hits:
            searcher.doc(address)

    return seconds, _times(query)


def build_words(folder: Path, passages: int) -> tuple[float, list[float]]:
    """Build our word index over passages that are in memory; the same as `build_bare`."""
    from probative.corpus.passages import CorpusPassage

    texts = [
        CorpusPassage(text=text, source=source, start=0, end=len(text), sentences=((0, len(text)),))
        for source, text in passages_in(passages)
    ]
    started = time.perf_counter()
    words = WordIndex(folder, create=True)
    with words.writing() as writer:
        writer.add(texts, 0, 0)
        writer.commit()
    seconds = time.perf_counter() - started
    words.reload()

    def query(text: str) -> None:
        for hit in words.search(text, 20, ["en"]):
            words.record(hit)

    return seconds, _times(query)


def _times(query: Callable[[str], object], count: int = 100) -> list[float]:
    draw = random.Random(1)
    weights = [1 / (rank + 3) for rank in range(20_000)]
    texts = [
        " ".join(_word(number) for number in draw.choices(range(20_000), weights, k=8)) for _ in range(count)
    ]
    query(texts[0])
    seconds = []
    for text in texts:
        started = time.perf_counter()
        query(text)
        seconds.append(time.perf_counter() - started)
    return seconds


def build(given: argparse.Namespace) -> list[Table]:
    """Compare the build and the queries of our word index with those of bare tantivy, by turns."""
    rows = []
    with tempfile.TemporaryDirectory(dir=given.scratch) as scratch:
        for turn in range(given.turns):
            for name, function in (("bare tantivy", build_bare), ("probative", build_words)):
                folder = Path(scratch, f"{function.__name__}{turn}")
                (seconds, queries), _, memory = _in_process(function, folder, given.passages)
                rows.append(
                    (
                        f"{name}, turn {turn + 1}",
                        f"{seconds:.1f} s",
                        f"{1000 * statistics.median(queries):.1f} ms",
                        f"{_size(folder) / 1e6:.0f} MB",
                        f"{memory:.0f} MB",
                    )
                )
                shutil.rmtree(folder)
    title = f"{given.passages:,} generated passages in memory, top 20 of 100 queries of 8 words"
    return [text_table(title, ("index", "build", "query, median", "on disk", "peak memory"), rows)]


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def hotpot(data: Path, limit: int) -> tuple[list[Document], list[tuple[str, set[str]]]]:
    """Return the paragraphs of a HotpotQA sample, and its questions with the titles of their gold."""
    rows = json.loads((data / "hotpotqa" / "hotpot_dev_distractor_sample.json").read_text("utf-8"))[:limit]
    paragraphs = {title: "".join(sentences) for row in rows for title, sentences in row["context"]}
    documents = [Document(source=title, title=title, text=text) for title, text in paragraphs.items() if text]
    questions = [
        (row["question"], {title for title, _ in row["supporting_facts"]} & paragraphs.keys()) for row in rows
    ]
    return documents, questions


def recall(given: argparse.Namespace) -> list[Table]:
    """Return the share of gold paragraphs among the first 5, 20 and 50 documents, by each ranking."""
    documents, questions = hotpot(given.data, given.limit)
    static = _static()
    with tempfile.TemporaryDirectory(dir=given.scratch) as scratch:
        started = time.perf_counter()
        write_index(Path(scratch), iter(documents))
        words_seconds = time.perf_counter() - started
        index = IndexFolder(Path(scratch))
        started = time.perf_counter()
        embed_passages(index, static)
        vectors_seconds = time.perf_counter() - started
        with Corpus(Path(scratch), encoder=static) as corpus:
            rankings = {question: _rankings(corpus, question) for question, _ in questions}
            passages = len(corpus)
            variants = _variants(rankings, corpus, questions, rerank=given.rerank)
    rows = []
    for name, ranked in variants.items():
        cells = [f"{100 * _recall(ranked, questions, n):.1f}" for n in (5, 20, 50)]
        rows.append((name, *cells))
    title = f"gold paragraphs of {len(questions)} questions among {len(documents):,} paragraphs of HotpotQA"
    note = (
        f"{passages:,} passages; words indexed in {words_seconds:.1f} s, vectors in {vectors_seconds:.1f} s"
    )
    return [text_table(title, ("ranking", "at 5", "at 20", "at 50"), rows, note=note)]


def _static() -> Encoder:
    from probative.models.embedded.opening import open_static

    encoder = open_static(load_settings())
    assert encoder is not None
    return encoder


def _rankings(corpus: Corpus, question: str) -> dict[str, list[str]]:
    """Return the passages by words and by vectors, as citations."""
    by_words = corpus.by_words(question, 60)
    by_vectors = corpus.by_vectors(question, 60)
    return {
        "words": [str(passage.id) for passage in by_words],
        "vectors": [str(passage.id) for passage in by_vectors],
    }


def _variants(
    rankings: dict[str, dict[str, list[str]]],
    corpus: Corpus,
    questions: Sequence[tuple[str, set[str]]],
    *,
    rerank: int,
) -> dict[str, dict[str, list[str]]]:
    """Return each way to rank: question → sources in order."""
    variants: dict[str, dict[str, list[str]]] = {}
    for weight in (0.0, 0.25, 0.5, 1.0):
        fused = {
            question: [item for item, _ in fuse([(1.0, each["words"]), (weight, each["vectors"])])]
            if weight
            else each["words"]
            for question, each in rankings.items()
        }
        variants[f"words + {weight} vectors" if weight else "words"] = fused
    variants["vectors"] = {question: each["vectors"] for question, each in rankings.items()}
    if rerank:
        variants |= _reranked(
            variants["words + 0.5 vectors"], corpus, [question for question, _ in questions], rerank
        )
    return {
        name: {question: _sources(ids) for question, ids in ranked.items()}
        for name, ranked in variants.items()
    }


def _reranked(
    fused: dict[str, list[str]], corpus: Corpus, questions: Sequence[str], depth: int
) -> dict[str, dict[str, list[str]]]:
    """Return the rankings with MiniLM over the best passages, fused with the order before."""
    encoder = load_encoder("embedded")
    variants: dict[str, dict[str, list[str]]] = {
        "MiniLM over the best, fused": {},
        "MiniLM over the best": {},
    }
    texts: dict[str, Any] = {}
    for question in questions:
        ids = fused[question][:depth]
        missing = [each for each in ids if each not in texts]
        wholes = [corpus.show(each, 0).title + ": " + corpus.show(each, 0).text for each in missing]
        texts.update(zip(missing, encoder.encode(wholes), strict=True) if missing else ())
        vector = encoder.encode([question])[0]
        near = sorted(ids, key=lambda each: -float(texts[each] @ vector))
        variants["MiniLM over the best"][question] = near
        both = [item for item, _ in fuse([(1.0, ids), (1.0, near)])]
        variants["MiniLM over the best, fused"][question] = both
    return variants


def _sources(citations: Sequence[str]) -> list[str]:
    from probative.corpus.citation import Citation

    return list(dict.fromkeys(Citation.parse(citation).source for citation in citations))


def _recall(ranked: dict[str, list[str]], questions: Sequence[tuple[str, set[str]]], n: int) -> float:
    found = [len(gold & set(ranked[question][:n])) / len(gold) for question, gold in questions if gold]
    return statistics.mean(found)


def make_generated(folder: Path, passages: int) -> None:
    """Index generated documents, with vectors."""
    write_index(folder, generated(passages), _static())


def open_and_ask(folder: Path) -> tuple[float, list[float], int]:
    """Return the seconds to open an index, those of queries, and its passages."""
    started = time.perf_counter()
    corpus = Corpus(folder, encoder=_static())
    opened = time.perf_counter() - started
    return opened, _times(lambda text: corpus.search(text, 20)), len(corpus)


def many(given: argparse.Namespace) -> list[Table]:
    """Measure an index of many generated passages."""
    folder = Path(tempfile.mkdtemp(dir=given.scratch))
    try:
        _, seconds, memory = _in_process(make_generated, folder, given.passages)
        (opened, queries, passages), _, asking = _in_process(open_and_ask, folder)
        rows = [
            ("passages", f"{passages:,}"),
            ("build with vectors", f"{seconds:.0f} s"),
            ("peak memory of the build", f"{memory:.0f} MB"),
            ("on disk", f"{_size(folder) / 1e6:.0f} MB"),
            ("open", f"{1000 * opened:.0f} ms"),
            ("query, median", f"{1000 * statistics.median(queries):.0f} ms"),
            ("query, slowest of 100", f"{1000 * max(queries):.0f} ms"),
            ("peak memory of queries", f"{asking:.0f} MB"),
        ]
    finally:
        shutil.rmtree(folder)
    return [text_table("an index of generated passages", ("", "measured"), rows)]


def main() -> None:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("build", "recall", "generated"))
    parser.add_argument("--data", type=Path, default=Path("data"), help="the folder of data sets")
    parser.add_argument("--passages", type=int, default=300_000)
    parser.add_argument("--turns", type=int, default=1, help="build: how often each is measured")
    parser.add_argument("--limit", type=int, default=400, help="recall: rows of the sample")
    parser.add_argument("--rerank", type=int, default=0, help="recall: passages that MiniLM reads")
    parser.add_argument("--scratch", type=Path, help="a folder with room for the index")
    add_keep(parser)
    given = parser.parse_args()
    tables = {"build": build, "recall": recall, "generated": many}[given.what](given)
    show(tables, given, __file__, title=f"The index of a corpus: {given.what}", name=f"corpus-{given.what}")


if __name__ == "__main__":
    main()
