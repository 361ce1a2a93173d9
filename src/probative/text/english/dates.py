"""Dates as English prose writes them: their places, their verbs, and years that are left out."""

from __future__ import annotations

import re
from bisect import bisect_left

from probative.text.analysis import DateWithVerb
from probative.text.dates import MONTHS, Date
from probative.text.word_lists import any_of, stem, word_lists, word_set

_MONTH = "|".join(MONTHS)
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
SHAPES = (
    re.compile(rf"\b{_DAY} (?P<month>{_MONTH}),? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(rf"\b(?P<month>{_MONTH}) {_DAY},? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(rf"\b(?P<month>{_MONTH}),? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(r"\b(?P<year>\d{4})\b"),
)
# Years with an era may have few digits. In "106–43 BC" both are BC.
_BEFORE_YEAR = rf"(?<![\d,./])(?:(?:(?P<day>\d{{1,2}}) )?(?P<month>{_MONTH}),? )?"
_BC = r"(?-i:BCE?\b)"
_WITH_ERA = (
    re.compile(
        rf"{_BEFORE_YEAR}(?P<year>\d{{1,4}})"
        rf"(?P<bc> ?{_BC}|(?=\s*[–—-]\s*(?:\d{{1,2}} )?(?:(?:{_MONTH}) )?\d{{1,4}} ?{_BC}))",
        re.I,
    ),
    re.compile(rf"{_BEFORE_YEAR}(?-i:AD) ?(?P<year>\d{{1,4}})\b", re.I),
    re.compile(rf"{_BEFORE_YEAR}(?P<year>\d{{1,4}}) ?(?-i:AD|CE)\b", re.I),
)
_DOTTED_ERA = re.compile(r"\b(?:(B)\. ?C\.(?: ?E\.)?|A\. ?D\.)")
# A year followed directly by a day or a month: the dash between two dates was lost.
_RUN_TOGETHER = re.compile(rf"(?i)(\d{{4}})(?=\d{{1,2}} (?:{_MONTH})|(?:{_MONTH}))")
_ORDINAL = r"(?:st|nd|rd|th)?"
_NO_YEAR = r"(?!\s*,?\s*\d{3,4}\b)(?!\s+(?:to|and|until|or|-|–)\s+\d{1,2}\b)"
# "May" and "March" are also verbs, and months also adjectives: a month alone counts after a preposition.
_WITHOUT_YEAR = re.compile(
    rf"(?i)\b(?:(?P<day>\d{{1,2}}){_ORDINAL} (?P<month>{_MONTH})"
    rf"|(?P<first>{_MONTH}) (?P<second>\d{{1,2}}){_ORDINAL}"
    rf"|(?<=\bin )(?P<alone>{_MONTH})|(?<=\bsince )(?P<since>{_MONTH}))\b{_NO_YEAR}"
)
# Verbs and nouns of one event; a question for one of them is answered by any of its group.
_GROUPS = tuple(map(frozenset, word_lists("event_groups").values()))
_KNOWN = frozenset().union(*_GROUPS)
# Events that are never the beginning of anything, or of something else.
_OTHERS = word_set("events.others")
_VERB = re.compile(
    rf"(?i)\b(?:{'|'.join(sorted(_KNOWN | _OTHERS))}|[a-z]{{3,}}ed|won|sold|held|met|left|became|took|sank)\b"
)
_UNSURE = re.compile(rf"(?i)\b(?:{any_of('events.uncertain')})\.?\s+(?:the\s+)?$")
# "…, and in 1903 the bridge opened": the date begins a clause.
_BEGINS = re.compile(
    r"(?i)(?:^|[,;]|\b(?:and|but|then|while))\s*(?:finally|only|later|again)?\s*(?:in|on|by|since)?\s*$"
)


def dates_in(text: str) -> list[Date]:
    """Return the dates of a text in their order, each as exact as the text gives it. Two dates without the
    dash between them are still two.

    >>> dates_in("5 May 1900 – June 1980"), dates_in("13 May 194018 January 1989")
    ([(1900, 5, 5), (1980, 6, 0)], [(1940, 5, 13), (1989, 1, 18)])
    >>> dates_in("106–43 BC"), dates_in("23 September 63 BC – 19 August AD 14")
    ([(-106, 0, 0), (-43, 0, 0)], [(-63, 9, 23), (14, 8, 19)])
    """
    return [date for _, _, date in date_spans(_RUN_TOGETHER.sub(r"\1 ", text))]


def date_spans(text: str) -> list[tuple[int, int, Date]]:
    """Return the dates of a text in their order, each with its first character and the one behind it.

    >>> date_spans("In May 1900.")
    [(3, 11, (1900, 5, 0))]
    """
    spans: list[tuple[int, int, Date]] = []
    for shape in (*_WITH_ERA, *SHAPES):
        for match in shape.finditer(text):
            index = bisect_left(spans, match.span())
            before, behind = spans[index - 1][1] if index else 0, spans[index : index + 1]
            if before <= match.start() and all(match.end() <= start for start, _, _ in behind):
                spans.insert(index, (*match.span(), read_date(match)))
    return spans


def plain_eras(text: str) -> str:
    """Return a text with its eras as `dates_in` reads them: without full stops, which end sentences.

    >>> plain_eras("He died in 44 B.C. in Rome, not in A.D. 44.")
    'He died in 44 BC in Rome, not in AD 44.'
    """
    return _DOTTED_ERA.sub(lambda era: "BC" if era.group(1) else "AD", text)


def first_date(text: str) -> Date | None:
    """Return the first date of a text.

    >>> first_date("Built in May 1842, sold on 3 June 1850.")
    (1842, 5, 0)
    """
    return next(iter(dates_in(text)), None)


def read_date(match: re.Match[str]) -> Date:
    """Return the date that a shape matched."""
    parts = match.groupdict()
    month = MONTHS.index(parts["month"].lower()) + 1 if parts.get("month") else 0
    year = int(parts["year"])
    return -year if parts.get("bc") is not None else year, month, int(parts.get("day") or 0)


def with_years(text: str, date: Date) -> str:
    """Return a sentence whose days and months have a year: the one that brings them nearest to `date`.

    >>> with_years("On 6 February a fire broke out.", (2025, 2, 24))
    'On 6 February 2025 a fire broke out.'
    >>> with_years("It was ordered on December 9 and came in March.", (2025, 1, 21))
    'It was ordered on December 9, 2024 and came in March 2025.'
    >>> with_years("We open on 1 May 2024.", (2023, 0, 0)), with_years("In May it may rain.", (2023, 0, 0))
    ('We open on 1 May 2024.', 'In May 2023 it may rain.')
    """

    def completed(match: re.Match[str]) -> str:
        name = next(filter(None, (match[group] for group in ("month", "first", "alone", "since"))))
        if not name[:1].isupper():
            return match[0]
        year = _nearest_year(MONTHS.index(name.lower()) + 1, date)
        return f"{match[0]}, {year}" if match["first"] else f"{match[0]} {year}"

    return _WITHOUT_YEAR.sub(completed, text)


def _nearest_year(month: int, date: Date) -> int:
    year, own_month, _ = date
    if not own_month:
        return year
    return min((year, year - 1, year + 1), key=lambda tried: abs(12 * (tried - year) + month - own_month))


def dates_with_verbs(text: str) -> list[DateWithVerb]:
    """Return the dates of a sentence, each with its verb; their positions are those in `plain_eras(text)`.

    >>> [(date[0], verb) for date, _, verb, _ in dates_with_verbs("It was begun in 1895 and opened in 1899.")]
    [(1895, 'begun'), (1899, 'opened')]
    >>> dates_with_verbs("In 1903 the bridge opened.")[0].verb
    'opened'
    """
    text = plain_eras(text)
    spans = date_spans(text)
    governed: list[DateWithVerb] = []
    for row, (start, end, date) in enumerate(spans):
        earlier = spans[row - 1][1] if row else 0
        later = spans[row + 1][0] if row + 1 < len(spans) else len(text)
        before = [match.group().lower() for match in _VERB.finditer(text, earlier, start)]
        behind = _VERB.search(text, end, later)
        leads = _BEGINS.search(text[earlier:start]) is not None and behind is not None
        verb = before[-1] if before and not leads else behind.group().lower() if behind is not None else ""
        if not verb and governed:
            verb = governed[-1].verb
        governed.append(DateWithVerb(date, start, verb, _UNSURE.search(text[:start]) is None))
    return governed


def event_strength(verb: str, asked: str) -> int:
    """Return how well a verb fits the asked one: 3 for the same, 2 for one of its group, 1 if it says nothing
    about another event, 0 if it does. Without an asked verb, every beginning fits.

    >>> event_strength("opened", "open"), event_strength("inaugurated", "opened")
    (3, 2)
    >>> event_strength("directed", "released"), event_strength("begun", "opened")
    (1, 0)
    """
    asked = asked.lower()
    if stem(verb) == stem(asked) and verb:
        return 3
    groups = [group for group in _GROUPS if asked in group] if asked else list(_GROUPS)
    if any(verb in group for group in groups):
        return 2
    return 0 if verb in _KNOWN | _OTHERS else 1
