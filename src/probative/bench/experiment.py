"""What an experiment is: cases from data sets, a row for each, and a report over all rows.

`probative bench NAME` draws the cases, runs each once, writes its row, and reports. An experiment never opens
a model and never writes a file: the run does (`probative.bench.run`).
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from probative.bench.data.sets import find_set
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.models.contract import LanguageModel
from probative.session.session import Session

Paper = Literal["Chain of Evidence", "McsE", "GIVE", "ours"]
Verb = Literal["generate", "score", "choose", "encode", "weigh", "judge"]


@dataclass(frozen=True)
class Settings:
    """What a user chose for a run. `options` are an experiment's own, by name."""

    data: Path
    limit: int | None = None
    seed: int = 1
    repeats: int = 3
    options: Mapping[str, Any] | None = None

    def option(self, name: str, default: Any) -> Any:
        """Return an option of the experiment, or its default."""
        return (self.options or {}).get(name, default)


@dataclass(frozen=True)
class Case:
    """One thing to be run. `key` names it in the run's folder, and is the same for the same data and seed."""

    key: str
    content: Any


@dataclass(frozen=True)
class Lab:
    """What a case may use: the session of the studied model, that of the judge model if there is one, and the
    settings.
    """

    session: Session
    judge: Session | None
    settings: Settings

    @property
    def model(self) -> LanguageModel:
        """The studied language model, for calls that no verb of the session makes."""
        return self.session.language_model

    @property
    def judge_model(self) -> LanguageModel | None:
        """The judge model, or None if the user named none."""
        return None if self.judge is None else self.judge.language_model

    def draws(self, case: Case) -> random.Random:
        """Return a source of random numbers that depends on the seed and the case only."""
        return random.Random(f"{self.settings.seed} {case.key}")


class Experiment(ABC):
    """A table or figure of a paper, or one of ours."""

    name: ClassVar[str]
    """As in `probative bench NAME`, for example "coe-noise"."""
    title: ClassVar[str]
    """What it finds out, in one line."""
    paper: ClassVar[Paper]
    shown_as: ClassVar[str]
    """Where the paper shows it, for example "table 2"."""
    data: ClassVar[tuple[str, ...]]
    """The names of its data sets (`probative.bench.data.sets`)."""
    optional_data: ClassVar[tuple[str, ...]] = ()
    """The names of further data sets, which are used if their files are there."""
    verbs: ClassVar[frozenset[Verb]] = frozenset({"generate"})
    """What the studied model must be able to do."""
    needs_judge: ClassVar[bool] = False
    """Whether samples cannot be built without a judge model."""
    judged: ClassVar[bool] = False
    """Whether answers are judged by the judge model, if there is one (`probative.bench.judging`)."""
    repeated: ClassVar[bool] = False
    """Whether a case is repeated as often as `--repeats` says."""
    calls_per_case: ClassVar[float] = 1.0
    """The estimated calls of the studied model for a case, for `--dry-run` and the list."""
    limit_of: ClassVar[str] = "cases"
    """What `--limit` counts, for example "questions of each set"; the list and the report name it."""

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        """Return the data sets of a run: `data` and what there is of `optional_data`, unless an option of the
        experiment names others.
        """
        return (*self.data, *(name for name in self.optional_data if find_set(name).is_in(settings.data)))

    def option_names(self) -> tuple[str, ...] | None:
        """Return the names of the experiment's options: any other one is refused. None: `cases` checks them,
        or nothing does.
        """
        return None

    def shipped_models(self, settings: Settings) -> frozenset[str]:
        """Return the shipped models that a run may use besides a language model that the user names: cases
        that trained one of them are marked (`probative.bench.trained`).
        """
        return frozenset({"policy", "verdict"})

    @abstractmethod
    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return the cases, the same for the same data and seed; asks no model."""

    def asked(self, case: Case) -> Any:
        """Return what a case asks, by which cases that trained a shipped model are found: something with a
        field `question`, `claim`, `query` or `text`, and perhaps `sentences` (`probative.bench.trained`).
        """
        return case.content

    @abstractmethod
    def run(self, case: Case, lab: Lab) -> Row:
        """Return the row of a case: plain JSON values. The run records an error that is raised."""

    def wrong(self, case: Case) -> Row:
        """Return the row that a case counts as if it fails: a wrong answer. The run adds the error.

        Without such a row, a failed case is in no figure, and the report says so.
        """
        return {}

    @abstractmethod
    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the tables, plots and findings; a row with an "error" counts as wrong
        (`probative.bench.rows.counted_rows`), where the experiment asks for answers.
        """
