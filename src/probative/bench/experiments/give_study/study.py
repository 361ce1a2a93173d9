"""What the experiments of the study share: their cases, and how one is run."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from probative.bench.data.graph_qa import GRAPHS, drawn, read_cases
from probative.bench.data.graph_qa import Case as Question
from probative.bench.experiment import Case, Experiment, Lab, Paper, Settings
from probative.bench.experiments.give_study.answers import figures
from probative.bench.experiments.give_study.arms import METHOD_OPTIONS, Arm, names_in
from probative.bench.experiments.give_study.graphs import WHOLE, graph_part
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.errors import EmptyError, InputError, OutputError
from probative.session.session import Session

BIOMEDICAL = ("pubmedqa", "bioasq", "processbank")
ALL_SETS = (*BIOMEDICAL, "csqa")
SET_NAMES = {
    "pubmedqa": "PubMedQA",
    "bioasq": "BioASQ",
    "processbank": "ProcessBank",
    "csqa": "CommonsenseQA",
}
# Between the parts of a key; ids of the data sets do not contain it.
_BETWEEN = " | "


@dataclass(frozen=True)
class Asked:
    """A question to an arm, over a part of the graph of its set."""

    set_name: str
    percent: int
    arm: Arm
    question: Question

    @property
    def key(self) -> str:
        """The name of the case; `fields_of` takes it apart."""
        return _BETWEEN.join((self.set_name, str(self.percent), self.arm.name, self.question.id))


class GiveStudy(Experiment):
    """An experiment that asks the questions of some sets to some arms: a case is one question to one arm.

    The options "sets" and "methods" take fewer of them; options of give and its baselines go to every arm.
    `limit` is the number of questions of each set, by default the paper's.
    """

    paper: ClassVar[Paper] = "GIVE"
    data: ClassVar[tuple[str, ...]] = (
        "pubmedqa",
        "bioasq",
        "processbank",
        "umls",
        "commonsenseqa",
        "conceptnet",
    )
    sets: ClassVar[tuple[str, ...]] = ALL_SETS
    questions: ClassVar[int | None] = None
    """The paper's number of questions of each set; None: all."""
    own_options: ClassVar[tuple[str, ...]] = ()
    """The options of the experiment besides those that all experiments of the study have."""
    calls_per_case = 60.0
    limit_of = "questions of each set, each of which is a case with every method"

    def option_names(self) -> tuple[str, ...]:
        return (*self.own_options, "sets", "methods", "percent", *METHOD_OPTIONS)

    @abstractmethod
    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        """Return the arms that the questions of a set are asked to."""

    def percents(self, set_name: str, settings: Settings) -> Sequence[int]:
        """Return the parts of the set's graph, in percent of its triples."""
        return (int(settings.option("percent", WHOLE)),) if GRAPHS[set_name] == "conceptnet" else (WHOLE,)

    def sets_in(self, settings: Settings) -> list[str]:
        """Return the sets that the option "sets" names, in the order of the paper; by default all."""
        wanted = names_in(settings.option("sets", self.sets))
        unknown = [name for name in wanted if name not in self.sets]
        if unknown:
            raise InputError(
                f"{self.name} has no set {unknown[0]!r}", hint=f"use some of {', '.join(self.sets)}"
            )
        return [name for name in self.sets if name in wanted]

    def cases(self, settings: Settings) -> Sequence[Case]:
        asked = [
            Asked(set_name, percent, arm, question)
            for set_name in self.sets_in(settings)
            for percent in self.percents(set_name, settings)
            for question in self.drawn_questions(set_name, settings)
            for arm in self.arms(set_name, settings)
        ]
        return [Case(each.key, each) for each in asked]

    def drawn_questions(self, set_name: str, settings: Settings) -> list[Question]:
        """Return the questions of a set, drawn with the seed."""
        questions = read_cases(settings.data, set_name)
        n = self.questions if settings.limit is None else settings.limit
        return drawn(questions, len(questions) if n is None else n, settings.seed)

    def run(self, case: Case, lab: Lab) -> Row:
        asked: Asked = case.content
        return answer_row(asked, self.session_for(asked, lab), lab.settings)

    def wrong(self, case: Case) -> Row:
        known = fields_of({"key": case.key})
        return {name: value for name, value in known.items() if name != "key"}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the report over all rows: that of `shown`."""
        return self.shown([fields_of(row) for row in rows], self.sets_in(settings), settings)

    @abstractmethod
    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        """Return the report over rows that all know their set, part, arm and id; `sets` are the user's."""

    def session_for(self, asked: Asked, lab: Lab) -> Session:
        """Return the session that answers a case: that of the studied model."""
        return lab.session


def answer_row(asked: Asked, session: Session, settings: Settings) -> Row:
    """Return the row of a question. A reply of the model that cannot be used is a row with an error; any
    other error is raised.
    """
    question = asked.question
    graph = graph_part(settings.data, GRAPHS[asked.set_name], asked.percent, settings.seed)
    row: Row = {
        "set": asked.set_name,
        "percent": asked.percent,
        "arm": asked.arm.name,
        "id": question.id,
        "gold": question.gold,
        "options": list(question.options),
        "graph": {"entities": graph.entity_count, "edges": graph.edge_count},
    }
    started = time.perf_counter()
    try:
        reasoning = session.reason(
            question.question,
            graph,
            list(question.choices) if question.choices else None,
            form=question.form,
            **asked.arm.keywords,
        )
    except (OutputError, EmptyError) as error:
        return {**row, "error": str(error)[:300]}
    seconds = round(time.perf_counter() - started, 3)
    return {**row, **figures(reasoning, graph), "seconds": seconds, "notes": list(reasoning.notes)}


def fields_of(row: Row) -> Row:
    """Return a row with its set, part, arm and id; of a case that was interrupted by an error, the run knows
    only the key.

    >>> row = fields_of({"key": "bioasq | 100 | GIVE | 5e2", "error": "the connection broke"})
    >>> row["set"], row["percent"], row["arm"], row["id"]
    ('bioasq', 100, 'GIVE', '5e2')
    """
    if "set" in row or _BETWEEN not in str(row.get("key", "")):
        return row
    set_name, percent, arm, identifier = str(row["key"]).split(_BETWEEN, 3)
    return {"set": set_name, "percent": int(percent), "arm": arm, "id": identifier, **row}
