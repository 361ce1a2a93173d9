"""The options of a verb's command, made from its record, and what they read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from probative.cli.framework.options import MethodOption
from probative.cli.inputs.passages import read_passages
from probative.cli.inputs.text import read_examples, read_file, read_sentences, read_text
from probative.settings import TUNED_MODELS
from probative.verbs.command import SHARED, Input, Reads

if TYPE_CHECKING:
    from probative.engine.methods import Method, Methods
    from probative.verbs.spec import VerbSpec

# The types of arguments that need no `Input`; others can be given only in Python.
SIMPLE = {"str": str, "int": int, "float": float, "bool": bool}


class Companion(NamedTuple):
    """An option that tells how a file is read."""

    name: str
    kind: Any
    help: str


@dataclass(frozen=True)
class Reader:
    """The type of an option, and what its value, that of its companion and the option itself read."""

    kind: Any
    read: Callable[[Any, Any, Option], Any]
    companion: Companion | None = None


@dataclass(frozen=True)
class Option:
    """An option of a command with the name of the field or argument that it gives."""

    name: str
    input: Input
    kind: Any
    negated: bool = False
    """Whether it is a flag that turns off what is on by default."""

    @property
    def reader(self) -> Reader | None:
        """What reads a file; None for words."""
        return READERS.get(self.input.reads)

    @property
    def spelling(self) -> str:
        """What a user writes."""
        return self.input.names[0] if self.input.names else f"--{self.parameter.replace('_', '-')}"

    @property
    def parameter(self) -> str:
        """The name of the command's parameter."""
        return f"no_{self.name}" if self.negated else self.name

    def parameters(self) -> Iterator[Parameter]:
        """Yield the parameters of the command: the option, and its companion."""
        names = self.input.names or (self.spelling,)
        declared = typer.Option(
            *names, metavar=self.input.metavar, help=self.input.help, rich_help_panel=self.input.panel
        )
        yield parameter(self.parameter, self.kind, declared)
        if self.reader is not None and (extra := self.reader.companion) is not None:
            about = extra.help.format(what=self.input.what)
            yield parameter(extra.name, extra.kind, typer.Option(f"--{extra.name}", help=about))

    def is_given(self, values: Mapping[str, Any]) -> bool:
        """Whether the option was given; 0 is a value."""
        value = values[self.parameter]
        return value is not None and value is not False and value != []

    def given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was given for the option and its companion, by their spelling."""
        companion = self.reader.companion if self.reader is not None else None
        extra = {} if companion is None else {f"--{companion.name}": values[companion.name]}
        return {self.spelling: values[self.parameter], **extra}

    def read(self, values: Mapping[str, Any]) -> Any:
        """Return the value of the field or argument; raises `InputError`."""
        value = values[self.parameter]
        if self.negated:
            return not value
        if self.reader is not None:
            companion = self.reader.companion
            return self.reader.read(value, values[companion.name] if companion else None, self)
        return value if self.input.parse is None else self.input.parse(value)


def parameter(name: str, kind: Any, declared: Any) -> Parameter:
    """Return a parameter of a command that may be left out."""
    if kind is bool:
        return Parameter(name, Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, declared])
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, declared])


def options_of(spec: VerbSpec) -> dict[str, Option]:
    """Return the options of a verb by the name of what they give: of its inputs, and of simple arguments."""
    declared = {
        name: Option(name, taken, _kind(spec, name, taken), negated=_is_on(spec, name))
        for name, taken in spec.command.inputs.items()
    }
    simple = {
        name: Option(name, _simple_input(spec, name), SIMPLE[kind], negated=_is_on(spec, name))
        for name, argument in spec.arguments.items()
        if (kind := str(argument.annotation).removesuffix(" | None")) in SIMPLE
    }
    if spec.command.inputs:
        return {**declared, **{name: option for name, option in simple.items() if name not in declared}}
    fields = {
        name: Option(name, _described(name), str if field.annotation is str else list[str])
        for name, field in spec.case.model_fields.items()
        if name not in spec.arguments
    }
    return {**fields, **simple}


def method_parameters(spec: VerbSpec) -> list[Parameter]:
    """Return `--option` for a verb that has methods."""
    if spec.methods is None:
        return []
    return [Parameter("option", Parameter.KEYWORD_ONLY, default=None, annotation=MethodOption)]


def _is_on(spec: VerbSpec, name: str) -> bool:
    return name in spec.arguments and spec.arguments[name].default is True


def _kind(spec: VerbSpec, name: str, taken: Input) -> Any:
    if taken.reads != "words":
        return READERS[taken.reads].kind
    if taken.many:
        return list[str]
    if taken.parse is not None:
        return str
    argument = spec.arguments.get(name)
    if argument is not None:
        return SIMPLE.get(str(argument.annotation).removesuffix(" | None"), str)
    options = spec.options_of(None).model_fields if spec.methods is not None else {}
    return next(
        (kind for kind in (bool, int, float) if name in options and options[name].annotation is kind), str
    )


def _simple_input(spec: VerbSpec, name: str) -> Input:
    made = {"method": _method_input, "preset": _preset_input}
    return made[name](spec) if name in made else SHARED.get(name) or _described(name)


def _described(name: str) -> Input:
    return Input(f"The {name.replace('_', ' ')}.")


def _method_input(spec: VerbSpec) -> Input:
    first, *others = _names(spec)
    return Input(f"{_listed([f'{first} (default)', *others])}.", panel="Method")


def _preset_input(spec: VerbSpec) -> Input:
    """Return the option of the presets of the verb's own method, with the models that they are for."""
    name, *_ = _names(spec)
    method: Method = _methods(spec).load(name)
    defaults: dict[str, list[str]] = {}
    readers = dict.fromkeys(TUNED_MODELS, True)
    for model, reader in (readers | {"embedded:plain": False, "other models": False}).items():
        defaults.setdefault(method.default_preset(model, reader), []).append(model)
    shown = [
        f"{preset} (default{' of ' + _listed(defaults[preset], 'and') if len(defaults) > 1 else ''})"
        if preset in defaults
        else preset
        for preset in reversed([*method.presets])
    ]
    return Input(f"Options of {name}: {_listed(shown)}.", panel="Method")


def _listed(words: Sequence[str], last: str = "or") -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else words[0]


def _methods(spec: VerbSpec) -> Methods:
    assert spec.methods is not None
    return spec.methods


def _names(spec: VerbSpec) -> list[str]:
    """Return the names of the verb's methods, the default one first."""
    return list(_methods(spec).entries())


def _read_graph(path: Path | None, columns: str | None, option: Option) -> Any:
    from probative.graph.graph import Graph

    assert path is not None
    return Graph.open(path, columns=columns)


def _read_sentences(files: list[str] | None, lines: bool, option: Option) -> str | list[str]:
    return read_sentences(
        files,
        what=option.input.what,
        option=option.spelling,
        lines=lines,
        may_be_empty=option.input.may_be_empty,
    )


def _read_knowledge(files: list[str] | None, whole: bool, option: Option) -> Any:
    passages = read_passages(files, option.spelling)
    return "\n".join(passage.whole for passage in passages) if whole else passages


def _read_documents(files: list[str] | None, _: object, option: Option) -> dict[str, Any]:
    """Return texts by the names of their files, in any format that a corpus reads; or standard input."""
    from probative.corpus.reading.limited import read_document

    def read(file: str) -> Any:
        if file == "-" or Path(file).expanduser().is_fifo():
            return read_text(file, what=option.input.what, option=option.name).text
        return read_document(Path(file).expanduser(), file)

    return {file: read(file) for file in files or ["-"]}


READERS: dict[Reads, Reader] = {
    "document": Reader(list[str], _read_documents),
    "passages": Reader(list[str], lambda files, _, option: read_passages(files, option.spelling)),
    "knowledge": Reader(
        list[str],
        _read_knowledge,
        Companion("whole", bool, "Judge the evidence as one passage, not passage by passage."),
    ),
    "sentences": Reader(
        list[str],
        _read_sentences,
        Companion("lines", bool, "The {what} has one sentence on each line; do not split it."),
    ),
    "graph": Reader(
        Path,
        _read_graph,
        Companion("columns", str, "The order or the names of the columns of a file, as for `graph import`."),
    ),
    "file": Reader(Path, lambda file, *_: read_file(file)),
    "examples": Reader(Path, lambda file, *_: read_examples(file)),
}
