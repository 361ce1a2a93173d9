"""A verdict model that judges with a function."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

from probative.models.verdict import VerdictItem, VerdictScores, checked_items
from probative.usage import Usage


class ScriptedVerdict:
    """Judges each item with a function; `asked` has all items. A word counts as a token.

    >>> model = ScriptedVerdict(lambda item: VerdictScores(0.8, 0.1, 0.1, (1.0,)))
    >>> model.judge([VerdictItem("It rained.", ("The street was wet.",))])[0].supported
    0.8
    """

    def __init__(
        self,
        judge: Callable[[VerdictItem], VerdictScores],
        *,
        name: str = "scripted",
        fingerprint: str | None = None,
    ) -> None:
        self.name = name
        # Two scripts judge differently, so each has its own fingerprint unless the caller passes one.
        self.fingerprint = fingerprint or f"scripted:{uuid.uuid4()}"
        self.usage = Usage()
        self.asked: list[VerdictItem] = []
        self._judge = judge

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of words of each text."""
        return [len(text.split()) for text in texts]

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        """Return the scores of each item."""
        items = checked_items(items)
        self.asked += items
        read = sum(sum(self.count_tokens([item.claim, *item.evidence])) for item in items)
        self.usage += Usage(calls=len(items), prompt_tokens=read)
        return [self._judge(item) for item in items]
