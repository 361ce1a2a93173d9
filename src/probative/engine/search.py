"""The search protocol: a method is a generator that yields its model calls and is sent their results.

A method is written for one case and reads like the paper. Its calls go through the typed functions below, so
that the type of what comes back is known:

    def strongest(claim: str, sentences: Sequence[str]) -> Search[int]:
        scores = yield from score([(sentence, claim) for sentence in sentences], step="strength")
        return max(range(len(scores)), key=lambda index: scores[index].log_probability)

`probative.engine.runner` drives many searches side by side and merges what they ask into batches.
The error of a request is raised inside the search that asked.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
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
