"""Choose evidence with the policy: one text at a time, each with those before it in view.

The first step weighs every text. The following ones weigh the best of the first (`SHORTLIST`) and those that
the caller says belong to what is chosen: the longer the chain, the longer each reading, and 40 texts four
times over would take seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from probative.engine.search import Search, weigh

if TYPE_CHECKING:
    from probative.models.evidence_policy import PolicyScores

# How many texts are weighed again after the first step.
SHORTLIST = 12
# And how many of those that belong to the chosen ones, if they are not among them.
BESIDE = 6

# From which completeness on a stop of the policy is the end. On 50 questions each that the policy was not
# trained on, chains that end at any stop (0) hold all gold of 42 and 70% (HotpotQA, 2WikiMultihopQA; F1 65.6
# and 89.4), with 0.8 of 52 and 72% (74.1, 89.4), at 0.4 and 0.06 passages more; higher adds little.
BELIEVED = 0.8

Ended = Literal["complete", "nothing", "most"]
"""Why no more was taken: nothing more is needed, no text carries what is missing, or as many as allowed."""


@dataclass
class PolicyChain:
    """The texts chosen, by their places, in order; for each the policy's probability when it was taken; how
    the choice ended; and the probability of each text at the first step.

    `complete` is how surely the chosen texts are enough, rather than something missing that none carries.
    """

    places: list[int] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)
    complete: float = 0.0
    ended: Ended = "most"
    first: list[float] = field(default_factory=list)


class Stop(NamedTuple):
    """What the policy says of so many texts: how surely they are enough, and why it would stop there."""

    length: int
    complete: float
    why: Ended

    @classmethod
    def seen(cls, length: int, complete: float, nothing: float) -> Stop:
        """From the probabilities of both stops."""
        share = complete / (complete + nothing) if complete + nothing > 0.0 else 0.5
        return cls(length, share, "complete" if complete >= nothing else "nothing")


def choose_chain_by_policy(
    query: str,
    texts: Sequence[str],
    *,
    most: int,
    fewest: int = 1,
    beside: Callable[[Sequence[int]], Iterable[int]] | None = None,
    shortlist: int = SHORTLIST,
    believed: float = BELIEVED,
    step: str = "evidence",
) -> Search[PolicyChain]:
    """The texts that the policy takes, until it says that nothing more is needed or to be had; at least
    `fewest` and at most `most`. `beside` names texts that belong to those chosen so far.

    A stop that is not at least so surely complete as is `believed` is not the end: more is taken, and if no
    later stop is believed either, the surest of them counts.
    """
    from probative.models.evidence_policy import PolicyState

    made = PolicyChain()
    candidates = list(range(len(texts)))
    ranked: list[int] = []
    fewest = min(fewest, most)
    stops: list[Stop] = []
    while True:
        state = PolicyState(
            query, tuple(texts[at] for at in made.places), tuple(texts[at] for at in candidates)
        )
        weighed = yield from weigh([state], step=step)
        shares, complete, nothing = probabilities(weighed[0])
        if not made.first:
            made.first = shares
            ranked = sorted(candidates, key=lambda at: (-shares[at], at))
        best = max(range(len(candidates)), key=lambda at: (shares[at], -at), default=None)
        stop = Stop.seen(len(made.places), complete, nothing)
        if best is None or max(complete, nothing) > shares[best]:
            stops.append(stop)
        believes = bool(made.places) and bool(stops) and stops[-1].complete >= believed
        if best is None or believes or len(made.places) >= most:
            break
        made.places.append(candidates[best])
        made.probabilities.append(shares[best])
        candidates = _shortlist(ranked, made.places, beside, shortlist)
    taken = [one for one in stops if one.length]
    end = max(taken, key=lambda one: (one.complete, -one.length)) if taken else None
    return _ended(made, end or stop, bool(end), fewest, ranked)


def _ended(made: PolicyChain, stop: Stop, stopped: bool, fewest: int, ranked: Sequence[int]) -> PolicyChain:
    """The choice as it was at a stop, with the likeliest others of the first step where that is too few."""
    made.complete = stop.complete
    made.ended = stop.why if stopped else "most"
    length = max(stop.length, min(fewest, len(made.places)))
    made.places, made.probabilities = made.places[:length], made.probabilities[:length]
    for at in ranked:
        if len(made.places) >= fewest:
            break
        if at not in made.places:
            made.places.append(at)
            made.probabilities.append(made.first[at])
    return made


def _shortlist(
    ranked: Sequence[int],
    chosen: Sequence[int],
    beside: Callable[[Sequence[int]], Iterable[int]] | None,
    size: int,
) -> list[int]:
    left = [at for at in ranked if at not in chosen]
    kept = left[:size]
    if beside is not None and len(left) > size:
        near = set(beside(chosen))
        kept += [at for at in left[size:] if at in near][:BESIDE]
    return sorted(kept)


def probabilities(weighed: PolicyScores) -> tuple[list[float], float, float]:
    """The policy's probabilities of each candidate, of *complete* and of *nothing*: together 1.

    >>> from probative.models.evidence_policy import PolicyScores
    >>> probabilities(PolicyScores((0.0,), 0.0, math.log(2)))
    ([0.25], 0.25, 0.5)
    """
    scores = [*weighed.candidates, weighed.complete, weighed.nothing]
    highest = max(scores)
    shares = [math.exp(score - highest) for score in scores]
    whole = math.fsum(shares)
    *rest, complete, nothing = (share / whole for share in shares)
    return rest, complete, nothing
