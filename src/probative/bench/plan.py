"""What a run would cost: calls, tokens and money, without a single call.

A few cases are run with stand-ins that reply as models do (`probative.bench.stand_ins`), and their cost is
scaled to all cases. The sample has items of several sizes of each set, with all arms. A call that several
items share, such as the summary of a part of a graph, counts once, as it does in a run.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from probative.bench.data.sets import check_sets
from probative.bench.run import Progress, marked_cases, unique_cases
from probative.bench.stand_ins import Replies, stand_in_session
from probative.bench.study import Case, Lab, Settings, Study
from probative.bench.trained import describe, keys_in
from probative.bench.worker import Models, check_verbs
from probative.models.contract import LanguageModel
from probative.models.loading import judge_prices, judge_settings, model_prices, open_model_backend
from probative.models.prices import money
from probative.session.session import Session
from probative.settings import Settings as ModelSettings
from probative.types import Usage, Value, total

# A dry run tries items of these sizes of each set, as shares of its items, and begins none after SECONDS.
SIZES = (1 / 2, 1 / 4, 3 / 4, 1 / 8, 5 / 8, 3 / 8, 7 / 8, *(odd / 16 for odd in (1, 9, 5, 13, 3, 11, 7, 15)))
SECONDS = 30.0


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

    def items(self) -> Iterator[tuple[_Set, list[Case]]]:
        """Yield the items to try, each with its cases: a middle-sized one of each set, then other sizes."""
        seen: set[tuple[int, int]] = set()
        for size in SIZES:
            for number, group in enumerate(self.sets):
                place = int(size * len(group.items))
                if (number, place) not in seen:
                    seen.add((number, place))
                    self.places.append(group)
                    yield group, group.items[place]

    def cost(self, replies: Replies) -> Usage:
        """Return the cost of all cases: a call that one item needed stands for those of other items, one that
        several needed for itself.
        """
        shared = [usage for usage, places in replies.calls.values() if len(places) > 1]
        own: list[list[Usage]] = [[] for _ in self.places]
        for usage, places in replies.calls.values():
            if len(places) == 1:
                own[min(places)].append(usage)
        known = [group for group in self.sets if group.tried]
        # Where time did not reach a set, it costs what the others do.
        rest = sum(len(item) for group in self.sets for item in group.items) / sum(
            len(item) for group in known for item in group.items
        )
        scaled = (
            _scaled(total(usages), group.factor * rest)
            for usages, group in zip(own, self.places, strict=True)
        )
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
    trial, studied, judging = _Trial(_sets_of(experiment, cases)), Replies(), Replies()
    with ExitStack() as stack:
        lab = _stand_in_lab(models, settings, studied, judging, stack)
        check_verbs(experiment, lab.model)
        end = time.monotonic() + seconds
        for group, item in trial.items():
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
    models: Models, settings: Settings, studied: Replies, judging: Replies, stack: ExitStack
) -> Lab:
    """Open the studied model and the judge, if there is one, behind stand-ins: neither is called."""

    def session(model: LanguageModel, replies: Replies) -> Session:
        return stack.enter_context(stand_in_session(model, replies, models.settings))

    def opened(name: str, settings: ModelSettings) -> LanguageModel:
        return stack.enter_context(open_model_backend(name, settings))

    chosen = models.settings
    model = models.model or opened(chosen.model, chosen)
    if not models.has_judge:
        return Lab(session(model, studied), None, settings)
    judge = models.judge or opened(str(chosen.judge_model), judge_settings(chosen))
    return Lab(session(model, studied), session(judge, judging), settings)


def _scaled(usage: Usage, factor: float) -> Usage:
    counts = ("calls", "prompt_tokens", "completion_tokens", "scored_tokens")
    return Usage(**{name: round(getattr(usage, name) * factor) for name in counts})
