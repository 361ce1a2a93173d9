"""Shingles, the runs of five words of a text: how much of one text stands in another.

(Broder, 1997: "On the resemblance and containment of documents".)
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SHINGLE = 5
# Texts by different authors about one fact hardly share a run of five words; a copy that was cut, or in which
# a tenth of the words was replaced, keeps half of its runs or more.
MIN_CONTAINED = 0.5
# Languages without spaces: each character counts as a word.
_WORD = re.compile(r"[\u2e80-\ud7ff]|[^\W_\u2e80-\ud7ff]+")


def shingles(text: str) -> NDArray[np.uint64]:
    """Return the hash values of the shingles of a text, in ascending order; of a shorter text, one for all
    its words.

    >>> len(shingles("The ferry leaves at six.")), len(shingles("The ferry leaves at six o'clock."))
    (1, 3)
    """
    import numpy as np

    words = [zlib.crc32(word.lower().encode("utf-8", "replace")) for word in _WORD.findall(text)]
    if not words:
        return np.empty(0, dtype=np.uint64)
    codes = np.array(words, dtype=np.uint64)
    length = min(_SHINGLE, len(codes))
    values = np.zeros(len(codes) - length + 1, dtype=np.uint64)
    for position in range(length):
        values = values * np.uint64(0x9E3779B97F4A7C15) + codes[position : len(codes) - length + 1 + position]
    # Mix the bits, so that small values are a random choice (the last step of SplitMix64).
    values ^= values >> np.uint64(30)
    values *= np.uint64(0xBF58476D1CE4E5B9)
    values ^= values >> np.uint64(27)
    return np.unique(values)


def contained(first: str, second: str) -> float:
    """Return the share of the shorter text's shingles that the other text has.

    >>> contained("The ferry leaves at six.", "Note: the ferry leaves at six. Dogs need a ticket.")
    1.0
    """
    import numpy as np

    sides = shingles(first), shingles(second)
    common = np.intersect1d(*sides, assume_unique=True)
    return len(common) / max(1, min(map(len, sides)))


def without_near_duplicates(texts: Sequence[str]) -> list[int]:
    """Return the rows of the texts, each near duplicate of an earlier one left out: a copy, a part, or a
    version with small changes (from `MIN_CONTAINED` on).

    >>> copies = ["Boats leave from the old pier at six.", "boats leave from the old PIER", "Tar is black."]
    >>> without_near_duplicates(copies)
    [0, 2]
    """
    kept: list[int] = []
    for row, text in enumerate(texts):
        if all(contained(text, texts[other]) < MIN_CONTAINED for other in kept):
            kept.append(row)
    return kept
