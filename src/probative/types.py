"""The values that everything is made of: the frozen base, sentences, passages, triples, verdicts, costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from importlib import import_module
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field


class Value(BaseModel):
    """A typed, frozen value. Unknown fields are refused, so a misspelt option is never ignored.

    >>> class Point(Value):
    ...     x: int
    >>> Point(x=1).to_json()
    '{"x":1}'
    >>> Point.from_dict({"x": 1}) == Point(x=1)
    True
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_dict(self) -> dict[str, Any]:
        """The value as plain dictionaries, lists, strings and numbers."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """The value as one line of JSON."""
        return self.model_dump_json()

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The value that `to_dict` described."""
        return cls.model_validate(data)

    def _repr_html_(self) -> str | None:
        """Return the value as a notebook shows it; None if there is no view of its type.

        Views stand above all results, so they are found when one is first shown.
        """
        notebook: Callable[[Value], str | None] = import_module("probative.views.html").notebook
        return notebook(self)


class Sentence(Value):
    """The smallest piece of evidence: its number in the text, its words, and the characters it covers.

    `start` and `end` are given where the sentence was cut from a text, and missing where the
    sentences came as a list. `piece` is true for a part of a sentence that was too long to be read whole.
    """

    index: int
    text: str
    start: int | None = None
    end: int | None = None
    piece: bool = False


class Passage(Value):
    """A piece of text that may carry a part of an answer.

    `title` says what it is about (a page's name), `source` where it comes from, and `start` and `end`
    which characters of the source it covers, where that is known.
    """

    text: str
    id: str | None = None
    title: str | None = None
    source: str | None = None
    start: int | None = None
    end: int | None = None

    @property
    def whole(self) -> str:
        """The text with its title before it.

        >>> Passage(text="He sailed in 1842.", title="Ole Brandt").whole
        'Ole Brandt: He sailed in 1842.'
        """
        return f"{self.title}: {self.text}" if self.title else self.text


class DatedPassage(Passage):
    """A passage that a caller gives with its date (YYYY, YYYY-MM or YYYY-MM-DD) or its page."""

    page: int | None = None
    date: str | None = None


class SentencePassage(Passage):
    """A passage that knows its sentences: in a document, items of lists and rows of tables end without a full
    stop. `sentence_texts` are those of a text whose white space was changed.
    """

    sentence_texts: tuple[str, ...] = Field(default=(), exclude=True, repr=False)

    def own_sentences(self) -> tuple[str, ...]:
        """Return the sentences of the text, in order; none if they are not known."""
        return self.sentence_texts


ReadBy = Literal["OCR"]
"""How a text was read that stood in a picture."""


class Verdict(StrEnum):
    """What the evidence says of a claim."""

    SUPPORTED = "supported"
    INSUFFICIENT = "insufficient"
    CONTRADICTED = "contradicted"


class Triple(Value):
    """A fact of a knowledge graph: how its head is related to its tail, in names that people read.

    >>> str(Triple(head="ferry", relation="part of", tail="fleet"))
    '(ferry, part of, fleet)'
    """

    head: str
    relation: str
    tail: str

    def __str__(self) -> str:
        return f"({self.head}, {self.relation}, {self.tail})"

    @property
    def sentence(self) -> str:
        """The triple as running text."""
        return f"{self.head} {self.relation} {self.tail}"


class Usage(Value):
    """The cost of some work. Usages can be added.

    `scored_tokens` are the tokens read for `score` and `choose`. `cached` counts the results from the cache,
    which cost no calls and no tokens.

    >>> Usage(calls=1, prompt_tokens=5) + Usage(calls=1, scored_tokens=7)
    Usage(calls=2, prompt_tokens=5, completion_tokens=0, scored_tokens=7, cached=0, seconds=0.0)
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    scored_tokens: int = 0
    cached: int = 0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return total((self, other))

    def __sub__(self, other: Usage) -> Usage:
        """Return what was spent since `other`, an earlier reading of the same counter."""
        return Usage(**{name: getattr(self, name) - getattr(other, name) for name in Usage.model_fields})

    def shares(self, weights: Sequence[int]) -> list[Usage]:
        """Share the tokens and seconds out in proportion to `weights`; the calls go to the first share.

        >>> [share.prompt_tokens for share in Usage(calls=1, prompt_tokens=10).shares([1, 1, 2])]
        [2, 3, 5]
        """
        whole = sum(weights) or 1
        parts: list[Usage] = []
        passed = 0
        for index, weight in enumerate(weights):
            start, passed = passed, passed + weight
            parts.append(
                Usage(
                    calls=0 if index else self.calls,
                    prompt_tokens=self.prompt_tokens * passed // whole - self.prompt_tokens * start // whole,
                    scored_tokens=self.scored_tokens * passed // whole - self.scored_tokens * start // whole,
                    cached=0 if index else self.cached,
                    seconds=self.seconds * weight / whole,
                )
            )
        return parts

    def describe(self) -> str:
        """Return the counts that are not 0, in words.

        >>> Usage(calls=2, scored_tokens=1200, seconds=0.5).describe()
        '2 calls, 1,200 scored tokens, 0.5 s'
        """
        cached = (
            [f"{self.cached:,} result{'' if self.cached == 1 else 's'} from the cache"] if self.cached else []
        )
        return ", ".join([self.counted, *cached, f"{self.seconds:.1f} s"])

    @property
    def counted(self) -> str:
        """The calls and the tokens that are not 0, in words.

        >>> Usage(calls=1, prompt_tokens=1200, completion_tokens=1).counted
        '1 call, 1,200 prompt tokens, 1 completion token'
        """
        counts = {
            "call": self.calls,
            "scored token": self.scored_tokens,
            "prompt token": self.prompt_tokens,
            "completion token": self.completion_tokens,
        }
        used = {noun: count for noun, count in counts.items() if count or noun == "call"}
        return ", ".join(f"{count:,} {noun}{'' if count == 1 else 's'}" for noun, count in used.items())

    @property
    def tokens(self) -> int:
        """The number of tokens that the model read or wrote."""
        return self.prompt_tokens + self.completion_tokens + self.scored_tokens


def total(usages: Iterable[Usage]) -> Usage:
    """Return the sum of usages.

    >>> total([Usage(calls=1), Usage(calls=2)]).calls
    3
    """
    parts = list(usages)
    return Usage(**{name: sum(getattr(part, name) for part in parts) for name in Usage.model_fields})
