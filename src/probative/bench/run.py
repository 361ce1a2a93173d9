"""Run an experiment: draw its cases, run each once, keep its row, and report.

A run is a folder. Killed at any moment, the same command goes on: finished cases keep their rows, and a case
that was under way gets the results it had paid for from the folder. Its report is that of a run that was not
killed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from probative import __version__
from probative.batch.manifest import as_json, now
from probative.bench.call_log import paid
from probative.bench.data.sets import check_sets
from probative.bench.registry import load_experiment
from probative.bench.report import RunReport
from probative.bench.rows import Row, failed_count
from probative.bench.run_folder import Manifest, RunFolder, package_versions, prompts_hash
from probative.bench.run_report import write_reports
from probative.bench.study import Case, Settings, Study
from probative.bench.trained import (
    SETTINGS,
    TrainedChoice,
    is_tuned,
    refuse_trained,
    trained_cases,
    used_models,
)
from probative.bench.worker import CaseJob, Models, failed_row
from probative.errors import InputError, ProbativeError, WorkerError
from probative.models.loading import judge_prices, model_prices
from probative.models.prices import money
from probative.runners.choice import InProcess
from probative.runners.contract import Pool, Runner
from probative.types import Usage, total

Progress = Callable[[int, int, int], None]
"""Called with the numbers of cases that are done, that failed, and that there are."""


def run_experiment(
    experiment: Study,
    settings: Settings,
    out: Path,
    models: Models,
    progress: Progress | None = None,
    trained: TrainedChoice = "mark",
    runner: Runner | None = None,
) -> RunReport:
    """Run an experiment in the folder `out`, or go on with the run there; returns its report.

    Cases that trained a shipped model are marked: the report counts them, and has its tables without them,
    too. If `trained` is "refuse", they raise `InputError`. A case that raises an error gets a row with the
    error, which is counted in the report and tried again by the next run; replies that could not be used are
    kept, so only calls that failed are made again. Errors that all cases would meet (a refused key, a spent
    budget, a verb that the model turns out to lack) end the run.
    """
    if experiment.needs_judge and not models.has_judge:
        raise InputError(
            f"the experiment {experiment.name} needs a judge model", hint="name one with --judge-model"
        )
    checksums = check_sets(settings.data, experiment.data_of(settings))
    cases = unique_cases(experiment, settings)
    marks = marked_cases(experiment, cases, models, settings)
    if trained == "refuse":
        refuse_trained(marks, len(cases))
    folder = RunFolder(out)
    with folder.locked():
        with (runner or InProcess()).open(_job(experiment, settings, models, folder)) as pool:
            ((_, opened),) = pool.run([None])
            manifest = _manifest(experiment, settings, models, opened.fingerprints).model_copy(
                update={"data": checksums, "cases": len(cases), "trained": marks, "pid": os.getpid()}
            )
            manifest = folder.resumed(manifest)
            folder.write_manifest(manifest)
            folder.mend_rows()
            work = _Work(folder, experiment, cases, {**manifest.weights, **opened.weights}, progress)
            try:
                work.run(pool)
            finally:
                cost = {
                    **_cost(models, paid(folder.calls_file)),
                    "weights": dict(sorted(work.weights.items())),
                }
                manifest = manifest.model_copy(update={**work.counts(), **cost, "pid": None, "ended": now()})
                folder.write_manifest(manifest)
        rows = [work.rows[case.key] for case in cases]
        return write_reports(folder, experiment, settings, manifest, rows)


def _manifest(
    experiment: Study, settings: Settings, models: Models, fingerprints: dict[str, str]
) -> Manifest:
    """Return what a run is made with, besides its data."""
    chosen = {name: getattr(settings, name) for name in ("limit", "seed", "repeats")}
    return Manifest(
        version=__version__,
        experiment=experiment.name,
        settings=as_json({**chosen, "options": dict(settings.options or {})}),
        models=models.names,
        fingerprints=fingerprints,
        prompts=prompts_hash(models.settings.prompts),
        data={},
        packages=package_versions(),
        started=now(),
    )


def _cost(models: Models, spent: dict[str, Usage]) -> dict[str, Any]:
    """Return what a run has paid, and in money if the prices of its models are known."""
    judge = models.names["judge_model"] if models.names["judge_model"] != models.names["model"] else None
    prices = {True: judge_prices(models.settings), False: model_prices(models.settings)}
    cost = money((usage, prices[name == judge]) for name, usage in spent.items())
    return {"spent": total(spent.values()), "money": str(cost or "")}


def _job(experiment: Study, settings: Settings, models: Models, folder: RunFolder) -> CaseJob:
    """Return the job with absolute paths."""
    chosen = models.settings
    paths = {name: getattr(chosen, name) for name in ("home", "wheels", "prompts")}
    absolute = {name: path.expanduser().absolute() for name, path in paths.items() if path is not None}
    return CaseJob(
        experiment,
        replace(settings, data=settings.data.absolute()),
        replace(models, settings=chosen.model_copy(update=absolute)),
        folder.calls_file.absolute(),
    )


def report_again(folder: RunFolder, data: Path) -> RunReport:
    """Write the reports of a run from the rows it has so far; asks no model.

    Raises `InputError` for a run without a finished case.
    """
    manifest, rows = folder.opened(), folder.rows()
    experiment = load_experiment(manifest.experiment)
    settings = Settings(data=data, **manifest.settings)
    finished = [rows[case.key] for case in unique_cases(experiment, settings) if case.key in rows]
    if not finished:
        raise InputError(f"{folder.path} has no finished case yet", hint="wait for the run, or go on with it")
    return write_reports(folder, experiment, settings, manifest, finished)


def unique_cases(experiment: Study, settings: Settings) -> Sequence[Case]:
    """Return the cases of an experiment; raises `InputError` for an option that it does not have, for none,
    for two with one key, and if a row of the data is not as published.
    """
    experiment.check_options(settings)
    sets = ", ".join(experiment.data_of(settings)) or "none"
    try:
        cases = experiment.cases(settings)
    except ProbativeError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, OSError) as error:
        # The first row of each file was checked; this one lacks something.
        raise InputError(
            f"the data of {experiment.name} cannot be read: {type(error).__name__}: {error}",
            hint=f"compare the files of its data sets ({sets}) with the published ones",
        ) from error
    keys = [case.key for case in cases]
    if not keys:
        raise InputError(f"the experiment {experiment.name} has no cases with this data and these settings")
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(
            f"the experiment {experiment.name} has two cases with the key {twice!r}",
            hint=f"each row needs an id of its own in the files of its data sets ({sets})",
        )
    return cases


def marked_cases(
    experiment: Study, cases: Sequence[Case], models: Models, settings: Settings
) -> dict[str, list[str]]:
    """Return the keys of the cases that trained a shipped model of the run, by model; of a paper's study,
    which asks all questions, also of those that settings were tuned on.
    """
    asked = ((case.key, experiment.asked(case)) for case in cases)
    may_use = {"small", "large", *experiment.shipped_models(settings)}
    names = models.names if "verdict" in may_use else {**models.names, "verdict": None}
    used = [model for model in used_models(names, experiment.verbs) if model in may_use]
    marks = trained_cases(asked, used)
    tuned = [case.key for case in cases if experiment.paper != "ours" and is_tuned(experiment.asked(case))]
    return {**marks, SETTINGS: tuned} if tuned else marks


@dataclass(frozen=True)
class _Work:
    """The cases of a run, their rows, and the fingerprints of the models that were opened."""

    folder: RunFolder
    experiment: Study
    cases: Sequence[Case]
    weights: dict[str, str]
    progress: Progress | None

    @cached_property
    def rows(self) -> dict[str, Row]:
        """The rows of the cases so far, by key."""
        keys = {case.key for case in self.cases}
        return {key: row for key, row in self.folder.rows().items() if key in keys}

    def run(self, pool: Pool) -> None:
        """Run the cases that have no row yet, and those that failed."""
        waiting = [case for case in self.cases if "error" in self.rows.get(case.key, {"error": ""})]
        self._show()
        for number, outcome in pool.run(waiting):
            case = waiting[number]
            if isinstance(outcome, WorkerError):
                row = {"key": case.key, **failed_row(self.experiment, case, outcome)}
            else:
                row = outcome.row
                self.weights.update(outcome.weights)
            self.folder.append(row)
            self.rows[case.key] = row
            self._show()

    def counts(self) -> dict[str, int]:
        """Return how many cases are done, and how many failed."""
        failed = failed_count(self.rows.values())
        return {"done": len(self.rows) - failed, "failed": failed}

    def _show(self) -> None:
        if self.progress is not None:
            counts = self.counts()
            self.progress(counts["done"], counts["failed"], len(self.cases))
