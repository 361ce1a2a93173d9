"""The figures that the McsE paper publishes (`published.toml`), by the names that our rows have."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.published import Figure, read_published
from probative.bench.rows import Row
from probative.types import Value

ROUGE, BM25, EMBEDDING, GTE = "ROUGE", "BM25", "embedding", "GTE-large"
PICKS, RERANKS, RANKGPT, MCSE = "LLM picks", "LLM reranks", "RankGPT", "McsE"
BESIDE = (
    "Published beside `embedding` is MPNet-base, or GTE-large where the encoder is GTE; beside `LLM picks` "
    "Gemma-Retriever and beside `LLM reranks` "
    "Gemma-Reranker (Gemma-7b-it); RankGPT is GPT-3.5-turbo and McsE Gemma-2b-it there."
)

Triple = tuple[float, float, float]
"""Precision, recall and F1."""
ByHops = tuple[tuple[float, float], ...]
"""F1 and exact match for each number of hops."""


class McseFigures(Value):
    """The tables of the paper; the file says what each has."""

    top3: dict[str, dict[str, Triple]]
    top5: dict[str, dict[str, Triple]]
    strength: dict[str, tuple[Figure, Figure, Figure]]
    hops: dict[str, ByHops]
    chain_of_thought: dict[str, tuple[float, float]]
    ablation: dict[str, ByHops]
    lookahead: dict[int, ByHops]
    multirc: dict[str, tuple[Triple, Triple]]
    multirc_task_specific: dict[str, tuple[Figure, ...]]


PUBLISHED = read_published("probative.bench.experiments.mcse_study", McseFigures)


def published_name(method: str, rows: Sequence[Row]) -> str:
    """Return the name under which the paper has a method: embeddings by GTE have their own figures.

    >>> published_name("embedding", [{"encoder": "hf:thenlper/gte-large"}]), published_name("BM25", [])
    ('GTE-large', 'BM25')
    """
    by_gte = any("gte" in str(row.get("encoder")).lower() for row in rows)
    return GTE if method == EMBEDDING and by_gte else method
