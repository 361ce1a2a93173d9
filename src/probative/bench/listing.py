"""The list of experiments, as `probative bench list` shows it."""

from __future__ import annotations

from probative.bench.data.sets import find_set
from probative.bench.registry import all_experiments
from probative.types import Value


class ListedData(Value):
    """A data set that an experiment needs."""

    name: str
    title: str
    files: tuple[str, ...]
    source: str
    licence: str


class ListedExperiment(Value):
    """An experiment: what it needs, and its estimated calls for a case."""

    name: str
    title: str
    paper: str
    shown_as: str
    data: tuple[ListedData, ...]
    verbs: tuple[str, ...]
    needs_judge: bool
    calls_per_case: float
    limit_of: str


class Listing(Value):
    """All experiments."""

    experiments: tuple[ListedExperiment, ...]


def list_all() -> Listing:
    """Return all experiments, plug-ins included, by paper and name."""
    order = {"Chain of Evidence": 0, "McsE": 1, "GIVE": 2}
    experiments = sorted(all_experiments(), key=lambda one: (order.get(one.paper, 3), one.name))
    return Listing(
        experiments=tuple(
            ListedExperiment(
                name=experiment.name,
                title=experiment.title,
                paper=experiment.paper,
                shown_as=experiment.shown_as,
                data=tuple(_data(name) for name in experiment.data),
                verbs=tuple(sorted(experiment.verbs)),
                needs_judge=experiment.needs_judge,
                calls_per_case=experiment.calls_per_case,
                limit_of=experiment.limit_of,
            )
            for experiment in experiments
        )
    )


def _data(name: str) -> ListedData:
    data_set = find_set(name)
    return ListedData(
        name=name,
        title=data_set.title,
        files=tuple(file.path for file in data_set.files),
        source=data_set.source,
        licence=data_set.licence,
    )
