"""What words, embeddings and the learned policy say before the model is asked.

Small models miss plain lexical evidence. The prior is added to the independent reward, on its scale:

    ind(a) = score(c, a) + σ (β_lex z_lex(a) + β_sem z_sem(a) + β_pol z_pol(a))

σ is the standard deviation of score(c, ·) over the candidates, and z a value's distance from the
candidates' mean in standard deviations; z_pol is that of the learned policy's log-probability (see
`outlook`), which `reward` takes anew after each sentence. Words and embeddings also filter a long text.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from probative.engine.search import Search, encode
from probative.mcse.context import Context
from probative.mcse.options import McseOptions
from probative.text.words import bm25, topic, words


@dataclass
class Prior:
    """BM25 and cosine of each candidate with the claim, and the policy's log-probability of it; none where it
    is not used.
    """

    lexical: Mapping[int, float]
    semantic: Mapping[int, float]
    learned: Mapping[int, float] = field(default_factory=dict)

    def weighed(
        self, candidates: Sequence[int], lexical: float, semantic: float, learned: float = 0.0
    ) -> dict[int, float]:
        """The weighted sum of them for each candidate, each in standard deviations from its mean."""
        weights = ((lexical, self.lexical), (semantic, self.semantic), (learned, self.learned))
        parts = [
            (weight, standardised({one: values[one] for one in candidates}))
            for weight, values in weights
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
        vectors = yield from encode([context.claim, *texts], step="prior")
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


def narrow(
    context: Context, prior: Prior, count: int, most: int | None, lexical: float = 0.0, semantic: float = 0.0
) -> list[int] | None:
    """Leave in the context, of a text with more than `most` candidates, those that words and embeddings rank
    first, and at least `count`, in the text's order; a note says so. Gives them, or nothing where all are
    kept. A measure without a weight in the search counts 1 here: a sentence in other words must not be lost
    before the model has seen it.
    """
    there = context.candidates
    if most is None or len(there) <= max(most, count):
        return None
    value = prior.weighed(there, lexical or 1.0, semantic or 1.0)
    ranked = sorted(there, key=lambda one: (-value[one], one))
    context.candidates = sorted(ranked[: max(most, count)])
    context.notes.append(
        f"a long text: {len(context.candidates)} of {len(there)} sentences were searched, "
        "chosen by shared words and embeddings"
    )
    return context.candidates


def standardised(values: Mapping[int, float]) -> dict[int, float]:
    """Each value's distance from the mean in standard deviations; 0 where all are equal.

    >>> standardised({0: 1.0, 1: 3.0}), standardised({0: 5.0})
    ({0: -1.0, 1: 1.0}, {0: 0.0})
    """
    mean = statistics.fmean(values.values())
    spread = statistics.pstdev(values.values())
    return {key: (value - mean) / spread if spread > 1e-12 else 0.0 for key, value in values.items()}
