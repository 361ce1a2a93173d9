"""What a run would cost: calls, tokens and money, without a single call."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import ExitStack

from probative.bench.data.files import spread
from probative.bench.data.sets import check_sets
from probative.bench.run import Progress, marked_cases, unique_cases
from probative.bench.study import Case, Lab, Settings, Study
from probative.bench.trained import describe
from probative.bench.worker import Models, check_verbs
from probative.models.loading import judge_prices, judge_settings, model_prices
from probative.models.prices import money
from probative.models.wrappers import DryRun, layers_around
from probative.session.session import Session
from probative.settings import Settings as ModelSettings
from probative.types import Usage, Value

# A dry run tries at most SAMPLE cases, for at most SECONDS, and estimates the cost of all others from them.
SAMPLE, SECONDS = 10, 60.0


class Plan(Value):
    """The estimated cost of a run: of the studied model and of the judge, and in money if their prices are
    known; `prices` says which these are.

    `by_estimate` counts the sampled cases that need real answers to go on: they count with the experiment's
    own estimate of calls. `trained` says how many cases trained a shipped model; it is empty if none did.
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


def plan_run(
    experiment: Study,
    settings: Settings,
    models: ModelSettings,
    progress: Progress | None = None,
    seconds: float = SECONDS,
) -> Plan:
    """Return what a run would cost; a few cases are run with placeholders instead of answers, at least one,
    and no further one after `seconds`.
    """
    check_sets(settings.data, experiment.data_of(settings))
    cases = unique_cases(experiment, settings)
    marks = marked_cases(experiment, cases, Models(models), settings)
    sample = spread(cases, SAMPLE)
    random.Random(settings.seed).shuffle(sample)  # those that are run first are of all kinds
    with ExitStack() as stack:
        lab = _dry_lab(models, settings, stack)
        check_verbs(experiment, lab.model)
        sampled, by_estimate = _try_cases(experiment, lab, sample, progress, seconds)
        share = len(cases) / sampled
        estimated = Usage(calls=round(by_estimate * experiment.calls_per_case))
        usage = _scaled(_planned(lab.session) + estimated, share)
        judge_usage = Usage() if lab.judge is None else _scaled(_planned(lab.judge), share)
    cost = money([(usage, model_prices(models)), (judge_usage, judge_prices(models))])
    return Plan(
        experiment=experiment.name,
        cases=len(cases),
        sampled=sampled,
        by_estimate=by_estimate,
        usage=usage,
        judge_usage=judge_usage,
        money=cost and cost.amount,
        prices=cost.prices if cost else "",
        trained=describe(marks, len(cases)) if marks else "",
    )


def _dry_lab(models: ModelSettings, settings: Settings, stack: ExitStack) -> Lab:
    """Open the studied model and the judge, if there is one; neither is called."""

    def open_dry(settings: ModelSettings, **more: object) -> Session:
        quiet = settings.model_copy(update={"cache": False, "judge_model": None, **more})
        return stack.enter_context(Session(settings=quiet, dry_run=True))

    if models.judge_model is None:
        return Lab(open_dry(models), None, settings)
    return Lab(open_dry(models), open_dry(judge_settings(models), model=models.judge_model), settings)


def _try_cases(
    experiment: Study, lab: Lab, sample: Sequence[Case], progress: Progress | None, seconds: float
) -> tuple[int, int]:
    """Run cases with placeholders; returns how many, and how many of them need real answers to go on."""
    end, by_estimate, sampled = time.monotonic() + seconds, 0, 0
    for sampled, case in enumerate(sample, 1):
        try:
            experiment.run(case, lab)
        except Exception:  # a placeholder led nowhere: the case counts with the estimate
            by_estimate += 1
        if progress is not None:
            progress(sampled, 0, len(sample))
        if time.monotonic() >= end:
            break
    return sampled, by_estimate


def _planned(session: Session) -> Usage:
    """Return what the language model of a dry session would have cost so far."""
    return next(layer.planned for layer in layers_around(session.language_model) if isinstance(layer, DryRun))


def _scaled(usage: Usage, factor: float) -> Usage:
    counts = ("calls", "prompt_tokens", "completion_tokens", "scored_tokens")
    return Usage(**{name: round(getattr(usage, name) * factor) for name in counts})
