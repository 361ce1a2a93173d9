"""The model's knowledge read from its probabilities, instead of from its words (not in the paper).

    s(u, r, v) = log P(v | u r) − log P(v)

The score says how much more the model expects the tail after the head and the relation than without them. A
model of 135M parameters that is asked whether a statement is true gives almost the same reply to all; the
score separates true from false better, with a fifth of the tokens (measured by the experiment `veracity`).
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search, score
from probative.give.extrapolate import Extrapolated, sort_candidates
from probative.give.options import GiveOptions
from probative.give.run import Run
from probative.models.types import Pair
from probative.text.prompts import fenced
from probative.types import Triple

# A candidate with at least this score, in nats, holds; one below the other does not; between them it is a
# maybe. Chosen on true and corrupted triples of ConceptNet and UMLS: docs/bench/veracity.md.
HOLDS = 6.0
FAILS = 0.0
# The relations that a small model chooses from.
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
    """Judge the candidates by their scores."""
    values = yield from expectations(candidates, "veracity extrapolation")
    return sort_candidates(
        candidates, ["yes" if value >= HOLDS else "no" if value < FAILS else "maybe" for value in values]
    )


def relate_by_score(
    run: Run[GiveOptions], pairs: Sequence[tuple[str, str]], step: str
) -> Search[list[Triple]]:
    """Return for each pair the triple with the best phrase, without pairs whose best score is too low."""
    triples = [
        Triple(head=head, relation=phrase, tail=tail)
        for head, tail in dict.fromkeys(pairs)
        for phrase in PHRASES
    ]
    values = yield from expectations(triples, step)
    best_triples = []
    for start in range(0, len(triples), len(PHRASES)):
        best = max(range(start, start + len(PHRASES)), key=values.__getitem__)
        if values[best] >= HOLDS:
            best_triples.append(triples[best])
    pair_count = len(triples) // len(PHRASES)
    if missing := pair_count - len(best_triples):
        run.note(f"{step}: the model expects no relation for {missing} of {pair_count} pairs")
    return best_triples


def expectations(triples: Sequence[Triple], step: str) -> Search[list[float]]:
    """Return the score s of each triple; each distinct tail is scored alone once."""
    if not triples:
        return []
    tails = list(dict.fromkeys(triple.tail for triple in triples))
    whole = [
        Pair(
            prompt=f"Fact: {fenced(f'{triple.head} {triple.relation}')}",
            continuation=f" {fenced(triple.tail)}.",
        )
        for triple in triples
    ]
    alone = [Pair(prompt="Fact:", continuation=f" {fenced(tail)}.") for tail in tails]
    scores = yield from score([*whole, *alone], step=step)
    prior = {tail: score.log_probability for tail, score in zip(tails, scores[len(whole) :], strict=True)}
    return [
        score.log_probability - prior[triple.tail]
        for triple, score in zip(triples, scores[: len(whole)], strict=True)
    ]
