"""The figures that the McsE paper publishes, by the names that our rows have.

`EMBEDDING` is MPNet-base in the paper (`GTE` is GTE-large), `PICKS` Gemma-Retriever and `RERANKS`
Gemma-Reranker, both with Gemma-7b-it; RankGPT is GPT-3.5-turbo, and McsE is Gemma-2b-it. Figures 4 and 5 have
no numbers in the paper.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.rows import Row

ROUGE, BM25, EMBEDDING, GTE = "ROUGE", "BM25", "embedding", "GTE-large"
PICKS, RERANKS, RANKGPT, MCSE = "LLM picks", "LLM reranks", "RankGPT", "McsE"
BESIDE = (
    "Published beside `embedding` is MPNet-base, or GTE-large where the encoder is GTE; beside `LLM picks` "
    "Gemma-Retriever and beside `LLM reranks` "
    "Gemma-Reranker (Gemma-7b-it); RankGPT is GPT-3.5-turbo and McsE Gemma-2b-it there."
)

Triple = tuple[float, float, float]

# Table 1: precision, recall, F1.
TOP3: dict[str, dict[str, Triple]] = {
    "hover": {
        ROUGE: (57.3, 52.4, 54.8),
        BM25: (58.0, 53.1, 55.4),
        EMBEDDING: (58.7, 53.7, 56.1),
        GTE: (60.0, 54.9, 57.3),
        PICKS: (59.7, 54.6, 57.0),
        RERANKS: (61.0, 55.8, 58.3),
        RANKGPT: (62.2, 55.2, 58.5),
        MCSE: (64.7, 59.2, 61.8),
    },
    "pubmedqa": {
        ROUGE: (39.0, 45.1, 41.7),
        BM25: (40.0, 46.7, 43.1),
        EMBEDDING: (44.7, 52.1, 48.1),
        GTE: (46.0, 53.7, 49.6),
        PICKS: (41.6, 48.3, 44.7),
        RERANKS: (45.3, 52.8, 48.8),
        RANKGPT: (43.3, 50.6, 46.7),
        MCSE: (48.0, 55.6, 51.4),
    },
    "covidet": {
        ROUGE: (44.3, 41.3, 42.8),
        BM25: (48.7, 45.3, 46.9),
        EMBEDDING: (53.7, 50.0, 51.8),
        GTE: (55.7, 51.9, 53.7),
        PICKS: (55.3, 51.5, 53.4),
        RERANKS: (56.7, 52.8, 54.7),
        RANKGPT: (55.9, 51.9, 53.8),
        MCSE: (60.7, 56.6, 58.5),
    },
}
TOP5: dict[str, dict[str, Triple]] = {
    "hover": {
        ROUGE: (47.0, 69.8, 56.2),
        BM25: (48.9, 72.6, 58.4),
        EMBEDDING: (49.5, 73.5, 59.1),
        GTE: (50.5, 75.0, 60.3),
        PICKS: (52.2, 72.9, 60.8),
        RERANKS: (51.0, 75.7, 60.9),
        RANKGPT: (53.6, 79.6, 64.0),
        MCSE: (55.2, 82.0, 66.0),
    },
    "pubmedqa": {
        ROUGE: (34.0, 66.5, 45.2),
        BM25: (33.4, 65.0, 44.1),
        EMBEDDING: (36.0, 68.8, 47.3),
        GTE: (36.7, 70.1, 48.1),
        PICKS: (34.9, 66.2, 45.7),
        RERANKS: (37.1, 70.8, 48.7),
        RANKGPT: (35.9, 68.1, 47.0),
        MCSE: (38.0, 73.5, 49.9),
    },
    "covidet": {
        ROUGE: (37.6, 58.4, 45.7),
        BM25: (38.4, 59.6, 46.7),
        EMBEDDING: (43.8, 68.0, 53.3),
        GTE: (43.6, 67.7, 53.0),
        PICKS: (43.1, 63.5, 51.4),
        RERANKS: (43.7, 67.9, 53.2),
        RANKGPT: (44.1, 65.2, 52.6),
        MCSE: (45.4, 70.5, 55.2),
    },
}

# Table 2: mean log-probability per token without and with the grounding prompt, cosine of GTE in percent.
STRENGTH: dict[str, tuple[float, float, float | None]] = {
    "not related": (-4.36, -4.47, 71.96),
    "not relevant": (-4.22, -4.19, 86.34),
    "sufficient": (-3.23, -2.95, 85.45),
    "without 1 sentence": (-3.50, -3.27, 86.13),
    "without 2 sentences": (-3.86, -3.72, 85.00),
    "without 3 sentences": (-4.03, -3.98, 84.21),
    "without 4 sentences": (-4.31, -4.41, None),
    "with not related": (-3.27, -2.99, 85.61),
    "with not relevant": (-3.11, -2.97, 89.36),
}

# Tables 3 and 5: F1 and exact match on FEVER-1, HoVer-2, HoVer-3, HoVer-4.
HOPS: dict[str, tuple[tuple[float, float], ...]] = {
    ROUGE: ((45.0, 45.0), (63.0, 41.0), (55.7, 16.5), (59.5, 10.0)),
    BM25: ((51.0, 51.0), (68.5, 47.5), (59.3, 17.0), (59.0, 10.0)),
    EMBEDDING: ((52.5, 52.5), (69.0, 46.5), (61.3, 16.0), (59.3, 10.5)),
    GTE: ((50.0, 50.0), (73.0, 53.0), (59.0, 16.5), (59.8, 13.0)),
    PICKS: ((59.5, 59.5), (65.0, 43.0), (55.3, 14.5), (56.0, 9.5)),
    RERANKS: ((62.0, 62.0), (71.0, 50.5), (63.0, 19.0), (53.0, 11.0)),
    RANKGPT: ((70.0, 70.0), (68.5, 46.5), (61.7, 18.5), (63.0, 14.0)),
    MCSE: ((61.0, 61.0), (76.0, 57.5), (66.3, 26.0), (68.8, 21.5)),
}
ABLATION: dict[str, tuple[tuple[float, float], ...]] = {
    MCSE: HOPS[MCSE],
    "without according to": ((54.0, 54.0), (72.0, 53.0), (59.0, 20.0), (65.3, 18.5)),
    "without collaborative": ((61.0, 61.0), (73.5, 51.5), (60.3, 19.5), (63.0, 17.5)),
    "without independent": ((61.0, 61.0), (75.5, 55.5), (63.7, 24.5), (67.0, 22.0)),
    "without h": ((61.0, 61.0), (74.5, 52.0), (62.0, 21.0), (65.3, 18.0)),
    "without policy": ((61.0, 61.0), (76.0, 54.0), (65.7, 24.0), (68.3, 20.5)),
}

# Table 4: percent of claims entailed, by TRUE and by GPT-3.5-turbo; chain of thought by Gemma-2b-it.
COT: dict[str, tuple[float, float]] = {"chain of thought": (33.0, 58.0), MCSE: (57.0, 82.0)}

# Table 6: F1 and exact match on HoVer-2, HoVer-3, HoVer-4 by K.
LOOKAHEAD: dict[int, tuple[tuple[float, float], ...]] = {
    0: ((74.5, 52.0), (62.0, 21.0), (65.3, 18.0)),
    1: ((76.5, 53.5), (64.3, 23.5), (66.8, 20.0)),
    2: ((76.0, 56.0), (65.9, 25.5), (67.5, 21.0)),
    3: ((75.5, 58.0), (65.1, 26.5), (68.3, 21.0)),
    4: ((76.0, 57.5), (66.3, 26.0), (68.8, 21.5)),
    5: ((76.5, 57.0), (66.1, 27.0), (68.4, 21.0)),
}

# Table 7: precision, recall, F1 on MultiRC for the first sentence and for the first two.
MULTIRC: dict[str, tuple[Triple, Triple]] = {
    BM25: ((70.7, 30.3, 42.5), (57.5, 49.4, 53.2)),
    ROUGE: ((67.8, 29.1, 40.8), (53.4, 45.9, 49.4)),
    EMBEDDING: ((71.9, 30.9, 43.2), (58.0, 49.8, 53.6)),
    GTE: ((72.3, 31.0, 43.4), (59.4, 51.0, 54.9)),
    PICKS: ((71.2, 29.4, 41.6), (61.7, 47.9, 53.9)),
    RERANKS: ((73.6, 30.3, 42.9), (63.0, 48.3, 54.7)),
    RANKGPT: ((77.1, 31.7, 44.9), (66.2, 56.9, 61.2)),
    MCSE: ((76.6, 32.9, 45.9), (67.0, 57.6, 61.9)),
}


def published_name(method: str, rows: Sequence[Row]) -> str:
    """Return the name under which the paper has a method: embeddings by GTE have their own figures.

    >>> published_name("embedding", [{"encoder": "hf:thenlper/gte-large"}]), published_name("BM25", [])
    ('GTE-large', 'BM25')
    """
    by_gte = any("gte" in str(row.get("encoder")).lower() for row in rows)
    return GTE if method == EMBEDDING and by_gte else method
