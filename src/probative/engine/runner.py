"""Run many searches side by side: what they ask in one round becomes one batch per verb.

Round by round, every active search is advanced to its next ask; the asks are grouped by verb and model, each
group is one batch, and each search is sent its own part of the results. An error of one request is raised in
the search that asked, and in no other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from probative.engine.fit_prompt import fit_prompt
from probative.engine.methods import Tools
from probative.engine.search import Ask, Result, Role, Search, Verb
from probative.errors import ContextError, EmptyError, InputError, ProbativeError
from probative.models.contract import LanguageModel, results_or_errors
from probative.models.evidence_policy import Weighing
from probative.models.items import ITEMS, call_record
from probative.models.types import Vector
from probative.models.verdict import Judging
from probative.trace import Call, record, recording, step
from probative.types import Usage, total

# Enough to fill a GPU with the frontiers of a search; a CPU gains nothing from more.
MAX_ACTIVE = 64

# How often prompts that a server refuses as too long are cut further.
MAX_CUTS = 4

# The order in which the verbs of a round are run: what is cheap first.
_ORDER: tuple[tuple[Verb, Role], ...] = (
    ("encode", "model"),
    ("weigh", "model"),
    ("judge", "model"),
    ("generate", "model"),
    ("generate", "judge"),
    ("choose", "model"),
    ("choose", "judge"),
    ("score", "model"),
    ("score", "judge"),
)
# The tools of the verbs that are not a language model's.
_TOOLS: dict[str, str] = {"encode": "encoder", "weigh": "policy", "judge": "verdict"}


@dataclass
class Finished(Generic[Result]):
    """How a search ended: its result or its error, its cost, the parts of the evidence policy and of the
    verdict model in that, and how many prompts of each step were cut.
    """

    result: Result | None = None
    error: ProbativeError | None = None
    usage: Usage = field(default_factory=Usage)
    policy: Usage = field(default_factory=Usage)
    verdict: Usage = field(default_factory=Usage)
    cut: Counter[str] = field(default_factory=Counter)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done to the prompts, for the notes of the result."""
        steps = ", ".join(f"{count} of {step}" for step, count in self.cut.items())
        return (f"prompts longer than the model's window, whose middle was left out: {steps}",) * bool(steps)


@dataclass
class _Active(Generic[Result]):
    """A search under way: what it asks now, and its end, which has its cost so far."""

    index: int
    search: Search[Result]
    ask: Ask | None = None
    end: Finished[Result] = field(default_factory=Finished)


def run_searches(
    searches: Iterable[Search[Result]],
    tools: Tools,
    *,
    max_active: int = MAX_ACTIVE,
    progress: Callable[[Usage], None] | None = None,
) -> Iterator[tuple[int, Finished[Result]]]:
    """Yield the index of each search and how it ended, in the order in which they end.

    At most `max_active` searches run at a time. After each round, `progress` is called with the cost so far
    of the searches under way.
    """
    if max_active < 1:
        raise InputError(f"max_active must be at least 1, got {max_active}")
    waiting = enumerate(searches)
    active: list[_Active[Result]] = []
    while True:
        while len(active) < max_active and (entry := next(waiting, None)) is not None:
            entering = _Active(*entry)
            finished = _advance(entering, next)
            if finished is None:
                active.append(entering)
            else:
                yield entering.index, finished
        if not active:
            return
        replies = _round(active, tools)
        if progress is not None:
            progress(total(run.end.usage for run in active))
        still_active: list[_Active[Result]] = []
        for run, reply in replies:
            finished = _advance(run, _sending(reply))
            if finished is None:
                still_active.append(run)
            else:
                yield run.index, finished
        active = still_active


def _sending(reply: list[Any] | ProbativeError) -> Callable[[Search[Result]], Ask]:
    """Return a function that hands a search its results, or raises its error inside it."""
    if isinstance(reply, ProbativeError):
        return lambda search: search.throw(reply)
    return lambda search: search.send(reply)


def _advance(run: _Active[Result], resume: Callable[[Search[Result]], Ask]) -> Finished[Result] | None:
    """Resume a search up to its next ask; returns how it ended, if it has."""
    try:
        run.ask = resume(run.search)
        return None
    except StopIteration as stopped:
        run.end.result = stopped.value
    except ProbativeError as error:
        run.end.error = error
        run.end.usage += getattr(error, "usage", None) or Usage()
    return run.end


def _round(
    active: list[_Active[Result]], tools: Tools
) -> list[tuple[_Active[Result], list[Any] | ProbativeError]]:
    """Answer what every search asks: the asks of one verb and model go out as one batch."""
    replies: list[tuple[_Active[Result], list[Any] | ProbativeError]] = []
    asks = [(run, run.ask) for run in active if run.ask is not None]
    for verb, by in _ORDER:
        group = [(run, ask) for run, ask in asks if (ask.verb, ask.by) == (verb, by)]
        if not group:
            continue
        names = {ask.step for _, ask in group}
        with step(names.pop() if len(names) == 1 else verb):
            outcomes, cut = make_calls(tools, verb, by, [item for _, ask in group for item in ask.items])
            start = 0
            for run, ask in group:
                answers = outcomes[start : start + len(ask.items)]
                if count := sum(start <= index < start + len(ask.items) for index in cut):
                    run.end.cut[ask.step] += count
                start += len(ask.items)
                replies.append((run, _reply(run, ask, answers, tools)))
    return replies


def make_calls(tools: Tools, verb: Verb, by: Role, items: Sequence[Any]) -> tuple[list[Any], set[int]]:
    """Return an outcome for each item, in order: a value with its `usage`, or the error; and the indexes of
    the prompts that were cut to fit into the model's window.

    What fails for all items, such as a server that cannot be reached, is the error of each.
    """
    cut: set[int] = set()
    if not items:
        return [], cut
    try:
        if verb in _TOOLS:
            by_index = dict(ITEMS[verb].outcomes(getattr(tools, _TOOLS[verb]), items))
            return [by_index[index] for index in range(len(items))], cut
        model = tools.judge if by == "judge" else tools.model
        results: list[Any] = [None] * len(items)
        waiting: Sequence[int] = range(len(items))
        for attempt in range(MAX_CUTS):
            fitted = {index: fit_prompt(model, items[index], refused=attempt > 0) for index in waiting}
            if attempt:  # a model that refused a prompt may know now how much it reads
                fitted = {index: each for index, each in fitted.items() if each.cut}
            if not fitted:
                break
            outcomes = _call(model, verb, [each.item for each in fitted.values()])
            for index, outcome in zip(fitted, outcomes, strict=True):
                results[index] = outcome
            cut.update(index for index, each in fitted.items() if each.cut)
            waiting = [index for index in fitted if isinstance(results[index], ContextError)]
        return results, cut
    except ProbativeError as error:
        return [error] * len(items), cut


def _call(model: LanguageModel, verb: Verb, items: Sequence[Any]) -> list[Any]:
    """Return the result or the error of each item from a language model."""
    arguments: list[Any] = [items]
    if verb == "choose":
        arguments = [[item.request for item in items], [item.options for item in items]]
    try:
        return results_or_errors(lambda: getattr(model, verb)(*arguments), len(items))
    except ProbativeError as error:
        return [error] * len(items)


def _reply(run: _Active[Result], ask: Ask, outcomes: list[Any], tools: Tools) -> list[Any] | ProbativeError:
    """Book the cost of the outcomes of one ask; return its results, or its first error that counts."""
    spent = total(outcome.usage for outcome in outcomes if getattr(outcome, "usage", None))
    run.end.usage += spent
    if ask.verb == "weigh":
        run.end.policy += spent
    elif ask.verb == "judge":
        run.end.verdict += spent
    allowed = EmptyError if ask.allow_empty else ()
    for outcome in outcomes:
        if isinstance(outcome, ProbativeError) and not isinstance(outcome, allowed):
            return outcome
    if recording():
        _record(ask, outcomes, spent, tools)
    return [_value(outcome) for outcome in outcomes]


def _value(outcome: Any) -> Any:
    """Return what a search is sent for an outcome."""
    if isinstance(outcome, Vector):
        return outcome.values
    return outcome.scores if isinstance(outcome, Weighing | Judging) else outcome


def _record(ask: Ask, outcomes: list[Any], spent: Usage, tools: Tools) -> None:
    """Write calls of the encoder, the policy and the verdict model into the open trace; a language model
    writes its own, also where it gives the verdict.

    Vectors are not kept: the entry of an `encode` says how many texts were read, and which.
    """
    if ask.verb == "encode" and outcomes:
        result = {"vectors": len(outcomes), "dimensions": len(outcomes[0].values)}
        request = {"texts": list(ask.items)}
        record(Call(verb="encode", model=tools.encoder.name, request=request, result=result, usage=spent))
    if ask.verb == "weigh" or (ask.verb == "judge" and not tools.verdict_by_model):
        name = getattr(tools, _TOOLS[ask.verb]).name
        for item, outcome in zip(ask.items, outcomes, strict=True):
            record(call_record(ask.verb, name, item, outcome))
