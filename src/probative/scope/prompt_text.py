"""The prompts of scope."""

from __future__ import annotations

from probative.text.prompts import fill, read_prompt


def fill_prompt(name: str, **parts: str) -> str:
    """Return the prompt called `name` with its placeholders filled.

    >>> fill_prompt("pick", passages="{question}", question="Why?").splitlines()[0]
    '{question}'
    """
    return fill(read_prompt("probative.scope", name), **parts)
