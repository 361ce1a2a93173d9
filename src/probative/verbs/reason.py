"""The verb `reason`: answers that a graph does not hold itself, and the knowledge behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from probative.baselines.graphs.options import GiveBaselineOptions
from probative.engine.methods import MethodChoice, Methods, Tools
from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.errors import InputError
from probative.give.answer import examples_for
from probative.give.options import GiveOptions
from probative.give.query import Form, Query, make_query
from probative.give.reasoning import Reasoning
from probative.give.result import Example, GiveResult
from probative.give.run import Run
from probative.graph.graph import Graph
from probative.graph.veracity.graph_with_index import GraphWithIndex
from probative.models.types import reason as reason_of
from probative.types import Triple, Usage, Value
from probative.verbs import BUILT_IN
from probative.verbs.command import QUESTION, Command, Input
from probative.verbs.requests import Line, Name, Options, Seed, Sources, VerbRequest
from probative.verbs.spec import BoundVerb, Host, OpenedVerb, Progress, Tool, VerbRun, VerbSpec, choose
from probative.verbs.tools import DATA, ToolText

METHODS = Methods(
    "reason",
    {
        "give": "probative.give.search:GIVE",
        "direct": "probative.baselines.graphs.no_graph:DIRECT",
        "cot": "probative.baselines.graphs.no_graph:COT",
        "rag": "probative.baselines.graphs.rag_triples:RAG",
        "tog": "probative.baselines.graphs.tog:TOG",
        "graphrag": "probative.baselines.graphs.graphrag:GRAPHRAG",
    },
)
GraphLike = Graph | str | Path | Iterable[tuple[str, str, str] | Triple]
"""A graph, the file or folder it is in, or its triples."""


class ReasonCase(Value):
    """One question for `reason_all`, with its choices if it offers any."""

    question: str
    choices: tuple[str, ...] | None = None
    form: Form | None = None


AnswerForm = Annotated[
    Literal["yes-no", "choice", "text"],
    Field(description="the form of the answer; by default, that of the question"),
]


class ReasonRequest(VerbRequest):
    """A question and a graph: a registered one by its name, or triples."""

    question: Line
    graph: Name | None = None
    triples: Annotated[tuple[tuple[Line, Line, Line], ...] | None, Field(min_length=1)] = None
    choices: Annotated[tuple[Line, ...] | None, Field(min_length=2, max_length=50)] = None
    form: AnswerForm | None = None
    method: Name = "give"
    preset: Name | None = None
    seed: Seed = 0
    options: Options = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_graph(self) -> Self:
        if (self.graph is None) == (self.triples is None):
            raise ValueError("give one of graph and triples")
        return self

    def check(self, sources: Sources) -> None:
        """Raise an error for a graph that is not there, too many triples, and choices that do not fit."""
        if self.graph is not None:
            sources.graph(self.graph)
        sources.check_size("triples", len(self.triples or ()))
        make_query(self.question, self.choices, self.form)

    def arguments(self, sources: Sources) -> dict[str, Any]:
        """Return the arguments of the verb: the registered graph, or the triples."""
        given = super().arguments(sources)
        triples = given.pop("triples", None)
        return {**given, "graph": sources.graph(self.graph) if self.graph is not None else list(triples)}


class ReasonArguments(Value):
    """The arguments of the tool."""

    question: ToolText = Field(description="The question, in one sentence.")
    graph: str | None = Field(
        default=None, description="The registered graph. Leave it out if there is only one."
    )
    choices: tuple[ToolText, ...] | None = Field(
        default=None, description="The answers to choose from, for a question with choices."
    )
    form: AnswerForm | None = None
    options: Options = Field(default_factory=dict)


def bind(
    host: Host,
    *,
    graph: GraphLike | None = None,
    method: str = "give",
    preset: str | None = None,
    options: GiveOptions | GiveBaselineOptions | None = None,
    worked: Sequence[Example | Mapping[str, Any]] | None = None,
    seed: int = 0,
    embedding: Progress | None = None,
    learning: Progress | None = None,
    **changes: Any,
) -> BoundVerb:
    """Answer a question over a graph in three stages, with the knowledge behind each.

    The form is told from the question if it is not given: choices, yes/no/maybe, or free text. `preset` is
    ``small`` (the default of an embedded model), ``calls`` (of any other: candidates judged in batches) or
    ``paper``; `changes` are fields of `GiveOptions` that differ from it, or a baseline's own. `worked` are
    examples for the prompt instead of ours. `progress` is called with the cost so far, `embedding` with how
    many entities of the graph are encoded, and `learning` with how many edges are read to learn its veracity;
    both happen once.

    >>> import probative
    >>> from probative.testing import ScriptedModel
    >>> graph = [("melatonin", "treats", "jet lag"), ("jet lag", "causes", "insomnia")]
    >>> model = ScriptedModel(generate="yes")
    >>> question = "Does melatonin help insomnia?"
    >>> reasoning = probative.reason(question, graph, model=model, preset="paper", entities=0)
    >>> reasoning.answers.ace, reasoning.groups[2].name
    ('yes', 'jet lag')
    >>> [str(triple) for triple in reasoning.knowledge.expert]
    ['(melatonin, treats, jet lag)', '(jet lag, causes, insomnia)']
    """
    chosen = choose(host, METHODS, MethodChoice(method, preset, options, changes, seed))
    examples = as_examples(worked)

    @contextmanager
    def opened(many: bool) -> Iterator[OpenedVerb]:
        source, tools = host.graph_tools(_open(host, graph), embedding, learning)

        def search(query: Query, tools: Tools) -> Search[GiveResult]:
            shown = examples_for(query, chosen.options.examples, examples)
            found: Search[GiveResult] = chosen.method.run(Run(query, source, chosen.options, tools, shown))
            return found

        def result(query: Query, finished: Finished[GiveResult], tools: Tools) -> Reasoning:
            assert finished.result is not None
            return _reasoning(finished.result, query, method, source, tools, finished.usage)

        yield OpenedVerb(VerbRun("reason", _read, search, result), tools)

    def deciding() -> dict[str, Any]:
        return {
            "method": method,
            "seed": seed,
            "graph": _open(host, graph).fingerprint,
            "worked": [example.to_dict() for example in examples or ()],
            **chosen.options.to_dict(),
        }

    return BoundVerb(opened, deciding)


def _read(raw: ReasonCase | Mapping[str, Any]) -> Query:
    case: ReasonCase = REASON.as_case(raw)
    return make_query(case.question, case.choices, case.form)


def _open(host: Host, graph: GraphLike | None) -> Graph:
    if graph is None:
        raise InputError("there is no graph", hint="give a Graph, a path or triples")
    return host.open_graph(graph)


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
    unused = graph.unused_lines
    return [*([unused] if unused else []), *graph.report.notes]


def split_choices(choices: Sequence[str]) -> list[str]:
    """Return choices, each split at its semicolons.

    >>> split_choices(["iron; cork"]), split_choices(["iron", "cork"])
    (['iron', 'cork'], ['iron', 'cork'])
    """
    return [part.strip() for option in choices for part in option.split(";") if part.strip()]


REASON = VerbSpec(
    name="reason",
    help=BUILT_IN["reason"],
    case=ReasonCase,
    case_hint="a case has a question, perhaps choices",
    request=ReasonRequest,
    result=Reasoning,
    bind=bind,
    positional=("question", "graph", "choices"),
    methods=METHODS,
    counters={"embedding": "embedding the graph", "learning": "learning from the graph"},
    cases_name="questions",
    verdicts=("answered", "unanswered", "read", "extrapolated", "unknown"),
    included_verdicts={
        "answered": ("read", "extrapolated"),
        "unanswered": ("unknown",),
        "unknown": ("unanswered",),
    },
    tool=Tool(
        "Reason over a graph",
        "Answer a question over a registered knowledge graph; the other tools read documents. Name the "
        "entities in the question as the graph may have them. The verdict says whether the answer was "
        f"read from the graph, extrapolated from similar entities, or is unknown. {DATA}",
        ReasonArguments,
        options=("facts", "equal_relations", "entities", "intermediate"),
    ),
    command=Command(
        {
            "question": QUESTION,
            "graph": Input(
                "The graph: a folder made by `graph import`, or a file of triples.",
                metavar="PATH",
                reads="graph",
                required=True,
            ),
            "choices": Input(
                "The choices of the question, separated by semicolons. May be repeated.",
                parse=split_choices,
                many=True,
            ),
            "form": Input("The form of the answer: yes-no, choice or text (default: by the question)."),
            "worked": Input(
                "Your own worked examples for the prompt, one JSON object on each line.",
                metavar="FILE",
                reads="examples",
                panel="Method",
            ),
        },
        (
            'probative reason "Does willow bark ease a headache?" --graph apothecary.tsv',
            'probative reason "Which eases a cough?" --graph herbs/ --choices "thyme; hemlock" '
            "--draw cough.svg",
            "probative reason --in questions.jsonl --out answers.jsonl --graph herbs/",
        ),
    ),
    types={"choices": "Sequence[str] | None"},
)
