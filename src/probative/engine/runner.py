"""Run many searches side by side: what they ask in one round becomes one batch per verb."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from probative.engine.search import Ask, Result, Search
from probative.engine.tools import Tools
from probative.errors import BatchError, BudgetError, EmptyError, InputError, ModelError, ProbativeError
from probative.trace import Call, record, recording, step
from probative.usage import Usage, total

# Enough to fill a GPU with the frontiers of a search; a CPU gains nothing from more.
MAX_ACTIVE = 64


@dataclass
class Finished(Generic[Result]):
    """How a search ended, and what it cost; `policy` is the evidence policy's part of that."""

    result: Result | None
    error: ProbativeError | None
    usage: Usage
    policy: Usage = field(default_factory=Usage)


@dataclass
class _Running(Generic[Result]):
    place: int
    search: Search[Result]
    asked: Ask | None = None
    usages: list[Usage] = field(default_factory=list)
    weighed: list[Usage] = field(default_factory=list)


def run_searches(
    searches: Iterable[Search[Result]],
    tools: Tools,
    *,
    max_active: int = MAX_ACTIVE,
    progress: Callable[[Usage], None] | None = None,
) -> Iterator[tuple[int, Finished[Result]]]:
    """Run searches side by side; gives each one's number and end, in the order in which they end.
    `progress` is told after each round what those under way have cost so far.
    """
    if max_active < 1:
        raise InputError(f"at least one search must be under way at a time, not {max_active}")
    waiting = enumerate(searches)
    running: list[_Running[Result]] = []
    while True:
        while len(running) < max_active and (entering := next(waiting, None)) is not None:
            entered = _Running(*entering)
            ended = _advance(entered, lambda search: next(search))
            if ended is None:
                running.append(entered)
            else:
                yield entered.place, ended
        if not running:
            return
        still: list[_Running[Result]] = []
        answered = list(_answered(running, tools))
        if progress is not None:
            progress(total(usage for one in running for usage in one.usages))
        for one, answers in answered:
            ended = _advance(one, lambda search, answers=answers: _send(search, answers))  # type: ignore[misc]
            if ended is None:
                still.append(one)
            else:
                yield one.place, ended
        running = still


def _send(search: Search[Result], answers: list[Any] | ProbativeError) -> Ask:
    return search.throw(answers) if isinstance(answers, ProbativeError) else search.send(answers)


def _advance(one: _Running[Result], go: Callable[[Search[Result]], Ask]) -> Finished[Result] | None:
    """Let a search go on to what it asks next; its end, if it has ended."""
    try:
        one.asked = go(one.search)
    except StopIteration as stopped:
        return Finished(stopped.value, None, total(one.usages), total(one.weighed))
    except ProbativeError as error:
        spent = getattr(error, "usage", None)
        usage = total([*one.usages, *([spent] if spent else [])])
        return Finished(None, error, usage, total(one.weighed))
    return None


def _answered(
    running: list[_Running[Result]], tools: Tools
) -> Iterator[tuple[_Running[Result], list[Any] | ProbativeError]]:
    """What each search asked, answered: the calls of a verb go out as one batch."""
    asked = [(one, one.asked) for one in running if one.asked is not None]
    for verb in ("encode", "weigh", "generate", "choose", "score"):
        asking = [(one, ask) for one, ask in asked if ask.verb == verb]
        if not asking:
            continue
        names = {ask.step for _, ask in asking}
        with step(names.pop() if len(names) == 1 else verb):
            if verb in ("encode", "weigh"):  # these batch by themselves, and count only what they do in all
                answers = [_by_itself(one, ask, tools) for one, ask in asking]
            else:
                items = [item for _, ask in asking for item in ask.items]
                outcomes = iter(_outcomes(tools, verb, items))
                answers = [_collected(one, ask, [next(outcomes) for _ in ask.items]) for one, ask in asking]
        yield from zip([one for one, _ in asking], answers, strict=True)


def _by_itself(one: _Running[Result], ask: Ask, tools: Tools) -> list[Any] | ProbativeError:
    """What the encoder or the policy gives, and what that cost."""
    try:
        tool = tools.encoder if ask.verb == "encode" else tools.policy
        before = tool.usage
        given: list[Any] = list(
            tools.encoder.encode(ask.items) if ask.verb == "encode" else tools.policy.weigh(ask.items)
        )
    except ProbativeError as error:
        return error
    after = tool.usage
    spent = Usage(**{name: getattr(after, name) - getattr(before, name) for name in Usage.model_fields})
    one.usages.append(spent)
    if ask.verb == "weigh":
        one.weighed.append(spent)
        _record_weighed(tools.policy.name, ask.items, given, spent)
    return given


def _record_weighed(policy: str, states: Sequence[Any], weighed: Sequence[Any], spent: Usage) -> None:
    """Write what the policy was asked and said into the open trace, with the cost at the first state."""
    if recording():
        for place, (state, scores) in enumerate(zip(states, weighed, strict=True)):
            cost = Usage() if place else spent
            asked, said = (
                {name: _lists(value) for name, value in one._asdict().items()} for one in (state, scores)
            )
            record(Call(verb="weigh", model=policy, request=asked, result=said, usage=cost))


def _lists(value: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    return [_lists(one) for one in value] if isinstance(value, tuple) else value


def _collected(one: _Running[Result], ask: Ask, outcomes: list[Any]) -> list[Any] | ProbativeError:
    """The outcomes for one search, its costs noted; its first error that matters, if there is one."""
    one.usages.append(total(outcome.usage for outcome in outcomes if getattr(outcome, "usage", None)))
    fine = EmptyError if ask.allow_empty else ()
    errors = (one for one in outcomes if isinstance(one, ProbativeError) and not isinstance(one, fine))
    return next(errors, outcomes)


def _outcomes(tools: Tools, verb: str, items: list[Any]) -> list[Any]:
    """A result or an error for each item; what fails for all (no such server) is the error of each."""
    if not items:
        return []
    try:
        if verb == "choose":  # each item is a Selection, with options of its own
            return list(tools.model.choose([one.request for one in items], [one.options for one in items]))
        call: Callable[[list[Any]], list[Any]] = getattr(tools.model, verb)
        return call(items)
    except BatchError as failed:
        return [failed.errors.get(place, result) for place, result in enumerate(failed.results)]
    except BudgetError as spent:
        results = spent.results or [None] * len(items)
        return [_same(spent) if result is None else result for result in results]
    except ProbativeError as error:
        return [error] * len(items)


def _same(spent: BudgetError) -> ModelError:
    return BudgetError(spent.what, hint=spent.hint)
