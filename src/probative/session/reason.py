"""`reason`: answers over a knowledge graph that does not hold them, and the knowledge behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from probative.baselines.graphs.methods import GRAPH_METHODS, graph_baseline
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.engine.runner import MAX_ACTIVE, run_searches
from probative.engine.search import Search, fail
from probative.engine.tools import Tools
from probative.errors import InputError, ProbativeError
from probative.give.options import PRESETS, GiveOptions
from probative.give.query import Form, Query, make_query
from probative.give.reasoning import Reasoning
from probative.give.result import Example, GiveResult
from probative.give.search import find_reasoning
from probative.graph.graph import Graph
from probative.graph.graph_with_index import IndexedGraph
from probative.graph.report import unused_lines
from probative.models.contract import Encoder, LanguageModel
from probative.models.loading import load_encoder
from probative.models.types import reason as reason_of
from probative.session.graphs import AT_ONCE, entity_index, vectors_stem
from probative.session.tools import check_kinds, one_at_a_time, open_tools
from probative.settings import Settings, load_settings
from probative.trace import Trace
from probative.types import Triple, Value
from probative.usage import Usage

if TYPE_CHECKING:
    from probative.graph.nearest import EntityIndex

GraphLike = Graph | str | Path | Iterable[tuple[str, str, str] | Triple]
"""A graph, the file or folder it is in, or its triples."""


class ReasonCase(Value):
    """One question for `reason_all`, with its choices if it offers any."""

    question: str
    choices: tuple[str, ...] | None = None
    form: Form | None = None


def reason(
    question: str,
    graph: GraphLike,
    choices: Sequence[str] | None = None,
    *,
    form: Form | None = None,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    method: str = "give",
    preset: str | None = None,
    options: GiveOptions | GiveBaselineOptions | None = None,
    worked: Sequence[Example | Mapping[str, Any]] | None = None,
    seed: int = 0,
    settings: Settings | None = None,
    dry_run: bool = False,
    progress: Callable[[Usage], None] | None = None,
    embedding: Callable[[int, int], None] | None = None,
    **changes: Any,
) -> Reasoning:
    """The answer to a question over a graph in three stages, and the knowledge behind each.

    The form is told from the question where it is not given: choices, yes/no/maybe, or free text. `preset` is
    ``small`` (the embedded model's default), ``calls`` (any other's: candidates judged in batches) or
    ``paper``; `changes` are fields of `GiveOptions` that differ from it, or a baseline's own. `worked` are
    examples for the prompt instead of ours. `progress` is told the cost so far, `embedding` how many
    of the graph's entities have been encoded, which happens once.

    >>> from probative.testing import ScriptedModel
    >>> graph = [("melatonin", "treats", "jet lag"), ("jet lag", "causes", "insomnia")]
    >>> model = ScriptedModel(generate="yes")
    >>> reasoning = reason("Does melatonin help insomnia?", graph, model=model, preset="paper", entities=0)
    >>> reasoning.answers.ace, reasoning.groups[2].name
    ('yes', 'jet lag')
    >>> [str(triple) for triple in reasoning.knowledge.expert]
    ['(melatonin, treats, jet lag)', '(jet lag, causes, insomnia)']
    """
    check_kinds(model, encoder, settings)
    chosen = reason_options(method, preset, options, changes, model, settings, seed)
    own = as_examples(worked)
    query = make_query(question, choices, form)
    source, tools = opened(graph, model, encoder, settings, embedding, dry_run=dry_run)
    with Trace("reason") as trace:
        search = _search(query, source, method, chosen, tools, own)
        ((_, ended),) = run_searches([search], tools, progress=progress)
    if ended.error is not None:
        raise ended.error
    assert ended.result is not None
    usage = ended.usage.model_copy(update={"seconds": trace.root.seconds})
    if dry_run:
        return _planned(query, method, usage)
    made = _reasoning(ended.result, query, method, source, tools, usage)
    return made.model_copy(update={"trace": trace.root})


def reason_all(
    cases: Iterable[ReasonCase | Mapping[str, Any]],
    graph: GraphLike,
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    method: str = "give",
    preset: str | None = None,
    options: GiveOptions | GiveBaselineOptions | None = None,
    worked: Sequence[Example | Mapping[str, Any]] | None = None,
    seed: int = 0,
    max_active: int = MAX_ACTIVE,
    settings: Settings | None = None,
    dry_run: bool = False,
    embedding: Callable[[int, int], None] | None = None,
    **changes: Any,
) -> Iterator[tuple[int, Reasoning | ProbativeError]]:
    """Many questions over one graph side by side: each one's number with its result or its error, as they are
    finished. What all of them ask of the model at a time goes out as one batch. See `reason` for the rest.
    """
    check_kinds(model, encoder, settings)
    chosen = reason_options(method, preset, options, changes, model, settings, seed)
    own = as_examples(worked)
    source, tools = opened(graph, model, encoder, settings, embedding, dry_run=dry_run)
    max_active = one_at_a_time(settings, max_active)
    yield from reasonings(cases, source, method, chosen, tools, own, max_active, dry_run=dry_run)


def reasonings(
    cases: Iterable[ReasonCase | Mapping[str, Any]],
    source: IndexedGraph,
    method: str,
    options: GiveOptions | GiveBaselineOptions,
    tools: Tools,
    worked: list[Example] | None,
    max_active: int,
    *,
    dry_run: bool,
) -> Iterator[tuple[int, Reasoning | ProbativeError]]:
    """`reason_all` with a graph, tools and options that are made already."""
    queries: dict[int, Query] = {}

    def searches() -> Iterator[Search[GiveResult]]:
        for number, given in enumerate(cases):
            try:
                case = as_reason_case(given)
                queries[number] = make_query(case.question, case.choices, case.form)
                search = _search(queries[number], source, method, options, tools, worked)
            except InputError as error:  # the others go on
                search = fail(error)
            yield search

    for number, ended in run_searches(searches(), tools, max_active=max_active):
        query = queries.pop(number, None)
        if ended.error is not None:
            yield number, ended.error
        else:
            assert ended.result is not None
            assert query is not None
            yield (
                number,
                _planned(query, method, ended.usage)
                if dry_run
                else _reasoning(ended.result, query, method, source, tools, ended.usage),
            )


def as_reason_case(case: ReasonCase | Mapping[str, Any]) -> ReasonCase:
    """A case, or an `InputError` for what is none."""
    if isinstance(case, ReasonCase):
        return case
    try:
        return ReasonCase.model_validate(case)
    except ValidationError as error:
        raise InputError(
            f"this is no case for reason: {reason_of(error)}", hint="a case has a question, perhaps choices"
        ) from None


def as_examples(given: Sequence[Example | Mapping[str, Any]] | None) -> list[Example] | None:
    """Worked examples as such, or an `InputError` that counts them from 1."""
    if given is None:
        return None
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Sequence):
        raise InputError(f"worked examples are a list, not {type(given).__name__}")
    made: list[Example] = []
    for number, one in enumerate(given, 1):
        try:
            made.append(one if isinstance(one, Example) else Example.model_validate(one))
        except ValidationError as error:
            raise InputError(
                f"example {number} cannot be used: {reason_of(error)}",
                hint="an example has a question, an answer, perhaps choices, and knowledge: a list of "
                '{"head", "relation", "tail"}',
            ) from None
    return made


def as_graph(graph: GraphLike) -> Graph:
    """The graph itself."""
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, str | Path):
        return Graph.open(graph)
    if not isinstance(graph, Iterable):
        raise InputError(f"a graph is a Graph, a path or triples, not {type(graph).__name__}")
    return Graph.from_triples(graph)


def opened(
    graph: GraphLike,
    model: LanguageModel | str | None,
    encoder: Encoder | str | None,
    settings: Settings | None,
    embedding: Callable[[int, int], None] | None,
    *,
    dry_run: bool,
) -> tuple[IndexedGraph, Tools]:
    """The graph with its index, and the models."""
    whole = as_graph(graph)
    if dry_run:
        encoder = dry_encoder(whole, encoder, settings)
    tools = open_tools(model, encoder, settings, dry_run=dry_run)
    stand_in = dry_run and not isinstance(encoder, Encoder)
    return indexed(whole, tools, settings, embedding, stand_in=stand_in), tools


def indexed(
    graph: Graph,
    tools: Tools,
    settings: Settings | None,
    embedding: Callable[[int, int], None] | None,
    *,
    stand_in: bool,
) -> IndexedGraph:
    """A graph whose entities are embedded when a method first looks for near ones; a stand-in never is."""

    def index() -> EntityIndex:
        if stand_in:
            import numpy as np

            from probative.graph.nearest import EntityIndex

            return EntityIndex(np.zeros((graph.entity_count, tools.encoder.dimensions), dtype=np.float32))
        return entity_index(graph, tools.encoder, settings=settings, progress=embedding)

    return IndexedGraph(graph, index)


def dry_encoder(
    graph: Graph, encoder: Encoder | str | None, settings: Settings | None
) -> Encoder | str | None:
    """The encoder of a dry run. The embedded one costs nothing, so a graph that it has embedded, or can at
    once, is searched as in earnest; else the groups are stand-ins and the count is rougher.
    """
    in_force = settings if settings is not None else load_settings()
    if isinstance(encoder, Encoder) or (encoder or in_force.encoder) != "embedded":
        return encoder
    opened = load_encoder(settings=in_force.model_copy(update={"encoder": "embedded"}))
    stored = vectors_stem(graph, opened.fingerprint, in_force).with_suffix(".json").is_file()
    return opened if stored or graph.entity_count <= AT_ONCE else encoder


def reason_options(
    method: str,
    preset: str | None,
    options: GiveOptions | GiveBaselineOptions | None,
    changes: dict[str, Any],
    model: LanguageModel | str | None,
    settings: Settings | None,
    seed: int,
) -> GiveOptions | GiveBaselineOptions:
    """The options of give, or of a baseline, with the changes made. Without a preset: `small` for the
    embedded model, `calls` for any other.
    """
    if method not in GRAPH_METHODS:
        raise InputError(f"there is no method called {method!r}", hint=f"one of {', '.join(GRAPH_METHODS)}")
    kind = GiveOptions if method == "give" else GiveBaselineOptions
    if method != "give" and preset is not None:
        raise InputError(f"presets are give's, and {method} has none")
    if options is not None and not isinstance(options, kind):
        raise InputError(f"{method} takes {kind.__name__}, not {type(options).__name__}")
    if preset is None:
        name = model.name if isinstance(model, LanguageModel) else model
        name = name or (settings if settings is not None else load_settings()).model
        preset = "small" if name.startswith("embedded") else "calls"
    if not isinstance(preset, str) or preset not in PRESETS:
        raise InputError(f"there is no preset called {preset!r}", hint=f"one of {', '.join(PRESETS)}")
    given: GiveOptions | GiveBaselineOptions = options or (
        PRESETS[preset] if method == "give" else GiveBaselineOptions(seed=seed)
    )
    try:
        return kind.model_validate({**given.model_dump(), **changes})
    except ValidationError as error:
        known = ", ".join(kind.model_fields)
        raise InputError(
            f"an option of {method} is wrong: {reason_of(error)}", hint=f"the options are {known}"
        ) from None


def _search(
    query: Query,
    source: IndexedGraph,
    method: str,
    options: GiveOptions | GiveBaselineOptions,
    tools: Tools,
    examples: Sequence[Example] | None,
) -> Search[GiveResult]:
    if isinstance(options, GiveOptions):
        return find_reasoning(query, source, options, tools, examples)
    return graph_baseline(method)(query, source, tools, options, examples)


def _planned(query: Query, method: str, usage: Usage) -> Reasoning:
    """What a dry run gives: the cost, and nothing that looks like a result."""
    return Reasoning(
        question=query.text,
        choices=query.choices,
        form=query.form,
        answer=None,
        method=method,
        notes=("a dry run: nothing was asked",),
        usage=usage,
    )


def _reasoning(
    found: GiveResult, query: Query, method: str, source: IndexedGraph, tools: Tools, usage: Usage
) -> Reasoning:
    return Reasoning(
        question=query.text,
        choices=query.choices,
        form=query.form,
        answer=found.answer,
        answers=found.answers,
        knowledge=found.knowledge,
        read=found.read,
        words=found.words or found.knowledge.words,
        entities=found.entities,
        relations=found.relations,
        groups=tuple(found.groups),
        path=found.path,
        uncertain=tuple(found.uncertain),
        maybe=len(found.uncertain),
        expert_ratio=found.expert_ratio,
        rationale=found.rationale,
        method=method,
        model=tools.model_name(),
        notes=(*_of_the_file(source.graph), *found.notes),
        usage=usage,
    )


def _of_the_file(graph: Graph) -> list[str]:
    """What is to be known of the file that the graph was just read from; an import has told it already."""
    if graph.report is None or graph.folder is not None:
        return []
    unused = unused_lines(graph)
    return [*([unused] if unused else []), *graph.report.notes]
