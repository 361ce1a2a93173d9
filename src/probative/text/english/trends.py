"""Whether something rises, falls or stays: "has grown", "nine fewer than a year ago", "stays at £26"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from probative.text.analysis import Trend
from probative.text.english.degrees import PRICE
from probative.text.english.negation import is_denied, is_negated
from probative.text.english.quantities import quantities_in
from probative.text.quantities import dimension_of
from probative.text.word_lists import COMMON, any_of, stem, word_list, word_set

_JOINT = re.compile(
    r"(?i)\s*[;:–—]\s+|,\s+|\s+(?=(?:and|but|while|whereas|against|compared\s+(?:with|to))\b)"
)

# In lower case: Skarn Fell is a name.
_CHANGE = re.compile(
    r"\b(?:mov(?:e|es|ed|ing)|add(?:s|ed)?|transfer(?:s|red)?|more|less|fewer|further|another|extra|plus|minus|"
    r"increased?|decreased?|rose|f[ae]ll|gr[eo]w|by|lost|gained|withdr\w+|took|taken|put|used to|formerly)\b"
)
# What a size is called; a sentence that gives the size may leave it out ("Half plots stay at £26").
_MEASURE = re.compile(
    r"(?i)^(?:the\s+)?(?:\w+\s+)?(?P<measure>rent|price|cost|fee|fare|charge|rate|number|size)s?\s+(?:of|for)\s+"
)
_UP = (
    r"grow(?:s|n)?|grew|r[io]ses?|risen|increase[sd]?|climb(?:s|ed)?|expand(?:s|ed)?|"
    r"(?:go(?:es|ne)?|went)\s+up|doubled"
)
_DOWN = (
    r"f[ae]ll(?:s|en)?|drop(?:s|ped)?|decrease[sd]?|decline[sd]?|shr(?:ink|inks|ank|unk)|halved|"
    r"(?:go(?:es|ne)?|went)\s+down|(?:been|be|was|were)\s+(?:cut|reduced)"
)
_STAY = (
    r"(?:stay(?:s|ed)?|remain(?:s|ed)?)\s+(?:at(?=\s+[£$€\d])|the same|unchanged|constant)|"
    r"(?:is|are|was|were|be|been|left|kept)\s+unchanged|(?:kept|frozen|held)\s+at(?=\s+[£$€\d])"
)
_WHEN = (
    r"(?:an?|one|the)\s+(?:\w+\s+)?(?:day|week|month|quarter|season|year|decade)\s+(?:ago|before|earlier)|"
    r"(?:last|the\s+previous|the\s+past)\s+\w+|before|previously|in\s+(?:\w+\s+)?\d{4}"
)
_TREND = re.compile(
    rf"(?i)\b(?:(?P<up>{_UP})|(?P<down>{_DOWN})|(?P<stay>{_STAY})"
    rf"|(?:(?P<more>more|higher)|(?P<fewer>fewer|less|lower))\b(?P<noun>(?:\s+[a-z]+){{0,5}}?)\s+than\s+(?:{_WHEN}))\b"
)
_AUXILIARY = re.compile(
    r"(?i)\s+(?:(?:has|have|had|will|would|is|are|was|were|been|be|going|set|to|since|also|again|slightly|much|far)\b\s*)+$"
)
# "in the fall", "a sharp rise": nouns. "to increase": no statement.
_NO_VERB = re.compile(
    r"(?i)\b(?:the|an?|this|that|to|of|in|sharp|further|any|no)\s*$(?<!\bgoing to )(?<!\bset to )"
)
_HOW = r"(?:\s+(?:slightly|sharply|again|further|steadily))?"
# What may follow: never an object ("increases the risk") or another sense ("declined to comment").
_FOLLOWS = re.compile(
    rf"(?i){_HOW}(?=\s*(?:$|[.,;:)!])|\s+(?:by|from|since|over|during|this|last|next|and|but|to\s+[£$€\d]|"
    r"in\s+(?:\w+\s+)?\d|[£$€\d]))"
)
_CLAIM_ENDS = re.compile(
    rf"(?i){_HOW}(?:\s+(?:since|over|during|this|last|next)\b[^,;:]{{0,30}}|\s+in\s+(?:\w+\s+)?\d{{4}})?\W*$"
)
_AUXILIARIES = word_set("comparisons.auxiliaries")
_THERE = re.compile(r"(?i)^there\s+(?:are|were|is|was)\s+")
_FUTURE = re.compile(r"(?i)\b(?:will|shall|going to|set to)\b")
# What may not happen at all, or is only asked, planned or told.
_OPEN = re.compile(rf"(?i)\b(?:{any_of('comparisons.open')})\b|\?")
_PERIOD = re.compile(rf"(?i)\b(?P<period>{any_of('comparisons.periods', 'months')})s?\b")
_YEAR = re.compile(r"\b[12]\d{3}\b")
_LATELY = re.compile(r"(?i)\b(?:since|than in)\b")
# "…, nine fewer than a year ago": the segment says something about the one before it.
_APPENDED = re.compile(r"(?i)^\W*(?:which\s+(?:is|are|was|were)\s+|slightly|far|many|much|and|\s)*$")
# What has members is as large as it has members.
_COLLECTIVE = frozenset(map(stem, word_list("comparisons.collective")))
# Other words may stand beside the thing ("annual", "the society's"), but not another thing.
MAX_OTHER_WORDS = 1
MAX_OTHER_BEFORE_APPENDED = 2


def segments_of(sentence: str) -> list[str]:
    """Return a sentence cut at its commas and at the words that join its parts.

    >>> segments_of("It holds £3,420 in the till and £1,150 in the safe.")
    ['It holds £3,420 in the till', 'and £1,150 in the safe.']
    """
    return [part for part in _JOINT.split(sentence) if part.strip()]


def is_change(text: str) -> bool:
    """Return whether a text says by how much an amount changes, and not how large it is.

    >>> is_change("and £200 was moved to the safe"), is_change("and £200 in the safe")
    (True, False)
    """
    return _CHANGE.search(text) is not None


def claimed_trend(claim: str) -> Trend | None:
    """Return what a claim says to rise, fall or stay; None for every other claim.

    >>> trend = claimed_trend("The rent of a half plot will go up in 2025.")
    >>> sorted(trend.thing), trend.measure, trend.direction, trend.future
    (['half', 'plot'], 'rent', 1, True)
    """
    matches = list(_TREND.finditer(claim))
    if len(matches) != 1 or is_negated(claim) or _OPEN.search(claim):
        return None
    match = matches[0]
    if _NO_VERB.search(claim[: match.start()]) or _CLAIM_ENDS.fullmatch(claim[match.end() :]) is None:
        return None
    if any(_YEAR.fullmatch(span.text.strip()) is None for span in quantities_in(claim[match.end() :])):
        return None
    named = f"{_THERE.sub('', claim[: match.start()])} {match['noun'] or ''}"
    measure = _MEASURE.match(named)
    thing = _AUXILIARY.sub("", named[measure.end() :] if measure is not None else named)
    stems = _content(thing)
    if not stems:
        return None
    return Trend(
        thing=stems,
        measure=measure["measure"].lower() if measure is not None else "",
        direction=_direction(match),
        future=_FUTURE.search(claim) is not None,
        years=_years(claim),
        periods=_periods(claim),
    )


def told_direction(sentence: str, trend: Trend) -> int | None:
    """Return whether a sentence says that the thing of a trend rises (1), falls (-1) or stays (0); None if it
    does not say so, or says it of another time.

    >>> trend = claimed_trend("The waiting list has grown since last year.")
    >>> told_direction("The waiting list has 37 names, nine fewer than a year ago.", trend)
    -1
    >>> told_direction("The choir has 37 members, nine fewer than a year ago.", trend)
    """
    if is_denied(sentence) or _OPEN.search(sentence):
        return None
    directions: set[int | None] = set()
    for before, match in _told(sentence):
        direction = _of_thing(before, match, sentence, trend)
        # "fell at first and has grown since": what has no subject of its own may be about the thing, too.
        if direction is not None or not _content(before):
            directions.add(direction)
    return directions.pop() if len(directions) == 1 else None


def _told(sentence: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield each trend of a sentence, and before it the words that name what rises, falls or stays."""
    previous = ""
    for segment in segments_of(sentence):
        for match in _TREND.finditer(segment):
            before = segment[: match.start()]
            if match["more"] or match["fewer"] or match["stay"]:
                is_verb = True
            else:
                is_verb = _FOLLOWS.match(segment, match.end()) is not None and not _NO_VERB.search(before)
            if not is_verb:
                continue
            for span in reversed(quantities_in(before)):
                before = before[: span.start] + before[span.end :]
            appended = _APPENDED.match(before) is not None
            yield (f"{previous}," if appended else segment[: match.start()]), match
        previous = segment


def _of_thing(before: str, match: re.Match[str], sentence: str, trend: Trend) -> int | None:
    appended = before.endswith(",")
    named = _content(before) | _content(match["noun"] or "")
    measure = {stem(trend.measure)} if trend.measure else set()
    others = {word for word in named - trend.thing - measure if not word.isdigit()}
    if not trend.thing <= named or len(others) > (MAX_OTHER_BEFORE_APPENDED if appended else MAX_OTHER_WORDS):
        return None
    if appended and not trend.measure and not (trend.thing & _COLLECTIVE) and others:
        return None
    if trend.measure not in ("", "number") and not (measure & named or _has_price(sentence, trend.measure)):
        return None
    return _direction(match) if _same_time(sentence, trend) else None


def _has_price(sentence: str, measure: str) -> bool:
    spans = quantities_in(sentence)
    return stem(measure) in PRICE.cues and any(dimension_of(span.quantity.unit) == "money" for span in spans)


def _same_time(sentence: str, trend: Trend) -> bool:
    """Return whether a sentence speaks of the time of a trend."""
    if trend.future != (_FUTURE.search(sentence) is not None):
        return False
    years, periods = _years(sentence), _periods(sentence)
    if trend.years and years:
        return bool(trend.years & years)
    if trend.periods and periods:
        return bool(trend.periods & periods)
    # "It grew in 1950" does not say how it has changed of late.
    if years and not trend.future and _LATELY.search(sentence) is None:
        return False
    return trend.future or not (trend.years or trend.periods)


def _direction(match: re.Match[str]) -> int:
    if match["stay"]:
        return 0
    return 1 if match["up"] or match["more"] else -1


def _content(text: str) -> frozenset[str]:
    found = re.findall(r"[^\W_]+", text.lower())
    return frozenset(
        stem(word)
        for word in found
        if word not in COMMON
        and not word.isdigit()
        and word not in _AUXILIARIES
        and not _PERIOD.fullmatch(word)
    )


def _years(text: str) -> frozenset[str]:
    return frozenset(_YEAR.findall(text))


def _periods(text: str) -> frozenset[str]:
    return frozenset(match["period"].lower() for match in _PERIOD.finditer(text))
