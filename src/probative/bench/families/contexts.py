"""The six kinds of context of table 2, by how strongly they support a claim with gold sentences, and measures
of that support.

Sentences are drawn at random, the same for the same seed and claim. As many sentences are added as the claim
has gold ones, the number m of the paper, mixed with the gold ones at random.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from probative.bench.families.claims import Claim
from probative.engine.search import Search, encode, score
from probative.mcse.options import McseOptions
from probative.mcse.strength import Strength, finite

NOT_RELATED, NOT_RELEVANT, SUFFICIENT = "not related", "not relevant", "sufficient"
WITH_NOT_RELATED, WITH_NOT_RELEVANT = "with not related", "with not relevant"
PLAIN, GROUNDED, COSINE = MEASURES = ("plain prompt", "grounding prompt", "embedding")


def without(n: int) -> str:
    """Return the name of the context without n of the gold sentences.

    >>> without(1), without(2)
    ('without 1 sentence', 'without 2 sentences')
    """
    return f"without {n} sentence{'s' if n > 1 else ''}"


# What a measure of support should hold, best first: the context above should score higher than the one below.
EXPECTED = (
    (SUFFICIENT, without(1)),
    (without(1), NOT_RELEVANT),
    (SUFFICIENT, NOT_RELEVANT),
    (SUFFICIENT, NOT_RELATED),
    (WITH_NOT_RELATED, NOT_RELATED),
    (WITH_NOT_RELEVANT, NOT_RELEVANT),
)


@dataclass(frozen=True)
class ClaimInContexts:
    """A claim with the sentences of each kind of context."""

    claim: Claim
    contexts: Mapping[str, tuple[str, ...]]


def make_contexts(claim: Claim, others: Sequence[str], draws: random.Random) -> Mapping[str, tuple[str, ...]]:
    """Return the sentences of each kind of context. `others` are sentences of texts about other claims.

    A kind for which the text has no sentences (nothing but evidence in it) is left out.
    """
    gold = claim.gold[0]
    m = len(gold)
    evidence = [claim.sentences[index] for index in gold]
    beside = [
        text
        for index, text in enumerate(claim.sentences)
        if text.strip() and text not in evidence and index not in gold
    ]
    related = set(claim.sentences)
    unrelated = _drawn([text for text in others if text not in related], m, draws)
    irrelevant = _drawn(beside, m, draws)
    contexts: dict[str, tuple[str, ...]] = {}
    if unrelated:
        contexts[NOT_RELATED] = tuple(unrelated)
    if irrelevant:
        contexts[NOT_RELEVANT] = tuple(irrelevant)
    contexts[SUFFICIENT] = tuple(evidence)
    for n in range(1, m + 1):
        left_out = set(draws.sample(range(m), n))
        contexts[without(n)] = tuple(text for index, text in enumerate(evidence) if index not in left_out)
    if unrelated:
        contexts[WITH_NOT_RELATED] = tuple(_mixed(evidence, unrelated, draws))
    if irrelevant:
        contexts[WITH_NOT_RELEVANT] = tuple(_mixed(evidence, irrelevant, draws))
    return contexts


def _drawn(texts: Sequence[str], n: int, draws: random.Random) -> list[str]:
    """Return up to n different texts, in the order of the source."""
    different = list(dict.fromkeys(texts))
    places = sorted(draws.sample(range(len(different)), min(n, len(different))))
    return [different[place] for place in places]


def _mixed(evidence: Sequence[str], added: Sequence[str], draws: random.Random) -> list[str]:
    """Return the evidence in its order with the added texts at random places."""
    mixed = list(evidence)
    for text in added:
        mixed.insert(draws.randint(0, len(mixed)), text)
    return mixed


def measure(given: ClaimInContexts) -> Search[dict[str, dict[str, float | None]]]:
    """Return the value of each measure for each kind of context; an empty context has no cosine."""
    claim = given.claim.text
    kinds = list(given.contexts)
    values: dict[str, dict[str, float | None]] = {kind: {} for kind in kinds}
    for name, grounded in ((PLAIN, False), (GROUNDED, True)):
        options = McseOptions(grounded=grounded)
        pairs = [
            Strength(claim, texts, options).pair(tuple(range(len(texts))))
            for texts in given.contexts.values()
        ]
        scores = yield from score(pairs, step=name)
        for kind, scored in zip(kinds, scores, strict=True):
            values[kind][name] = finite(scored) / max(1, len(scored.token_log_probabilities))
    filled = [kind for kind in kinds if given.contexts[kind]]
    vectors = yield from encode([claim, *(" ".join(given.contexts[kind]) for kind in filled)], step="embed")
    cosines = {
        kind: 100 * float(vectors[0] @ vector) for kind, vector in zip(filled, vectors[1:], strict=True)
    }
    for kind in kinds:
        values[kind][COSINE] = cosines.get(kind)
    return values
