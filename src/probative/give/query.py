"""What is asked of a graph: a question, and the form that its answer must have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from probative.errors import InputError
from probative.text.analyzer import analyzer_for
from probative.text.cleaning import clean
from probative.text.words import words

Form = Literal["yes-no", "choice", "text"]
YES_NO = ("yes", "no", "maybe")


@dataclass(frozen=True)
class Query:
    """A question, the choices it offers (none for yes/no and free text), and its answer's form."""

    text: str
    choices: tuple[str, ...]
    form: Form

    @property
    def options(self) -> tuple[str, ...]:
        """What can be answered: the choices, or yes, no and maybe; nothing for free text."""
        return YES_NO if self.form == "yes-no" else self.choices

    @property
    def asked(self) -> str:
        """The question with its choices, as a model reads it."""
        if self.form != "choice":
            return self.text
        lettered = [f"{letter(place)}) {choice}" for place, choice in enumerate(self.choices)]
        return "\n".join([self.text, *lettered])


def letter(place: int) -> str:
    """The letter of a choice.

    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', 'AA')
    """
    before, at = divmod(place, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + at)


def make_query(question: Any, choices: Sequence[str] | None = None, form: Form | None = None) -> Query:
    """The query, checked. Without a form it is told from the choices, or from how the question begins.

    >>> make_query("Sleep aids: does melatonin help?").form, make_query("What eats moss?").form
    ('yes-no', 'text')
    >>> make_query("Which floats?", ["iron", "cork"]).form
    'choice'
    """
    if not isinstance(question, str):
        raise InputError(f"a question is a string, not {type(question).__name__}")
    text = clean(question)
    if not text:
        raise InputError("the question is empty", hint="ask something")
    if not words(text) and not any(letter.isalnum() for letter in text):
        raise InputError("the question has no words", hint="ask for something")
    listed = choices is None or (isinstance(choices, Sequence) and not isinstance(choices, str | bytes))
    if not listed or not all(isinstance(one, str) for one in choices or ()):
        raise InputError("choices are a list of strings")
    offered = tuple(clean(one) for one in choices or ())
    if form is not None and form not in ("yes-no", "choice", "text"):
        raise InputError(f"there is no answer form {form!r}", hint="one of yes-no, choice, text")
    if offered and form not in (None, "choice"):
        raise InputError(f"choices were given, and the answer form is {form}", hint="leave one of them out")
    if form == "choice" and not offered:
        raise InputError("the answer form is choice, and there are no choices", hint="give at least two")
    if offered:
        if len(offered) < 2 or not all(offered):
            raise InputError("choices must be at least two, none of them empty")
        if len({one.casefold() for one in offered}) < len(offered):
            raise InputError("two choices are the same", hint="give each choice once")
        return Query(text, offered, "choice")
    return Query(text, (), form or ("yes-no" if analyzer_for().asks_yes_or_no(text) else "text"))
