"""The plan of a question: which values to look up and what to compute from them; and the code that runs it.

A language model writes the plan as JSON, a list of steps. Each look-up asks a question, and a text of the
evidence answers it. Code does the arithmetic, never a model:

    How many more berths has the Idun than the Saga?
    [{"do": "look_up", "ask": "How many berths has the Idun?", "of": "the Idun"},
     {"do": "look_up", "ask": "How many berths has the Saga?", "of": "the Saga"},
     {"do": "difference", "steps": [1, 2]}]

Steps are numbered from 1, and the last one gives the answer. `#1` in a question stands for the result of
step 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import date as calendar_date
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Self, get_args

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from probative.errors import ModelError
from probative.text import dates, english, quantities
from probative.text.analysis import QuantitySpan
from probative.text.dates import Date
from probative.text.quantities import Quantity
from probative.types import Value

Do = Literal["look_up", "given", "count", "compare", "sum", "product", "difference", "share", "both"]
By = Literal["more", "less", "earlier", "later", "same"]
DateUnit = Literal["days", "weeks", "months", "years"]
LOOK_UPS = ("look_up", "count")
MAX_STEPS = 12
_REFERENCE = re.compile(r"#(\d+)")
_NEED_TWO = ("compare", "sum", "product", "difference", "share", "both")
# Words that only a date has beside it, and others that a date may have.
_OF_DATES = r"in|on|since|until|early|late|circa|bc|ad|bce|ce|\w+day"
_SAYS_DATE = re.compile(rf"(?i)\b(?:{_OF_DATES})\b")
_BESIDE_DATES = re.compile(rf"(?i)(?:\W|\b(?:{_OF_DATES}|from|by|of|the|about)\b)*")


class Step(Value):
    """One step of a plan.

    - `look_up` asks `ask` about the thing `of`; `count` asks for a list of things and counts them.
    - `given` is a `value` that the question itself states.
    - `compare` returns the name of the step that is `by` more, less, earlier or later (`reply` "which"), or
      whether the first one is, or is the same ("whether").
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
        if self.do in _NEED_TWO and len(self.steps) < 2:
            raise ValueError(f"a step {self.do!r} needs 2 steps")
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
            references = map(int, _REFERENCE.findall(f"{step.ask or ''} {step.of or ''}"))
            if any(not 1 <= other < number for other in (*step.steps, *references)):
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
        """Return the plan as a model writes it: without the values of its look-ups.

        >>> Plan(steps=(Step(do="look_up", ask="Who?", of="the pier", value="Ada"),)).written()
        '[{"do": "look_up", "ask": "Who?", "of": "the pier"}]'
        """
        return json.dumps([_written(step) for step in self.steps], ensure_ascii=False)


_STEPS = TypeAdapter(tuple[Step, ...])


class PlanResult(NamedTuple):
    """The result of each step, the answer (None if it cannot be computed), and the computation or the reason
    why there is none.
    """

    values: tuple[str | None, ...]
    answer: str | None
    rule: str


LookUp = Callable[[Step], str | None]
"""Returns what the evidence says to the question of a step; None if it says nothing."""


def execute(plan: Plan, look_up: LookUp) -> PlanResult:
    """Ask the look-ups of a plan in order, compute the other steps, and return the result.

    >>> plan = Plan.read('''[{"do": "look_up", "ask": "How long is the Aa?", "of": "the Aa"},
    ...     {"do": "look_up", "ask": "How long is the Bo?", "of": "the Bo"},
    ...     {"do": "compare", "steps": [1, 2], "by": "more", "reply": "which"}]''')
    >>> lengths = {"the Aa": "12 km", "the Bo": "9,500 m"}
    >>> execute(plan, lambda step: lengths[step.of])
    PlanResult(values=('12 km', '9,500 m', 'the Aa'), answer='the Aa', rule='12 km > 9,500 m')
    """
    values: list[str | None] = []
    rule = ""
    for number, step in enumerate(plan.steps, 1):
        result, computation = _run(step, plan, values, look_up)
        values.append(result)
        rule = computation or rule
        if result is None:
            return PlanResult(tuple(values), None, computation or f"step {number} found nothing: {step.ask}")
    return PlanResult(tuple(values), values[-1], rule)


def _run(step: Step, plan: Plan, values: Sequence[str | None], look_up: LookUp) -> tuple[str | None, str]:
    """Return the result of a step and its computation; without a result, why there is none."""
    operands = [values[number - 1] or "" for number in step.steps]
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
            return "; ".join(operands), ""
        case "compare":
            names = [_filled(plan.steps[number - 1], values).of or "" for number in step.steps]
            return _compare(step, operands, names)
        case _:
            try:
                return _calculate(step, operands)
            except (ValueError, ArithmeticError):  # a day that no month has, or thousands of digits
                return None, f"{' and '.join(text[:60] for text in operands)} cannot be computed with"


def _filled(step: Step, values: Sequence[str | None]) -> Step:
    """Return a look-up with the results of earlier steps in place of `#1`, `#2` and so on."""

    def result(match: re.Match[str]) -> str:
        return values[int(match[1]) - 1] or ""

    return step.model_copy(
        update={name: _REFERENCE.sub(result, text) for name in ("ask", "of") if (text := getattr(step, name))}
    )


def _compare(step: Step, operands: Sequence[str], names: Sequence[str]) -> tuple[str | None, str]:
    """Return which value is the best, or whether the first one is; of equal ones, that they are equal."""
    if step.by == "same":
        same = all(_same(operands[0], other) for other in operands[1:])
        return ("yes" if same else "no"), f"{operands[0]} {'=' if same else '≠'} {operands[1]}"
    sign = 1 if step.by in ("more", "later") else -1
    orders = [[_order(first, second) for second in operands] for first in operands]
    best = [
        index
        for index, row in enumerate(orders)
        if all(order in (sign, 0) for other, order in enumerate(row) if other != index)
    ]
    if not best:
        return None, f"{' and '.join(operands)} cannot be compared"
    others = ", ".join(value for index, value in enumerate(operands) if index not in best)
    computation = " = ".join(operands[index] for index in best)
    computation += f" {'>' if sign > 0 else '<'} {others}" if others else ""
    if step.reply == "whether":
        return ("yes" if best == [0] else "no"), computation
    chosen = " and ".join(names[index] or operands[index] for index in best)
    return (chosen if len(best) == 1 else f"{chosen} are equal"), computation


def _same(first: str, second: str) -> bool:
    order = _order(first, second)
    if order is not None:
        return order == 0
    return english.normal_form(first) == english.normal_form(second)


def _order(first: str, second: str) -> int | None:
    """Return -1, 0 or 1 as the first value is smaller, equal or larger; None if that cannot be said."""
    date, other_date = read_date(first), read_date(second)
    if date is not None and other_date is not None:
        return dates.order(date, other_date)
    amounts = read_amount(first), read_amount(second)
    return None if amounts[0] is None or amounts[1] is None else quantities.order(amounts[0], amounts[1])


def _calculate(step: Step, operands: Sequence[str]) -> tuple[str | None, str]:
    """Return a sum, a product, a difference or a share."""
    days = [day for text in operands if (day := read_date(text)) is not None]
    if any(year <= 0 for year, _, _ in days):
        return None, f"{' and '.join(operands)}: years before Christ are not computed with"
    if step.do == "difference" and len(days) == 2 and _are_dates(step, operands):
        first, second = sorted(days)
        rough: DateUnit = "days" if first[1] and second[1] else "years"
        unit: DateUnit = step.unit if step.unit and step.unit != "percent" else rough
        count = _elapsed(first, second, unit)
        return f"{count} {unit[:-1] if count == 1 else unit}", f"from {operands[0]} to {operands[1]}"
    amounts = [_first_amount(text) for text in operands]
    exact = [amount for amount in amounts if amount is not None and amount.quantity.exact]
    if len(exact) < len(operands):
        unread = next(text for text, amount in zip(operands, amounts, strict=True) if amount not in exact)
        return None, f"{unread!r} is not an exact number"
    result = _ARITHMETIC[step.do](exact, step)
    if result is None:
        zero = step.do == "share" and not exact[1].quantity.low
        return None, "division by zero" if zero else f"{' and '.join(operands)} have different units"
    sign = {"sum": " + ", "product": " × ", "difference": " − ", "share": " / "}[step.do]
    return quantities.spelled(result), f"{sign.join(operands)} = {quantities.spelled(result)}"


def _are_dates(step: Step, operands: Sequence[str]) -> bool:
    """Return whether operands that may be dates are dates. A bare number such as 1950 is a year only if the
    step asks for a unit of time, or if another operand is certainly a date.
    """
    return step.unit in get_args(DateUnit) or any(
        _SAYS_DATE.search(text) or (read_date(text) or (0, 0, 0))[1] for text in operands
    )


def _sum(amounts: Sequence[QuantitySpan], _: Step) -> Quantity | None:
    result: Quantity | None = amounts[0].quantity
    for amount in amounts[1:]:
        result = None if result is None else quantities.add(result, amount.quantity)
    return result


def _difference(amounts: Sequence[QuantitySpan], _: Step) -> Quantity | None:
    result = quantities.subtract(amounts[0].quantity, amounts[1].quantity)
    return None if result is None else quantities.absolute(result)


def _product(amounts: Sequence[QuantitySpan], _: Step) -> Quantity | None:
    """Return the product. 20 % counts as a fifth. A rate meets what it is for: €5 a day × 3 days are €15, and
    € 5 a day × 3 rooms are €15 a day.
    """
    factor, units = Fraction(1), []
    for amount in amounts:
        assert amount.quantity.low is not None
        unit = amount.quantity.unit
        factor *= amount.quantity.low / 100 if unit == "%" else amount.quantity.low
        if unit not in ("", "%"):
            units.append(unit)
    rates = [amount.quantity.per for amount in amounts if amount.quantity.per]
    rate = rates[0] if rates else ""
    times = [unit for unit in units if quantities.dimension_of(unit) == "duration"]
    if times and len(units) == 2 and any(quantities.dimension_of(unit) == "money" for unit in units):
        if rate in quantities.UNITS and rate:
            factor *= quantities.UNITS[times[0]].factor / quantities.UNITS[rate].factor
            rate = ""
        units.remove(times[0])
    if len(units) > 1 or len(rates) > 1:
        return None
    if any(_meets(amount, rate) for amount in amounts):
        rate = ""
    return Quantity(factor, factor, units[0] if units else "", rate)


def _meets(amount: QuantitySpan, rate: str) -> bool:
    """Return whether an amount counts what a rate is for; a bare number counts whatever the rate is for."""
    quantity = amount.quantity
    if quantity.unit or quantity.per:
        return False
    return not amount.counted or english.counts_rate(amount.counted, rate)


def _share(amounts: Sequence[QuantitySpan], step: Step) -> Quantity | None:
    part, whole = (amount.quantity for amount in amounts)
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
    return Quantity(ratio, ratio, unit, part.per if unit else "")


_ARITHMETIC: dict[Do, Callable[[Sequence[QuantitySpan], Step], Quantity | None]] = {
    "sum": _sum,
    "product": _product,
    "difference": _difference,
    "share": _share,
}


def _elapsed(first: Date, second: Date, unit: DateUnit) -> int:
    """Return the time between two dates in a unit: whole years or months, days, or weeks; an unknown day or
    month counts as the first.

    >>> _elapsed((2020, 5, 5), (2023, 5, 4), "years"), _elapsed((2020, 0, 0), (2023, 5, 0), "years")
    (2, 3)
    """
    if unit == "years" and not (first[1] and second[1]):
        return second[0] - first[0]
    if unit in ("years", "months"):
        months = 12 * (second[0] - first[0]) + (second[1] or 1) - (first[1] or 1) - (0 < second[2] < first[2])
        return months if unit == "months" else months // 12
    start, end = (calendar_date(year, month or 1, day or 1) for year, month, day in (first, second))
    return (end - start).days if unit == "days" else round((end - start).days / 7)


def read_date(text: str) -> Date | None:
    """Return the only date of a text that has nothing else in it.

    >>> read_date("on 5 May 1987"), read_date("1987"), read_date("1987 seats")
    ((1987, 5, 5), (1987, 0, 0), None)
    """
    spans = english.date_spans(text)
    if len(spans) != 1:
        return None
    start, end, date = spans[0]
    return date if _BESIDE_DATES.fullmatch(f"{text[:start]} {text[end:]}") else None


def read_amount(text: str) -> Quantity | None:
    """Return the first amount of a text.

    >>> read_amount("3½ hours"), read_amount("about 300 seats").exact, read_amount("none at all")
    (Quantity(low=Fraction(7, 2), high=Fraction(7, 2), unit='h', per=''), False, None)
    """
    span = _first_amount(text)
    return None if span is None else span.quantity


def _first_amount(text: str) -> QuantitySpan | None:
    return next(iter(english.quantities_in(text)), None)


def _written(step: Step) -> dict[str, Any]:
    return step.model_dump(exclude_defaults=True, exclude=None if step.do == "given" else {"value"})
