"""A claim with its evidence and its label, in one form for all sources."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from probative.bench.data.splits import plain_words

Label = Literal["supported", "contradicted", "insufficient"]
Part = Literal["train", "validation"]
# The share of claims, in percent, that is not trained on.
VALIDATION_PERCENT = 4


@dataclass(frozen=True)
class Judged:
    """A claim, the sentences of its evidence, and its label.

    `gold` are the indexes of the sentences that decide, where that is known. `binary` says that a label other
    than supported only means "not supported". Rows of one `group` belong to the same part; without it, rows
    of one claim do.
    """

    claim: str
    evidence: tuple[str, ...]
    label: Label
    source: str
    gold: tuple[int, ...] = ()
    binary: bool = False
    group: str = ""

    @property
    def part(self) -> Part:
        """The part that the claim belongs to, whatever its evidence.

        >>> Judged("It rained.", ("Wet.",), "supported", "own").part
        'train'
        """
        key = f"verdict {plain_words(self.group or self.claim)}"
        start = hashlib.sha256(key.encode()).digest()[:8]
        return "validation" if int.from_bytes(start, "big") % 100 < VALIDATION_PERCENT else "train"
