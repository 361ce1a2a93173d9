"""What words and embeddings say before the model is asked.

Small models miss plain lexical evidence. The prior is added to the independent reward, on its scale:

    ind(a) = score(c, a) + σ (β_lex z_lex(a) + β_sem z_sem(a))

σ is the standard deviation of score(c, ·) over the candidates, and z a value's distance from the
candidates' mean in standard deviations. The same two measures filter a long text.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from probative.lexical import bm25, topic, words
from probative.mcse.context import Context
from probative.mcse.options import McseOptions
from probative.models.together import Ask, Search


@dataclass
class Prior:
    """BM25 and cosine of each candidate with the claim; none where it is not used."""

    lexical: Mapping[int, float]
    semantic: Mapping[int, float]

    def weighed(self, candidates: Sequence[int], lexical: float, semantic: float) -> dict[int, float]:
        """The weighted sum of both for each candidate, each in standard deviations from its mean."""
        parts = [
            (weight, standardised({one: values[one] for one in candidates}))
            for weight, values in ((lexical, self.lexical), (semantic, self.semantic))
            if weight and values
        ]
        return {one: math.fsum(weight * part[one] for weight, part in parts) for one in candidates}


def find_prior(context: Context, options: McseOptions) -> Search[Prior]:
    """The prior, as far as the options or the text's length ask for it."""
    filtering = options.candidates is not None and len(context.candidates) > options.candidates
    lexical: dict[int, float] = {}
    semantic: dict[int, float] = {}
    texts = [context.sentences[one] for one in context.candidates]
    if options.lexical or filtering:
        scores = lexical_scores(context.claim, texts, without_topic=options.topic)
        lexical = dict(zip(context.candidates, scores, strict=True))
    if options.semantic or filtering:
        vectors = yield Ask("encode", [context.claim, *texts], "prior")
        semantic = {
            one: float(vectors[0] @ vector)
            for one, vector in zip(context.candidates, vectors[1:], strict=True)
        }
    return Prior(lexical, semantic)


def lexical_scores(claim: str, sentences: Sequence[str], *, without_topic: bool) -> list[float]:
    """BM25 of each sentence for the claim; without the words that only name the text's subject, unless
    the claim has no others.
    """
    asked = words(claim)
    documents = [words(sentence) for sentence in sentences]
    if without_topic:
        subject = topic(asked, documents[0])
        asked = [word for word in asked if word not in subject] or asked
    return bm25(asked, documents)


def keep_likely(context: Context, prior: Prior, count: int, options: McseOptions) -> list[int]:
    """The candidates that are searched, in the text's order: all of a short text, else those that the
    prior ranks first, and at least as many as are to be taken.
    """
    if options.candidates is None or len(context.candidates) <= options.candidates:
        return context.candidates
    most = max(options.candidates, count)
    weights = (options.lexical, options.semantic) if options.lexical or options.semantic else (1.0, 1.0)
    value = prior.weighed(context.candidates, *weights)
    ranked = sorted(context.candidates, key=lambda one: (-value[one], one))
    return sorted(ranked[:most])


def standardised(values: Mapping[int, float]) -> dict[int, float]:
    """Each value's distance from the mean in standard deviations; 0 where all are equal.

    >>> standardised({0: 1.0, 1: 3.0}), standardised({0: 5.0})
    ({0: -1.0, 1: 1.0}, {0: 0.0})
    """
    mean = statistics.fmean(values.values())
    spread = statistics.pstdev(values.values())
    return {key: (value - mean) / spread if spread > 1e-12 else 0.0 for key, value in values.items()}
