"""A plan of a question: what is looked up, and what is worked out from it; and the code that runs it.

A language model writes the plan as JSON, a list of steps; each look-up asks a question of its own. What is
found is a text of the evidence, and the arithmetic is done here, never by a model:

    How many more berths has the Idun than the Saga?
    [{"do": "look_up", "ask": "How many berths has the Idun?", "of": "the Idun"},
     {"do": "look_up", "ask": "How many berths has the Saga?", "of": "the Saga"},
     {"do": "difference", "steps": [1, 2]}]

Steps are numbered from 1, and the last one gives the answer. `#1` in a question stands for what step 1 found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import date
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Self

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from probative.errors import ModelError
from probative.text import dates, english, quantities
from probative.text.dates import Date
from probative.text.quantities import Quantity
from probative.types import Value

Do = Literal["look_up", "given", "count", "compare", "sum", "product", "difference", "share", "both"]
By = Literal["more", "less", "earlier", "later", "same"]
DateUnit = Literal["days", "weeks", "months", "years"]
LOOK_UPS = ("look_up", "count")
MAX_STEPS = 12
_LARGEST = Fraction(10**12)
_REFERENCE = re.compile(r"#(\d+)")
_LEAST: dict[Do, int] = {"compare": 2, "sum": 2, "product": 2, "difference": 2, "share": 2, "both": 2}
# What may stand beside a date that is meant as one.
_BESIDE_DATES = re.compile(
    r"(?i)(?:\W|\b(?:in|on|from|since|until|by|of|the|early|late|about|circa|bc|ad|bce|ce|\w+day)\b)*"
)
_HALF = re.compile(r"(?i)(\w+) and a half\b|(?<=\d)\s?½")


class Step(Value):
    """One step of a plan.

    - `look_up` asks `ask` about the thing `of`; `count` asks for things, and counts them.
    - `given` is a `value` that the question itself states.
    - `compare` says which of its `steps` is `by` more, less, earlier or later (`reply` "which"), or whether
      the first is, or is the same ("whether").
    - `sum`, `product`, `difference` (of two, never negative; of dates in a `unit`), `share` (the first of the
      second, perhaps in `percent`) and `both` work on the results of their `steps`.
    """

    do: Do
    ask: str | None = None
    of: str | None = None
    value: str | None = None
    steps: tuple[int, ...] = Field(default=(), max_length=MAX_STEPS)
    by: By | None = None
    reply: Literal["which", "whether"] | None = None
    unit: DateUnit | Literal["percent"] | None = None

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if self.do in LOOK_UPS and not self.ask:
            raise ValueError(f"a step {self.do!r} needs 'ask'")
        if self.do == "given" and not self.value:
            raise ValueError("a step 'given' needs 'value'")
        if len(self.steps) < _LEAST.get(self.do, 0):
            raise ValueError(f"a step {self.do!r} needs {_LEAST[self.do]} steps")
        if self.do in ("difference", "share") and len(self.steps) != 2:
            raise ValueError(f"a step {self.do!r} has exactly 2 steps")
        if self.do == "compare" and (self.by is None or self.reply is None):
            raise ValueError("a step 'compare' needs 'by' and 'reply'")
        return self


class Plan(Value):
    """The steps of a plan; each refers only to steps before it."""

    steps: tuple[Step, ...] = Field(min_length=1, max_length=MAX_STEPS)

    @model_validator(mode="after")
    def _refers_backwards(self) -> Self:
        for number, step in enumerate(self.steps, 1):
            named = [int(other) for other in _REFERENCE.findall(f"{step.ask or ''} {step.of or ''}")]
            if any(not 1 <= other < number for other in (*step.steps, *named)):
                raise ValueError(f"step {number} refers to a step that is not before it")
        return self

    @classmethod
    def read(cls, text: str) -> Plan:
        """Return the plan in a model's reply; raises `ModelError` if there is none.

        >>> Plan.read('[{"do": "look_up", "ask": "Who built it?", "of": "the pier"}]').steps[0].ask
        'Who built it?'
        """
        try:
            return cls(steps=_STEPS.validate_json(text[text.index("[") : text.rindex("]") + 1]))
        except (ValueError, ValidationError) as error:
            raise ModelError(f"the reply is no plan: {error}; it was {text[:300]!r}") from error

    def written(self) -> str:
        """Return the plan as a model writes it: without what was found.

        >>> Plan(steps=(Step(do="look_up", ask="Who?", of="the pier", value="Ada"),)).written()
        '[{"do": "look_up", "ask": "Who?", "of": "the pier"}]'
        """
        return json.dumps([_written(step) for step in self.steps], ensure_ascii=False)


_STEPS = TypeAdapter(tuple[Step, ...])


class Found(NamedTuple):
    """What each step gave, the answer (None if it cannot be worked out), and why or how."""

    values: tuple[str | None, ...]
    answer: str | None
    rule: str


LookUp = Callable[[Step], str | None]
"""Returns what the evidence says to the question of a step; None if it says nothing."""


def execute(plan: Plan, look_up: LookUp) -> Found:
    """Return the answer of a plan: every look-up is asked in order, and the rest is computed.

    >>> plan = Plan.read('''[{"do": "look_up", "ask": "How long is the Aa?", "of": "the Aa"},
    ...     {"do": "look_up", "ask": "How long is the Bo?", "of": "the Bo"},
    ...     {"do": "compare", "steps": [1, 2], "by": "more", "reply": "which"}]''')
    >>> lengths = {"the Aa": "12 km", "the Bo": "9,500 m"}
    >>> execute(plan, lambda step: lengths[step.of])
    Found(values=('12 km', '9,500 m', 'the Aa'), answer='the Aa', rule='12 km > 9,500 m')
    """
    values: list[str | None] = []
    rule = ""
    for number, step in enumerate(plan.steps, 1):
        result, told = _run(step, plan, values, look_up)
        values.append(result)
        rule = told or rule
        if result is None:
            return Found(tuple(values), None, told or f"step {number} found nothing: {step.ask}")
    return Found(tuple(values), values[-1], rule)


def _run(step: Step, plan: Plan, values: Sequence[str | None], look_up: LookUp) -> tuple[str | None, str]:
    """Return the result of a step, and the computation in words."""
    of = [values[number - 1] or "" for number in step.steps]
    match step.do:
        case "given":
            return step.value, ""
        case "look_up":
            return (look_up(_filled(step, values)) or "").strip() or None, ""
        case "count":
            things = look_up(_filled(step, values)) or ""
            counted = [thing for thing in map(str.strip, things.split(";")) if thing]
            return (str(len(counted)), f"{len(counted)}: {', '.join(counted)}") if counted else (None, "")
        case "both":
            return "; ".join(of), ""
        case "compare":
            names = [_filled(plan.steps[number - 1], values).of or "" for number in step.steps]
            return _compared(step, of, names)
        case _:
            try:
                return _reckoned(step, of)
            except (ValueError, ArithmeticError):  # a day that no month has, or thousands of digits
                return None, f"{' and '.join(text[:60] for text in of)} cannot be reckoned with"


def _filled(step: Step, values: Sequence[str | None]) -> Step:
    """Return a look-up with what earlier steps found in place of `#1`."""

    def found(match: re.Match[str]) -> str:
        return values[int(match[1]) - 1] or ""

    return step.model_copy(
        update={name: _REFERENCE.sub(found, text) for name in ("ask", "of") if (text := getattr(step, name))}
    )


def _compared(step: Step, of: Sequence[str], names: Sequence[str]) -> tuple[str | None, str]:
    """Return the name of the best value, or whether the first is the best alone or the same as the others."""
    if step.by == "same":
        same = all(_same(of[0], other) for other in of[1:])
        return ("yes" if same else "no"), f"{of[0]} {'=' if same else '≠'} {of[1]}"
    sign = 1 if step.by in ("more", "later") else -1
    orders = [[_order(first, second) for second in of] for first in of]
    best = [
        index
        for index, row in enumerate(orders)
        if all(other == sign for place, other in enumerate(row) if place != index)
    ]
    if not best and any(order is None for row in orders for order in row):
        return None, f"{' and '.join(of)} cannot be compared"
    first = best[0] if best else 0
    told = f"{of[first]} {'=' if not best else '>' if sign > 0 else '<'} " + ", ".join(
        value for index, value in enumerate(of) if index != first
    )
    if step.reply == "whether":
        return ("yes" if best == [0] else "no"), told
    return (names[first] or of[first], told) if best else (None, f"{' and '.join(of)} are equal")


def _same(first: str, second: str) -> bool:
    order = _order(first, second)
    if order is not None:
        return order == 0
    return english.normal_form(first) == english.normal_form(second)


def _order(first: str, second: str) -> int | None:
    """Return -1, 0 or 1 as the first value is smaller, equal or larger; None if that cannot be said."""
    one, two = read_date(first), read_date(second)
    if one is not None and two is not None:
        before = dates.earlier(one, two)
        if before is None:
            return 0 if one == two else None
        return -1 if before else 1
    amounts = read_amount(first), read_amount(second)
    return None if amounts[0] is None or amounts[1] is None else quantities.order(amounts[0], amounts[1])


def _reckoned(step: Step, of: Sequence[str]) -> tuple[str | None, str]:
    """Return a sum, a product, a difference or a share."""
    days = [day for text in of if (day := read_date(text)) is not None and day[0] > 0]
    if step.do == "difference" and len(days) == 2:
        rough: DateUnit = "days" if days[0][1] and days[1][1] else "years"
        unit: DateUnit = step.unit if step.unit and step.unit != "percent" else rough
        count = _elapsed(min(days), max(days), unit)
        return f"{count} {unit[:-1] if count == 1 else unit}", f"from {of[0]} to {of[1]}"
    amounts = [read_amount(text) for text in of]
    exact = [amount for amount in amounts if amount is not None and amount.exact]
    if any(day is not None and day[0] <= 0 for day in map(read_date, of)):
        return None, f"{' and '.join(of)}: years before Christ are not reckoned with"
    if len(exact) < len(of):
        unread = next(text for text, amount in zip(of, amounts, strict=True) if amount not in exact)
        return None, f"{unread!r} is no exact number"
    result = _ARITHMETIC[step.do](exact, step)
    if result is None:
        zero = step.do == "share" and not exact[1].low
        return None, "a share of nothing" if zero else f"{' and '.join(of)} have different units"
    sign = {"sum": " + ", "product": " × ", "difference": " − ", "share": " / "}[step.do]
    return quantities.spelled(result), f"{sign.join(of)} = {quantities.spelled(result)}"


def _sum(amounts: Sequence[Quantity], _: Step) -> Quantity | None:
    result: Quantity | None = amounts[0]
    for amount in amounts[1:]:
        result = None if result is None else quantities.add(result, amount)
    return result


def _difference(amounts: Sequence[Quantity], _: Step) -> Quantity | None:
    result = quantities.subtract(amounts[0], amounts[1])
    if result is None or result.low is None:
        return None
    return Quantity(abs(result.low), abs(result.low), result.unit, result.per)


def _product(amounts: Sequence[Quantity], _: Step) -> Quantity | None:
    """Return the product; 20 % counts as a fifth, and a rate for a time meets a time: €5 a day × 3 days."""
    factor, units = Fraction(1), []
    rate = next((amount.per for amount in amounts if amount.per), "")
    for amount in amounts:
        assert amount.low is not None
        factor *= amount.low / 100 if amount.unit == "%" else amount.low
        if amount.unit not in ("", "%"):
            units.append(amount.unit)
    money = [unit for unit in units if quantities.dimension_of(unit) == "money"]
    times = [unit for unit in units if quantities.dimension_of(unit) == "duration"]
    if money and times and len(units) == 2:
        if rate and rate in quantities.UNITS:
            factor *= quantities.UNITS[times[0]].factor / quantities.UNITS[rate].factor
        units = money
    if len(units) > 1:
        return None
    return quantities.exactly(factor, units[0] if units else "")


def _share(amounts: Sequence[Quantity], step: Step) -> Quantity | None:
    part, whole = amounts
    if whole.unit:
        if not quantities.comparable(part, whole) and part.unit:
            return None
        part = quantities.convert(part, whole.unit) if quantities.comparable(part, whole) else part
    if not whole.low or part.low is None:
        return None
    ratio = part.low / whole.low
    if step.unit == "percent":
        return quantities.exactly(100 * ratio, "%")
    unit = "" if not part.unit or whole.unit else part.unit
    return quantities.exactly(ratio, unit)


_ARITHMETIC: dict[Do, Callable[[Sequence[Quantity], Step], Quantity | None]] = {
    "sum": _sum,
    "product": _product,
    "difference": _difference,
    "share": _share,
}


def _elapsed(first: Date, second: Date, unit: DateUnit) -> int:
    """Return the whole years or months between two dates, or the days or weeks; an unknown day counts as 1.

    >>> _elapsed((2020, 5, 5), (2023, 5, 4), "years"), _elapsed((2020, 0, 0), (2023, 5, 0), "years")
    (2, 3)
    """
    if unit == "years" and not (first[1] and second[1]):
        return second[0] - first[0]
    if unit in ("years", "months"):
        months = 12 * (second[0] - first[0]) + (second[1] or 1) - (first[1] or 1) - (0 < second[2] < first[2])
        return months if unit == "months" else months // 12
    start, end = (date(year, month or 1, day or 1) for year, month, day in (first, second))
    return (end - start).days if unit == "days" else round((end - start).days / 7)


def read_date(text: str) -> Date | None:
    """Return the only date of a text that has nothing else in it.

    >>> read_date("on 5 May 1987"), read_date("1987"), read_date("1987 seats")
    ((1987, 5, 5), (1987, 0, 0), None)
    """
    spans = english.date_spans(text)
    if len(spans) != 1:
        return None
    start, end, found = spans[0]
    return found if _BESIDE_DATES.fullmatch(f"{text[:start]} {text[end:]}") else None


def read_amount(text: str) -> Quantity | None:
    """Return the first amount of a text.

    >>> read_amount("3½ hours"), read_amount("about 300 seats").exact, read_amount("none at all")
    (Quantity(low=Fraction(7, 2), high=Fraction(7, 2), unit='h', per=''), False, None)
    """
    half = _HALF.search(text)
    if half is not None:
        whole = read_amount(half[1]) if half[1] else read_amount(text[: half.start()])
        if whole is not None and whole.low is not None:
            text = f"{float(min(whole.low, _LARGEST)) + 0.5} {text[half.end() :].strip()}"
    spans = english.quantities_in(text)
    return spans[0].quantity if spans else None


def _written(step: Step) -> dict[str, Any]:
    told = step.model_dump(exclude_defaults=True)
    if step.do != "given":
        told.pop("value", None)
    return told
