"""What the requests of verbs over HTTP share: typed, bounded, and without a path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Protocol, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

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
Seed = Annotated[int, Field(ge=0, le=2**31 - 1)]
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
    """A request for a verb. Its fields are arguments of the verb, or say where these come from."""

    @property
    def title(self) -> str:
        """What a list of runs shows: the question or the claim."""
        return str(getattr(self, "question", None) or getattr(self, "claim", ""))

    def check(self, sources: Sources) -> None:
        """Raise the error of what the types of the fields do not tell: names, sizes, what does not fit."""

    @property
    def method_options(self) -> dict[str, Any]:
        """The options of the method."""
        options: dict[str, Any] = getattr(self, "options", {})
        return options

    def arguments(self, sources: Sources) -> dict[str, Any]:
        """Return the arguments of the verb."""
        given = {name: getattr(self, name) for name in type(self).model_fields if name != "options"}
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


def as_passage(passage: Any) -> Passage | str:
    """Return a passage as verbs take it: a string, or a `Passage`."""
    return passage if isinstance(passage, str | Passage) else Passage.model_validate(passage)


def _only_one(request: Value, *names: str) -> None:
    if sum(getattr(request, name) is not None for name in names) != 1:
        raise ValueError(f"give one of {', '.join(names[:-1])} and {names[-1]}")
