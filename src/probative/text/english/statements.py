"""What the words of a statement say: its dates, that something is not so, that it needs the sentence before,
that it replaces an earlier one, and from when it holds.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from probative.text.dates import MONTHS, Date
from probative.text.words import any_of

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


_NEGATION = re.compile(r"(?i)\b(?:not|never|no longer|nobody|cannot)\b|n['’]t\b")
_DENIAL = re.compile(r"(?i)\b(?:not|never|neither|nor|different|lie|myth|false)\b|n['’]t\b")


def is_negated(text: str) -> bool:
    """Return whether a text says that something is not so.

    >>> is_negated("It never sailed."), is_negated("It sailed.")
    (True, False)
    """
    return _NEGATION.search(text) is not None


def is_denied(text: str) -> bool:
    """Return whether a text denies something or calls it false.

    >>> is_denied("That she sailed is a myth."), is_denied("She sailed.")
    (True, False)
    """
    return _DENIAL.search(text) is not None


# "In 1903 it was opened": a pronoun that begins the sentence, or stands behind its adverbial.
_PRONOUN = re.compile(
    rf"(?i)\W*(?:(?:{any_of('clauses.joints')})\b[\s,]*)?(?:(?:{any_of('adverbial')})\b[^,;.]{{1,60}}?[,\s]\s*)?"
    rf"(?:{any_of('clauses.pronouns')})\b(?!\s+(?:of\b|(?-i:[A-Z])))"
)


def needs_sentence_before(text: str) -> bool:
    """Return whether a sentence says only by a pronoun what it is about.

    >>> [needs_sentence_before(text) for text in ("In 1903 it was opened.", "Its towers are high.")]
    [True, True]
    >>> needs_sentence_before("A wing was added.")
    False
    """
    return _PRONOUN.match(text) is not None


_CHANGED = (
    "(?:rais|lower|chang|increas|reduc|extend|shorten|abolish|mov|revis|amend|postpon)ed|put off|taken over"
)
_REPLACES = re.compile(
    r"\b(?:replac(?:es?|ed|ing)|supersed(?:es?|ed|ing)|repeal(?:s|ed)|no longer|not any ?more|since then|"
    rf"(?:from )?now on|is amended|are amended|(?:has|have) (?:been |now )*(?:{_CHANGED})|"
    r"(?:may|must|is|are|can) now)\b",
    re.IGNORECASE,
)
_OF_A_DOCUMENT = re.compile(r"\b(?:replac(?:es?|ing)|supersed(?:es?|ed|ing)|repeal(?:s|ed))\b", re.IGNORECASE)
_BEGINS = re.compile(
    r"\b(?:(?:with effect )?from|effective(?: from)?|since|as of|as from|starting)(?: the)? $",
    re.IGNORECASE,
)


def replacing_words(sentence: str, passage: str = "") -> str:
    """Return the words by which a sentence, or the document that it is from, replaces something; or nothing.

    >>> replacing_words("Dogs may no longer be brought in."), replacing_words("Dogs may be brought in.")
    ('no longer', '')
    >>> replacing_words("It costs €6.", "It costs €6. Order 12 is repealed.")
    'repealed'
    """
    found = _REPLACES.search(sentence) or _OF_A_DOCUMENT.search(passage)
    return "" if found is None else found.group()


def valid_from(sentence: str) -> tuple[Date, str] | None:
    """Return the date from which a sentence says that something holds, and the words that say so.

    >>> valid_from("From 1 May 2024 it costs €6."), valid_from("It was built in 2024.")
    (((2024, 5, 1), 'From 1 May 2024'), None)
    """
    for start, end, date in date_spans(sentence):
        found = _BEGINS.search(sentence[:start])
        if found is not None:
            return date, sentence[found.start() : end]
    return None
