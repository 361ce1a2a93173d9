"""What stands beside each sentence of a running text, for the learned policy to read with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.models.evidence_policy import Neighbours

_TITLED = re.compile(r"[^:]{1,120}: \S")


def beside_each(sentences: Sequence[str]) -> tuple[Neighbours, ...]:
    """The sentences before and after each; nothing where every sentence has its page's title before it,
    "Title: sentence", since such sentences stand for themselves.

    >>> beside_each(["Ada sat down.", "", "She wrote."])[2]
    Neighbours(before='Ada sat down.', after='')
    >>> beside_each(["Ada: She sat down.", "Ada: She wrote."])
    ()
    """
    said = [place for place, text in enumerate(sentences) if text.strip()]
    if len(said) < 2 or all(_TITLED.match(sentences[place]) for place in said):
        return ()
    found = [Neighbours("", "")] * len(sentences)
    for at, place in enumerate(said):
        before = sentences[said[at - 1]] if at else ""
        after = sentences[said[at + 1]] if at + 1 < len(said) else ""
        found[place] = Neighbours(before, after)
    return tuple(found)
