"""The prompts of scope."""

from __future__ import annotations

from probative.text.prompts import fill, read_examples, read_prompt

PACKAGE = "probative.scope"
_NUMBERS = ("One", "Two", "Three", "Four", "Five")
MAX_EXAMPLES = len(_NUMBERS)
"""The most worked examples that an extraction prompt shows: the paper shows five."""


def fill_prompt(name: str, **parts: str) -> str:
    """Return the prompt called `name` with its placeholders filled.

    >>> fill_prompt("pick", passages="{question}", question="Why?").splitlines()[0]
    '{question}'
    """
    return fill(read_prompt(PACKAGE, name), **parts)


def worked_examples(name: str, n: int) -> str:
    """Return the first n worked examples of the prompt called `name`, with a heading.

    >>> worked_examples("features", 1).splitlines()[0]
    'One example.'
    """
    blocks = read_examples(PACKAGE, name, n)
    heading = f"{_NUMBERS[len(blocks) - 1]} example{'s' if len(blocks) > 1 else ''}."
    return "\n\n".join([heading, *blocks])
