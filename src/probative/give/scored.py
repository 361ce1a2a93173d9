"""What a model knows, read from its probabilities instead of asked for in words.

    s(u, r, v) = log P(v | u r) − log P(v)

How much more a model expects the tail after the head and the relation than without them. A model of 135M
parameters that is asked whether a statement is true says much the same to all; its expectation tells more,
and is read with a fifth of the tokens (measured by the experiment `veracity`).
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search, score
from probative.give.extrapolate import Extrapolated, by_word
from probative.models.types import Pair
from probative.text.prompts import fenced
from probative.types import Triple

# From this expectation on a candidate holds, and below the other it does not, in nats; between the two it is
# a maybe. Chosen on true and corrupted triples of ConceptNet and UMLS: docs/results.md.
HOLDS = 6.0
FAILS = 0.0
# What a small model may say of two things.
PHRASES = (
    "is a kind of",
    "is part of",
    "is like",
    "is used for",
    "is found in",
    "is made of",
    "causes",
    "is caused by",
    "affects",
    "treats",
)


def extrapolate_by_score(candidates: Sequence[Triple]) -> Search[Extrapolated]:
    """Candidates judged by how much the model expects them."""
    values = yield from expectations(candidates, "veracity extrapolation")
    return by_word(
        candidates, ["yes" if value >= HOLDS else "no" if value < FAILS else "maybe" for value in values]
    )


def relate_by_score(pairs: Sequence[tuple[str, str]], step: str, notes: list[str]) -> Search[list[Triple]]:
    """For each pair the phrase that makes the model expect the second thing most; none where even that makes
    it expect it too little.
    """
    triples = [
        Triple(head=head, relation=phrase, tail=tail)
        for head, tail in dict.fromkeys(pairs)
        for phrase in PHRASES
    ]
    values = yield from expectations(triples, step)
    found = []
    for start in range(0, len(triples), len(PHRASES)):
        best = max(range(start, start + len(PHRASES)), key=lambda at: values[at])
        if values[best] >= HOLDS:
            found.append(triples[best])
    if (count := len(triples) // len(PHRASES)) > len(found):
        notes.append(f"{step}: the model expects no relation for {count - len(found)} of {count} pairs")
    return found


def expectations(triples: Sequence[Triple], step: str) -> Search[list[float]]:
    """S of each triple; each tail alone is scored once."""
    if not triples:
        return []
    tails = list(dict.fromkeys(triple.tail for triple in triples))
    joined = [
        Pair(
            prompt=f"Fact: {fenced(f'{triple.head} {triple.relation}')}",
            continuation=f" {fenced(triple.tail)}.",
        )
        for triple in triples
    ]
    alone = [Pair(prompt="Fact:", continuation=f" {fenced(tail)}.") for tail in tails]
    scores = yield from score([*joined, *alone], step=step)
    prior = {tail: score.log_probability for tail, score in zip(tails, scores[len(joined) :], strict=True)}
    return [
        score.log_probability - prior[triple.tail]
        for triple, score in zip(triples, scores[: len(joined)], strict=True)
    ]
