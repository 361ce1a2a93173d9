"""What each clause of a sentence is about, seen from one name: the name itself, a part of it, or another
thing. The rules of a language find it (`english.topics_of`).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

TopicKind = Literal["own", "part", "other", "compared"]
"""What a clause is about: the name, a part of it, something else, or a name that it is compared with."""


class Topic(NamedTuple):
    """The characters of a clause, and what it is about; of a part, the stems of the words that name it."""

    start: int
    end: int
    kind: TopicKind
    part: frozenset[str] = frozenset()


def topic_at(topics: tuple[Topic, ...], position: int) -> Topic:
    """Return the topic of the clause at a position; without clauses, the name itself.

    >>> topic_at((Topic(0, 9, "own"), Topic(9, 30, "other")), 12).kind
    'other'
    """
    return next((topic for topic in topics if topic.start <= position < topic.end), Topic(0, 0, "own"))
