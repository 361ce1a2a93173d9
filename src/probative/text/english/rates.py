"""Rates and conditions of amounts: "per week", "a night", "less a discount of 10 euros for members"."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from probative.text.english.number_words import read_number_words
from probative.text.quantities import Quantity
from probative.text.word_lists import any_of, stem, word_map, word_set

TIMES = word_map("rate_nouns")
"""The units of time that the nouns of a rate name."""
_ADVERBS = word_map("rate_adverbs")
_TIME, _ADVERB = "|".join(TIMES), "|".join(_ADVERBS)
_GOES_ON = rf"(?=\s*(?:$|[^\w\s]|(?:{any_of('rates.going_on')})\b))"
_PER = re.compile(
    rf"(?i)\s*(?:(?:per|/|each|every)\s*(?P<noun>{_TIME}|{any_of('rates.things')})"
    rf"|(?:for\s+)?(?:an?|one|each|every)\s+(?P<time>{_TIME}|head|piece){_GOES_ON}"
    rf"|(?P<adverb>{_ADVERB})|for\s+(?P<count>\d+|[a-z]+)\s+(?P<times>{_TIME})s)\b"
)
_COUNTED = re.compile(r"\s+[a-z]+(?:\s+[a-z]+)?(?=\s+(?:per|an?)\s)")
_BEFORE = re.compile(rf"(?i)\b(?P<adverb>{_ADVERB})\s+(?:\w+\s+){{1,2}}?(?:(?:of|is|was|at)\s+)?$")
_SPEEDS = {("km", "h"): "km/h", ("mi", "h"): "mph"}
# Characters before an amount that may belong to it: a whole text before each of its amounts would be read as
# often as it has amounts.
_LOOK_BACK = 200


def with_rate(quantity: Quantity, text: str, start: int, end: int) -> tuple[Quantity, int]:
    """Return a quantity with what it is for, and where its words end.

    >>> from probative.text.quantities import exactly
    >>> with_rate(exactly(560, "EUR"), "560 euros per week", 0, 9)[0].per
    'wk'
    """
    behind = end
    if quantity.unit == "" and (counted := _COUNTED.match(text, end)) is not None:
        behind = counted.end()
    match = _PER.match(text, behind)
    if match is None:
        before = _BEFORE.search(text, max(0, start - _LOOK_BACK), start)
        if before is None or quantity.unit == "":
            return quantity, end
        return replace(quantity, per=_ADVERBS[before["adverb"].lower()]), end
    if match["count"] is not None:
        return _for_several(quantity, match, end)
    noun = (match["noun"] or match["time"] or match["adverb"]).lower()
    per = TIMES.get(noun) or _ADVERBS.get(noun) or noun
    if (quantity.unit, per) in _SPEEDS:
        return replace(quantity, unit=_SPEEDS[quantity.unit, per]), match.end()
    return replace(quantity, per=per), (end if behind != end else match.end())


def _for_several(quantity: Quantity, match: re.Match[str], end: int) -> tuple[Quantity, int]:
    """Return "560 euros for seven nights" as a rate for one."""
    count = Fraction(match["count"]) if match["count"].isdigit() else read_number_words(match["count"])
    if not count or quantity.unit == "":
        return quantity, end
    low, high = (None if bound is None else bound / count for bound in (quantity.low, quantity.high))
    return Quantity(low, high, quantity.unit, TIMES[match["times"].lower()]), match.end()


def counts_rate(counted: str, per: str) -> bool:
    """Return whether an amount counts what a rate is for: "3 nights" for "80 euros a day".

    >>> counts_rate("nights in May", "d"), counts_rate("guests", "person"), counts_rate("rooms", "d")
    (True, True, False)
    """
    noun = counted.partition(" ")[0].lower()
    people = word_set("rates.people")
    singular = noun.removesuffix("s")
    return TIMES.get(singular, singular) == per or stem(noun) == stem(per) or {singular, per} <= people
