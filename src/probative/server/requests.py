"""What each verb takes over HTTP: typed, bounded, and without a path."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from probative.types import DatedPassage, Value

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


class Sourced(Value):
    """A request that names its sources in exactly one way."""

    passages: Annotated[
        tuple[PassageLike, ...] | None, Field(min_length=1, description="the passages themselves")
    ] = None
    corpus: Annotated[Name | None, Field(description="the name of a registered corpus")] = None
    uploads: Annotated[
        tuple[Identity, ...] | None, Field(min_length=1, max_length=50, description="uploaded files")
    ] = None

    @model_validator(mode="after")
    def _one_source(self) -> Sourced:
        given = [name for name in ("passages", "corpus", "uploads") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give one of passages, corpus and uploads")
        return self


class AskRequest(Sourced):
    """A question and where to look for its answer."""

    question: Line
    method: Name = "scope"
    preset: Name | None = None
    seed: Seed = 0
    options: Options = Field(default_factory=dict)

    @property
    def title(self) -> str:
        """What a list of runs shows."""
        return self.question


class CheckRequest(Value):
    """A question and knowledge that may carry it."""

    question: Line
    knowledge: Text | Annotated[tuple[PassageLike, ...], Field(min_length=1)]
    preset: Name | None = None
    options: Options = Field(default_factory=dict)

    @property
    def title(self) -> str:
        """What a list of runs shows."""
        return self.question


class ClaimedRequest(Value):
    """A claim and a text: `text` is split into sentences, `sentences` are taken as they are."""

    claim: Line
    text: Text | None = None
    sentences: Annotated[tuple[Text, ...] | None, Field(min_length=1, max_length=5_000)] = None

    @model_validator(mode="after")
    def _one_text(self) -> ClaimedRequest:
        if (self.text is None) == (self.sentences is None):
            raise ValueError("give one of text and sentences")
        return self

    @property
    def title(self) -> str:
        """What a list of runs shows."""
        return self.claim

    @property
    def words(self) -> str | tuple[str, ...]:
        """The text, or its sentences."""
        return self.text if self.text is not None else self.sentences or ()


class ProveRequest(ClaimedRequest):
    """A claim, a text, and how many of its sentences are looked for."""

    k: Annotated[int, Field(ge=1, le=100)] | Literal["auto"] = 3
    method: Name = "mcse"
    preset: Name | None = None
    options: Options = Field(default_factory=dict)


class AnnotateRequest(ClaimedRequest):
    """A claim and a text of which the model names the sentences that the claim needs."""


class JudgeRequest(Value):
    """A claim and the evidence it is judged by."""

    claim: Line
    evidence: Text | Annotated[tuple[Text, ...], Field(min_length=1, max_length=1_000)]

    @property
    def title(self) -> str:
        """What a list of runs shows."""
        return self.claim


class VerifyRequest(Sourced):
    """A text, pasted or uploaded, and the sources that its claims are held against."""

    text: Text | None = None
    upload: Identity | None = None
    name: Name | None = None
    method: Name = "policy"
    options: Options = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_text(self) -> VerifyRequest:
        if (self.text is None) == (self.upload is None):
            raise ValueError("give one of text and upload")
        return self

    @property
    def title(self) -> str:
        """What a list of runs shows."""
        return self.name or (self.text or "an uploaded file").strip()


TripleLike = tuple[Line, Line, Line]


class ReasonRequest(Value):
    """A question and a graph: a registered one by its name, or triples."""

    question: Line
    graph: Name | None = None
    triples: Annotated[tuple[TripleLike, ...] | None, Field(min_length=1)] = None
    choices: Annotated[tuple[Line, ...] | None, Field(min_length=2, max_length=50)] = None
    form: Literal["yes-no", "choice", "text"] | None = None
    method: Name = "give"
    preset: Name | None = None
    seed: Seed = 0
    options: Options = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_graph(self) -> ReasonRequest:
        if (self.graph is None) == (self.triples is None):
            raise ValueError("give one of graph and triples")
        return self

    @property
    def title(self) -> str:
        """What a list of runs shows."""
        return self.question


Request = (
    AskRequest | CheckRequest | ProveRequest | JudgeRequest | VerifyRequest | ReasonRequest | AnnotateRequest
)
