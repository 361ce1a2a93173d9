"""How people see a passage's number: terminal, notes and reports all use this label."""

from __future__ import annotations


def passage_label(index: int) -> str:
    """Return the label of the passage with this index; JSON and Python count from 0, labels from 1.

    >>> passage_label(0)
    '[1]'
    """
    return f"[{index + 1}]"
