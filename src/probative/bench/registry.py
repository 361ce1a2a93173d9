"""The studies by name, each imported when it is used, and their list, as `probative bench list` shows it.

A class in `probative.bench.studies` that states a `name` is a study. Other packages add their own by an entry
point.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from probative.bench.data.sets import ListedData, list_sets
from probative.bench.study import Paper, Study
from probative.errors import InputError
from probative.registry import Registry
from probative.types import Value

FOLDER = Path(__file__).parent / "studies"


def _own_studies() -> dict[str, str]:
    """Return "module:class" of each study in `probative.bench.studies`, whose files are not imported for it.

    >>> _own_studies()["verdict-sets"]
    'probative.bench.studies.verdicts:VerdictSets'
    """
    stated = re.compile(r'^class (\w+)\([^"]*"""[^"]*(?:"(?!"")[^"]*)*"""\s*name = "([^"]+)"', re.MULTILINE)
    return {
        name: f"probative.bench.studies.{file.stem}:{study}"
        for file in sorted(FOLDER.glob("*.py"))
        for study, name in stated.findall(file.read_text(encoding="utf-8"))
    }


EXPERIMENTS = Registry("experiment", _own_studies(), group="probative.experiments")
"""Every study; a plug-in has an entry point of this group."""


def load_experiment(name: str) -> Study:
    """Return the experiment of this name; raises `InputError` if there is none.

    >>> load_experiment("verdict-sets").paper
    'ours'
    """
    made = EXPERIMENTS.load(name)
    experiment = made() if isinstance(made, type) else made
    if not isinstance(experiment, Study):
        raise InputError(
            f"{name} is not an experiment but {type(experiment).__name__}",
            hint="its entry point must name a class that derives from probative.bench.study.Study",
        )
    return experiment


def all_experiments() -> list[Study]:
    """Return every experiment, in the order of names."""
    return [load_experiment(name) for name in EXPERIMENTS.names()]


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
    papers = get_args(Paper)
    studies = sorted(all_experiments(), key=lambda study: (papers.index(study.paper), study.name))
    return Listing(experiments=tuple(map(_listed, studies)))


def _listed(study: Study) -> ListedExperiment:
    fields = ("name", "title", "paper", "needs_judge", "calls_per_case", "limit_of")
    return ListedExperiment(
        **{field: getattr(study, field) for field in fields},
        shown_as=study.paper_reference,
        data=list_sets(study.data).sets if study.data else (),
        verbs=tuple(sorted(study.verbs)),
    )
