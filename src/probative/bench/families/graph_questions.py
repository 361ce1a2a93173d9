"""Studies that ask questions of a graph, those of GIVE and ours of `reason`: their cases, arms and lines."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import permutations
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from probative import Graph, Reasoning
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.bench.data.graph_qa import GRAPHS, SET_NAMES, drawn, open_graph, read_all_cases, read_cases
from probative.bench.data.graph_qa import Case as Question
from probative.bench.data.sets import CATALOGUE
from probative.bench.families.graph_tables import (
    LAST,
    Lines,
    accuracy_tests,
    last_lines,
    method_lines,
    observations,
    right_counts,
    stage_lines,
    stage_pairs,
)
from probative.bench.findings import compared
from probative.bench.metrics import mean
from probative.bench.rows import Row
from probative.bench.statistics import first_against
from probative.bench.study import Case, Lab, Paper, Settings, Study
from probative.errors import InputError
from probative.give.options import PRESETS, GiveOptions
from probative.session.session import Session

WHOLE = 100
PARTS = (10, 50, WHOLE)
"""The parts of ConceptNet in the paper, in percent of its triples."""
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
METHOD_OPTIONS = (
    "graph",
    "preset",
    *dict.fromkeys((*GiveOptions.model_fields, *GiveBaselineOptions.model_fields)),
)
"""The options that go to every arm, and the graph."""
ALL_SETS = tuple(SET_NAMES)
SET_DATA = {"csqa": "commonsenseqa"}
"""The data sets of questions that have another name."""
BIOMEDICAL = ALL_SETS[:3]


def graph_name(name: str, settings: Settings) -> str:
    """Return the graph that takes the place of "umls" or "conceptnet" by the option "graph": the same one,
    the "whole" one that it is a part of, or one's own, whose path is given.

    >>> [graph_name("umls", Settings(Path("."), options=given)) for given in ({}, {"graph": "whole"})]
    ['umls', 'umls-whole']
    """
    given = str(settings.option("graph", ""))
    return f"{name}-whole" if given == "whole" else given or name


def data_with_graph(names: Sequence[str], settings: Settings) -> tuple[str, ...]:
    """Return data sets with the graphs that the option "graph" puts in the place of others; one's own graph
    is no data set.
    """
    graphs = {name: graph_name(name, settings) for name in GRAPHS.values()}
    named = (graphs.get(name, name) for name in names)
    return tuple(name for name in named if name in CATALOGUE)


def graph_part(settings: Settings, name: str, percent: int = WHOLE) -> Graph:
    """Return a graph with `percent` of its triples, drawn with the seed; a larger part contains the smaller
    ones. Entities without a drawn triple are not in it.
    """
    if not 1 <= percent <= WHOLE:
        raise InputError(f"the part of a graph must be between 1 and 100 percent, got {percent}")
    with _READING:
        return _graph_part(settings.data, graph_name(name, settings), percent, settings.seed)


@lru_cache(maxsize=4)
def _graph_part(data: Path, name: str, percent: int, seed: int) -> Graph:
    whole = open_graph(data, name)
    if percent == WHOLE:
        return whole
    rows = [row for entity in range(whole.entity_count) for row in whole.out_edges(entity).tolist()]
    order = list(range(len(rows)))
    random.Random(f"{seed} {name}").shuffle(order)
    drawn = sorted(order[: max(1, round(len(rows) * percent / WHOLE))])
    return Graph.from_triples(whole.triple(rows[index]) for index in drawn)


class Arm(NamedTuple):
    """A method with its options: `keywords` are arguments of `Session.reason`."""

    name: str
    keywords: Mapping[str, Any]

    @property
    def staged(self) -> bool:
        """Whether the arm answers in stages, as give does."""
        return "method" not in self.keywords


def give_arm(settings: Settings, name: str = "GIVE", **changes: Any) -> Arm:
    """Return an arm of give: the preset `paper`, or that of the option "preset", with the user's options and
    the changes of this arm.

    >>> give_arm(Settings(Path("."), options={"examples": 1}), "GIVE p=1", entities=1).keywords
    {'preset': 'paper', 'examples': 1, 'entities': 1}
    """
    preset = settings.option("preset", "paper")
    return Arm(name, {"preset": preset, **_options_in(settings, GiveOptions.model_fields), **changes})


def baseline_arm(settings: Settings, method: str, **keywords: Any) -> Arm:
    """Return an arm of a baseline, with the user's options. It answers as give's preset does, written or
    chosen, so that the methods differ only in what they know.

    >>> baseline_arm(Settings(Path("."), seed=4), "tog")
    Arm(name='ToG', keywords={'method': 'tog', 'seed': 4})
    >>> baseline_arm(Settings(Path("."), options={"preset": "small"}), "tog").keywords["answering"]
    'chosen'
    """
    keywords = {"method": method, "seed": settings.seed, **keywords}
    preset = PRESETS.get(str(settings.option("preset", "paper")), PRESETS["paper"])
    if preset.answering != "written":
        keywords["answering"] = preset.answering
    return Arm(METHOD_NAMES[method], keywords | _options_in(settings, GiveBaselineOptions.model_fields))


def _options_in(settings: Settings, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the user's options that a method has."""
    return {name: value for name, value in (settings.options or {}).items() if name in fields}


_ARMS: dict[str, Callable[[Settings], Arm]] = {
    **{method: partial(baseline_arm, method=method) for method in METHOD_NAMES},
    # RAG encodes every triple of UMLS (5,877), and of a larger graph only those near to the question.
    "rag": partial(baseline_arm, method="rag", max_encoded_edges=6_000),
    "give": give_arm,
}


def method_arms(settings: Settings, methods: Sequence[str]) -> list[Arm]:
    """Return an arm for each method, or for those of them that the option "methods" names."""
    chosen = names_in(settings.option("methods", methods))
    for method in chosen:
        if method not in METHOD_NAMES:
            raise InputError(f"there is no method {method!r}", hint=f"use some of {', '.join(METHOD_NAMES)}")
    return [_ARMS[method](settings) for method in methods if method in chosen]


def names_in(value: str | int | Sequence[str]) -> list[str]:
    """Return the names in a list, or in a text with commas between them; a number is one name.

    >>> names_in("rag, tog"), names_in(("rag",)), names_in(10)
    (['rag', 'tog'], ['rag'], ['10'])
    """
    parts = str(value).split(",") if isinstance(value, str | int) else value
    return [part.strip() for part in parts if part.strip()]


def numbers_in(settings: Settings, option: str, default: Sequence[int]) -> list[int]:
    """Return the numbers that an option names, with commas between them."""
    value = settings.option(option, None)
    return list(default) if value is None else [int(name) for name in names_in(value)]


class Asked(NamedTuple):
    """A question to an arm, over a part of the graph of its set."""

    percent: int
    arm: Arm
    question: Question


class GraphStudy(Study):
    """A study that asks the questions of some sets to some arms: a case is one question to one arm. Its
    report has the accuracy of each line, and tests lines against each other.

    The options "sets" and "methods" take fewer of them; options of give and its baselines go to every arm.
    `limit` is the number of questions of each set, by default the paper's.
    """

    paper: ClassVar[Paper] = "GIVE"
    data: ClassVar[tuple[str, ...]] = (*BIOMEDICAL, "umls", "commonsenseqa", "conceptnet")
    sets: ClassVar[tuple[str, ...]] = ALL_SETS
    questions: ClassVar[int | None] = None
    """The paper's number of questions of each set; None: all."""
    options: ClassVar[tuple[str, ...] | None] = ()
    """The options of the study besides those that all studies of this kind have."""
    changes: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """The arms of a study of give alone: the options that each changes."""
    calls_per_case: ClassVar[float] = 60.0
    limit_of: ClassVar[str] = "questions of each set, each of which is a case with every method"
    failure: ClassVar[Row | None] = {}

    def option_names(self) -> tuple[str, ...]:
        return (*(self.options or ()), "sets", "methods", "percent", *METHOD_OPTIONS)

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        """Return the sets that are asked, and their graphs."""
        sets = self.sets_in(settings)
        asked = {name for key in sets for name in (SET_DATA.get(key, key), GRAPHS[key])}
        return data_with_graph([name for name in self.data if name in asked], settings)

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        """Return the arms that the questions of a set are asked to."""
        return [give_arm(settings, name, **changes) for name, changes in self.changes.items()]

    def percents(self, set_name: str, settings: Settings) -> Sequence[int]:
        """Return the parts of the set's graph, in percent of its triples."""
        return (int(settings.option("percent", WHOLE)),) if GRAPHS[set_name] == "conceptnet" else (WHOLE,)

    def sets_in(self, settings: Settings) -> list[str]:
        """Return the sets that the option "sets" names, in the order of the paper; by default all."""
        chosen = names_in(settings.option("sets", self.sets))
        for name in chosen:
            if name not in self.sets:
                raise InputError(
                    f"{self.name} has no set {name!r}", hint=f"use some of {', '.join(self.sets)}"
                )
        return [name for name in self.sets if name in chosen]

    def cases(self, settings: Settings) -> Sequence[Case]:
        return [
            Case(
                " | ".join((name, str(percent), arm.name, question.id)),
                Asked(percent, arm, question),
                name,
                arm.name,
            )
            for name in self.sets_in(settings)
            for percent in self.percents(name, settings)
            for question in self.drawn_questions(name, settings)
            for arm in self.arms_for(name, settings)
        ]

    def drawn_questions(self, set_name: str, settings: Settings) -> list[Question]:
        """Return the questions of a set, drawn with the seed: of all, or in our own studies of those that
        figures are reported on.
        """
        questions = (read_cases if self.paper == "ours" else read_all_cases)(settings.data, set_name)
        n = self.questions if settings.limit is None else settings.limit
        return drawn(questions, len(questions) if n is None else n, settings.seed)

    def about(self, case: Case) -> Row:
        question = case.content.question
        return {
            "set": case.set,
            "percent": case.content.percent,
            "arm": case.arm,
            "id": question.id,
            "gold": question.gold,
            "options": list(question.options),
        }

    def answer(self, case: Case, lab: Lab) -> Row:
        asked: Asked = case.content
        graph = graph_part(lab.settings, GRAPHS[case.set], asked.percent)
        started = time.perf_counter()
        reasoning = self.session_for(asked, lab).reason(
            asked.question.question,
            graph,
            list(asked.question.choices) if asked.question.choices else None,
            form=asked.question.form,
            **asked.arm.keywords,
        )
        return {"seconds": round(time.perf_counter() - started, 3), **figures(reasoning, graph)}

    def session_for(self, asked: Asked, lab: Lab) -> Session:
        """Return the session that answers a case: that of the studied model."""
        return lab.session

    def lines(self, arms: Sequence[str]) -> Lines:
        """Return the lines of the report: by default the last answer of each arm."""
        return last_lines(arms)

    def observations(self, rows: Sequence[Row]) -> list[Row]:
        return observations([{**row, "column": SET_NAMES[row["set"]]} for row in rows], self.lines)


class MethodStudy(GraphStudy):
    """A study that compares give with the baselines: the last answer of give is tested against each line."""

    methods: ClassVar[Sequence[str]]
    tests = (accuracy_tests(partial(first_against, LAST)),)
    findings = (compared("accuracy"), right_counts())

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return method_arms(settings, self.methods)

    def lines(self, arms: Sequence[str]) -> Lines:
        return method_lines(arms)


class StageStudy(GraphStudy):
    """A study of one option of give: the accuracy of every stage with each value of it, each tested against
    the first.
    """

    tests = (accuracy_tests(stage_pairs),)
    findings = (compared("accuracy", keep=lambda difference: difference.first.startswith(LAST)),)

    def lines(self, arms: Sequence[str]) -> Lines:
        return stage_lines(arms)


def figures(reasoning: Reasoning, graph: Graph) -> Row:
    """Return the parts of a result that the tables need, without the question's text."""
    knowledge = reasoning.knowledge
    return {
        "graph": {"entities": graph.entity_count, "edges": graph.edge_count},
        "model": reasoning.model,
        "answer": reasoning.answer,
        "verdict": reasoning.verdict,
        "strength": reasoning.strength,
        "answers": reasoning.answers.to_dict(),
        "usage": reasoning.usage.to_dict(),
        "words": knowledge.words,
        "triples": {
            kind: len(getattr(knowledge, kind)) for kind in ("affirmative", "counterfactual", "expert")
        },
        "expert_ratio": reasoning.expert_ratio,
        "maybe": reasoning.maybe,
        "groups": len(reasoning.groups),
        "candidate_relations": candidate_relations(reasoning, graph),
        "intermediate": any(group.intermediate for group in reasoning.groups),
        "notes": list(reasoning.notes),
    }


def candidate_relations(reasoning: Reasoning, graph: Graph) -> float:
    """Return the mean number of relations, the graph's and the question's, from one group to another."""
    groups = [
        [member.entity for member in group.members if member.entity is not None] for group in reasoning.groups
    ]
    counts = []
    for group, other in permutations(groups, 2):
        edges = graph.edges_between(group, other)
        relations = {graph.relations[int(relation)] for relation in edges[:, 1]}
        counts.append(len(relations | set(reasoning.relations)))
    return mean(counts)
