"""A judge without a language model: words in common, and embeddings.

It works on the texts, or on the vectors that a vector store keeps for them: then only the question and its
features are encoded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from probative.engine.search import Search, encode
from probative.errors import InputError
from probative.scope.question import Features, Judgements
from probative.scope.run import Run
from probative.text.words import bm25, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The cosine from which on a passage says a node in other words (MiniLM: unrelated texts are below 0.3).
SAME_MEANING = 0.6
# How much better than the average a passage must fit the question to carry the intent, in deviations.
BETTER_FIT = 0.5
# Or the share of the question's words that it must contain, rare words counting more.
NEARLY_ALL = 0.75
# The cosine from which on a passage is related to the question.
RELATED = 0.35


class _Text(NamedTuple):
    """What the judge knows of one passage: its words, its cosine with the question and with each feature, and
    its fit to the question (minus infinity if it is unrelated).
    """

    words: frozenset[str]
    cosines: Sequence[float]
    fit: float


def judge_by_words(run: Run, features: Features) -> Search[Judgements]:
    """Judge the candidate passages.

    A passage carries a node if it contains its words, in part or in other words; a relation if it carries
    both nodes and contains the words between them; the intent if it fits the question.
    """
    cosines = yield from _cosines(run, features)
    passages = run.pool.candidates()
    texts = [words(passage.whole) for passage in passages]
    fit = _standardised(bm25(run.question.words, texts)) + _standardised(cosines[:, 0])
    weights = _rarity(texts)
    rows = []
    for row, content in enumerate(map(frozenset, texts)):
        # To fit better than the others means nothing if no passage is related to the question.
        related = bool(run.question.parsed.words & content) or cosines[row, 0] >= RELATED
        text = _Text(
            content,
            [float(cosine) for cosine in cosines[row]],
            float(fit[row]) if related else -math.inf,
        )
        rows.append(_strengths(text, run.question.text, features, weights))
    return Judgements(features, rows, run.options.threshold, relevance=fit.tolist())


def _cosines(run: Run, features: Features) -> Search[NDArray[np.float32]]:
    """Return the cosine of each passage with the question and each feature."""
    import numpy as np

    queries = [run.question.text, *(feature.text for feature in features.listed())]
    vectors = run.pool.vectors()
    if vectors is None:
        texts = [passage.whole for passage in run.pool.candidates()]
        encoded = yield from encode([*queries, *texts], step="judgement")
        query_vectors, passage_vectors = np.array(encoded[: len(queries)]), np.array(encoded[len(queries) :])
    else:
        encoded = yield from encode(queries, step="judgement")
        query_vectors = np.array(encoded)
        passage_vectors = _normalised(vectors, len(run.pool.judged), len(encoded[0]))
    cosines: NDArray[np.float32] = passage_vectors @ query_vectors.T
    return cosines


def _strengths(text: _Text, question: str, features: Features, weights: dict[str, float]) -> list[float]:
    """Return how surely a passage carries the intent, each node and each relation."""
    strengths = [
        _share(feature.text, text.words, weights, text.cosines[column])
        for column, feature in enumerate(features.listed(), 1)
    ]
    strengths[0] = _intent(text, _share(question, text.words, weights, text.cosines[0]))
    column_of = {node.text: column for column, node in enumerate(features.nodes, 1)}
    for column, relation in enumerate(features.relations, 1 + len(features.nodes)):
        head, tail = column_of[relation.head], column_of[relation.tail]
        strengths[column] = min(strengths[head], strengths[tail], strengths[column])
    return strengths


def _share(text: str, content: frozenset[str], weights: dict[str, float], cosine: float) -> float:
    """Return the share of the words of a text in a passage, rare ones counting more, or by equal meaning."""
    named = set(words(text)) or {text.lower()}
    whole = math.fsum(weights.get(word, weights[""]) for word in named)
    shared = math.fsum(weights.get(word, weights[""]) for word in named & content)
    return min(1.0, max(shared / whole, 0.5 + (cosine - SAME_MEANING) if cosine >= SAME_MEANING else 0.0))


def _intent(text: _Text, share: float) -> float:
    """Return how surely a passage has the answer: it fits better than others, or has nearly all the words."""
    better = 1.0 / (1.0 + math.exp(-2.0 * (text.fit - BETTER_FIT))) if math.isfinite(text.fit) else 0.0
    return max(better, share * 0.5 / NEARLY_ALL)


def _rarity(texts: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return how rare each word is among the passages; "" stands for a word that no passage contains."""
    counts = Counter(word for text in texts for word in set(text))
    total = len(texts)
    weights = {word: math.log(1.0 + total / count) for word, count in counts.items()}
    weights[""] = math.log(1.0 + 2.0 * total)
    return weights


def _standardised(values: Any) -> NDArray[np.float64]:
    """Return values in standard deviations from their mean."""
    import numpy as np

    array = np.asarray(values, dtype=np.float64)
    spread = float(array.std())
    centred: NDArray[np.float64] = array - array.mean()
    return centred / spread if spread > 1e-9 else centred


def _normalised(vectors: NDArray[np.float32], count: int, dimensions: int) -> NDArray[np.float32]:
    """Return the vectors of the passages with length 1; raises InputError."""
    import numpy as np

    array = np.asarray(vectors, dtype=np.float32)
    if array.shape != (count, dimensions):
        raise InputError(
            f"{count} passages need vectors of shape ({count}, {dimensions}), got {array.shape}",
            hint="give the vectors that the same encoder made, one for each passage, in their order",
        )
    if not np.isfinite(array).all():
        raise InputError("the vectors contain NaN or infinity")
    if not array.any(axis=1).all():
        raise InputError("a vector is all zeros", hint="give the vector that the encoder made of the text")
    lengths = np.linalg.norm(array, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = np.divide(array, np.maximum(lengths, 1e-12), dtype=np.float32)
    return scaled
