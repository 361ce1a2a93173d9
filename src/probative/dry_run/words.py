"""What the replies of a dry run are decided by: the words that texts have in common."""

from __future__ import annotations

from collections.abc import Sequence

from probative.text.words import words

# The share of a feature's words that a text must have to carry it, as in scope's judge `words`.
CARRIED = 0.5
STATED = "It is known from the records of that time"


def carries(text: str, feature: str) -> bool:
    """Return whether a text has half the words of a feature.

    >>> carries("The ferry sank in 1901.", "ferry Lark"), carries("Rain fell.", "ferry Lark")
    (True, False)
    """
    needed = set(words(feature))
    return len(needed & set(words(text))) >= CARRIED * len(needed)


def common_words(first: str, second: str) -> int:
    """Return the number of different words that two texts share."""
    return len(set(words(first)) & set(words(second)))


def best_answer(question: str, texts: Sequence[str]) -> tuple[str, int]:
    """Return the end of the text with most words of the question, and its number."""
    if not texts:
        return "Ada Berg", 1
    best = max(range(len(texts)), key=lambda row: (common_words(texts[row], question), -row))
    return (words(texts[best]) or ["nothing"])[-1], best + 1


def yes_or_no(holds: bool) -> str:
    """Return the reply to a question of yes or no."""
    return "yes" if holds else "no"


def scored_lines(texts: Sequence[str], question: str) -> str:
    """Return lines with a score for each text, from 1 to 10."""
    return "\n".join(
        f"{number}. {min(10, 3 + 2 * common_words(text, question))}" for number, text in enumerate(texts, 1)
    )
