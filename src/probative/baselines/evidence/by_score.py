"""ROUGE, BM25 and embedding similarity: rank sentences by one number each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from probative.baselines.evidence.selection import choose_by_score, make_baseline_context
from probative.engine.methods import Tools
from probative.engine.search import Search, encode
from probative.mcse.context import Context
from probative.mcse.result import McseResult
from probative.mcse.search import K
from probative.text.words import bm25, words

# The usual parameters for documents.
K1, B = 1.5, 0.75


def by_rouge(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Choose the sentences with the highest mean of ROUGE-1, ROUGE-2 and ROUGE-L (F1) with the claim."""
    yield from ()  # no model is asked
    context, n = make_baseline_context(claim, sentences, k)
    claim_words = words(context.claim)
    scores = [rouge(claim_words, words(context.sentences[index])) for index in context.candidates]
    return choose_by_score(context, scores, n)


def rouge(left: Sequence[str], right: Sequence[str]) -> float:
    """Return the mean F1 of common words, common word pairs, and the longest common subsequence.

    >>> rouge(["a", "b"], ["a", "b"]), rouge(["a"], ["b"])
    (1.0, 0.0)
    """
    parts = [
        _f1(sum((_ngrams(left, n) & _ngrams(right, n)).values()), len(left) + 1 - n, len(right) + 1 - n)
        for n in (1, 2)
    ]
    parts.append(_f1(_longest_common(left, right), len(left), len(right)))
    return sum(parts) / len(parts)


def _ngrams(text: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(text[start : start + n]) for start in range(len(text) + 1 - n))


def _f1(common: int, left: int, right: int) -> float:
    return 2 * common / (left + right) if common else 0.0


def _longest_common(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the longest common subsequence."""
    row = [0] * (len(right) + 1)
    for left_word in left:
        above = row
        row = [0]
        for position, right_word in enumerate(right):
            equal = left_word == right_word
            row.append(above[position] + 1 if equal else max(above[position + 1], row[position]))
    return row[-1]


def by_bm25(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Choose the sentences with the highest BM25 for the claim as the query."""
    yield from ()  # no model is asked
    context, n = make_baseline_context(claim, sentences, k)
    documents = [words(context.sentences[index]) for index in context.candidates]
    return choose_by_score(context, bm25(words(context.claim), documents, k1=K1, b=B), n)


def by_embedding(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Choose the sentences with the highest cosine with the claim."""
    context, n = make_baseline_context(claim, sentences, k)
    return choose_by_score(context, (yield from cosines(context)), n)


def cosines(context: Context) -> Search[list[float]]:
    """Return the cosine of each candidate with the claim."""
    texts = [context.sentences[index] for index in context.candidates]
    vectors = yield from encode([context.claim, *texts], step="embed")
    return [float(vectors[0] @ vector) for vector in vectors[1:]]
