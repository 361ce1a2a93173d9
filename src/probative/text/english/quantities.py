"""Quantities as English prose writes them: "1,912 metres", "$9.50 a night", "5 ft 11 in", "6:30 pm"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from probative.text.dates import MONTHS
from probative.text.quantities import CURRENCIES, Quantity, QuantitySpan, add, exactly, roughly
from probative.text.words import COMMON, any_of, read_lines, stem, word_list, word_map, word_set

_SMALL = {word: number for number, word in enumerate(word_list("numbers"))}
_TENS = {word: 10 * number for number, word in enumerate(word_list("tens"), 2)}
SCALES: dict[str, int] = {word: 10 ** int(power) for word, power in word_map("scales").items()}
"""What the word behind a number multiplies it with."""
_SCALE = "|".join(SCALES)
_NUMERAL = "|".join((*_SMALL, *_TENS, *SCALES, "dozen"))
NUMBER_WORDS = (
    rf"(?:(?:an? )?(?:half an? (?:dozen|{_SCALE})|half|{_NUMERAL})"
    rf"(?:(?:[ -]| and )(?:{_NUMERAL})s?)*)(?![\w-])"
)
"""A pattern of one number in words, without groups."""


def read_number_words(text: str) -> Fraction | None:
    """Return the number that the whole text says; None if the text is not a number.

    >>> [int(read_number_words(text)) for text in ("twelve", "three hundred and five", "two million")]
    [12, 305, 2000000]
    >>> read_number_words("a dozen"), read_number_words("half"), read_number_words("twenty-twelve")
    (Fraction(12, 1), Fraction(1, 2), None)
    """
    if text.lower() in ("a", "an"):
        return Fraction(1)
    words = [word for word in re.split(r"[\s-]+", text.lower().strip()) if word not in ("and", "a", "an")]
    if words[:1] == ["half"]:
        # "half a dozen", "half a million"; "half two" is a time of day.
        halved = {"": 1, "dozen": 12, **SCALES}.get(" ".join(words[1:]))
        return None if halved is None else Fraction(halved, 2)
    if words and words[-1] == "dozen":
        before = _whole(words[:-1]) if len(words) > 1 else 1
        return None if before is None else Fraction(12 * before)
    number = _whole(words)
    return None if number is None else Fraction(number)


def _whole(words: list[str]) -> int | None:
    """Return a whole number: groups below a thousand, each with a smaller scale than the one before."""
    total, group, last_scale = 0, list[str](), 10**15
    for word in words:
        scale = SCALES.get(word, 0)
        if scale < 1000:
            group.append(word)
            continue
        amount = _below_thousand(group) if group else 1
        if amount is None or scale >= last_scale:
            return None
        total, group, last_scale = total + amount * scale, [], scale
    rest = _below_thousand(group) if group else (0 if total else None)
    return None if rest is None else total + rest


def _below_thousand(words: list[str]) -> int | None:
    """Return "three hundred forty two"; "twelve hundred" counts too."""
    if "hundred" in words:
        at = words.index("hundred")
        hundreds = _below_hundred(words[:at]) if at else 1
        rest = _below_hundred(words[at + 1 :]) if at + 1 < len(words) else 0
        return None if hundreds is None or rest is None else 100 * hundreds + rest
    return _below_hundred(words)


def _below_hundred(words: list[str]) -> int | None:
    if len(words) == 1:
        return _SMALL.get(words[0], _TENS.get(words[0]))
    if len(words) == 2 and words[0] in _TENS and 0 < _SMALL.get(words[1], 0) < 10:
        return _TENS[words[0]] + _SMALL[words[1]]
    return None


TIMES = word_map("rate_nouns")
"""The units of time that the nouns of a rate name."""
_ADVERBS = word_map("rate_adverbs")
_TIME, _ADVERB = "|".join(TIMES), "|".join(_ADVERBS)
_RATE_ENDS = rf"(?=\s*(?:$|[^\w\s]|(?:{any_of('rates.going_on')})\b))"
_PER = re.compile(
    rf"(?i)\s*(?:(?:per|/|each|every)\s*(?P<noun>{_TIME}|{any_of('rates.things')})"
    rf"|(?:for\s+)?(?:an?|one|each|every)\s+(?P<time>{_TIME}|head|piece){_RATE_ENDS}"
    rf"|(?P<adverb>{_ADVERB})|for\s+(?P<count>\d+|[a-z]+)\s+(?P<times>{_TIME})s)\b"
)
_COUNTED_BEFORE = re.compile(r"\s+[a-z]+(?:\s+[a-z]+)?(?=\s+(?:per|an?)\s)")
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
    if quantity.unit == "" and (counted := _COUNTED_BEFORE.match(text, end)) is not None:
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


_NAMES = {unit: names for unit, _, _, _, *names in map(str.split, read_lines("units"))}
# Symbols in one letter or two have no plural, and their case counts ("m", never "M").
_SYMBOLS = {symbol: unit for unit, names in _NAMES.items() for symbol in names if len(symbol) < 4}
_WORDS = {
    name.replace("_", " ").lower(): unit for unit, names in _NAMES.items() for name in names if len(name) >= 3
}
_PREFIXES = word_map("currency_signs")
_FRACTIONS = "½¼¾⅓⅔⅛"
# Magnitudes in a letter or two. "5m" alone may be metres: it is millions of a currency that stands beside it.
_MAGNITUDES: dict[str, int] = {letters: 10 ** int(power) for letters, power in word_map("magnitudes").items()}
_SHORT = (
    r"(?(prefix)\s?(?i:mln|mio|mn|bn|[kmb])|(?:(?i:k|\s?(?:bn|mn|mln|mio))"
    rf"|\s?[mM](?=\s*(?i:{any_of('quantities.currencies')}))))"
)


def _alternatives(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


# Thousands may have commas, or spaces at which no line breaks.
_SPACES = r"\u00a0\u2009\u202f"
_GROUP = rf"[,{_SPACES}]\d{{3}}"
_DIGITS = rf"(?:\d{{1,3}}(?:{_GROUP})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s?[{_FRACTIONS}])?"
# An ordinary space may also stand between thousands; a group that begins with 0 is no number of its own.
_SPACED = re.compile(r"(?<![\w.,/:^+−-])(?<!\d[ \u00a0])[1-9]\d{0,2}(?: \d{3})+(?!\d|[ \u00a0]\d|[,/:]\d)")
_NUMBERED = re.compile(r"(?P<word>\b[A-Z][\w-]*)\s$")
_BEFORE_NUMBERS = (
    COMMON - set(MONTHS)
    | word_set("comparisons.rough", "comparisons.above")
    | set(map(str.lower, CURRENCIES))
)
# What makes digits another number, or none: "1/2", "10.5.2020", "10²"; "6/48 (12.5%)" counts six.
_GOES_ON = rf"[\d^{_FRACTIONS}⁰¹²³⁴-⁹]|[:,.eE]\d|/\d+(?!\d|\s?\(\d)|{_GROUP}"
_UNIT = rf"(?:(?i:{_alternatives(_WORDS)})s?|{_alternatives(_SYMBOLS)})(?![\w²³])"
# "17,950 in 2020" has no inches.
_PREPOSITION = r"in\s+(?!(?:x|by|and|or|long|wide|tall|high|deep|thick|square)\b)[\w\"“]"
_HALF = r"\s+and\s+a\s+half(?!\w)"
_ABOVE, _BELOW = word_set("comparisons.above"), word_set("comparisons.below")
_QUANTITY = re.compile(
    rf"(?P<qualifier>\b(?i:{any_of('comparisons.rough', 'comparisons.above', 'comparisons.below')})"
    r"\s+(?:an?\s+)?)?(?P<minus>\b(?i:minus)\s+)?"
    rf"(?P<prefix>(?:{_alternatives(_PREFIXES)})\s?|\b(?:USD|EUR|GBP|CHF)\s)?"
    rf"(?:(?<![\w.,/:^−-])(?P<digits>{_DIGITS})(?:(?:\s*[–-]\s*|\s+to\s+)(?P<until>{_DIGITS}))?"
    rf"|\b(?P<words>(?i:{NUMBER_WORDS}|an?(?=\s(?:{_UNIT}){_HALF}))))(?P<half>(?i:{_HALF}(?!-(?!{_UNIT}))))?"
    rf"(?:[\s-](?P<scale>(?i:{'|'.join(SCALES)}))\b|(?<=\d)(?P<short>{_SHORT})(?![\w²³]))?"
    rf"(?:(?i:(?<=half)\s+an?(?=\s+{_UNIT})))?(?:[\s-]?(?P<unit>(?!{_PREPOSITION}){_UNIT})(?P<half_unit>(?i:{_HALF}(?!-|\s{_UNIT})))?)?"
    rf"(?!{_GOES_ON})"
)
_CLOCK = re.compile(
    r"(?i)(?<![\w:.,])(?:(?P<hour>\d{1,2})(?::|\.(?=\d\d\s?[ap]\.?m\b))(?P<minute>[0-5]\d)(?:\s?(?P<half>[ap])\.?m\b)?"
    r"|(?P<full>\d{1,2})\s?(?P<only>[ap])\.?m\b|\b(?P<named>noon|midday|midnight)\b)(?![:\d])"
)
# "Was minus 3 million" is a number below zero; "70 euros, minus 10" takes something off.
_SIGNED = re.compile(
    rf"(?i)(?:^|[(:=“\"]|\b(?:{any_of('quantities.before_minus')}|minus\s+[\w.,]+\s+(?:and|or)))\s*$"
)
# "5 ft 11 in": the second part is of a smaller unit and follows at once.
_COMPOUND = {(unit, smaller) for smaller, unit in word_map("compound_units").items()}
_COUNTED = re.compile(r"\s*(?:-|–)?\s*([^\W\d_][\w'’-]*(?:\s+[^\W\d_][\w'’-]*){0,3})")


def quantities_in(text: str) -> list[QuantitySpan]:
    """Return the quantities of a text in their order.

    >>> [span.quantity.unit for span in quantities_in("1,912 metres high, it costs $9.50 and takes 3 days.")]
    ['m', 'USD', 'd']
    >>> quantities_in("an opera in three acts")[0].counted
    'acts'
    >>> [int(span.quantity.low) for span in quantities_in("12 000 of 30 000 tickets")]
    [12000, 30000]
    """
    candidates = [*_clocks(text), *_amounts(text)]
    candidates.sort(key=lambda span: (span.start, -span.end))
    spans: list[QuantitySpan] = []
    for span in candidates:
        if spans and span.start < spans[-1].end:
            continue
        joined = _joined(spans[-1], span, text) if spans else None
        if joined is not None:
            spans[-1] = joined
        else:
            spans.append(span)
    return spans


def with_thin_spaces(text: str) -> str:
    """Return a text of the same length with a thin space between the thousands of a number.

    Behind a name or a month, digits may be two numbers ("Lane 12 500 m"), unless a group begins with 0.

    >>> with_thin_spaces("12 000 m, 12 500 m, May 12 500 m").replace("\u2009", "_")
    '12_000 m, 12_500 m, May 12 500 m'
    """

    def thin(match: re.Match[str]) -> str:
        before = _NUMBERED.search(text, max(0, match.start() - 40), match.start())
        if " 0" not in match[0] and before is not None and before["word"].lower() not in _BEFORE_NUMBERS:
            return match[0]
        return match[0].replace(" ", "\u2009")

    return _SPACED.sub(thin, text)


def without_thousands(text: str) -> str:
    """Return a text without the commas and spaces between the thousands of its numbers.

    >>> without_thousands("1,200 feet, 12 000 nails, 3 masts")
    '1200 feet, 12000 nails, 3 masts'
    """
    return re.sub(rf"(?<=\d)[,{_SPACES}](?=\d{{3}})", "", with_thin_spaces(text))


def _amounts(text: str) -> list[QuantitySpan]:
    spans = []
    for match in _QUANTITY.finditer(with_thin_spaces(text)):
        start = match.start()
        if match["minus"] is not None and not _SIGNED.search(text[max(0, start - 40) : start]):
            start = match.end("minus")
        quantity = _read(match, is_signed=start == match.start() and match["minus"] is not None)
        if quantity is not None:
            quantity, end = with_rate(quantity, text, start, match.end())
            after = _COUNTED.match(text, match.end())
            counted = after.group(1) if after is not None else ""
            spans.append(QuantitySpan(quantity, text[start:end].strip(), start, end, counted))
    return spans


def _read(match: re.Match[str], *, is_signed: bool) -> Quantity | None:
    """Return the quantity of a match, with its scale, unit and qualifier."""
    if match["words"] is not None:
        low = high = read_number_words(match["words"])
    else:
        low = _number(match["digits"])
        high = low if match["until"] is None else _number(match["until"])
    if low is None or high is None or high < low or (is_signed and low != high):
        return None
    scale = _scale(match)
    unit = _unit_of(match)
    if low != high:
        return Quantity(low * scale, high * scale, unit)
    halves = Fraction(match["half"] is not None, 2)
    amount = (low + halves) * scale + Fraction(match["half_unit"] is not None, 2)
    return _qualified(-amount if is_signed else amount, unit, (match["qualifier"] or "").lower())


def _qualified(amount: Fraction, unit: str, qualifier: str) -> Quantity:
    """Return an amount as its qualifier says: exact, rough, or a bound."""
    word = re.sub(r"\s+an?$", "", qualifier.strip()).rstrip(".")
    if not word:
        return exactly(amount, unit)
    if word in _ABOVE:
        return Quantity(amount, None, unit)
    return Quantity(None, amount, unit) if word in _BELOW else roughly(amount, unit)


def _number(digits: str) -> Fraction:
    fraction = unicodedata.numeric(digits[-1]) if digits[-1] in _FRACTIONS else 0
    return Fraction(re.sub(r"[^\d.]", "", digits)) + Fraction(fraction).limit_denominator(8)


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
