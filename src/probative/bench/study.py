"""A study as one record: what it asks, the arms and metrics it compares, and what a failed case counts as.

A subclass of `Study` states its fields (`name`, `title`, `data`, `sets`, `arms` …), its `cases`, the `answer`
of a case, and a `report` of tables that `probative.bench.tables` builds from rows and metrics.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from probative.bench.arguments import Names
from probative.bench.experiment import Case, Experiment, Lab, Paper, Settings
from probative.bench.rows import Row


class Study(Experiment):
    """An experiment whose row is what is known of the case, and what the model made of it."""

    paper: ClassVar[Paper] = "ours"
    sets: ClassVar[Names] = Names("sets", (), ())
    """The data sets that the user may choose from, if there are several."""
    arms: ClassVar[Names] = Names("methods", (), ())
    """The methods that the user may choose from, if there are several."""
    options: ClassVar[tuple[str, ...] | None] = None
    """The names of its options; None: `cases` checks them."""
    failure: ClassVar[Row | None] = None
    """What a failed case counts as, besides `about`; None: a failed case is in no figure."""

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        return self.sets.chosen(settings) if self.sets.known else super().data_of(settings)

    def option_names(self) -> tuple[str, ...] | None:
        return self.options

    def about(self, case: Case) -> Row:
        """Return the fields of the row that the case alone decides."""
        return {}

    @abstractmethod
    def answer(self, case: Case, lab: Lab) -> Row:
        """Return the other fields of the row."""

    def run(self, case: Case, lab: Lab) -> Row:
        return {**self.about(case), **self.answer(case, lab)}

    def wrong(self, case: Case) -> Row:
        return {} if self.failure is None else {**self.about(case), **self.failure}
