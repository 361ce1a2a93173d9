"""Quantities as English prose writes them: "1,912 metres", "$9.50", "three acts", "5 ft 11 in", "6:30 pm"."""

from __future__ import annotations

import re
from fractions import Fraction

from probative.text.analysis import QuantitySpan
from probative.text.english.number_words import NUMBER_WORDS, SCALES, read_number_words
from probative.text.english.rates import with_rate
from probative.text.quantities import Quantity, add, exactly, roughly
from probative.text.word_lists import read_lines, word_set

# "Two and a half hours" and "an hour and a half" are not read whole.
_HALF = re.compile(r"(?i)\ban? half\b")
_NAMES = {unit: names for unit, _, _, _, *names in map(str.split, read_lines("units"))}
# Symbols in one letter or two have no plural, and their case counts ("m", never "M").
_SYMBOLS = {symbol: unit for unit, names in _NAMES.items() for symbol in names if len(symbol) < 4}
_WORDS = {
    name.replace("_", " ").lower(): unit for unit, names in _NAMES.items() for name in names if len(name) >= 3
}
_PREFIXES = {"US$": "USD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}


def _alternatives(names: list[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


# Magnitudes in a letter or two. "5m" alone may be metres: it is millions of a currency that stands beside it.
_MAGNITUDES = {"k": 10**3, "m": 10**6, "mn": 10**6, "mln": 10**6, "mio": 10**6, "b": 10**9, "bn": 10**9}
_SHORT = (
    r"(?(prefix)\s?(?i:mln|mio|mn|bn|[kmb])|(?:(?i:k|\s?(?:bn|mn|mln|mio))|\s?[mM](?=\s*(?i:USD|EUR|GBP|CHF|SEK|NOK|"
    r"euro|dollar|pound|franc|kron[eo]r|yen|zloty|rupee|yuan))))"
)
# Thousands may have commas, or spaces at which no line breaks.
_GROUP = r"[,\u00a0\u2009\u202f]\d{3}"
_DIGITS = rf"\d{{1,3}}(?:{_GROUP})+(?:\.\d+)?|\d+(?:\.\d+)?"
# What makes digits another number, or none: "1/2", "2½", "10.5.2020", "10²"; "6/48 (12.5%)" counts six.
_GOES_ON = rf"[\d:^½¼¾⅓⅔⅛⁰¹²³⁴-⁹]|[,.eE]\d|/\d+(?!\d|\s?\(\d)|{_GROUP}"
_MULTIPLIER = "|".join(SCALES)
_UNIT = rf"(?:(?i:{_alternatives(list(_WORDS))})s?|{_alternatives(list(_SYMBOLS))})(?![\w²³])"
# "17,950 in 2020" has no inches.
_PREPOSITION = r"in\s+(?!(?:x|by|and|or|long|wide|tall|high|deep|thick|square)\b)[\w\"“]"
_QUANTITY = re.compile(
    r"(?P<qualifier>\b(?i:about|around|approximately|approx\.?|circa|ca\.?|c\.|roughly|nearly|almost|some|"
    r"more than|over|at least|less than|under|fewer than|at most)\s+(?:an?\s+)?)?"
    rf"(?P<prefix>(?:{_alternatives(list(_PREFIXES))})\s?|\b(?:USD|EUR|GBP|CHF)\s)?"
    rf"(?:(?<![\w.,/:^−-])(?P<digits>{_DIGITS})(?:(?:\s*[–-]\s*|\s+to\s+)(?P<until>{_DIGITS}))?"
    rf"|\b(?P<words>(?i:{NUMBER_WORDS})))"
    rf"(?:[\s-](?P<scale>(?i:{_MULTIPLIER}))\b|(?<=\d)(?P<short>{_SHORT})(?![\w²³]))?"
    rf"(?:[\s-]?(?P<unit>(?!{_PREPOSITION}){_UNIT}))?"
    rf"(?!{_GOES_ON})"
)
_CLOCK = re.compile(
    r"(?i)(?<![\w:.,])(?:(?P<hour>\d{1,2})(?::|\.(?=\d\d\s?[ap]\.?m\b))(?P<minute>[0-5]\d)(?:\s?(?P<half>[ap])\.?m\b)?"
    r"|(?P<full>\d{1,2})\s?(?P<only>[ap])\.?m\b|\b(?P<named>noon|midday|midnight)\b)(?![:\d])"
)
_ROUGH = word_set("comparisons.rough")
_ABOVE = word_set("comparisons.above")
# "5 ft 11 in": the second part is of a smaller unit and follows at once.
_COMPOUND = {("ft", "in"), ("lb", "oz"), ("st", "lb"), ("h", "min"), ("min", "s"), ("yr", "mo"), ("km", "m")}
_COUNTED = re.compile(r"\s*(?:-|–)?\s*([^\W\d_][\w'’-]*(?:\s+[^\W\d_][\w'’-]*){0,3})")


def quantities_in(text: str) -> list[QuantitySpan]:
    """Return the quantities of a text in their order.

    >>> [span.quantity.unit for span in quantities_in("1,912 metres high, it costs $9.50 and takes 3 days.")]
    ['m', 'USD', 'd']
    >>> quantities_in("an opera in three acts")[0].counted
    'acts'
    """
    spans = [*_clocks(text), *_amounts(text)]
    spans.sort(key=lambda span: (span.start, -span.end))
    kept: list[QuantitySpan] = []
    for span in spans:
        if kept and span.start < kept[-1].end:
            continue
        joined = _joined(kept[-1], span, text) if kept else None
        if joined is not None:
            kept[-1] = joined
        else:
            kept.append(span)
    return kept


def unit_named(name: str) -> str | None:
    """Return the unit of a word, singular or plural.

    >>> unit_named("metres"), unit_named("years"), unit_named("acts")
    ('m', 'yr', None)
    """
    name = name.strip()
    low = name.lower()
    return _SYMBOLS.get(name) or _WORDS.get(low) or _WORDS.get(low.removesuffix("s"))


def _amounts(text: str) -> list[QuantitySpan]:
    spans = []
    for match in _QUANTITY.finditer(text):
        quantity = _read(match)
        if quantity is not None:
            quantity, end = with_rate(quantity, text, match.start(), match.end())
            after = _COUNTED.match(text, match.end())
            counted = after.group(1) if after is not None else ""
            spans.append(
                QuantitySpan(quantity, text[match.start() : end].strip(), match.start(), end, counted)
            )
    return spans


def _read(match: re.Match[str]) -> Quantity | None:
    """Return the quantity of a match, with its scale, unit and qualifier."""
    if match["words"] is not None:
        low = high = read_number_words(match["words"])
    else:
        low = _number(match["digits"])
        high = low if match["until"] is None else _number(match["until"])
    if low is None or high is None or high < low:
        return None
    scale = _scale(match)
    unit = _unit_of(match)
    if low != high:
        return Quantity(low * scale, high * scale, unit)
    return _qualified(low * scale, unit, (match["qualifier"] or "").lower())


def _qualified(amount: Fraction, unit: str, qualifier: str) -> Quantity:
    """Return an amount as its qualifier says: exact, rough, or a bound."""
    word = re.sub(r"\s+an?$", "", qualifier.strip()).rstrip(".")
    if not word:
        return exactly(amount, unit)
    if word in _ROUGH:
        return roughly(amount, unit)
    return Quantity(amount, None, unit) if word in _ABOVE else Quantity(None, amount, unit)


def _number(digits: str) -> Fraction:
    return Fraction(re.sub(r"[^\d.]", "", digits))


def _scale(match: re.Match[str]) -> int:
    if match["short"] is not None:
        return _MAGNITUDES[match["short"].strip().lower()]
    return SCALES[match["scale"].lower()] if match["scale"] is not None else 1


def _unit_of(match: re.Match[str]) -> str:
    if match["prefix"] is not None:
        prefix = match["prefix"].strip()
        return _PREFIXES.get(prefix, prefix)
    name = match["unit"]
    if name is None:
        return ""
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    low = name.lower()
    return _WORDS[low] if low in _WORDS else _WORDS[low[:-1]]


def _joined(first: QuantitySpan, second: QuantitySpan, text: str) -> QuantitySpan | None:
    """Return two quantities as one if they are the parts of one ("5 ft 11 in")."""
    between = text[first.end : second.start].strip()
    if (first.quantity.unit, second.quantity.unit) not in _COMPOUND or between not in ("", "and", ","):
        return None
    total = add(first.quantity, second.quantity)
    if total is None:
        return None
    return QuantitySpan(total, text[first.start : second.end], first.start, second.end, second.counted)


def _clocks(text: str) -> list[QuantitySpan]:
    """Return the times of day of a text, in minutes since midnight."""
    spans = []
    for match in _CLOCK.finditer(text):
        minutes = _minutes(match)
        if minutes is not None:
            quantity = exactly(minutes, "clock")
            spans.append(QuantitySpan(quantity, match.group(), match.start(), match.end()))
    return spans


def _minutes(match: re.Match[str]) -> int | None:
    if match["named"] is not None:
        return 0 if match["named"].lower() == "midnight" else 720
    hour = int(match["hour"] or match["full"])
    minute = int(match["minute"] or 0)
    half = (match["half"] or match["only"] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    return 60 * hour + minute if hour < 24 or (hour == 24 and minute == 0) else None


def is_whole_amount(text: str, start: int, end: int) -> bool:
    """Return whether the words of a quantity are all that states it.

    >>> text = "It took two and a half hours, and three men."
    >>> is_whole_amount(text, 8, 11), is_whole_amount(text, 34, 39)
    (False, True)
    """
    return _HALF.search(text[max(0, start - 12) : end + 16]) is None
