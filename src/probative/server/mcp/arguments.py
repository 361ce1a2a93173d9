"""The arguments of each tool; their JSON schemas are what a host shows to its model."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from probative.types import Value

Text = Annotated[str, Field(min_length=1)]


class GivenPassage(Value):
    """A passage that the caller gives."""

    text: Text
    id: str | None = None
    title: str | None = None
    source: str | None = None


class Sources(Value):
    """Where evidence comes from: a registered corpus, or passages in the arguments."""

    corpus: str | None = Field(
        default=None,
        description="The registered corpus to search. Leave it out if there is only one, or with passages.",
    )
    passages: tuple[Text | GivenPassage, ...] | None = Field(
        default=None,
        description="Texts to use as the only evidence, in place of a corpus: strings, or objects with text.",
    )


class FindEvidence(Sources):
    """The arguments of `find_evidence`."""

    question: Text | None = Field(
        default=None, description="A question in one sentence. Give this or a claim, not both."
    )
    claim: Text | None = Field(
        default=None, description="A statement that can be read alone. Give this or a question, not both."
    )


class Ask(Sources):
    """The arguments of `ask`."""

    question: Text = Field(description="The question, in one sentence.")


class VerifyText(Sources):
    """The arguments of `verify_text`."""

    text: Text = Field(description="The text to check: plain words or Markdown.")


class CheckClaim(Sources):
    """The arguments of `check_claim`."""

    claim: Text = Field(description="The claim, as one statement that can be read alone.")


class Reason(Value):
    """The arguments of `reason`."""

    question: Text = Field(description="The question, in one sentence.")
    graph: str | None = Field(
        default=None, description="The registered graph. Leave it out if there is only one."
    )
    choices: tuple[Text, ...] | None = Field(
        default=None, description="The answers to choose from, for a question with choices."
    )
