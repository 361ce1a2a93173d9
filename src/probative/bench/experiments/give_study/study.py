"""What the studies of GIVE share: the graphs, the arms that are compared, the cases, and how one is run."""

from __future__ import annotations

import random
import threading
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from probative import Graph, Reasoning
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.bench.data.graph_qa import GRAPHS, drawn, open_graph, read_cases
from probative.bench.data.graph_qa import Case as Question
from probative.bench.experiment import Case, Experiment, Lab, Paper, Settings
from probative.bench.metrics import mean
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.errors import EmptyError, InputError, OutputError
from probative.give.options import PRESETS, GiveOptions
from probative.session.session import Session

WHOLE = 100
# Cases may run in many threads: without it, each would read the graph for itself.
_READING = threading.Lock()

METHOD_NAMES = {
    "direct": "I/O prompt",
    "cot": "CoT",
    "rag": "RAG",
    "tog": "ToG",
    "graphrag": "GraphRAG",
    "give": "GIVE",
}
"""The paper's names of the methods, in the order of its tables."""
# RAG encodes every triple of UMLS (5,877), and of a larger graph only those near to the question.
MAX_ENCODED_EDGES = 6_000
METHOD_OPTIONS = ("preset", *dict.fromkeys((*GiveOptions.model_fields, *GiveBaselineOptions.model_fields)))
"""The options that go to every arm."""
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


def graph_part(data: Path, name: str, percent: int = WHOLE, seed: int = 0) -> Graph:
    """Return a graph with `percent` of its triples, drawn with the seed; a larger part contains the smaller
    ones. Entities without a drawn triple are not in it.
    """
    if not 1 <= percent <= WHOLE:
        raise InputError(f"the part of a graph must be between 1 and 100 percent, got {percent}")
    with _READING:
        return _graph_part(data, name, percent, seed)


@lru_cache(maxsize=4)
def _graph_part(data: Path, name: str, percent: int, seed: int) -> Graph:
    whole = open_graph(data, name)
    if percent == WHOLE:
        return whole
    rows = [row for entity in range(whole.entity_count) for row in whole.out_edges(entity).tolist()]
    order = list(range(len(rows)))
    random.Random(f"{seed} {name}").shuffle(order)
    kept = sorted(order[: max(1, round(len(rows) * percent / WHOLE))])
    return Graph.from_triples(whole.triple(rows[index]) for index in kept)


@dataclass(frozen=True)
class Arm:
    """A method with its options: `keywords` are arguments of `Session.reason`."""

    name: str
    keywords: Mapping[str, Any] = field(default_factory=dict)

    @property
    def staged(self) -> bool:
        """Whether the arm answers in stages, as give does."""
        return "method" not in self.keywords


def give_arm(settings: Settings, name: str = "GIVE", **changes: Any) -> Arm:
    """Return an arm of give: the preset `paper`, or that of the option "preset", with the user's options and
    the changes of this arm.

    >>> from pathlib import Path
    >>> give_arm(Settings(Path("."), options={"examples": 1}), "GIVE p=1", entities=1).keywords
    {'preset': 'paper', 'examples': 1, 'entities': 1}
    """
    preset = settings.option("preset", "paper")
    return Arm(name, {"preset": preset, **_own(settings, GiveOptions.model_fields), **changes})


def baseline_arm(settings: Settings, method: str) -> Arm:
    """Return an arm of a baseline, with the user's options. It answers as give's preset does, written or
    chosen, so that the methods differ only in what they know.

    >>> from pathlib import Path
    >>> baseline_arm(Settings(Path("."), seed=4), "tog")
    Arm(name='ToG', keywords={'method': 'tog', 'seed': 4})
    >>> baseline_arm(Settings(Path("."), options={"preset": "small"}), "tog").keywords["answering"]
    'chosen'
    """
    own = _own(settings, GiveBaselineOptions.model_fields)
    limits = {"max_encoded_edges": MAX_ENCODED_EDGES} if method == "rag" else {}
    preset = PRESETS.get(str(settings.option("preset", "paper")), PRESETS["paper"])
    answering = {"answering": preset.answering} if preset.answering != "written" else {}
    keywords = {"method": method, "seed": settings.seed, **limits, **answering, **own}
    return Arm(METHOD_NAMES[method], keywords)


def method_arms(settings: Settings, methods: Sequence[str]) -> list[Arm]:
    """Return an arm for each method, or for those of them that the option "methods" names."""
    wanted = names_in(settings.option("methods", methods))
    unknown = [method for method in wanted if method not in METHOD_NAMES]
    if unknown:
        raise InputError(f"there is no method {unknown[0]!r}", hint=f"use some of {', '.join(METHOD_NAMES)}")
    return [
        give_arm(settings) if method == "give" else baseline_arm(settings, method)
        for method in methods
        if method in wanted
    ]


def names_in(value: str | int | Sequence[str]) -> list[str]:
    """Return the names in a list, or in a text with commas between them; a number is one name.

    >>> names_in("rag, tog"), names_in(("rag",)), names_in(10)
    (['rag', 'tog'], ['rag'], ['10'])
    """
    parts = str(value).split(",") if isinstance(value, str | int) else value
    return [part.strip() for part in parts if part.strip()]


def _own(settings: Settings, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the user's options that a method has."""
    return {name: value for name, value in (settings.options or {}).items() if name in fields}


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


def figures(reasoning: Reasoning, graph: Graph) -> Row:
    """Return the parts of a result that the tables need, without the question's text."""
    return {
        "model": reasoning.model,
        "answer": reasoning.answer,
        "verdict": reasoning.verdict,
        "strength": reasoning.strength,
        "answers": reasoning.answers.to_dict(),
        "usage": reasoning.usage.to_dict(),
        "words": reasoning.knowledge.words,
        "triples": {
            "affirmative": len(reasoning.knowledge.affirmative),
            "counterfactual": len(reasoning.knowledge.counterfactual),
            "expert": len(reasoning.knowledge.expert),
        },
        "expert_ratio": reasoning.expert_ratio,
        "maybe": reasoning.maybe,
        "groups": len(reasoning.groups),
        "candidate_relations": candidate_relations(reasoning, graph),
        "intermediate": any(group.intermediate for group in reasoning.groups),
    }


def candidate_relations(reasoning: Reasoning, graph: Graph) -> float:
    """Return the mean number of relations, the graph's and the question's, from one group to another."""
    groups = [
        [member.entity for member in group.members if member.entity is not None] for group in reasoning.groups
    ]
    counts = []
    for index, group in enumerate(groups):
        for other in (other for at, other in enumerate(groups) if at != index):
            edges = graph.edges_between(group, other)
            relations = {graph.relations[int(relation)] for relation in edges[:, 1]}
            counts.append(len(relations | set(reasoning.relations)))
    return mean(counts)
