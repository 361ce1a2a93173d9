"""Worked examples for the answer's prompt: our own, or the user's; never the question that is asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from probative.errors import InputError
from probative.give.query import YES_NO, Form, Query
from probative.give.result import Example
from probative.text.words import words


def examples_for(query: Query, count: int, given: Sequence[Example] | None = None) -> list[Example]:
    """So many examples of the query's form, or as many as there are: the user's where there are any of this
    form, else ours. One that asks the same as the query is left out.

    >>> from probative.give.query import make_query
    >>> [example.answer for example in examples_for(make_query("Is moss green?"), 3)]
    ['yes', 'no', 'maybe']
    """
    own = [_checked(example, query.form) for example in given or () if _form(example) == query.form]
    pool = own or list(_ours()[query.form])
    asked = sorted(words(query.text))
    return [example for example in pool if sorted(words(example.question)) != asked][:count]


@cache
def _ours() -> dict[Form, tuple[Example, ...]]:
    """The examples beside this file, by form."""
    text = (files("probative.give") / "prompts" / "examples.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    forms: tuple[Form, ...] = ("yes-no", "choice", "text")
    return {
        form: tuple(Example.model_validate(row["example"]) for row in rows if row["form"] == form)
        for form in forms
    }


def _form(example: Example) -> Form:
    """The form of an example: by its choices, then by its answer.

    >>> _form(Example(question="Does iron float?", answer="no"))
    'yes-no'
    """
    if example.choices:
        return "choice"
    return "yes-no" if example.answer.lower() in YES_NO else "text"


def _checked(example: Example, form: Form) -> Example:
    if form == "choice" and example.answer not in example.choices:
        raise InputError(f"an example's answer is none of its choices: {example.answer!r}")
    return example
