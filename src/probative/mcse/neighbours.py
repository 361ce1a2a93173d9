"""The sentences before and after each sentence of a running text, for the learned policy to read with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.models.evidence_policy import Neighbours

_TITLED = re.compile(r"[^:]{1,120}: \S")


def find_neighbours(sentences: Sequence[str]) -> tuple[Neighbours, ...]:
    """Return the sentences before and after each sentence.

    The result is empty where every sentence has the title of its page before it ("Title: sentence"): such
    sentences do not follow one another.

    >>> find_neighbours(["Ada sat down.", "", "She wrote."])[2]
    Neighbours(before='Ada sat down.', after='')
    >>> find_neighbours(["Ada: She sat down.", "Ada: She wrote."])
    ()
    """
    filled = [index for index, text in enumerate(sentences) if text.strip()]
    if len(filled) < 2 or all(_TITLED.match(sentences[index]) for index in filled):
        return ()
    neighbours = [Neighbours("", "")] * len(sentences)
    for position, index in enumerate(filled):
        before = sentences[filled[position - 1]] if position else ""
        after = sentences[filled[position + 1]] if position + 1 < len(filled) else ""
        neighbours[index] = Neighbours(before, after)
    return tuple(neighbours)
