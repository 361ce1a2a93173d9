"""What the requests of verbs over HTTP share: typed, bounded, and without a path."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from copy import copy
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Protocol, Self

from pydantic import (
    AfterValidator,
    Field,
    GetJsonSchemaHandler,
    StringConstraints,
    create_model,
    model_validator,
)

from probative.engine.methods import MAX_SEED
from probative.types import DatedPassage, Passage, Value

_LONG_SPACE = re.compile(r"(\s\s)\s+")


def short_spaced(text: str) -> str:
    r"""Return a text in which no white space is longer than two characters.

    Expressions that find the parts of a question try every division of the white space between words.

    >>> short_spaced("Who built" + 3_000 * " " + "it?")
    'Who built  it?'
    """
    return _LONG_SPACE.sub(r"\1", text)


Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000),
    AfterValidator(short_spaced),
]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2_000_000)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Identity = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
Options = Annotated[dict[str, Any], Field(max_length=50, description="options of the method, by name")]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
ModelName = Annotated[
    Name | None, Field(description="one of the models that the server offers; null: its own")
]
PassageLike = Text | DatedPassage


Sized = Literal["passages", "characters", "triples"]


class Sources(Protocol):
    """What a server has registered, and what was uploaded to it."""

    def corpus(self, name: str) -> Any:
        """Return the registered corpus of this name."""

    def graph(self, name: str) -> Any:
        """Return the registered graph of this name."""

    def document(self, upload: str) -> Any:
        """Return an uploaded file as a document."""

    def passages(self, uploads: Sequence[str]) -> list[Passage]:
        """Return the passages of uploaded files."""

    def count_passages(self, uploads: Sequence[str]) -> int:
        """Return how many passages uploaded files have."""

    def count_characters(self, upload: str) -> int:
        """Return how many characters the text of an uploaded file has."""

    def check_size(self, what: Sized, size: int) -> None:
        """Raise an error if a request brings more of something than the server takes."""


class VerbRequest(Value):
    """A request for a verb. Its fields are arguments of the verb, or say where these come from.

    `source_fields` are those that name what a server has, and its options: they are arguments only of a run.
    """

    source_fields: ClassVar[frozenset[str]] = frozenset({"corpus", "graph", "passages", "options", "model"})

    @property
    def title(self) -> str:
        """What a list of runs shows: the question or the claim."""
        return str(getattr(self, "question", None) or getattr(self, "claim", ""))

    def check(self, sources: Sources) -> None:
        """Raise the error of what the types of the fields do not tell: names, sizes, what does not fit."""

    @property
    def chosen_model(self) -> str | None:
        """The model that the request names; None: that of the server."""
        model: str | None = getattr(self, "model", None)
        return model

    @property
    def method_options(self) -> dict[str, Any]:
        """The options of the method."""
        options: dict[str, Any] = getattr(self, "options", {})
        return options

    def arguments(self, sources: Sources) -> dict[str, Any]:
        """Return the arguments of the verb."""
        fields = [name for name in type(self).model_fields if name not in ("options", "model")]
        given = {name: getattr(self, name) for name in fields}
        given = {name: value for name, value in given.items() if value is not None}
        return {**given, **self.method_options}


class Sourced(VerbRequest):
    """A request that names its sources in exactly one way."""

    passages: Annotated[
        tuple[PassageLike, ...] | None, Field(min_length=1, description="the passages themselves")
    ] = None
    corpus: Annotated[Name | None, Field(description="the name of a registered corpus")] = None
    uploads: Annotated[
        tuple[Identity, ...] | None, Field(min_length=1, max_length=50, description="uploaded files")
    ] = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        _only_one(self, "passages", "corpus", "uploads")
        return self

    def check(self, sources: Sources) -> None:
        """Raise an error for a corpus that is not there, and for too many passages."""
        if self.corpus is not None:
            sources.corpus(self.corpus)
        uploaded = sources.count_passages(self.uploads or ())
        sources.check_size("passages", uploaded or len(self.passages or ()))

    def arguments(self, sources: Sources) -> dict[str, Any]:
        """Return the arguments of the verb: passages, or a corpus."""
        given = super().arguments(sources)
        if self.corpus is not None:
            return {**given, "corpus": sources.corpus(self.corpus)}
        uploads = given.pop("uploads", None)
        passages = list(self.passages or ()) if uploads is None else sources.passages(uploads)
        return {**given, "passages": [as_passage(passage) for passage in passages]}


Count = Annotated[
    Annotated[int, Field(ge=1, le=100)] | Literal["auto"],
    Field(description="how many sentences; auto: until the next one adds too little"),
]


class Claimed(VerbRequest):
    """A claim and a text: `text` is split into sentences, `sentences` are taken as they are."""

    claim: Line
    text: Text | None = None
    sentences: Annotated[tuple[Text, ...] | None, Field(min_length=1, max_length=5_000)] = None

    @model_validator(mode="after")
    def _one_text(self) -> Self:
        _only_one(self, "text", "sentences")
        return self

    def arguments(self, sources: Sources) -> dict[str, Any]:
        """Return the arguments of the verb: the text, or its sentences, as `sentences`."""
        given = super().arguments(sources)
        text = given.pop("text", None)
        return given if text is None else {**given, "sentences": text}


class OptionGroup(NamedTuple):
    """A class of options, the methods that take it, and the presets that decide what is left out.

    A schema lists those of `names`, and takes the others, too; by default, it lists all.
    """

    options: type[Value]
    methods: tuple[str, ...] = ()
    presets: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def with_method(self, name: str, presets: Sequence[str]) -> Self:
        """Return the group with one more method."""
        return self._replace(methods=(*self.methods, name), presets=(*self.presets, *presets))


class _OptionsSchema(NamedTuple):
    """Describes a dictionary of options in a JSON schema: an object for each group, without names `taken`.

    The options themselves are checked by the verb, whose error names the method and its options.
    """

    groups: Sequence[OptionGroup]
    taken: Collection[str]

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        forms = [self._form(group, handler) for group in self.groups if group.options.model_fields]
        return {"anyOf": forms} if forms else {"type": "object", "maxProperties": 0}

    def _form(self, group: OptionGroup, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = handler.resolve_ref_schema(handler(group.options.__pydantic_core_schema__))
        hidden = ("default",) if group.presets else ()
        options = {
            name: {key: value for key, value in option.items() if key not in hidden}
            for name, option in schema["properties"].items()
            if name not in self.taken and name in (group.names or schema["properties"])
        }
        presets = (
            f"; what is left out is as in the preset: {', '.join(group.presets)}" if group.presets else ""
        )
        return {
            "type": "object",
            "title": group.options.__name__,
            "description": f"options of {', '.join(group.methods)}{presets}",
            "properties": options,
            "additionalProperties": bool(group.names),
        }


def with_options(
    fields: type[Value], groups: Sequence[OptionGroup], taken: Collection[str] = ()
) -> type[Value]:
    """Return a class whose JSON schema names each option of the field `options`, if it has such a field.

    `taken` are the names of other arguments: they cannot be options.

    >>> class Depth(Value):
    ...     depth: Annotated[int, Field(ge=1, description="how far it looks")] = 3
    >>> class Dive(VerbRequest):
    ...     options: Options = {}
    >>> schema = with_options(Dive, [OptionGroup(Depth, ("deep",))]).model_json_schema()
    >>> schema["properties"]["options"]["anyOf"][0]["properties"]["depth"]["minimum"]
    1
    """
    if "options" not in fields.model_fields:
        return fields
    field = copy(fields.model_fields["options"])
    field.metadata = [*field.metadata, _OptionsSchema(tuple(groups), tuple(taken))]
    described: type[Value] = create_model(
        fields.__name__, __base__=fields, __doc__=fields.__doc__, options=(dict[str, Any], field)
    )
    return described


def as_passage(passage: Any) -> Passage | str:
    """Return a passage as verbs take it: a string, or a `Passage`."""
    return passage if isinstance(passage, str | Passage) else Passage.model_validate(passage)


def _only_one(request: Value, *names: str) -> None:
    if sum(getattr(request, name) is not None for name in names) != 1:
        raise ValueError(f"give one of {', '.join(names[:-1])} and {names[-1]}")
