"""The passages of a run: those that were given, those that were looked up, and those that are judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from probative.scope.inputs import as_passages, clean_passage
from probative.scope.split import Splitter, keep_whole
from probative.types import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Pool:
    """Passages that grow with every retrieval.

    `originals` are the passages as the caller counts them. `passages` are the same, with the parts of a
    passage that was too long in its place; `origins` has the index of the original of each. `judged` are the
    indexes (into `passages`) of those that are judged, in their order.
    """

    def __init__(
        self,
        passages: Sequence[Passage] = (),
        vectors: NDArray[np.float32] | None = None,
        split: Splitter = keep_whole,
    ) -> None:
        self.originals: list[Passage] = []
        self.passages: list[Passage] = []
        self.origins: list[int] = []
        self.judged: list[int] = []
        self._split = split
        for passage in passages:
            self._append(passage)
        self._vectors = vectors

    def judge_only(self, originals: Sequence[int]) -> None:
        """Judge all parts of these originals, in their order."""
        chosen = set(originals)
        self.judged = [index for index, origin in enumerate(self.origins) if origin in chosen]

    def candidates(self) -> list[Passage]:
        """Return the passages that are judged."""
        return self.at(self.judged)

    def at(self, indexes: Sequence[int]) -> list[Passage]:
        """Return the passages with these indexes."""
        return [self.passages[index] for index in indexes]

    def vectors(self) -> NDArray[np.float32] | None:
        """Return the vectors of the judged passages, if the caller gave vectors for all of them."""
        if self._vectors is None:
            return None
        import numpy as np

        rows = [self.origins[index] for index in self.judged]
        return np.asarray(self._vectors, dtype=np.float32)[rows]

    def add(self, values: Sequence[Any], limit: int | None = None) -> int:
        """Add passages with a new text, at most `limit`, judge them too, and return their number."""
        known = {passage.text.lower() for passage in self.originals}
        added = 0
        for passage in as_passages(list(values or [])):
            if added == limit:
                break
            text = clean_passage(passage).text.lower()
            if text and text not in known:
                known.add(text)
                self.judged += self._append(passage)
                self._vectors = None  # the new passages have none
                added += 1
        return added

    def _append(self, passage: Passage) -> list[int]:
        """Add a passage with its parts and return the indexes of the parts."""
        origin = len(self.originals)
        self.originals.append(clean_passage(passage))
        parts = [clean_passage(part) for part in self._split(passage)]
        first = len(self.passages)
        self.passages += parts
        self.origins += [origin] * len(parts)
        return list(range(first, first + len(parts)))
