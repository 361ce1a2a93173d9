"""A question over a graph, and the form of its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from probative.errors import InputError
from probative.give.question_words import asks_yes_or_no
from probative.text.words import clean, words

Form = Literal["yes-no", "choice", "text"]
YES_NO = ("yes", "no", "maybe")


@dataclass(frozen=True)
class Query:
    """A question, its choices (empty for yes/no and free text), the form of its answer, and the groups of
    relations that the user declared equal.
    """

    text: str
    choices: tuple[str, ...]
    form: Form
    equal: tuple[tuple[str, ...], ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """The possible answers: the choices, or yes, no and maybe; empty for free text."""
        return YES_NO if self.form == "yes-no" else self.choices

    @property
    def with_choices(self) -> str:
        """The question with its choices, as a model reads it."""
        if self.form != "choice":
            return self.text
        lettered = [f"{letter(index)}) {choice}" for index, choice in enumerate(self.choices)]
        return "\n".join([self.text, *lettered])


def letter(index: int) -> str:
    """Return the letter of a choice.

    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', 'AA')
    """
    before, last = divmod(index, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + last)


def make_query(question: Any, choices: Sequence[str] | None = None, form: Form | None = None) -> Query:
    """Check the arguments and return the query. The default form follows from the choices or the question.

    >>> make_query("Sleep aids: does melatonin help?").form, make_query("What eats moss?").form
    ('yes-no', 'text')
    >>> make_query("Which floats?", ["iron", "cork"]).form
    'choice'
    """
    if not isinstance(question, str):
        raise InputError(f"question must be a string, got {type(question).__name__}")
    text = clean(question)
    if not text:
        raise InputError("the question is empty", hint="give a question")
    if not words(text) and not any(letter.isalnum() for letter in text):
        raise InputError("the question has no words", hint="give a question in words")
    is_list = choices is None or (isinstance(choices, Sequence) and not isinstance(choices, str | bytes))
    if not is_list or not all(isinstance(choice, str) for choice in choices or ()):
        raise InputError("choices must be a list of strings", hint='give a list such as ["iron", "cork"]')
    offered = tuple(clean(choice) for choice in choices or ())
    if form is not None and form not in ("yes-no", "choice", "text"):
        raise InputError(f"form must be yes-no, choice or text, got {form!r}")
    if offered and form not in (None, "choice"):
        raise InputError(
            f"form must be choice if there are choices, got {form}", hint="leave one of them out"
        )
    if form == "choice" and not offered:
        raise InputError("form is choice, but there are no choices", hint="give at least two choices")
    if offered:
        if len(offered) < 2 or not all(offered):
            raise InputError("choices must be at least two, and none may be empty")
        if len({choice.casefold() for choice in offered}) < len(offered):
            raise InputError("two choices are the same", hint="give each choice once")
        return Query(text, offered, "choice")
    return Query(text, (), form or ("yes-no" if asks_yes_or_no(text) else "text"))
