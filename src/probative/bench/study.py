"""A study is one record: its cases, the arms it compares, the answer to a case, and the tables over all rows.

`probative bench NAME` draws the cases, runs each once, writes its row, and reports. A study never opens a
model and never writes a file: the run does (`probative.bench.run`). A study is a class in
`probative.bench.studies` that states its name (`probative.bench.registry`) and the fields below, `items` (or
`cases`) and `answer`; what several studies share is in `probative.bench.families`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from probative.bench.data.sets import find_set
from probative.bench.report import Report
from probative.bench.rows import Row, counted_rows
from probative.bench.tables import Finding, PairedSpec, PlotSpec, Results, TableSpec, build_tables
from probative.errors import InputError
from probative.models.contract import LanguageModel
from probative.session.session import Session

Paper = Literal["Chain of Evidence", "McsE", "GIVE", "ours"]
Verb = Literal["generate", "score", "choose", "encode", "weigh", "judge"]


@dataclass(frozen=True)
class Settings:
    """What a user chose for a run. `options` are a study's own, by name."""

    data: Path
    limit: int | None = None
    seed: int = 1
    repeats: int = 3
    options: Mapping[str, Any] | None = None

    def option(self, name: str, default: Any) -> Any:
        """Return an option of the study, or its default."""
        return (self.options or {}).get(name, default)

    def is_on(self, name: str, *, default: bool = False) -> bool:
        """Return whether a switch is on; raises `InputError` unless it is true or false.

        >>> Settings(Path("."), options={"lacking": True}).is_on("lacking")
        True
        """
        value = self.option(name, default)
        if not isinstance(value, bool):
            raise InputError(f"{name} must be true or false, got {value!r}")
        return value


def parse_options(options: Sequence[str] | None) -> dict[str, object]:
    """Return options given as NAME=VALUE, with numbers, true, false and none as such.

    >>> parse_options(["lexical=4", "topic=false", "policy=pair"])
    {'lexical': 4, 'topic': False, 'policy': 'pair'}
    """
    words: dict[str, object] = {"true": True, "false": False, "none": None}
    parsed: dict[str, object] = {}
    for option in options or ():
        name, equals, value = option.partition("=")
        if not equals or not name:
            raise ValueError(f"an option is NAME=VALUE, got {option!r}")
        parsed[name] = words[value.lower()] if value.lower() in words else _number(value)
    return parsed


def _number(value: str) -> object:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


class Names(NamedTuple):
    """An option that takes some of several names, with commas between them.

    >>> sets = Names("sets", ("hover",), ("fever", "hover", "wice"))
    >>> sets.chosen(Settings(Path("."), options={"sets": "fever, wice"})), sets.chosen(Settings(Path(".")))
    (('fever', 'wice'), ('hover',))
    """

    option: str
    default: Sequence[str]
    known: Sequence[str]

    @classmethod
    def fixed(cls, names: Sequence[str]) -> Names:
        """Return names that all are taken, without an option to choose from them."""
        return cls("", names, ())

    def chosen(self, settings: Settings) -> tuple[str, ...]:
        """Return the names that the user wants, or the default; raises `InputError` for an unknown name."""
        given = settings.option(self.option, None)
        if given is None:
            return tuple(self.default)
        names = tuple(dict.fromkeys(name.strip() for name in str(given).split(",") if name.strip()))
        hint = f"use some of {', '.join(self.known)}"
        if not names:
            raise InputError(f"the option {self.option} names nothing", hint=hint)
        for name in names:
            if name not in self.known:
                kind = self.option.removesuffix("s")
                raise InputError(f"there is no {kind} {name!r} in this experiment", hint=hint)
        return names


NO_NAMES = Names.fixed(())


@dataclass(frozen=True)
class Case:
    """One thing to be run. `key` names it in the run's folder, and is the same for the same data and seed.

    `set` and `arm` are the data set it is from and the arm that runs it, where the study has several.
    """

    key: str
    content: Any
    set: str = ""
    arm: str = ""


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


class Study:
    """A table or figure of a paper, or one of ours."""

    name: ClassVar[str]
    """As in `probative bench NAME`, for example "coe-noise"."""
    title: ClassVar[str]
    """What it finds out, in one line."""
    paper: ClassVar[Paper] = "ours"
    paper_reference: ClassVar[str]
    """Where the paper shows it, for example "table 2"."""
    data: ClassVar[tuple[str, ...]] = ()
    """The names of its data sets (`probative.bench.data.sets`)."""
    optional_data: ClassVar[tuple[str, ...]] = ()
    """The names of further data sets, which are used if their files are there."""
    sets: ClassVar[Any] = NO_NAMES
    """The data sets, or parts of the study, that the user may choose from, if there are several."""
    set_field: ClassVar[str] = "set"
    """What rows call the set of their case."""
    arms: ClassVar[Any] = NO_NAMES
    """The methods that the user may choose from, if there are several."""
    options: ClassVar[tuple[str, ...] | None] = None
    """The names of its options besides those of `sets` and `arms`; None: nothing is refused."""
    verbs: ClassVar[frozenset[Verb]] = frozenset({"generate"})
    """What the studied model must be able to do."""
    needs_judge: ClassVar[bool] = False
    """Whether samples cannot be built without a judge model."""
    caches: ClassVar[bool] = False
    """Whether calls of the shipped models are taken from the response cache: arms then share them."""
    gathers: ClassVar[bool] = True
    """Whether several cases ask a model in this process together, in larger batches; not where a study
    measures times."""
    judged: ClassVar[bool] = False
    """Whether answers are judged by the judge model, if there is one (`probative.bench.judging`)."""
    repeated: ClassVar[bool] = False
    """Whether a case is repeated as often as `--repeats` says."""
    calls_per_case: ClassVar[float] = 1.0
    """The estimated calls of the studied model for a case, for `--dry-run` and the list."""
    limit_of: ClassVar[str] = "cases"
    """What `--limit` counts, for example "questions of each set"; the list and the report name it."""
    failure: ClassVar[Row | None] = None
    """What a failed case counts as, besides `about`; None: a failed case is in no figure."""

    tables: ClassVar[tuple[TableSpec, ...]] = ()
    tests: ClassVar[tuple[PairedSpec, ...]] = ()
    """Paired tests, shown after the tables."""
    plots: ClassVar[tuple[PlotSpec, ...]] = ()
    findings: ClassVar[tuple[Finding, ...]] = ()
    """What the figures show, in plain sentences."""

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        """Return the data sets of a run: those that the option of `sets` names, where these are data sets;
        otherwise `data` and what there is of `optional_data`.
        """
        if isinstance(self.sets, Names) and self.sets.known and set(self.sets.known) <= set(self.data):
            return self.sets.chosen(settings)
        return (*self.data, *(name for name in self.optional_data if find_set(name).is_in(settings.data)))

    def option_names(self) -> tuple[str, ...] | None:
        """Return the names of the study's options: any other one is refused. None: nothing is refused."""
        named = [
            names.option for names in (self.sets, self.arms) if isinstance(names, Names) and names.option
        ]
        return None if self.options is None and not named else (*named, *(self.options or ()))

    def check_options(self, settings: Settings) -> None:
        """Raise `InputError` for an option that the study does not have."""
        names = self.option_names()
        for name in settings.options or {}:
            if names is not None and name not in names:
                raise InputError(
                    f"the experiment {self.name} has no option {name!r}",
                    hint=f"its options are {', '.join(names)}" if names else "it has no options",
                )

    def shipped_models(self, settings: Settings) -> frozenset[str]:
        """Return the shipped models that a run may use besides a language model that the user names: cases
        that trained one of them are marked (`probative.bench.trained`).
        """
        return frozenset({"policy", "verdict"})

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return the cases, the same for the same data and seed: each item of each set with each arm. Asks no
        model.
        """
        self.check_options(settings)
        return [
            Case("/".join(filter(None, (name, arm, str(item.id)))), item, name, arm)
            for name in (self.sets.chosen(settings) or ("",))
            for item in self.items(settings, name)
            for arm in (self.arms_of(settings, name) or ("",))
        ]

    def items(self, settings: Settings, name: str) -> Iterable[Any]:
        """Return what is asked of a set, each with an `id`; not called by a study with its own `cases`."""
        raise NotImplementedError

    def arms_of(self, settings: Settings, name: str) -> Sequence[str]:
        """Return the arms that run each item of a set."""
        chosen: tuple[str, ...] = self.arms.chosen(settings)
        return chosen

    def asked(self, case: Case) -> Any:
        """Return what a case asks, by which cases that trained a shipped model are found: something with a
        field `question`, `claim`, `query` or `text`, and perhaps `sentences` (`probative.bench.trained`).
        """
        return case.content

    def about(self, case: Case) -> Row:
        """Return the fields of the row that the case alone decides: by default its set and its arm."""
        return {name: value for name, value in ((self.set_field, case.set), ("method", case.arm)) if value}

    def answer(self, case: Case, lab: Lab) -> Row:
        """Return the other fields of the row; not called by a study with its own `run`."""
        raise NotImplementedError

    def run(self, case: Case, lab: Lab) -> Row:
        """Return the row of a case: plain JSON values. The run records an error that is raised."""
        return {**self.about(case), **self.answer(case, lab)}

    def wrong(self, case: Case) -> Row:
        """Return the row that a case counts as if it fails: a wrong answer. The run adds the error.

        Without such a row, a failed case is in no figure, and the report says so.
        """
        return {} if self.failure is None else {**self.about(case), **self.failure}

    def observations(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows that tables are built from: a row a case, unless a row has several arms."""
        return rows

    def tables_of(self, settings: Settings) -> Sequence[TableSpec]:
        """Return the tables, where they depend on the user's options."""
        return self.tables

    def tests_of(self, settings: Settings) -> Sequence[PairedSpec]:
        """Return the paired tests, where they depend on the user's options."""
        return self.tests

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the tables, plots and findings over the rows of cases that finished or count as wrong."""
        good = self.observations(counted_rows(rows))
        tables = tuple(build_tables(self.tables_of(settings), good))
        tests = tuple(table for spec in self.tests_of(settings) for table in spec.build(good))
        results = Results(good, tables, tests, rows, settings.options or {})
        return Report(
            tables=(*tables, *tests),
            plots=tuple(plot for spec in self.plots for plot in spec(results)),
            findings=tuple(finding for spec in self.findings for finding in spec(results)),
        )
