"""Choose evidence with the policy: one text at a time, each with those before it in view.

The first step weighs every text. The following ones weigh the best of the first (`SHORTLIST`) and those that
the caller says belong to what is chosen: the longer the chain, the longer each reading, and 40 texts four
times over would take seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from probative.models.together import Ask, Search

if TYPE_CHECKING:
    from probative.models.policy import Weighed

# How many texts are weighed again after the first step.
SHORTLIST = 12
# And how many of those that belong to the chosen ones, if they are not among them.
BESIDE = 6

Ended = Literal["complete", "nothing", "most"]
"""Why no more was taken: nothing more is needed, no text carries what is missing, or as many as allowed."""


@dataclass
class Choosing:
    """The texts chosen, by their places, in order; for each the policy's probability when it was taken; how
    the choice ended; and the probability of each text at the first step.

    `complete` is how surely the chosen texts are enough, rather than something missing that none carries.
    """

    places: list[int] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)
    complete: float = 0.0
    ended: Ended = "most"
    first: list[float] = field(default_factory=list)


def choose_texts(
    query: str,
    texts: Sequence[str],
    *,
    most: int,
    fewest: int = 1,
    beside: Callable[[Sequence[int]], Iterable[int]] | None = None,
    shortlist: int = SHORTLIST,
    step: str = "evidence",
) -> Search[Choosing]:
    """The texts that the policy takes, until it says that nothing more is needed or to be had; at least
    `fewest` and at most `most`. `beside` names texts that belong to those chosen so far.
    """
    from probative.models.policy import State

    made = Choosing()
    candidates = list(range(len(texts)))
    ranked: list[int] = []
    fewest = min(fewest, most)
    stopped = False
    while True:
        state = State(query, tuple(texts[at] for at in made.places), tuple(texts[at] for at in candidates))
        weighed: list[Weighed] = yield Ask("weigh", [state], step)
        shares, complete, nothing = probabilities(weighed[0])
        if not made.first:
            made.first = shares
            ranked = sorted(candidates, key=lambda at: (-shares[at], at))
        best = max(range(len(candidates)), key=lambda at: (shares[at], -at), default=None)
        stops = best is None or max(complete, nothing) > shares[best]
        if not stopped:  # what is taken after that, to have the fewest, says nothing of what is enough
            made.complete = complete / (complete + nothing) if complete + nothing > 0.0 else 0.5
            made.ended = ("complete" if complete >= nothing else "nothing") if stops else "most"
            stopped = stops and bool(made.places)
        if best is None or len(made.places) >= (fewest if stopped else most):
            return made
        made.places.append(candidates[best])
        made.probabilities.append(shares[best])
        if stopped and len(made.places) >= fewest:
            return made
        candidates = _shortlist(ranked, made.places, beside, shortlist)


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


def probabilities(weighed: Weighed) -> tuple[list[float], float, float]:
    """The policy's probabilities of each candidate, of *complete* and of *nothing*: together 1.

    >>> from probative.models.policy import Weighed
    >>> probabilities(Weighed((0.0,), 0.0, math.log(2)))
    ([0.25], 0.25, 0.5)
    """
    scores = [*weighed.candidates, weighed.complete, weighed.nothing]
    highest = max(scores)
    shares = [math.exp(score - highest) for score in scores]
    whole = math.fsum(shares)
    *rest, complete, nothing = (share / whole for share in shares)
    return rest, complete, nothing
