"""What the amounts of a sentence measure."""

from __future__ import annotations

import re

from probative.text.english.degrees import ATTRIBUTES
from probative.text.quantities import Dimension
from probative.text.word_lists import COMMON, any_of, stems_of, word_lists

_MEASURES = {
    dimension: [ATTRIBUTES[name] for name in names] for dimension, names in word_lists("measures").items()
}
_END = re.compile(r"(?i)\b(?:clos\w*|shuts?|until|till|ends?|ending|finish\w*|arriv\w*|to)\b|[–—]|-")
_START = re.compile(
    r"(?i)\b(?:open(?:s|ed|ing)?|from|start(?:s|ed|ing)?|begin(?:s|ning)?|leaves?|departs?)\b"
)
_NAMED = re.compile(r"(?i)(?P<words>\w+\s+\w+)\s+(?:of|is|was|are|were|reached|totals|to)\s*$")
_LIMIT = re.compile(rf"(?i)\b(?:{any_of('quantities.limits')})\b")


def measures_of(text: str, dimension: Dimension, position: int | None = None) -> frozenset[str]:
    """Return what an amount of a dimension may measure in a text: "start" or "end" for a time of day at a
    `position`. Without a position, return what a question asks for.

    >>> [sorted(measures_of(text, "length")) for text in ("How long is it?", "It has a length of 2 km.")]
    [['length'], ['length']]
    >>> measures_of("It is open until 8 pm.", "clock", 17), measures_of("When does it close?", "clock")
    (frozenset({'end'}), frozenset({'end'}))
    """
    if dimension == "clock":
        return _asked_time(text) if position is None else _times_of(text[:position])
    stems = stems_of(text)
    return frozenset(measure.name for measure in _MEASURES.get(dimension, ()) if measure.cues & stems)


def names_amount(before: str) -> str:
    """Return the words that name the amount behind a text; "" if none do.

    >>> names_amount("Rodenau had a population of"), names_amount("Rodenau has")
    ('a population', '')
    """
    match = _NAMED.search(before)
    return match["words"] if match is not None else ""


def is_label(text: str, start: int) -> bool:
    """Return whether the number at a position belongs to a name.

    >>> is_label("The rent of Flat 7 is high.", 17), is_label("In 12 rooms it is cold.", 3)
    (True, False)
    """
    match = re.search(r"(?P<word>[A-Z][\w-]*)\s$", text[:start])
    return match is not None and match["word"].lower() not in COMMON


def states_limit(text: str) -> bool:
    """Return whether a text says how much is allowed.

    >>> states_limit("Travellers may spend up to 140 euros on a hotel."), states_limit("It costs 140 euros.")
    (True, False)
    """
    return _LIMIT.search(text) is not None


def _asked_time(question: str) -> frozenset[str]:
    """Return whether a question asks for a start or an end."""
    if re.search(r"\b(?:clos\w*|shuts?|until|till|ends?|finish\w*|arriv\w*)\b", question, re.IGNORECASE):
        return frozenset({"end"})
    return frozenset({"start"} if _START.search(question) else ())


def _times_of(text: str) -> frozenset[str]:
    """Return whether the last word about a time of day is one of a start or of an end."""
    ends = [match.end() for match in _END.finditer(text)]
    starts = [match.end() for match in _START.finditer(text)]
    if not ends and not starts:
        return frozenset()
    return frozenset({"end"} if max(ends, default=-1) > max(starts, default=-1) else {"start"})
