"""Choose a chain of texts with the evidence policy: one text at a time, each with those before it in view.

The first step weighs every text. The following steps weigh the best ones of the first (`SHORTLIST`) and those
that the caller relates to the chosen ones: a longer chain makes each reading longer, and weighing 40 texts at
four steps would take seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from probative.engine.search import Search, weigh

if TYPE_CHECKING:
    from probative.models.evidence_policy import PolicyScores

# The number of texts that are weighed again after the first step.
SHORTLIST = 12
# The number of related texts that are weighed besides those.
MAX_RELATED = 6

# The completeness from which on a stop of the policy ends the chain. On 50 questions each that the policy was
# not trained on, chains that end at any stop (0) hold all gold of 42 and 70% (HotpotQA, 2WikiMultihopQA; F1
# 65.6 and 89.4), with 0.8 of 52 and 72% (74.1, 89.4), at 0.4 and 0.06 passages more; higher adds little.
MIN_COMPLETENESS = 0.8

EndReason = Literal["complete", "nothing", "limit"]
"""Why the chain ended: nothing more is needed, no text carries what is missing, or `max_texts` is reached."""

Related = Callable[[Sequence[int]], Iterable[int]]
"""Returns the indexes of the texts that are related to the chosen ones."""


@dataclass
class PolicyChain:
    """The chosen texts by index, in order, and how the choice ended.

    `probabilities` holds the policy's probability of each text when it was chosen, `first` that of every text
    at the first step. `complete` is the probability that the chosen texts are enough, rather than that
    something is missing which no text carries.
    """

    indexes: list[int] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)
    complete: float = 0.0
    ended: EndReason = "limit"
    first: list[float] = field(default_factory=list)


class Stop(NamedTuple):
    """A chain length at which the policy would stop, its completeness, and the reason."""

    length: int
    complete: float
    reason: EndReason

    @classmethod
    def of(cls, length: int, complete: float, nothing: float) -> Stop:
        """Make a stop from the probabilities of both reasons.

        >>> Stop.of(2, 0.375, 0.125)
        Stop(length=2, complete=0.75, reason='complete')
        """
        share = complete / (complete + nothing) if complete + nothing > 0.0 else 0.5
        return cls(length, share, "complete" if complete >= nothing else "nothing")


def choose_chain_by_policy(
    query: str,
    texts: Sequence[str],
    *,
    max_texts: int,
    min_texts: int = 1,
    related: Related | None = None,
    shortlist: int = SHORTLIST,
    min_completeness: float = MIN_COMPLETENESS,
    step: str = "evidence",
) -> Search[PolicyChain]:
    """Choose texts until the policy stops: at least `min_texts` and at most `max_texts`.

    A stop with a completeness below `min_completeness` does not end the choice: more texts are chosen. If no
    later stop reaches it either, the chain is cut at the stop with the highest completeness.
    """
    from probative.models.evidence_policy import PolicyState

    chain = PolicyChain()
    candidates = list(range(len(texts)))
    ranked: list[int] = []
    min_texts = min(min_texts, max_texts)
    stops: list[Stop] = []
    while True:
        chosen = tuple(texts[index] for index in chain.indexes)
        state = PolicyState(query, chosen, tuple(texts[index] for index in candidates))
        (scores,) = yield from weigh([state], step=step)
        shares, complete, nothing = probabilities(scores)
        if not chain.first:
            chain.first = shares
            ranked = sorted(candidates, key=lambda index: (-shares[index], index))
        best = max(range(len(candidates)), key=lambda at: (shares[at], -at), default=None)
        stop = Stop.of(len(chain.indexes), complete, nothing)
        if best is None or max(complete, nothing) > shares[best]:
            stops.append(stop)
        enough = bool(chain.indexes) and bool(stops) and stops[-1].complete >= min_completeness
        if best is None or enough or len(chain.indexes) >= max_texts:
            break
        chain.indexes.append(candidates[best])
        chain.probabilities.append(shares[best])
        candidates = _next_candidates(ranked, chain.indexes, related, shortlist)
    later = [earlier for earlier in stops if earlier.length]
    end = max(later, key=lambda earlier: (earlier.complete, -earlier.length)) if later else None
    return _cut(chain, end or stop, bool(end), min_texts, ranked)


def _cut(chain: PolicyChain, stop: Stop, stopped: bool, min_texts: int, ranked: Sequence[int]) -> PolicyChain:
    """Cut the chain at a stop; add the most probable texts of the first step up to `min_texts`."""
    chain.complete = stop.complete
    chain.ended = stop.reason if stopped else "limit"
    length = max(stop.length, min(min_texts, len(chain.indexes)))
    chain.indexes, chain.probabilities = chain.indexes[:length], chain.probabilities[:length]
    for index in ranked:
        if len(chain.indexes) >= min_texts:
            break
        if index not in chain.indexes:
            chain.indexes.append(index)
            chain.probabilities.append(chain.first[index])
    return chain


def _next_candidates(
    ranked: Sequence[int], chosen: Sequence[int], related: Related | None, size: int
) -> list[int]:
    """Return the texts to weigh next: the `size` best of the first step, and some related ones."""
    left = [index for index in ranked if index not in chosen]
    candidates = left[:size]
    if related is not None and len(left) > size:
        near = set(related(chosen))
        candidates += [index for index in left[size:] if index in near][:MAX_RELATED]
    return sorted(candidates)


def probabilities(scores: PolicyScores) -> tuple[list[float], float, float]:
    """Return the probabilities of each candidate, of *complete* and of *nothing*; their sum is 1.

    >>> from probative.models.evidence_policy import PolicyScores
    >>> probabilities(PolicyScores((0.0,), 0.0, math.log(2)))
    ([0.25], 0.25, 0.5)
    """
    values = [*scores.candidates, scores.complete, scores.nothing]
    highest = max(values)
    shares = [math.exp(value - highest) for value in values]
    total = math.fsum(shares)
    *candidates, complete, nothing = (share / total for share in shares)
    return candidates, complete, nothing
