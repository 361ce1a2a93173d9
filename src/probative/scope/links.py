"""Which passages mention the subject of which others."""

from __future__ import annotations

from collections.abc import Sequence

from probative.text import english
from probative.text.words import words
from probative.types import Passage


class Links:
    """The links between passages, by their row: a passage is linked from one whose text names its subject."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.subjects = [english.subject(passage) for passage in passages]
        self._texts = [f" {' '.join(words(passage.text))} " for passage in passages]

    def named_by(self, row: int, other: int) -> bool:
        """Return whether the text of `other` names the subject of `row`, which is not its own."""
        subject = self.subjects[row]
        return bool(subject) and subject != self.subjects[other] and f" {subject} " in self._texts[other]

    def same_subject(self, row: int, other: int) -> bool:
        """Return whether two passages are about the same thing."""
        return bool(self.subjects[row]) and self.subjects[row] == self.subjects[other]

    def linked_to(self, row: int, chosen: Sequence[int]) -> bool:
        """Return whether one of the chosen passages names the subject of `row` or shares it."""
        return any(self.named_by(row, other) or self.same_subject(row, other) for other in chosen)
