"""A griffe extension: examples in docstrings become code blocks on the API pages."""

from __future__ import annotations

from typing import Any

import griffe


class FenceExamples(griffe.Extension):
    """Puts a fence around every run of doctest lines."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the examples of an object's docstring."""
        if obj.docstring is not None:
            obj.docstring.value = fence(obj.docstring.value)


def fence(text: str) -> str:
    r"""Return `text` with a fence around every run of doctest lines.

    >>> fence("Adds.\n\n>>> 1 + 1\n2\n\nNo more.").split("\n")
    ['Adds.', '', '```pycon', '>>> 1 + 1', '2', '```', '', 'No more.']
    """
    lines: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line.startswith(">>> ") and not inside:
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)
