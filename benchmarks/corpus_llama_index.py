"""The whole path, from a JSON file of passages to results of questions, against LlamaIndex.

Both use the static encoder and write their index to disk; another process opens it and asks. LlamaIndex has
its default splitter and its default vector store; its second row adds its BM25 retriever, fused by ranks.
Ours is `index_folder` and `Corpus.search`. Only the gold pages that the collection has are counted.
"""

from __future__ import annotations

import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmark_report import text_table
from corpus_measure import Measured, in_process, milliseconds, size, times
from corpus_passages import the_static_encoder
from probative.bench.data.pages import CORPUS
from probative.bench.data.questions import read_questions
from probative.bench.report import Table
from probative.corpus.corpus import Corpus
from probative.corpus.documents.passages import TITLE_MARK
from probative.corpus.indexing import index_folder

N = 5
Asked = tuple[float, list[float], list[list[str]]]
"""The seconds to open, those of each question, and the titles found for each."""


def make_ours(index: Path, file: Path) -> None:
    """Index the file as a user does: in a folder of its own."""
    folder = index.with_suffix(".documents")
    folder.mkdir()
    (folder / file.name).symlink_to(file)
    index_folder(folder, index)


def ask_ours(index: Path, questions: list[str]) -> Asked:
    """Open the index and search it."""
    started = time.perf_counter()
    corpus = Corpus(index, encoder=the_static_encoder())
    opened = time.perf_counter() - started
    found: dict[str, list[str]] = {}

    def query(text: str) -> None:
        titles = [(hit.passage.title or "").split(TITLE_MARK)[-1] for hit in corpus.search(text, N)]
        found[text] = titles

    seconds = times(query, questions)
    return opened, seconds, [found[text] for text in questions]


def _encoder() -> Any:
    """Return the static encoder as LlamaIndex calls one."""
    from llama_index.core.embeddings import BaseEmbedding

    static = the_static_encoder()

    class Static(BaseEmbedding):  # type: ignore[misc, unused-ignore]
        def _get_text_embedding(self, text: str) -> list[float]:
            return static.encode([text])[0].tolist()  # type: ignore[no-any-return]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return static.encode(texts).tolist()  # type: ignore[no-any-return]

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return Static(model_name="static", embed_batch_size=1_024)


def make_llama(index: Path, file: Path) -> None:
    """Index the file with LlamaIndex."""
    from llama_index.core import Document, VectorStoreIndex

    rows = json.loads(file.read_text(encoding="utf-8"))
    documents = [Document(text=row["text"], metadata={"title": row["title"]}) for row in rows]
    VectorStoreIndex.from_documents(documents, embed_model=_encoder()).storage_context.persist(str(index))


def make_llama_hybrid(index: Path, file: Path) -> None:
    """The same, with the BM25 index of LlamaIndex beside it."""
    from llama_index.core import StorageContext
    from llama_index.retrievers.bm25 import BM25Retriever

    make_llama(index, file)
    nodes = list(StorageContext.from_defaults(persist_dir=str(index)).docstore.docs.values())
    BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=60).persist(str(index / "bm25"))


def ask_llama(index: Path, questions: list[str]) -> Asked:
    """Open the index of LlamaIndex and ask its retriever."""
    from llama_index.core import StorageContext, load_index_from_storage

    started = time.perf_counter()
    context = StorageContext.from_defaults(persist_dir=str(index))
    opened_index: Any = load_index_from_storage(context, embed_model=_encoder())
    retriever: Any = opened_index.as_retriever(similarity_top_k=N)
    if (index / "bm25").is_dir():
        retriever = _fused(opened_index, index / "bm25")
    opened = time.perf_counter() - started
    found: dict[str, list[str]] = {}

    def query(text: str) -> None:
        found[text] = [str(node.metadata["title"]) for node in retriever.retrieve(text)]

    seconds = times(query, questions)
    return opened, seconds, [found[text] for text in questions]


def _fused(index: Any, folder: Path) -> Any:
    from llama_index.core.llms.mock import MockLLM
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.retrievers.bm25 import BM25Retriever

    parts = [index.as_retriever(similarity_top_k=60), BM25Retriever.from_persist_dir(str(folder))]
    # One query: no language model writes others, but the class asks for one.
    return QueryFusionRetriever(
        parts, llm=MockLLM(), similarity_top_k=N, num_queries=1, mode="reciprocal_rerank", use_async=False
    )


def against_llama_index(data: Path, turns: int, scratch: Path | None) -> Table:
    """Return time, memory and recall of each."""
    try:
        import llama_index.core
        import llama_index.retrievers.bm25  # noqa: F401
    except ImportError:
        raise SystemExit(
            "LlamaIndex is missing: pip install llama-index-core llama-index-retrievers-bm25"
        ) from None
    file = (data / CORPUS).resolve()
    titles = {row["title"] for row in json.loads(file.read_text(encoding="utf-8"))}
    gold = _gold(data, titles)
    ways: dict[str, tuple[Callable[[Path, Path], None], Callable[[Path, list[str]], Asked]]] = {
        "LlamaIndex, vectors": (make_llama, ask_llama),
        "LlamaIndex, vectors and BM25": (make_llama_hybrid, ask_llama),
        "probative": (make_ours, ask_ours),
    }
    rows = []
    for name, (make, ask) in ways.items():
        made, asked, bytes_ = _measure(make, ask, file, list(gold), turns, scratch)
        opened, seconds, found = asked.result
        recalls = [
            len(wanted & set(own[:N])) / len(wanted) for wanted, own in zip(gold.values(), found, strict=True)
        ]
        rows.append(
            (
                name,
                f"{statistics.median(step.seconds for step in made):.1f} s",
                f"{made[0].memory:.0f} MB",
                f"{bytes_ / 1e6:.0f} MB",
                f"{1000 * opened:.0f} ms",
                milliseconds(seconds),
                f"{asked.memory:.0f} MB",
                f"{100 * statistics.mean(recalls):.1f}",
            )
        )
    return text_table(
        f"{len(titles):,} passages of 2WikiMultihopQA, {len(gold)} questions with gold pages among them",
        (
            "path",
            "index",
            "memory",
            "on disk",
            "open",
            "query, median",
            "memory of queries",
            f"recall at {N}",
        ),
        rows,
        note="The same static encoder. Times count importing the library and reading the file; "
        "both results are written to disk and opened by another process.",
    )


def _measure(
    make: Callable[[Path, Path], None],
    ask: Callable[[Path, list[str]], Asked],
    file: Path,
    questions: list[str],
    turns: int,
    scratch: Path | None,
) -> tuple[list[Measured], Measured, int]:
    made = []
    with tempfile.TemporaryDirectory(dir=scratch) as place:
        for turn in range(turns):
            index = Path(place, f"index{turn}")
            made.append(in_process(make, index, file))
            if turn < turns - 1:
                shutil.rmtree(index)
        return made, in_process(ask, index, questions), size(index)


def _gold(data: Path, titles: set[str]) -> dict[str, set[str]]:
    """Return the questions of which the collection has at least one gold page, with these pages."""
    questions = [
        question
        for tuning in (True, False)
        for question in read_questions(data, "2wikimultihopqa", tuning=tuning)
    ]
    gold = {
        question.text: {str(question.passages[index].title) for index in question.gold} & titles
        for question in questions
    }
    return {text: pages for text, pages in gold.items() if pages}
