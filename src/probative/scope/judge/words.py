"""A judge without any language model: words in common, and embeddings.

It works on the texts, or on the vectors that a vector store keeps for them: then nothing is encoded
but the question and its features.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from probative.engine.search import Search, encode
from probative.errors import InputError
from probative.scope.features import Features
from probative.scope.judge.judgements import Judgements
from probative.text.english.questions import answer_kind
from probative.text.english.spans import answers_in
from probative.text.words import bm25, words
from probative.types import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A cosine from which on a node is said in other words (MiniLM: unrelated texts lie below 0.3).
SAME = 0.6
# An intent is carried by passages that fit the question this much better than the average one.
FITS = 0.5
# Or by those that say this share of the question's words, the rare ones counting more.
NEARLY_ALL = 0.75
# A cosine from which on a passage has something to do with the question.
RELATED = 0.35


def judge_by_words(
    question: str,
    features: Features,
    passages: Sequence[Passage],
    threshold: float,
    vectors: NDArray[np.float32] | None = None,
) -> Search[Judgements]:
    """A node is carried where its words stand, in part or in other words; a relation where both its nodes and
    the words between them are; the intent where the passage fits the question and holds something of the
    kind that is asked for.
    """
    import numpy as np

    listed = features.listed()
    texts = [passage.whole for passage in passages]
    asked = [question, *(feature.text for feature in listed)]
    if vectors is None:
        encoded = yield from encode([*asked, *texts], step="judgement")
        sought, given = np.array(encoded[: len(asked)]), np.array(encoded[len(asked) :])
    else:
        encoded = yield from encode(asked, step="judgement")
        sought, given = np.array(encoded), _checked(vectors, len(passages), len(encoded[0]))
    cosines = given @ sought.T
    said = [words(text) for text in texts]
    fit = _standard(bm25(words(question), said)) + _standard(cosines[:, 0])
    weights = _weights(said)
    sets = [frozenset(one) for one in said]
    kind = answer_kind(question)
    asked_words = set(words(question))
    rows = []
    for place, have in enumerate(sets):
        row = [
            _intent(
                answers_in(passages[place].text, question, kind),
                # Better than the others means nothing where none has to do with the question.
                float(fit[place]) if asked_words & have or cosines[place, 0] >= RELATED else -math.inf,
                _said(question, have, weights, float(cosines[place, 0])),
            )
            if feature.kind == "intent"
            else _said(feature.text, have, weights, float(cosines[place, number + 1]))
            for number, feature in enumerate(listed)
        ]
        rows.append(_with_relations(row, features))
    return Judgements(listed, rows, threshold, relevance=fit.tolist())


def _said(text: str, have: frozenset[str], weights: dict[str, float], cosine: float) -> float:
    """How much of a node stands in a passage: the share of its words, the rare ones counting more, or as
    much as the two mean the same.
    """
    wanted = set(words(text)) or {text.lower()}
    whole = math.fsum(weights.get(word, weights[""]) for word in wanted)
    found = math.fsum(weights.get(word, weights[""]) for word in wanted & have)
    return min(1.0, max(found / whole, 0.5 + (cosine - SAME) if cosine >= SAME else 0.0))


def _with_relations(row: list[float], features: Features) -> list[float]:
    """A relation is as sure as the less sure of its nodes and the words of the whole."""
    place = {node.text: 1 + number for number, node in enumerate(features.nodes)}
    start = 1 + len(features.nodes)
    for number, relation in enumerate(features.relations, start):
        row[number] = min(row[place[relation.head]], row[place[relation.tail]], row[number])
    return row


def _intent(holds: bool, fit: float, said: float) -> float:
    """Whether a passage holds what could be an answer and fits the question: better than the others, or by
    saying nearly all of it.
    """
    if not holds:
        return 0.0
    better = 1.0 / (1.0 + math.exp(-2.0 * (fit - FITS))) if math.isfinite(fit) else 0.0
    return max(better, said * 0.5 / NEARLY_ALL)


def _weights(said: Sequence[Sequence[str]]) -> dict[str, float]:
    """How rare each word is among the passages; "" stands for a word that none has."""
    counts: dict[str, int] = {}
    for one in said:
        for word in set(one):
            counts[word] = counts.get(word, 0) + 1
    total = len(said)
    weights = {word: math.log(1.0 + total / count) for word, count in counts.items()}
    weights[""] = math.log(1.0 + 2.0 * total)
    return weights


def _standard(values: Any) -> NDArray[np.float64]:
    """Values in standard deviations from their mean."""
    import numpy as np

    array = np.asarray(values, dtype=np.float64)
    spread = float(array.std())
    centred: NDArray[np.float64] = array - array.mean()
    return centred / spread if spread > 1e-9 else centred


def _checked(vectors: NDArray[np.float32], count: int, dimensions: int) -> NDArray[np.float32]:
    """The vectors of the passages, each of length 1."""
    import numpy as np

    given = np.asarray(vectors, dtype=np.float32)
    if given.shape != (count, dimensions):
        raise InputError(
            f"{count} passages need vectors of shape ({count}, {dimensions}), not {given.shape}",
            hint="give the vectors that the same encoder made, one for each passage, in their order",
        )
    if not np.isfinite(given).all():
        raise InputError("the vectors hold numbers that are none")
    if not given.any(axis=1).all():
        raise InputError("a vector is all zeros", hint="give the vector that the encoder made of the text")
    lengths = np.linalg.norm(given, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = np.divide(given, np.maximum(lengths, 1e-12), dtype=np.float32)
    return scaled
