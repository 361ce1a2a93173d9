"""Numbers and dates of a spreadsheet as it shows them: the number formats of ISO/IEC 29500, part 1, 18.8.31.

The signs are those of English: a point before decimals, a comma between thousands, English names of months.
A date without an order of its own, which a spreadsheet shows as its user's system does, is 2026-05-03.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext
from fractions import Fraction
from typing import NamedTuple

from probative.corpus.readers.format_codes import Section, Token, chosen_section, sections_of

# Formats by number; the others of a file have their codes in it.
BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    12: "# ?/?", 13: "# ??/??", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)", 41: "#,##0;-#,##0;-",
    42: "$#,##0;$-#,##0;-", 43: "#,##0.00;-#,##0.00;-", 44: "$#,##0.00;$-#,##0.00;-", 45: "mm:ss",
    46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
    **dict.fromkeys((14, *range(27, 37), *range(50, 59)), "yyyy-mm-dd"),
}  # fmt: skip
# Spreadsheets show no more decimals, and numbers of files are shorter.
_MAX_DECIMALS, _MAX_NUMBER = 30, 64
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LAST_DAY = 2_958_466  # the day after 9999-12-31


class Shown(NamedTuple):
    """A number as its sheet shows it; `date` is its day (YYYY-MM-DD) if the format is one of dates."""

    text: str
    date: str | None = None


def shown(number: str, code: str = "General", *, from_1904: bool = False) -> Shown:
    """Return a number, as a file has it, in a number format.

    >>> shown("1234.5", "#,##0.00"), shown("0.125", "0.0%").text, shown("-3", "0;(0)").text
    (Shown(text='1,234.50', date=None), '12.5%', '(3)')
    >>> shown("46145", "dd.mm.yyyy"), shown("0.30000000000000004").text
    (Shown(text='03.05.2026', date='2026-05-03'), '0.3')
    """
    try:
        value = Decimal(number.strip())
    except InvalidOperation:
        return Shown(number)
    if not value.is_finite() or abs(value.adjusted()) > 320 or len(number) > _MAX_NUMBER:
        return Shown(number)
    section, absolute = chosen_section(sections_of(code), value)
    if section is None or section.has("general", "at"):
        return Shown(_with_literals(section, _general(abs(value) if absolute else value)))
    if section.has("date", "elapsed"):
        moment = _moment(value, from_1904=from_1904, seconds=not section.has("fraction"))
        if moment is None:
            return Shown(_general(value))
        day = moment.date().isoformat() if _has_day(section) else None
        return Shown(_as_date(section, moment, value), day)
    with localcontext(prec=400):
        return Shown(_as_number(section, abs(value) if absolute else value))


def _with_literals(section: Section | None, number: str) -> str:
    tokens = section.tokens if section is not None else (Token("general", ""),)
    texts = ((number if kind in ("general", "at") else text, kind) for kind, text in tokens)
    return "".join(text for text, kind in texts if kind in ("general", "at", "literal"))


def _general(value: Decimal) -> str:
    """Return a number without a format: whole numbers whole, others with ten digits."""
    if value == value.to_integral_value() and abs(value) < 10**15:
        return f"{int(value)}"
    text = f"{float(value):.10g}"
    return text.replace("e", "E")


def _as_number(section: Section, value: Decimal) -> str:
    if section.has("/"):
        return _as_fraction(section, value)
    kinds = [token.kind for token in section.tokens]
    digits = [at for at, kind in enumerate(kinds) if kind == "digits"]
    exponent = kinds.index("exponent") if "exponent" in kinds else len(kinds)
    last = max((at for at in digits if at < exponent), default=-1)
    dot = kinds.index(".") if "." in kinds[:exponent] else last + 1
    whole = [at for at in digits if at < dot]
    decimals = [at for at in digits if dot < at < exponent][:_MAX_DECIMALS]
    commas = [at for at, kind in enumerate(kinds) if kind == ","]
    scaled = value * 100 ** kinds.count("percent")
    scaled /= 1000 ** sum(1 for at in commas if last < at or max([dot - 2, *whole]) < at < dot)
    power = 0
    if exponent < len(kinds):
        scaled, power = _mantissa(scaled, len(whole))
    rounded = abs(scaled).quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
    units, _, fraction = f"{rounded:f}".partition(".")
    required = sum(section.tokens[at].text == "0" for at in whole)
    units = "" if units == "0" and not required else units.zfill(required)
    if whole and any(whole[0] < at < whole[-1] for at in commas):
        units = _with_commas(units)
        whole = whole[:1]
    optional = sum(1 for at in reversed(decimals) if section.tokens[at].text != "0")
    while optional and fraction.endswith("0"):
        fraction, optional = fraction[:-1], optional - 1
    shown_at = dict(zip(decimals, fraction, strict=False))
    # The first place takes all digits that the places after it do not need.
    for place, at in enumerate(reversed(whole), start=1):
        first = place == len(whole)
        shown_at[at] = (
            units[: len(units) - place + 1]
            if first
            else units[len(units) - place :][:1]
            if place <= len(units)
            else ""
        )
    parts = ["-"] if value < 0 and rounded else []
    for at, (kind, text) in enumerate(section.tokens):
        if at in shown_at:
            parts.append(shown_at[at])
        elif kind == "." and at == dot:
            parts.append("." if fraction else "")
        elif kind == "exponent":
            parts.append(
                f"E{'-' if power < 0 else '+' if text[1] == '+' else ''}{_power(section.tokens[at:], power)}"
            )
        elif kind in ("literal", "percent"):
            parts.append(text)
    return "".join(parts)


def _power(tokens: Sequence[Token], power: int) -> str:
    return str(abs(power)).zfill(sum(token.kind == "digits" for token in tokens))


def _mantissa(value: Decimal, places: int) -> tuple[Decimal, int]:
    """Return a number as m · 10 ** power, where the power is a multiple of the places before the point."""
    if not value:
        return value, 0
    step = max(1, places)
    power = value.adjusted() // step * step
    return value.scaleb(-power), power


def _with_commas(units: str) -> str:
    return re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", units)


def _as_fraction(section: Section, value: Decimal) -> str:
    """Return a number as a whole number and a fraction."""
    below = "".join(token.text for token in section.tokens).partition("/")[2]
    most = 10 ** min(4, max(1, sum(sign in "0#?" for sign in below))) - 1
    number = Fraction(abs(value))
    fixed = re.match(r"\d+", below)
    if fixed and int(fixed[0]):
        fraction = Fraction(round(number * int(fixed[0])), int(fixed[0]))
    else:
        fraction = number.limit_denominator(most)
    whole, rest = divmod(fraction.numerator, fraction.denominator)
    sign = "-" if value < 0 else ""
    parts = [str(whole)] if whole or not rest else []
    return sign + " ".join([*parts, *([f"{rest}/{fraction.denominator}"] if rest else [])])


def _moment(value: Decimal, *, from_1904: bool, seconds: bool) -> datetime | None:
    """Return the time that a number of days stands for; None if it is none. 1900 had no 29 February, but the
    first spreadsheet counted it.
    """
    if not 0 <= value < _LAST_DAY - (1462 if from_1904 else 0):
        return None
    start = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30 if value >= 60 else 31)
    days, part = divmod(value, 1)
    exact = float(part) * 86_400
    try:
        return start + timedelta(days=int(days), seconds=round(exact) if seconds else round(exact, 3))
    except OverflowError:  # the last second of the year 9999
        return None


def _has_day(section: Section) -> bool:
    letters = {
        token.text[0] for token in section.tokens if token.kind == "date" and not token.text.startswith("min")
    }
    return {"y", "d"} <= letters or {"e", "d"} <= letters


def _as_date(section: Section, moment: datetime, value: Decimal) -> str:
    half = section.has("half")
    parts: list[str] = []
    for kind, text in section.tokens:
        if kind == "date":
            parts.append(_field(text, moment, half=half))
        elif kind == "elapsed":
            unit = {"h": 3_600, "m": 60, "s": 1}[text[0]]
            parts.append(str(int(value * 86_400 + Decimal("0.5")) // unit).zfill(len(text)))
        elif kind == "half":
            name = "AM" if moment.hour < 12 else "PM"
            parts.append(name if "M" in text.upper() else name[0])
        elif kind == "fraction":
            sofar = sum(1 for part in parts[::-1][: parts[::-1].index(".")] if part) if "." in parts else 0
            parts.append(f"{moment.microsecond:06}"[sofar : sofar + 1])
        elif kind in ("literal", "."):
            parts.append(text)
    return "".join(parts).strip()


def _field(letters: str, moment: datetime, *, half: bool) -> str:
    """Return one part of a date, such as the month for "mmm"."""
    if letters.startswith("min"):
        return f"{moment.minute:0{len(letters) - 3}}"
    size = len(letters)
    name = letters[0]
    if name == "y":
        return f"{moment.year:04}" if size > 2 else f"{moment.year % 100:02}"
    if name == "m":
        month = _MONTHS[moment.month - 1]
        return f"{moment.month:0{size}}" if size <= 2 else (month[:3], month, month[0])[min(size, 5) - 3]
    if name == "d":
        day = _DAYS[moment.weekday()]
        return f"{moment.day:0{size}}" if size <= 2 else day[:3] if size == 3 else day
    if name == "h":
        hour = (moment.hour + 11) % 12 + 1 if half else moment.hour
        return f"{hour:0{min(size, 2)}}"
    if name == "s":
        return f"{moment.second:0{min(size, 2)}}"
    return f"{moment.year}" if name == "e" else ""
