"""What a run would cost: calls, tokens and money, without a single call.

A few cases are run with stand-ins that reply as models do (`probative.dry_run`), and their cost is scaled to
all cases. The sample has items of several sizes of each set, with all arms. A call that several items share,
such as the summary of a part of a graph, counts once, as it does in a run.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, TypeVar

from probative.bench.data.sets import check_sets
from probative.bench.replies import REPLIES
from probative.bench.run import Progress, marked_cases, unique_cases
from probative.bench.study import Case, Lab, Settings, Study
from probative.bench.trained import describe, keys_in
from probative.bench.worker import Models, check_verbs
from probative.dry_run.prompts import add_replies
from probative.dry_run.stand_ins import StandIn, stand_in
from probative.models.contract import LanguageModel
from probative.models.items import key_of
from probative.models.loading import judge_prices, judge_settings, model_prices, open_model_backend
from probative.models.prices import money
from probative.session.session import Session
from probative.settings import Settings as ModelSettings
from probative.types import Usage, Value, total


def _shares(number: int) -> tuple[float, ...]:
    """Return shares between 0 and 1, each as far as possible from those before it.

    >>> _shares(7)
    (0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875)
    """
    return tuple(int(f"{n:b}"[::-1], 2) / 2 ** n.bit_length() for n in range(1, number + 1))


# A dry run tries items of these sizes of each set, as shares of its items; of a set of which none asked the
# studied model anything, more. It begins none after SECONDS.
SIZES, MORE_SIZES = _shares(63), _shares(1023)[63:]
SECONDS = 30.0

Result = TypeVar("Result", bound=Value)
add_replies(REPLIES)


class Plan(Value):
    """The estimated cost of a run: of the studied model and of the judge, and in money if their prices are
    known; `prices` says which these are.

    `by_estimate` counts the sampled cases that failed: they count with the experiment's own estimate of
    calls. `trained` says how many cases trained a shipped model; it is empty if none did.
    """

    experiment: str
    cases: int
    sampled: int
    by_estimate: int
    usage: Usage
    judge_usage: Usage
    money: float | None
    prices: str = ""
    trained: str = ""


@dataclass
class Recorder(StandIn):
    """Stands in for a model. `calls` has the cost of each different item and the places that needed it,
    `places` all of them; `place` is set by the caller.
    """

    calls: dict[str, tuple[Usage, set[int]]] = field(default_factory=dict)
    places: set[int] = field(default_factory=set)
    place: int = 0

    def result(self, model: Any, verb: str, item: Any) -> Any:
        result = super().result(model, verb, item)
        _, places = self.calls.setdefault(key_of(model, verb, item), (result.usage, set()))
        places.add(self.place)
        self.places.add(self.place)
        return result


class TrialSession(Session):
    """A session of stand-ins whose results a study goes on with."""

    def _planned(self, result: Result) -> Result:
        return result


@dataclass
class _Set:
    """The items of a set with the same arms, from small to large, each with its cases; how many cases were
    tried, and how many of these failed.
    """

    items: list[list[Case]]
    tried: int = 0
    failed: int = 0

    @property
    def factor(self) -> float:
        """How many cases each tried one stands for."""
        return sum(map(len, self.items)) / self.tried if self.tried else 0.0


@dataclass
class _Trial:
    """The sets of a study, and the set of each item that was tried."""

    sets: Sequence[_Set]
    places: list[_Set] = field(default_factory=list)

    def items(self, record: Recorder, *, more: bool) -> Iterator[tuple[_Set, list[Case]]]:
        """Yield the items to try, each with its cases: a middle-sized one of each set, then other sizes; with
        `more`, then further ones of the sets that asked nothing of what is recorded.
        """
        seen: set[tuple[int, int]] = set()
        for size in (*SIZES, *(MORE_SIZES if more else ())):
            asking = () if size in SIZES else {id(self.places[place]) for place in record.places}
            for number, group in enumerate(self.sets):
                place = int(size * len(group.items))
                if (number, place) not in seen and id(group) not in asking:
                    seen.add((number, place))
                    self.places.append(group)
                    yield group, group.items[place]

    def cost(self, record: Recorder) -> Usage:
        """Return the cost of all cases: a call that one item needed stands for those of other items, one that
        several needed for itself.
        """
        shared = [usage for usage, places in record.calls.values() if len(places) > 1]
        own: dict[int, list[Usage]] = {}
        for usage, places in record.calls.values():
            if len(places) == 1:
                own.setdefault(id(self.places[min(places)]), []).append(usage)
        known = [group for group in self.sets if group.tried]
        # Where time did not reach a set, it costs what the others do.
        rest = sum(len(item) for group in self.sets for item in group.items) / sum(
            len(item) for group in known for item in group.items
        )
        # Of each set at once: a rounded part of a call for each item would add up.
        scaled = (_scaled(total(own.get(id(group), ())), group.factor * rest) for group in known)
        return total((*shared, *scaled))


def plan_run(
    experiment: Study,
    settings: Settings,
    models: Models,
    progress: Progress | None = None,
    seconds: float = SECONDS,
) -> Plan:
    """Return what a run would cost; a few items are run with stand-ins for the models, at least one, and no
    further one after `seconds`.
    """
    check_sets(settings.data, experiment.data_of(settings))
    cases = unique_cases(experiment, settings)
    marks = marked_cases(experiment, cases, models, settings)
    trial, studied, judging = _Trial(_sets_of(experiment, cases)), Recorder(), Recorder()
    with ExitStack() as stack:
        lab = _stand_in_lab(models, settings, studied, judging, stack)
        check_verbs(experiment, lab.model)
        end = time.monotonic() + seconds
        for group, item in trial.items(studied, more=experiment.calls_per_case > 0):
            studied.place = judging.place = len(trial.places) - 1
            for case in item:
                group.tried += 1
                try:
                    experiment.run(case, lab)
                except Exception:  # a reply led nowhere: the case counts with the estimate
                    group.failed += 1
                if progress is not None:
                    progress(sum(group.tried for group in trial.sets), 0, len(cases))
            if time.monotonic() >= end:
                break
    failed = sum(group.failed * group.factor for group in trial.sets)
    usage = trial.cost(studied) + Usage(calls=round(failed * experiment.calls_per_case))
    judge_usage = trial.cost(judging)
    chosen = models.settings
    cost = money([(usage, model_prices(chosen)), (judge_usage, judge_prices(chosen))])
    return Plan(
        experiment=experiment.name,
        cases=len(cases),
        sampled=sum(group.tried for group in trial.sets),
        by_estimate=sum(group.failed for group in trial.sets),
        usage=usage,
        judge_usage=judge_usage,
        money=cost and cost.amount,
        prices=cost.prices if cost else "",
        trained=describe(marks, len(cases)) if marks else "",
    )


def _sets_of(experiment: Study, cases: Sequence[Case]) -> list[_Set]:
    """Return the cases by set, arms and item. What asks the same of a set is one item."""
    items: dict[object, list[Case]] = {}
    for case in cases:
        asked = experiment.asked(case)
        items.setdefault((case.set, frozenset(keys_in(asked)) or case.key), []).append(case)
    sets: dict[object, list[list[Case]]] = {}
    for item in items.values():
        sets.setdefault((item[0].set, *(case.arm for case in item)), []).append(item)
    return [_Set(sorted(group, key=lambda item: len(repr(item[0].content)))) for group in sets.values()]


def _stand_in_lab(
    models: Models, settings: Settings, studied: Recorder, judging: Recorder, stack: ExitStack
) -> Lab:
    """Open the studied model and the judge, if there is one, behind stand-ins: neither is called."""
    chosen = models.settings.model_copy(update={"cache": False, "judge_model": None})

    def session(model: LanguageModel | None, name: str, settings: ModelSettings, record: Recorder) -> Session:
        bare = model or stack.enter_context(open_model_backend(name, settings, dry_run=True))
        return stack.enter_context(TrialSession(stand_in(bare, record), settings=chosen))

    own = models.settings
    studied_session = session(models.model, own.model, own, studied)
    if not models.has_judge:
        return Lab(studied_session, None, settings)
    judge = session(models.judge, str(own.judge_model), judge_settings(own), judging)
    return Lab(studied_session, judge, settings)


def _scaled(usage: Usage, factor: float) -> Usage:
    counts = ("calls", "prompt_tokens", "completion_tokens", "scored_tokens")
    return Usage(**{name: round(getattr(usage, name) * factor) for name in counts})
