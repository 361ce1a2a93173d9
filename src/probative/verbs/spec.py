"""A verb as one record, from which every way to call it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

from pydantic import ValidationError

from probative.engine.methods import ChosenMethod, MethodChoice, Methods, NoOptions, Tools
from probative.engine.runner import MAX_ACTIVE, Finished, run_searches
from probative.engine.search import Search, fail
from probative.errors import InputError, ProbativeError, UnreadableError
from probative.models.types import reason
from probative.trace import Trace
from probative.types import Usage, Value
from probative.verbs.command import Command
from probative.verbs.requests import OptionGroup, VerbRequest, with_options

if TYPE_CHECKING:
    from probative.graph.graph import Graph
    from probative.graph.veracity.graph_with_index import GraphWithIndex
    from probative.models.budget import Budget
    from probative.settings import Settings
    from probative.verbs.reason import GraphLike


Case = TypeVar("Case")
RawResult = TypeVar("RawResult")
Result = TypeVar("Result", bound=Value)


@dataclass(frozen=True)
class VerbRun(Generic[Case, RawResult, Result]):
    """A verb with its arguments bound, as a session runs it for one case or for many.

    `read` turns what the caller gave into a case and raises `InputError` if it cannot; `search` starts the
    method; `result` makes the value that the caller gets.
    """

    name: str
    read: Callable[[Any], Case]
    search: Callable[[Case, Tools], Search[RawResult]]
    result: Callable[[Case, Finished[RawResult], Tools], Result]

    def run(
        self, case: Any, tools: Tools, progress: Callable[[Usage], None] | None = None
    ) -> tuple[Result | ProbativeError, Usage]:
        """Run one case; returns its result with its trace, or its error, and what it cost."""
        with Trace(self.name) as trace:
            prepared = self.read(case)
            ((_, finished),) = run_searches([self.search(prepared, tools)], tools, progress=progress)
        finished.usage = finished.usage.model_copy(update={"seconds": trace.root.seconds})
        if finished.error is not None:
            return finished.error, finished.usage
        result = _noted(self.result(prepared, finished, tools), finished, tools)
        return result.model_copy(update={"trace": trace.root}), finished.usage

    def run_all(
        self, cases: Iterable[Any], tools: Tools, max_active: int
    ) -> Iterator[tuple[int, Result | ProbativeError, Usage]]:
        """Run many cases side by side; yields the index, the result or the error, and the cost of each."""
        active: dict[int, Case] = {}

        def searches() -> Iterator[Search[RawResult]]:
            for index, given in enumerate(cases):
                try:
                    active[index] = self.read(given)
                    yield self.search(active[index], tools)
                except (InputError, UnreadableError) as error:  # the other cases go on
                    yield fail(error)

        for index, finished in run_searches(searches(), tools, max_active=max_active):
            case = active.pop(index, None)
            if finished.error is not None or case is None:
                assert finished.error is not None
                yield index, with_usage(finished.error, finished.usage), finished.usage
            else:
                yield index, _noted(self.result(case, finished, tools), finished, tools), finished.usage


def _noted(result: Result, finished: Finished[Any], tools: Tools) -> Result:
    """Return a result with notes of prompts that were cut, and of what its models turned out not to be able
    to do.
    """
    notes = (*finished.notes, *tools.limits)
    return result.model_copy(update={"notes": (*getattr(result, "notes", ()), *notes)}) if notes else result


def with_usage(error: ProbativeError, usage: Usage) -> ProbativeError:
    """Return a copy of an error that has the cost of its own case: several cases may share one error."""
    own = type(error).__new__(type(error))
    own.__dict__.update(error.__dict__)
    own.args, own.__cause__, own.__traceback__ = error.args, error.__cause__, error.__traceback__
    own.__dict__["usage"] = usage
    return own


Progress = Callable[[int, int], None]


class Host(Protocol):
    """What a verb needs of the session that runs it."""

    settings: Settings
    budget: Budget | None
    dry_run: bool

    @property
    def model_name(self) -> str:
        """The name of the language model."""

    @property
    def has_reader(self) -> bool:
        """Whether the language model is the tuned reader."""

    def open_graph(self, graph: GraphLike) -> Graph:
        """Return the graph, read from its file or folder unless that was done before."""

    def graph_tools(
        self, graph: Graph, embedding: Progress | None, learning: Progress | None
    ) -> tuple[GraphWithIndex, Tools]:
        """Return a graph whose entities can be searched, and the tools to search it with."""


class OpenedVerb(NamedTuple):
    """A verb that is ready to run; `tools` are those of the session unless the verb has its own."""

    run: VerbRun[Any, Any, Any]
    tools: Tools | None = None


@dataclass(frozen=True)
class BoundVerb:
    """A verb whose arguments are checked; nothing is opened yet.

    `opened` opens what the arguments name; it is told whether many cases are run. `deciding` returns the
    arguments that decide the results, as plain data: a batch that is resumed must have the same.
    """

    opened: Callable[[bool], AbstractContextManager[OpenedVerb]]
    deciding: Callable[[], dict[str, Any]] = dict

    @classmethod
    def of(cls, run: VerbRun[Any, Any, Any], deciding: Callable[[], dict[str, Any]] = dict) -> Self:
        """Return a verb that has nothing to open."""
        return cls(lambda many: nullcontext(OpenedVerb(run)), deciding)


@dataclass(frozen=True)
class Tool:
    """A verb as a tool of an MCP server. Arguments named as fields of the verb's request become these."""

    title: str
    description: str
    arguments: type[Value]
    name: str = ""
    """The name of the tool; by default that of the verb."""
    options: tuple[str, ...] = ()
    """The options of the default method that its schema lists, so that hosts pay for no others; by default,
    all of all methods.
    """


class Parts(NamedTuple):
    """The parts of a result that a client sees as each is finished, such as the claims of a verification.

    `argument` of `bind` is called with the index of a part, the part, and the number of all parts. An event
    has the `name` of a part; `done` says of several what was done: "claims checked".
    """

    argument: str
    name: str
    done: str


@dataclass(frozen=True)
class VerbSpec:
    """A verb: what it is given, how it runs, and what it returns.

    `bind` takes the session and the keyword arguments of the verb; its docstring and its signature are those
    of the verb. `positional` are the arguments without a keyword: fields of the case, or arguments of `bind`.
    """

    name: str
    help: str
    """What the verb does, in one line."""
    case: type[Value]
    """What is asked: a line of a batch file, without its `id`."""
    case_hint: str
    """What a case looks like, for an error."""
    request: type[VerbRequest]
    """What the server takes over HTTP."""
    result: type[Value]
    bind: Callable[..., BoundVerb]
    positional: tuple[str, ...]
    methods: Methods | None = None
    options: type[Value] | None = None
    """The options of the verb, if they are not those of its methods."""
    counters: Mapping[str, str] = field(default_factory=dict)
    """Steps that `bind` reports by arguments of these names, called with how much is done and of how many."""
    parts: Parts | None = None
    cases_name: str = "cases"
    """How a batch counts its lines: "questions", "claims"."""
    verdicts: tuple[str, ...] = ()
    """The verdicts that `--fail-on` may name."""
    levels: tuple[str, ...] = ()
    """The levels that `--fail-on` may name besides."""
    included_verdicts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The verdicts that one of `--fail-on` includes."""
    max_active: int = MAX_ACTIVE
    """How many cases run side by side."""
    tool: Tool | None = None
    command: Command = field(default_factory=Command)
    types: Mapping[str, str] = field(default_factory=dict)
    """What a call takes for a field of the case, if that is more than a batch file can hold."""

    @cached_property
    def arguments(self) -> Mapping[str, Parameter]:
        """The arguments of the verb that are the same for all cases: those of `bind`, without the session."""
        return dict(list(signature(self.bind).parameters.items())[1:])

    @property
    def option_groups(self) -> tuple[OptionGroup, ...]:
        """The options that a call may have, each class with the methods that take it."""
        if self.options is not None:
            return (OptionGroup(self.options, (self.name,)),)
        if self.methods is None:
            return ()
        groups: dict[type[Value], OptionGroup] = {}
        for name in self.methods.entries():
            method = self.methods.load(name)
            group = groups.get(method.options, OptionGroup(method.options))
            groups[method.options] = group.with_method(name, tuple(method.presets))
        return tuple(groups.values())

    @property
    def tool_options(self) -> tuple[OptionGroup, ...]:
        """The options that the schema of the verb's tool lists."""
        if self.tool is None or not self.tool.options:
            return self.option_groups
        return tuple(group._replace(names=self.tool.options) for group in self.option_groups[:1])

    def described(self, fields: type[Value]) -> type[Value]:
        """Return a request of the verb with each option in its JSON schema."""
        return with_options(fields, self.option_groups, self.signature.parameters)

    @cached_property
    def described_request(self) -> type[Value]:
        """The request of the verb, with each option in its JSON schema."""
        return self.described(self.request)

    @cached_property
    def signature(self) -> Signature:
        """The signature for one case: its fields, the arguments of `bind`, and `progress`."""
        fields = {name: self._field(name) for name in self.case.model_fields}
        known = {**fields, **self.arguments}
        first = [known[name].replace(kind=Parameter.POSITIONAL_OR_KEYWORD) for name in self.positional]
        rest = {**known, "progress": _PROGRESS}
        return Signature([*first, *_keywords(rest, self.positional)], return_annotation=self.result.__name__)

    @cached_property
    def signature_all(self) -> Signature:
        """The signature for many cases: the cases, the arguments of `bind`, and `max_active`."""
        cases = Parameter(
            "cases",
            Parameter.POSITIONAL_OR_KEYWORD,
            annotation=f"Iterable[{self.case.__name__} | Mapping[str, Any]]",
        )
        names = [name for name in self.positional if name in self.arguments]
        first = [self.arguments[name].replace(kind=Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        active = Parameter("max_active", Parameter.KEYWORD_ONLY, default=self.max_active, annotation="int")
        rest = {**self.arguments, "max_active": active}
        result = f"Iterator[tuple[int, {self.result.__name__} | ProbativeError]]"
        return Signature([cases, *first, *_keywords(rest, names)], return_annotation=result)

    def _field(self, name: str) -> Parameter:
        field = self.case.model_fields[name]
        default = Parameter.empty if field.is_required() else field.get_default(call_default_factory=True)
        annotation = self.types.get(name) or self.case.__annotations__[name]
        return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)

    def options_of(self, method: str | None) -> type[Value]:
        """Return the options that a call takes by name; None is the default method."""
        if self.options is not None or self.methods is None:
            return self.options or NoOptions
        return self.methods.load(method or next(iter(self.methods.entries()))).options

    def as_case(self, raw: Value | Mapping[str, Any]) -> Any:
        """Convert to the case of the verb; raises `InputError`."""
        if isinstance(raw, self.case):
            return raw
        try:
            return self.case.model_validate(raw)
        except ValidationError as error:
            raise InputError(
                f"a case for {self.name} cannot be read: {reason(error)}", hint=self.case_hint
            ) from None

    def split(self, given: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[Value, dict[str, Any]]:
        """Return the case that a call asks for, whose fields `bind` checks, and the arguments of `bind`."""
        arguments = _flat(self.signature, given, keywords)
        fields = [name for name in self.case.model_fields if name not in self.arguments]
        case = {name: arguments.pop(name) for name in fields if name in arguments}
        return self.case.model_construct(**case), arguments

    def split_all(self, given: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """Return `cases` and the arguments of `bind` of a call for many cases."""
        return _flat(self.signature_all, given, keywords)


_PROGRESS = Parameter(
    "progress", Parameter.KEYWORD_ONLY, default=None, annotation="Callable[[Usage], None] | None"
)


def _keywords(parameters: Mapping[str, Parameter], placed: Sequence[str]) -> list[Parameter]:
    """Return the parameters that have no position, those that take any name last."""
    rest = [parameter for name, parameter in parameters.items() if name not in placed]
    return sorted(rest, key=lambda parameter: parameter.kind)


def _flat(form: Signature, given: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call by name; raises `TypeError` as a call of a function does."""
    bound = dict(form.bind(*given, **keywords).arguments)
    for name, parameter in form.parameters.items():
        if parameter.kind is Parameter.VAR_KEYWORD:
            bound |= bound.pop(name, {})
    return bound


def choose(host: Host, methods: Methods, choice: MethodChoice) -> ChosenMethod:
    """Return the method that a caller chose, with its options; raises `InputError`."""
    return methods.choose(choice, host.model_name, reader=host.has_reader)
