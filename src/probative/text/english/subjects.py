"""What a passage is about, and which passages speak of one another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.text.words import COMMON, words
from probative.types import Passage

_NAME = re.compile(
    r"[^\W\d_a-zà-ÿ][\w'’.-]*(?:\s+(?:(?:of|the|de|van|von)\s+)?[^\W\d_a-zà-ÿ][\w'’.-]*|\s+\d+\b)*"
)


def subject(passage: Passage) -> str:
    """The words of what a passage is about: its title, or the name that it begins with.

    >>> subject(Passage(text="He sailed.", title="Ole Brandt (captain)"))
    'ole brandt'
    >>> subject(Passage(text="The Sea Lark was built in 1842.")), subject(Passage(text="It was old."))
    ('sea lark', '')
    """
    name = subject_name(passage)
    return " ".join(words(name)) or name.lower()


def subject_name(passage: Passage) -> str:
    """What a passage is about, as it is written there."""
    if passage.title:
        return re.sub(r"\s*\(.*?\)", "", passage.title).strip() or passage.title
    found = _NAME.match(passage.text.strip())
    if found is None:
        return ""
    named = found.group()
    first, _, rest = named.partition(" ")
    return rest if first.lower() in COMMON else named


class Links:
    """Which passages speak of which others: one is linked from another whose text names its subject."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.subjects = [subject(passage) for passage in passages]
        self._texts = [f" {' '.join(words(passage.text))} " for passage in passages]

    def named_by(self, place: int, other: int) -> bool:
        """Whether the text of `other` names the subject of `place`, which is not its own."""
        about = self.subjects[place]
        return bool(about) and about != self.subjects[other] and f" {about} " in self._texts[other]

    def alike(self, place: int, other: int) -> bool:
        """Whether two passages are about the same."""
        return bool(self.subjects[place]) and self.subjects[place] == self.subjects[other]
