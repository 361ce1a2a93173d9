"""The prompts of scope."""

from __future__ import annotations

from probative.text.prompts import fill, read_prompt


def filled(name: str, **parts: str) -> str:
    """One of the prompts beside this file, with its places filled.

    >>> filled("pick", passages="{question}", question="Why?").splitlines()[0]
    '{question}'
    """
    return fill(read_prompt("probative.scope", name), **parts)
