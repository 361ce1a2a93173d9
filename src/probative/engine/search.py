"""The search protocol: a method is a generator that yields its model calls and is sent their results; and the
search that several methods share, the choice of a chain of texts by the evidence policy.

A method is written for one case and reads like the paper. Its calls go through the typed functions below, so
that the type of what comes back is known:

    def strongest(claim: str, sentences: Sequence[str]) -> Search[int]:
        scores = yield from score([(sentence, claim) for sentence in sentences], step="strength")
        return max(range(len(scores)), key=lambda index: scores[index].log_probability)

`probative.engine.runner` drives many searches side by side and merges what they ask into batches.
The error of a request is raised inside the search that asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from pydantic import BaseModel

from probative.errors import CapabilityError, EmptyError, InputError, OutputError, ProbativeError
from probative.models.contract import Capability, LanguageModel
from probative.models.structured import read_objects
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from probative.models.evidence_policy import PolicyScores, PolicyState
    from probative.models.verdict import VerdictItem, VerdictScores


Verb = Literal["generate", "score", "choose", "encode", "weigh", "judge"]
Role = Literal["model", "judge"]
"""Which language model is asked: the one that answers, or the one that judges; often the same."""
Result = TypeVar("Result")


class Ask(NamedTuple):
    """Independent calls of one verb. `step` names them in the trace.

    With `allow_empty`, a call whose reply was empty gives its `EmptyError` in place of a result, and the
    other results are kept. `by` names the language model that is asked.
    """

    verb: Verb
    items: Sequence[Any]
    step: str
    allow_empty: bool = False
    by: Role = "model"


Search = Generator[Ask, Any, Result]


def generate(requests: Sequence[Request], *, step: str, by: Role = "model") -> Search[list[Completion]]:
    """Ask the language model for completions."""
    completions: list[Completion] = yield Ask("generate", requests, step, by=by)
    return completions


def generate_or_empty(
    requests: Sequence[Request], *, step: str, by: Role = "model"
) -> Search[list[Completion | EmptyError]]:
    """Ask the language model for completions; an empty reply comes back as its `EmptyError`."""
    completions: list[Completion | EmptyError] = yield Ask("generate", requests, step, True, by)
    return completions


def score(pairs: Sequence[Pair | tuple[str, str]], *, step: str) -> Search[list[Score]]:
    """Ask the language model for log P(continuation | prompt) of each pair."""
    scores: list[Score] = yield Ask("score", pairs, step)
    return scores


def choose(selections: Sequence[Selection], *, step: str, by: Role = "model") -> Search[list[Choice]]:
    """Ask the language model for a distribution over the options of each selection."""
    choices: list[Choice] = yield Ask("choose", selections, step, by=by)
    return choices


def try_choose(
    model: LanguageModel, selections: Sequence[Selection], *, step: str, by: Role = "model"
) -> Search[list[Choice] | None]:
    """Ask `model`, which `by` names, as `choose` does; None if it cannot choose or turns out not to."""
    if Capability.CHOOSE not in model.capabilities:
        return None
    try:
        return (yield from choose(selections, step=step, by=by))
    except CapabilityError:
        return None


def encode(texts: Sequence[str], *, step: str) -> Search[list[NDArray[np.float32]]]:
    """Ask the encoder for one vector per text."""
    vectors: list[NDArray[np.float32]] = yield Ask("encode", texts, step)
    return vectors


def weigh(states: Sequence[PolicyState], *, step: str) -> Search[list[PolicyScores]]:
    """Ask the evidence policy for the scores of each decision."""
    scores: list[PolicyScores] = yield Ask("weigh", states, step)
    return scores


def judge(items: Sequence[VerdictItem], *, step: str) -> Search[list[VerdictScores]]:
    """Ask the verdict model what the evidence of each item says about its claim."""
    scores: list[VerdictScores] = yield Ask("judge", items, step)
    return scores


def fail(error: ProbativeError) -> Search[Any]:
    """Return a search that fails at once with `error`; the searches beside it go on."""
    yield from ()
    raise error


Object = TypeVar("Object", bound=BaseModel)


def ask_objects(
    requests: Sequence[Request], schema: type[Object], step: str, *, by: Role = "model"
) -> Search[list[Object | OutputError]]:
    """Ask for an object of the schema for each request; a reply that cannot be read is repaired once.

    Returns the object, or the error of a reply that could not be read after the repair. All requests are one
    batch, and so are the repairs.
    """
    reading = read_objects(requests, schema, step)
    asked, name = next(reading), step
    while True:
        completions = yield from generate(asked, step=name, by=by)
        try:
            asked, name = reading.send(list(completions)), f"{step}: repair"
        except StopIteration as stopped:
            return [each if isinstance(each, OutputError) else each.value for each in stopped.value]


def side_by_side(
    searches: Iterable[Search[Result]],
    *,
    max_active: int | None = None,
    finished: Callable[[int], None] | None = None,
) -> Search[list[Result]]:
    """Run searches, at most `max_active` at a time, and return their results in order: what they ask in a
    round becomes one ask for each verb. It is for a method with independent parts; the runner does the same
    for the cases of a caller.

    `finished` is called with the number of searches that have ended, after each one. An error of one search
    ends all of them.
    """
    if max_active is not None and max_active < 1:
        raise InputError(f"max_active must be at least 1, got {max_active}")
    waiting = enumerate(searches)
    results: dict[int, Result] = {}
    active: list[tuple[int, Search[Result], Ask]] = []

    def advance(index: int, search: Search[Result], reply: Any) -> None:
        """Resume a search up to its next ask, or keep its result."""
        try:
            active.append((index, search, search.send(reply)))
        except StopIteration as stopped:
            results[index] = stopped.value
            if finished is not None:
                finished(len(results))

    while True:
        while max_active is None or len(active) < max_active:
            entry = next(waiting, None)
            if entry is None:
                break
            advance(*entry, None)
        if not active:
            return [results[index] for index in range(len(results))]
        round_of, active = active, []
        replies: dict[int, list[Any]] = {}
        for group in _groups(round_of):
            outcomes = yield group[0][2]._replace(items=[item for _, _, ask in group for item in ask.items])
            start = 0
            for index, _, ask in group:
                replies[index] = outcomes[start : start + len(ask.items)]
                start += len(ask.items)
        for index, search, _ in round_of:
            advance(index, search, replies[index])


def _groups(active: list[tuple[int, Search[Result], Ask]]) -> list[list[tuple[int, Search[Result], Ask]]]:
    """Return the active searches by what they ask: the same verb, model and step."""
    groups: dict[tuple[Any, ...], list[tuple[int, Search[Result], Ask]]] = {}
    for entry in active:
        ask = entry[2]
        groups.setdefault((ask.verb, ask.by, ask.step, ask.allow_empty), []).append(entry)
    return list(groups.values())


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
