"""Quantities: numbers with units and how exactly they are known, compared across units.

How a language writes them is a matter of the language (`probative.text.english.quantities`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, cast

from probative.text.dates import Order
from probative.text.words import read_lines, word_set

Dimension = Literal[
    "number", "length", "mass", "duration", "area", "volume", "speed", "power", "data", "temperature",
    "percent", "money", "clock",
]  # fmt: skip

# "about 300" may be anything within this share of 300.
ROUGH = Fraction(1, 20)


class Unit(NamedTuple):
    """A unit: its dimension, and what to multiply with to get the base unit (after adding `offset`)."""

    dimension: Dimension
    factor: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)


# Gallons, tons and pints differ between countries: they are compared only with themselves. So are currencies.
_LINES = [line.split() for line in read_lines("units")]
UNITS: dict[str, Unit] = {
    unit.replace("-", ""): Unit(cast(Dimension, dimension), Fraction(factor), Fraction(offset))
    for unit, dimension, factor, offset, *_ in _LINES
    if dimension != "money"
}
_PER_NAMES = {unit: names[-1] for unit, dimension, _, _, *names in _LINES if dimension == "duration"}
_OWN_KIND = frozenset({"gal", "ton"})
CURRENCIES = word_set("currencies")
"""Money is compared only within one currency: a rate of exchange is not in the evidence."""


@dataclass(frozen=True)
class Quantity:
    """An amount between `low` and `high` (None: without bound) of a unit; `low == high` if it is exact.

    `per` is what a rate is for: a unit of time ("wk" for "560 euros per week"), or a noun ("person").
    """

    low: Fraction | None
    high: Fraction | None
    unit: str = ""
    per: str = ""

    @property
    def exact(self) -> bool:
        """Whether the amount is one number."""
        return self.low is not None and self.low == self.high


class QuantitySpan(NamedTuple):
    """A quantity in a text: its characters, and the up to four words that follow it ("seats for guests")."""

    quantity: Quantity
    text: str
    start: int
    end: int
    counted: str = ""


def exactly(amount: Fraction | int | str, unit: str = "") -> Quantity:
    """Return an exact quantity.

    >>> exactly("1.5", "km")
    Quantity(low=Fraction(3, 2), high=Fraction(3, 2), unit='km', per='')
    """
    return Quantity(Fraction(amount), Fraction(amount), unit)


def roughly(amount: Fraction, unit: str = "") -> Quantity:
    """Return a quantity that is known within `ROUGH`.

    >>> roughly(Fraction(100)).low
    Fraction(95, 1)
    """
    around = abs(amount) * ROUGH
    return Quantity(amount - around, amount + around, unit)


def dimension_of(unit: str) -> Dimension:
    """Return what a unit measures.

    >>> dimension_of("km"), dimension_of("EUR"), dimension_of("")
    ('length', 'money', 'number')
    """
    return "money" if unit in CURRENCIES else UNITS[unit].dimension


def comparable(first: Quantity, second: Quantity) -> bool:
    """Return whether two quantities measure the same thing in units with a fixed rate.

    >>> comparable(exactly(1, "km"), exactly(1, "ft")), comparable(exactly(1, "EUR"), exactly(1, "USD"))
    (True, False)
    """
    if not _same_rate(first.per, second.per):
        return False
    if first.unit == second.unit:
        return True
    apart = CURRENCIES | _OWN_KIND
    if first.unit in apart or second.unit in apart:
        return False
    return UNITS[first.unit].dimension == UNITS[second.unit].dimension


def _same_rate(first: str, second: str) -> bool:
    """Return whether two rates can be converted: both are the same, or both are for a time."""
    times = [bool(per) and per in UNITS and UNITS[per].dimension == "duration" for per in (first, second)]
    return first == second or all(times)


def rate_as(quantity: Quantity, per: str) -> Quantity:
    """Return a rate for another time: 560 euros per week are 80 euros per day.

    >>> spelled(rate_as(Quantity(Fraction(560), Fraction(560), "EUR", "wk"), "d"))
    '80 EUR per day'
    """
    if quantity.per == per or not (quantity.per and per and _same_rate(quantity.per, per)):
        return quantity
    factor = UNITS[per].factor / UNITS[quantity.per].factor
    low, high = (None if bound is None else bound * factor for bound in (quantity.low, quantity.high))
    return Quantity(low, high, quantity.unit, per)


def order(first: Quantity, second: Quantity) -> Order | None:
    """Return -1, 0 or 1 if the first is smaller, equal or larger; None if that cannot be decided.

    >>> order(exactly(1912, "m"), exactly(5900, "ft")), order(exactly(300), roughly(Fraction(301)))
    (1, None)
    """
    if not comparable(first, second):
        return None
    low, high = _bounds(first)
    other_low, other_high = _bounds(rate_as(second, first.per))
    if low is not None and low == high == other_low == other_high:
        return 0
    if high is not None and other_low is not None and high < other_low:
        return -1
    if low is not None and other_high is not None and low > other_high:
        return 1
    return None


def convert(quantity: Quantity, unit: str) -> Quantity:
    """Return a quantity in another unit of its dimension.

    >>> convert(exactly(1, "mi"), "m").low
    Fraction(201168, 125)
    """
    target = UNITS.get(unit, Unit("money"))
    low, high = (
        None if bound is None else bound / target.factor - target.offset for bound in _bounds(quantity)
    )
    return Quantity(low, high, unit, quantity.per)


def subtract(first: Quantity, second: Quantity) -> Quantity | None:
    """Return first − second in the unit of the first; None if one of them is rough or they have different
    dimensions.

    >>> subtract(exactly(340, "m"), exactly(295, "m")).low
    Fraction(45, 1)
    """
    if not (first.exact and second.exact and comparable(first, second)):
        return None
    other = convert(rate_as(second, first.per), first.unit)
    assert first.low is not None
    assert other.low is not None
    difference = first.low - other.low
    return Quantity(difference, difference, first.unit, first.per)


def add(first: Quantity, second: Quantity) -> Quantity | None:
    """Return first + second in the unit of the first; None if one of them is rough, they have different
    dimensions, or the unit has a zero of its own (temperatures and times of day).

    >>> add(exactly(2, "km"), exactly(500, "m")).low
    Fraction(5, 2)
    """
    if dimension_of(first.unit) in ("temperature", "clock"):
        return None
    return subtract(first, _opposite(second))


def spelled(quantity: Quantity) -> str:
    """Return a quantity in digits: exact up to four after the point, otherwise rounded to two.

    >>> spelled(exactly("0.175", "km")), spelled(exactly(9, "EUR")), spelled(exactly(390, "clock"))
    ('0.175 km', '9 EUR', '6:30')
    >>> spelled(Quantity(Fraction(500), None)), spelled(Quantity(Fraction(20), Fraction(25), "%"))
    ('more than 500', '20 to 25 %')
    """
    if quantity.unit == "clock":
        return _clock(quantity)
    low, high = (None if bound is None else _digits(bound) for bound in (quantity.low, quantity.high))
    if low is None or high is None:
        text = f"more than {low}" if high is None else f"less than {high}"
    else:
        text = low if low == high else f"{low} to {high}"
    rate = f" per {_PER_NAMES.get(quantity.per, quantity.per)}" if quantity.per else ""
    return f"{text} {quantity.unit}".strip() + rate


def _bounds(quantity: Quantity) -> tuple[Fraction | None, Fraction | None]:
    """Return the bounds of a quantity in the base unit of its dimension."""
    unit = UNITS.get(quantity.unit, Unit("money"))
    low, high = (
        None if bound is None else (bound + unit.offset) * unit.factor
        for bound in (quantity.low, quantity.high)
    )
    return low, high


def _opposite(quantity: Quantity) -> Quantity:
    low, high = (None if bound is None else -bound for bound in (quantity.high, quantity.low))
    return Quantity(low, high, quantity.unit, quantity.per)


def _digits(amount: Fraction) -> str:
    exact = round(amount, 4)
    if exact != amount:
        exact = round(amount, 2)
    return f"{float(exact):,.4f}".rstrip("0").rstrip(".") if exact.denominator > 1 else f"{exact.numerator:,}"


def _clock(quantity: Quantity) -> str:
    bounds = dict.fromkeys(bound for bound in (quantity.low, quantity.high) if bound is not None)
    return " to ".join(f"{int(bound) // 60}:{int(bound) % 60:02d}" for bound in bounds)
