"""An answer put as a claim that evidence can be held against."""

from __future__ import annotations


def statement(question: str, answer: str) -> str:
    """Return a question and an answer as one claim. The verdict model is trained on this form, too.

    >>> statement("Who built the pier?", "Ole Berg")
    'Who built the pier? Ole Berg'
    """
    return f"{' '.join(question.split())} {' '.join(answer.split())}"
