"""What a run would cost: calls, tokens and money, without a single call."""

from __future__ import annotations

import random
import time

from probative.bench.data.files import spread
from probative.bench.data.sets import check_sets
from probative.bench.experiment import Experiment, Lab, Settings
from probative.bench.open_models import Models, check_verbs
from probative.bench.run import Progress, marked_cases, unique_cases
from probative.bench.trained import describe
from probative.models.contract import LanguageModel
from probative.models.loading import judge_prices, judge_settings, model_prices
from probative.models.wrappers.budget import Prices
from probative.models.wrappers.dry_run import DryRun
from probative.models.wrappers.wrapper import Wrapper
from probative.session.session import Session
from probative.settings import Settings as ModelSettings
from probative.types import Value
from probative.usage import Usage

# A dry run tries at most SAMPLE cases, for at most SECONDS, and estimates the cost of all others from them.
SAMPLE, SECONDS = 10, 60.0


class Plan(Value):
    """The estimated cost of a run: of the studied model and of the judge, and in money if prices are set.

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
    trained: str = ""


def plan_run(
    experiment: Experiment,
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
    sample = spread(cases, SAMPLE)
    random.Random(settings.seed).shuffle(sample)  # those that are run first are of all kinds
    studied = models.model_copy(update={"cache": False, "judge_model": None})
    judging = judge_settings(models).model_copy(
        update={"cache": False, "judge_model": None, "model": models.judge_model or models.model}
    )
    marks = marked_cases(experiment, cases, Models(models), settings)
    by_estimate = sampled = 0
    end = time.monotonic() + seconds
    with Session(settings=studied, dry_run=True) as session, Session(settings=judging, dry_run=True) as judge:
        check_verbs(experiment, session.language_model)
        lab = Lab(session, judge if models.judge_model is not None else None, settings)
        for case in sample:
            try:
                experiment.run(case, lab)
            except Exception:  # a placeholder led nowhere: the case counts with the estimate
                by_estimate += 1
            sampled += 1
            if progress is not None:
                progress(sampled, 0, len(sample))
            if time.monotonic() >= end:
                break
        share = len(cases) / sampled
        usage = _planned(session) + Usage(calls=round(by_estimate * experiment.calls_per_case))
        usage, judge_usage = _scaled(usage, share), Usage()
        if lab.judge is not None:
            judge_usage = _scaled(_planned(judge), share)
    prices, judge_price = model_prices(models), judge_prices(models)
    return Plan(
        experiment=experiment.name,
        cases=len(cases),
        sampled=sampled,
        by_estimate=by_estimate,
        usage=usage,
        judge_usage=judge_usage,
        money=None
        if prices == judge_price == Prices()
        else prices.cost(usage) + judge_price.cost(judge_usage),
        trained=describe(marks, len(cases)) if marks else "",
    )


def _planned(session: Session) -> Usage:
    """Return what the language model of a dry session would have cost so far."""
    model: LanguageModel = session.language_model
    while not isinstance(model, DryRun):
        assert isinstance(model, Wrapper)
        model = model.inner
    return model.planned


def _scaled(usage: Usage, factor: float) -> Usage:
    counts = ("calls", "prompt_tokens", "completion_tokens", "scored_tokens")
    return Usage(**{name: round(getattr(usage, name) * factor) for name in counts})
