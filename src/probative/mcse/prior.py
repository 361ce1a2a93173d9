"""The prior: what BM25, embeddings and the learned policy say of a sentence (not in the paper).

Small models miss plain lexical evidence. The prior is added to the independent part of g and h, on its scale:

    ind(a) = score(c, a) + σ (β_lex z_lex(a) + β_sem z_sem(a) + β_pol z_pol(a))

σ is the standard deviation of score(c, ·) over the candidates, and z a value's distance from the mean of the
candidates in standard deviations. z_pol is that of the learned policy's log-probability (`next_sentence`),
which `reward` takes again after each sentence. BM25 and embeddings also filter a long text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from probative.engine.search import Search, encode
from probative.mcse.context import Context
from probative.text.words import bm25, standardised, words

# How far into the first sentence its subject may begin, in content words.
SUBJECT_WITHIN = 6


@dataclass(frozen=True)
class PriorWeights:
    """β_lex, β_sem and β_pol."""

    lexical: float = 0.0
    semantic: float = 0.0
    learned: float = 0.0


@dataclass
class Prior:
    """Values of each candidate: BM25 and cosine with the claim, and the learned policy's log-probability.

    A mapping is empty where its values are not needed.
    """

    lexical: Mapping[int, float]
    semantic: Mapping[int, float]
    learned: Mapping[int, float] = field(default_factory=dict)

    def weighted(self, candidates: Sequence[int], weights: PriorWeights) -> dict[int, float]:
        """Return β_lex z_lex + β_sem z_sem + β_pol z_pol of each candidate."""
        pairs = (
            (weights.lexical, self.lexical),
            (weights.semantic, self.semantic),
            (weights.learned, self.learned),
        )
        parts = [
            (weight, standardise({index: values[index] for index in candidates}))
            for weight, values in pairs
            if weight and values
        ]
        return {index: math.fsum(weight * part[index] for weight, part in parts) for index in candidates}


def find_prior(
    context: Context, weights: PriorWeights, max_candidates: int | None, *, ignore_topic: bool
) -> Search[Prior]:
    """Return BM25 and cosines of the candidates, as far as the weights or the filter need them."""
    filters = max_candidates is not None and len(context.candidates) > max_candidates
    lexical: dict[int, float] = {}
    semantic: dict[int, float] = {}
    texts = [context.sentences[index] for index in context.candidates]
    if weights.lexical or filters:
        scores = lexical_scores(context.claim, texts, ignore_topic=ignore_topic)
        lexical = dict(zip(context.candidates, scores, strict=True))
    if weights.semantic or filters:
        vectors = yield from encode([context.claim, *texts], step="prior")
        semantic = {
            index: float(vectors[0] @ vector)
            for index, vector in zip(context.candidates, vectors[1:], strict=True)
        }
    return Prior(lexical, semantic)


def lexical_scores(claim: str, sentences: Sequence[str], *, ignore_topic: bool) -> list[float]:
    """Return BM25 of each sentence with the claim as the query.

    With `ignore_topic` the query leaves out the words that name the subject of the text, unless it has no
    other words.
    """
    query = words(claim)
    documents = [words(sentence) for sentence in sentences]
    if ignore_topic:
        subject = topic(query, documents[0])
        query = [word for word in query if word not in subject] or query
    return bm25(query, documents)


def filter_candidates(
    context: Context, prior: Prior, weights: PriorWeights, max_candidates: int | None, k: int
) -> list[int] | None:
    """Keep the candidates that BM25 and embeddings rank first, if there are more than `max_candidates`.

    At least `k` are kept, in the order of the text, and a note says how many. Returns them, or None where all
    are kept. A measure whose weight in the search is 0 has weight 1 here: a sentence in other words must not
    be lost before the model has seen it.
    """
    candidates = context.candidates
    if max_candidates is None or len(candidates) <= max(max_candidates, k):
        return None
    value = prior.weighted(candidates, PriorWeights(weights.lexical or 1.0, weights.semantic or 1.0))
    ranked = sorted(candidates, key=lambda index: (-value[index], index))
    context.candidates = sorted(ranked[: max(max_candidates, k)])
    context.notes.append(
        f"a long text: {len(context.candidates)} of {len(candidates)} sentences were searched, "
        "chosen by shared words and embeddings"
    )
    return context.candidates


def standardise(values: Mapping[int, float]) -> dict[int, float]:
    """Return each value's distance from the mean in standard deviations; 0 where all values are equal.

    >>> standardise({0: 1.0, 1: 3.0}), standardise({0: 5.0})
    ({0: -1.0, 1: 1.0}, {0: 0.0})
    """
    return dict(zip(values, standardised(list(values.values())), strict=True))


def topic(claim: Sequence[str], lead: Sequence[str]) -> frozenset[str]:
    """Return the words by which a claim names the subject of a text: the longest run of words that the
    claim shares with the beginning of the text's first sentence (`lead`).

    A text names its subject once and then says "he", "the film", "they". These words therefore mark the
    first sentence, and not the sentence that carries the claim.

    >>> sorted(topic(words("Ada Lovelace wrote programs"), words("Ada Lovelace was a countess.")))
    ['ada', 'lovelac']
    """
    best: Sequence[str] = ()
    for at in range(min(SUBJECT_WITHIN, len(lead))):
        for start in range(len(claim)):
            length = 0
            while (
                at + length < len(lead)
                and start + length < len(claim)
                and lead[at + length] == claim[start + length]
            ):
                length += 1
            if length > len(best):
                best = lead[at : at + length]
    return frozenset(best)
