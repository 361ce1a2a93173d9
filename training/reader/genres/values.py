"""Values of invented facts: names made of syllables, amounts with units, dates, times and words of lists.

A slot is a name in curly brackets in a template; `Slots.draw` gives it a value. `order` reads a value
back as a number, so that two values of one attribute can be compared.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from training.reader.dates import date_of

_SLOT = re.compile(r"\{(@?\w+)\}")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
NUMBER_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNTS = {word: number for number, word in enumerate(("one", *NUMBER_WORDS), start=1)}
_UNITS = {
    "day": ("days", 1.0), "week": ("days", 7.0), "month": ("days", 30.4), "year": ("days", 365.0),
    "kg": ("g", 1000.0), "g": ("g", 1.0), "km": ("m", 1000.0), "m": ("m", 1.0), "metre": ("m", 1.0),
    "minute": ("minutes", 1.0), "hour": ("minutes", 60.0),
}  # fmt: skip
_LAST = (
    "Abber Bel Cor Dahl Elder Fenn Gar Hask Ister Jarn Kell Lom Mor Nost Ost Pell Quill Rav Sand Thorn Ulm "
    "Vann Wex Yar Zell Brack Crom Drey Flint Holt",
    "beck berg by dale den feld gate ham holm kamp ley lund man mark mere ner rud sen son stad stone strand "
    "vik wood worth",
)
_TOWN = (
    "Ald Bran Cars Dun Ems Fal Glen Har Ing Kir Lang Mel Nor Oak Pres Rin Sel Tarn Under Ver Wal West Hol "
    "Lin Mar Stav Torr Wind",
    "bury bridge burn by castle cliff dorf field ford haven heim hurst minster mouth pool port sund ton vale "
    "wick",
)
_BRAND = (
    "Al Bri Ca Do Ex Fi Gra He Jo Ke Lu Mo Ni Or Pra Sy Te Ul Vo Za",
    "dora lux mio nix nova pex rano sta tec tona tra vex vira zen",
)
_DRUG = (
    "Abe Bro Cal Den Eri Flu Gli Hal Ire Lor Mel Nor Pra Sul Ter Vil",
    "cetol dipan fenol lamid mexin nistan profin rolix sartin vorin zolan",
)
_RIVER = ("Al Bre Cle De Es Fro Gi Hu Li Me Or Ru Si Tw Ur We", "ber den lke mme nna rra sel tte va zze")


def fill(template: str, known: dict[str, str], rng: random.Random) -> str:
    """Return a template with its slots filled: from `known`, or drawn and added to it."""

    def replace(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in known:
            known[name] = draw(name, known, rng)
        return known[name]

    while _SLOT.search(template):
        template = _SLOT.sub(replace, template)
    return template


def draw(name: str, known: dict[str, str], rng: random.Random) -> str:
    """Return a value of a slot; a name that ends in 2 differs from the slot without it."""
    if name.endswith("2"):
        base = name[:-1]
        other = next(
            value for value in iter(lambda: draw(base, known, rng), None) if value != known.get(base)
        )
        return str(other)
    if name in DRAWN:
        return DRAWN[name](rng)
    return rng.choice(word_lists()[name])


@cache
def word_lists() -> dict[str, tuple[str, ...]]:
    """Return the words of each list in `kinds/words.txt`."""
    text = (files("training.reader.genres") / "kinds" / "words.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in text.splitlines() if line)
    return {name: tuple(word.strip() for word in words.split(" | ")) for name, _, words in lines}


def order(value: str) -> tuple[str, float] | None:
    """Return the unit of a value and its number; values of one unit can be compared. None without a number.

    >>> order("2 kg") > order("900 g"), order("5 May 1990") > order("7 March 1990"), order("red")
    (True, True, None)
    >>> order("€20"), order("20 dollars"), order("three people"), order("7:30 p.m.")
    (('€', 20.0), ('dollars', 20.0), ('people', 3.0), ('clock', 1170.0))
    """
    if re.search(r"[^\W\d]{3,}.* \d{4}$", value) and (date := date_of(value)) is not None:
        year, month, day = (*date, 0, 0)[:3]
        return "date", float(year * 372 + (month or 0) * 31 + (day or 0))
    if clock := re.fullmatch(r"(\d+):(\d\d)( [ap]\.m\.)?", value):
        hour = int(clock[1]) % 12 + (12 if clock[3] == " p.m." else 0) if clock[3] else int(clock[1])
        return "clock", hour * 60.0 + int(clock[2])
    words = value.split()
    counted = next((word for word in words if word in _COUNTS), None)
    number = _NUMBER.search(value)
    if counted is None and number is None:
        return None
    spelt = counted or (number.group() if number else "")
    amount = float(_COUNTS[spelt]) if counted else float(spelt.replace(",", ""))
    unit = value.replace(spelt, "", 1).strip()
    if unit.rstrip("s") in _UNITS:
        name, factor = _UNITS[unit.rstrip("s")]
        return name, amount * factor
    return unit, amount


def _joined(parts: tuple[str, str]) -> Callable[[random.Random], str]:
    first, second = (tuple(part.split()) for part in parts)
    return lambda rng: rng.choice(first) + rng.choice(second)


def _amount(*forms: str) -> Callable[[random.Random], str]:
    """Return a drawing from forms such as "5-90 minutes": a whole number of that range in its place."""

    def drawn(rng: random.Random) -> str:
        return re.sub(
            r"(\d+)-(\d+)", lambda match: str(rng.randint(int(match[1]), int(match[2]))), rng.choice(forms)
        )

    return drawn


def _money(low: int, high: int) -> Callable[[random.Random], str]:
    def drawn(rng: random.Random) -> str:
        whole = rng.randint(low, high)
        cents = rng.choice(("", "", ".50", ".90", ".25")) if high < 100 else ""
        form = rng.choice(("€{}", "${}", "£{}", "{} euros", "{} dollars", "{} pounds"))
        return form.format(f"{whole:,}{cents}")

    return drawn


def _date(rng: random.Random) -> str:
    day, month, year = rng.randint(1, 28), rng.choice(word_lists()["month"]), rng.randint(1880, 2024)
    return f"{day} {month} {year}" if rng.random() < 0.7 else f"{month} {day}, {year}"


def _day(rng: random.Random) -> str:
    day, month = rng.randint(1, 28), rng.choice(word_lists()["month"])
    return f"{day} {month}" if rng.random() < 0.7 else f"{month} {day}"


def _clock(first: int, last: int) -> Callable[[random.Random], str]:
    def drawn(rng: random.Random) -> str:
        hour, minute = rng.randint(first, last), rng.choice((0, 5, 10, 15, 20, 30, 40, 45, 50))
        if rng.random() < 0.5:
            return f"{hour}:{minute:02}"
        return f"{(hour - 1) % 12 + 1}:{minute:02} {'a.m.' if hour < 12 else 'p.m.'}"

    return drawn


def _person(rng: random.Random) -> str:
    first = rng.choice((*word_lists()["first_f"], *word_lists()["first_m"]))
    return f"{first} {_joined(_LAST)(rng)}"


DRAWN: dict[str, Callable[[random.Random], str]] = {
    "last": _joined(_LAST),
    "town": _joined(_TOWN),
    "brand": _joined(_BRAND),
    "drug": _joined(_DRUG),
    "rivername": _joined(_RIVER),
    "name": _person,
    "street": lambda rng: f"{_joined(_TOWN)(rng)} {rng.choice(('Street', 'Road', 'Lane', 'Square'))}",
    "model": lambda rng: rng.choice(("{}", "{}0", "{}00", "X{}", "S{}", "{} Pro", "{}-B", "C{}")).format(
        rng.randint(2, 9)
    ),
    "dose": _amount("5-80 mg"),
    "n": lambda rng: rng.choice(NUMBER_WORDS),
    "smalln": _amount("2-29"),
    "count": _amount("13-240"),
    "bigcount": lambda rng: f"{rng.randint(300, 98000):,}",
    "year": _amount("1900-2024"),
    "recent": _amount("2009-2025"),
    "oldyear": _amount("1180-1890"),
    "date": _date,
    "daymonth": _day,
    "clock": _clock(7, 20),
    "morning": _clock(5, 11),
    "evening": _clock(17, 23),
    "money": _money(20, 2900),
    "smallmoney": _money(2, 29),
    "bigmoney": lambda rng: f"{rng.choice('€$£')}{rng.randint(11, 900)},000",
    "percent": _amount("3-98%", "3-98 per cent"),
    "weight": _amount("2-29 kg", "1-9.2-8 kg", "120-950 g"),
    "grams": _amount("15-900 g"),
    "length": _amount("12-190 cm"),
    "metres": _amount("40-4100 m", "40-900 metres"),
    "kilometres": _amount("2-95 km", "2-9.1-9 km"),
    "area": _amount("22-160 square metres"),
    "watts": _amount("40-2400 watts"),
    "seconds": _amount("3-30 seconds"),
    "minutes": _amount("5-90 minutes"),
    "hours": _amount("2-9 hours", "one hour"),
    "days": _amount("3-30 days", "2-9 working days"),
    "weeks": _amount("2-12 weeks"),
    "months": _amount("2-18 months"),
    "years": _amount("2-16 years"),
    "temperature": _amount("4-95 °C", "4-95 degrees"),
    "oven": _amount("150-240 °C", "150-240 degrees"),
    "ph": _amount("3-9.1-9"),
}
