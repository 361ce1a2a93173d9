"""What evidence is made of: sentences with their place in a text, and what evidence says of a claim."""

from __future__ import annotations

from enum import StrEnum

from probative.values import Value


class Sentence(Value):
    """The smallest piece of evidence: its number in the text, its words, and the characters it covers.

    `start` and `end` are given where the sentence was cut from a text, and missing where the
    sentences came as a list.
    """

    index: int
    text: str
    start: int | None = None
    end: int | None = None


class Verdict(StrEnum):
    """What the evidence says of a claim."""

    SUPPORTED = "supported"
    INSUFFICIENT = "insufficient"
    CONTRADICTED = "contradicted"
