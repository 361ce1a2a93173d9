"""The verb `reason`: answers that a graph does not hold itself, and the knowledge behind them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from probative.baselines.graphs.methods import GRAPH_METHODS, graph_baseline
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.errors import InputError
from probative.give.examples import examples_for
from probative.give.options import PRESETS, GiveOptions
from probative.give.query import Form, Query, make_query
from probative.give.reasoning import Reasoning
from probative.give.result import Example, GiveResult
from probative.give.run import Run
from probative.give.search import find_reasoning
from probative.graph.graph import Graph
from probative.graph.graph_with_index import GraphWithIndex
from probative.graph.report import unused_lines
from probative.models.contract import LanguageModel
from probative.models.types import reason as reason_of
from probative.session.method_choice import MethodChoice
from probative.session.verb import Verb
from probative.settings import Settings
from probative.types import Triple, Value
from probative.usage import Usage

GraphLike = Graph | str | Path | Iterable[tuple[str, str, str] | Triple]
"""A graph, the file or folder it is in, or its triples."""


class ReasonCase(Value):
    """One question for `reason_all`, with its choices if it offers any."""

    question: str
    choices: tuple[str, ...] | None = None
    form: Form | None = None


def reason_verb(
    source: GraphWithIndex,
    options: GiveOptions | GiveBaselineOptions,
    method: str,
    *,
    worked: Sequence[Example] | None,
    dry_run: bool,
) -> Verb[Query, GiveResult, Reasoning]:
    """Return `reason` over one graph with its options bound."""

    def read(raw: Query | ReasonCase | Mapping[str, Any]) -> Query:
        if isinstance(raw, Query):
            return raw
        case = as_reason_case(raw)
        return make_query(case.question, case.choices, case.form)

    def search(query: Query, tools: Tools) -> Search[GiveResult]:
        examples = examples_for(query, options.examples, worked)
        if isinstance(options, GiveOptions):
            return find_reasoning(Run(query, source, options, tools, examples))
        return graph_baseline(method)(Run(query, source, options, tools, examples))

    def result(query: Query, finished: Finished[GiveResult], tools: Tools) -> Reasoning:
        assert finished.result is not None
        if dry_run:
            return _planned(query, method, finished.usage)
        return _reasoning(finished.result, query, method, source, tools, finished.usage)

    return Verb("reason", read, search, result)


def as_reason_case(case: ReasonCase | Mapping[str, Any]) -> ReasonCase:
    """Convert to ReasonCase; raises InputError."""
    if isinstance(case, ReasonCase):
        return case
    try:
        return ReasonCase.model_validate(case)
    except ValidationError as error:
        raise InputError(
            f"a case for reason cannot be read: {reason_of(error)}",
            hint="a case has a question, perhaps choices",
        ) from None


def as_examples(worked: Sequence[Example | Mapping[str, Any]] | None) -> list[Example] | None:
    """Convert to worked examples; raises an InputError that counts them from 1."""
    if worked is None:
        return None
    if isinstance(worked, str | bytes | Mapping) or not isinstance(worked, Sequence):
        raise InputError(f"worked must be a list of examples, got {type(worked).__name__}")
    examples: list[Example] = []
    for number, example in enumerate(worked, 1):
        try:
            examples.append(example if isinstance(example, Example) else Example.model_validate(example))
        except ValidationError as error:
            raise InputError(
                f"example {number} cannot be used: {reason_of(error)}",
                hint="an example has a question, an answer, perhaps choices, and knowledge: a list of "
                '{"head", "relation", "tail"}',
            ) from None
    return examples


def as_graph(graph: GraphLike) -> Graph:
    """Return the graph, opened or built if necessary."""
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, str | Path):
        return Graph.open(graph)
    if not isinstance(graph, Iterable):
        raise InputError(f"graph must be a Graph, a path or triples, got {type(graph).__name__}")
    return Graph.from_triples(graph)


def reason_options(
    choice: MethodChoice, *, model: LanguageModel | None, settings: Settings
) -> GiveOptions | GiveBaselineOptions:
    """Return the options of give, or of a baseline, with the changes applied.

    Without a preset, an embedded model gets `small` and any other `calls`.
    """
    method, preset, options = choice.method, choice.preset, choice.options
    if method not in GRAPH_METHODS:
        raise InputError(f"there is no method {method!r}", hint=f"use one of {', '.join(GRAPH_METHODS)}")
    kind = GiveOptions if method == "give" else GiveBaselineOptions
    if method != "give" and preset is not None:
        raise InputError(f"only the method give has presets, not {method}")
    if options is not None and not isinstance(options, kind):
        raise InputError(f"{method} takes {kind.__name__}, got {type(options).__name__}")
    if preset is None:
        name = settings.model if model is None else model.name
        preset = "small" if name.startswith("embedded") else "calls"
    if not isinstance(preset, str) or preset not in PRESETS:
        raise InputError(f"there is no preset {preset!r}", hint=f"use one of {', '.join(PRESETS)}")
    start: GiveOptions | GiveBaselineOptions = options or (
        PRESETS[preset] if method == "give" else GiveBaselineOptions(seed=choice.seed)
    )
    try:
        return kind.model_validate({**start.model_dump(), **choice.changes})
    except ValidationError as error:
        known = ", ".join(kind.model_fields)
        raise InputError(
            f"an option of {method} is wrong: {reason_of(error)}", hint=f"the options are {known}"
        ) from None


def _planned(query: Query, method: str, usage: Usage) -> Reasoning:
    """Return what a dry run gives: the cost, and nothing that looks like a result."""
    return Reasoning(
        question=query.text,
        choices=query.choices,
        form=query.form,
        answer=None,
        method=method,
        notes=("a dry run: no model was called",),
        usage=usage,
    )


def _reasoning(
    outcome: GiveResult, query: Query, method: str, source: GraphWithIndex, tools: Tools, usage: Usage
) -> Reasoning:
    return Reasoning(
        question=query.text,
        choices=query.choices,
        form=query.form,
        answer=outcome.answer,
        verdict=outcome.verdict,
        extrapolated_by=outcome.extrapolated_by,
        strength=outcome.strength,
        facts=outcome.facts,
        answers=outcome.answers,
        knowledge=outcome.knowledge,
        read=outcome.read,
        words=outcome.words or outcome.knowledge.words,
        entities=outcome.entities,
        relations=outcome.relations,
        groups=tuple(outcome.groups),
        path=outcome.path,
        uncertain=tuple(outcome.uncertain),
        maybe=len(outcome.uncertain),
        expert_ratio=outcome.expert_ratio,
        rationale=outcome.rationale,
        method=method,
        model=tools.name_if_used("model"),
        notes=(*_file_notes(source.graph), *source.notes, *outcome.notes),
        usage=usage,
    )


def _file_notes(graph: Graph) -> list[str]:
    """Return the notes about the file that the graph was read from; an import has shown them already."""
    if graph.report is None or graph.folder is not None:
        return []
    unused = unused_lines(graph)
    return [*([unused] if unused else []), *graph.report.notes]
