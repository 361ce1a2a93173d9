"""Worked examples for the answer's prompt, built in or the user's; never the question itself."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from probative.errors import InputError
from probative.give.query import YES_NO, Form, Query
from probative.give.result import Example
from probative.text.words import words


def examples_for(query: Query, n: int, given: Sequence[Example] | None = None) -> tuple[Example, ...]:
    """Return at most `n` examples of the query's form: those that are `given` if any of them has this form,
    otherwise the built-in ones. An example with the same question as the query is left out.

    >>> from probative.give.query import make_query
    >>> [example.answer for example in examples_for(make_query("Is moss green?"), 3)]
    ['yes', 'no', 'maybe']
    """
    usable = [_checked(example, query.form) for example in given or () if _form(example) == query.form]
    pool = usable or _built_in()[query.form]
    question = sorted(words(query.text))
    return tuple(example for example in pool if sorted(words(example.question)) != question)[:n]


@cache
def _built_in() -> dict[Form, tuple[Example, ...]]:
    """Read the built-in examples, by form."""
    text = (files("probative.give") / "prompts" / "examples.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    forms: tuple[Form, ...] = ("yes-no", "choice", "text")
    return {
        form: tuple(Example.model_validate(row["example"]) for row in rows if row["form"] == form)
        for form in forms
    }


def _form(example: Example) -> Form:
    """Return the form of an example, from its choices or its answer.

    >>> _form(Example(question="Does iron float?", answer="no"))
    'yes-no'
    """
    if example.choices:
        return "choice"
    return "yes-no" if example.answer.lower() in YES_NO else "text"


def _checked(example: Example, form: Form) -> Example:
    if form == "choice" and example.answer not in example.choices:
        raise InputError(f"the answer of a worked example must be one of its choices, got {example.answer!r}")
    return example
