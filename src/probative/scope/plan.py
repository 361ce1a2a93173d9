"""The code that runs a plan: exact arithmetic over what the look-ups found, never a model's.

The executor is a generator: it yields the look-ups that can be asked now, all that need nothing that is
still unknown, and is sent what they found. So a caller can ask them together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from datetime import date as calendar_date
from fractions import Fraction
from typing import NamedTuple

from probative.text import dates, english, quantities
from probative.text.dates import Date
from probative.text.plan import LOOK_UPS, Do, Plan, Step
from probative.text.quantities import Quantity, QuantitySpan
from probative.text.words import words

# Words that only a date has beside it, and others that a date may have.
_OF_DATES = r"in|on|since|until|early|late|circa|bc|ad|bce|ce|\w+day"
_SAYS_DATE = re.compile(rf"(?i)\b(?:{_OF_DATES})\b")
_BESIDE_DATES = re.compile(rf"(?i)(?:\W|\b(?:{_OF_DATES}|from|by|of|the|about)\b)*")
_TIMES = ("days", "weeks", "months", "years", "full_years")


class PlanResult(NamedTuple):
    """The result of each step, the answer (None if it cannot be computed), and the computation or the reason
    why there is none.
    """

    values: tuple[str | None, ...]
    answer: str | None
    rule: str


LookUp = Callable[[Step], str | None]
"""Returns what the evidence says to the question of a step; None if it says nothing."""


Found = Sequence[str | None]
"""What look-ups found, in their order."""
Execution = Generator[dict[int, Step], Found, PlanResult]


def execute(plan: Plan, look_up: LookUp) -> PlanResult:
    """Ask the look-ups of a plan one by one, up to the first that finds nothing, and return the result.

    >>> plan = Plan.read('''[{"do": "look_up", "ask": "How long is the Aa?", "of": "the Aa"},
    ...     {"do": "look_up", "ask": "How long is the Bo?", "of": "the Bo"},
    ...     {"do": "compare", "steps": [1, 2], "by": "more", "reply": "which"}]''')
    >>> lengths = {"the Aa": "12 km", "the Bo": "9,500 m"}
    >>> execute(plan, lambda step: lengths[step.of])
    PlanResult(values=('12 km', '9,500 m', 'the Aa'), answer='the Aa', rule='12 km > 9,500 m')
    """
    running = run_plan(plan)
    found: list[str | None] | None = None
    missing = False
    while True:
        try:
            asked = running.send(found)  # type: ignore[arg-type]  # None starts a generator
        except StopIteration as finished:
            result: PlanResult = finished.value
            return result
        found = []
        for step in asked.values():
            found.append(None if missing else (look_up(step) or "").strip() or None)
            missing = missing or found[-1] is None


def run_plan(plan: Plan) -> Execution:
    """Yield the look-ups that can be asked, in rounds, by their numbers, and return the result of the plan.

    A step whose look-ups found nothing is left out, and the others are still asked.
    """
    values: dict[int, str | None] = {}
    numbered = dict(enumerate(plan.steps, 1))
    rules: dict[int, str] = {}
    while len(values) < len(numbered):
        ready = {
            number: step
            for number, step in numbered.items()
            if number not in values and step.needs.issubset(values)
        }
        so_far = [values.get(number) for number in numbered]
        asked = {
            number: step.filled(so_far)
            for number, step in ready.items()
            if step.do in LOOK_UPS and all(values[other] is not None for other in step.needs)
        }
        replies = (yield asked) if asked else ()
        found = dict(zip(asked, replies, strict=True))
        for number, step in ready.items():
            if step.do == "look_up":
                values[number] = (found.get(number) or "").strip() or None
            elif any(values[other] is None for other in step.needs):
                values[number] = None
            else:
                values[number], rules[number] = _compute(step, plan, so_far, found.get(number))
    results = tuple(values[number] for number in numbered)
    missing = next((number for number in numbered if values[number] is None), None)
    if missing is None:
        return PlanResult(results, results[-1], next((rules[n] for n in sorted(rules)[::-1] if rules[n]), ""))
    rule = rules.get(missing) or f"step {missing} found nothing: {numbered[missing].ask}"
    return PlanResult(results, None, rule)


def _compute(
    step: Step, plan: Plan, values: Sequence[str | None], found: str | None
) -> tuple[str | None, str]:
    """Return the result of a step and its computation; without a result, why there is none."""
    operands = [values[number - 1] or "" for number in step.steps]
    match step.do:
        case "given":
            return step.value, ""
        case "count":
            counted = [thing for thing in map(str.strip, (found or "").split(";")) if thing]
            return (str(len(counted)), f"{len(counted)}: {', '.join(counted)}") if counted else (None, "")
        case "both":
            return "; ".join(operands), ""
        case "latest":
            return _latest(operands)
        case "compare":
            names = [plan.steps[number - 1].filled(values).of or "" for number in step.steps]
            return _compare(step, operands, names)
        case _:
            try:
                return _calculate(step, operands)
            except (ValueError, ArithmeticError):  # a day that no month has, or thousands of digits
                return None, f"{' and '.join(text[:60] for text in operands)} cannot be computed with"


def _compare(step: Step, operands: Sequence[str], names: Sequence[str]) -> tuple[str | None, str]:
    """Return which value is the best, or whether the first one is; of equal ones, that they are equal."""
    if step.by in ("same", "different"):
        alike = [_same(operands[0], other, step.unit) for other in operands[1:]]
        if None in alike:
            return None, f"{' and '.join(operands)} cannot be compared"
        same = all(alike)
        holds = same == (step.by == "same")
        return ("yes" if holds else "no"), f"{operands[0]} {'=' if same else '≠'} {operands[1]}"
    sign = 1 if step.by in ("more", "later") else -1
    if step.reply == "whether":
        operands = [operands[0], *map(_without_bound, operands[1:])]
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
        holds = best == [0]
        return ("yes" if holds else "no"), computation
    chosen = " and ".join(names[index] or operands[index] for index in best)
    return (chosen if len(best) == 1 else f"{chosen} are equal"), computation


def _latest(operands: Sequence[str]) -> tuple[str | None, str]:
    """Return the latest of some dates; None if one of them is no date, or the known parts do not decide.

    >>> _latest(["May 1987", "1985"]), _latest(["1987", "5 May 1987"])[0]
    (('May 1987', '1985 < May 1987'), None)
    """
    days = [read_date(text) for text in operands]
    known = [day for day in days if day is not None]
    latest = [
        row
        for row, day in enumerate(days)
        if day and all(dates.order(day, other) in (0, 1) for other in known)
    ]
    if len(known) < len(days) or not latest:
        return None, f"{' and '.join(operands)} cannot be compared"
    found = operands[latest[0]]
    others = [text for row, text in enumerate(operands) if row not in latest]
    return found, " < ".join([", ".join(others), found]) if others else found


def _without_bound(limit: str) -> str:
    """Return the amount of a limit: "at most 140 euros" is the limit of 140 euros."""
    amount = read_amount(limit)
    if amount is None or (amount.low is None) == (amount.high is None):
        return limit
    bound = amount.low if amount.high is None else amount.high
    return quantities.spelled(replace(amount, low=bound, high=bound))


def _same(first: str, second: str, unit: str | None = None) -> bool | None:
    """Return whether two values are the same: in amount or date (perhaps in the year), as countries, or in
    the words of a name; None if that cannot be said.
    """
    date, other_date = read_date(first), read_date(second)
    order = _order(first, second)
    if date is not None and other_date is not None and unit == "years":
        return date[0] == other_date[0]
    if order is not None or (date is not None and other_date is not None):
        return None if order is None else order == 0
    countries = english.countries_in(first), english.countries_in(second)
    if all(countries):
        return True if countries[0] & countries[1] else english.same_country(*countries)
    if english.normal_form(first) == english.normal_form(second):
        return True
    if english.quantities_in(f"{first} {second}"):
        return None  # amounts in different units, or an amount and a name
    content = set(words(first)), set(words(second))
    return all(content) and (content[0] <= content[1] or content[1] <= content[0])


def _order(first: str, second: str) -> int | None:
    """Return -1, 0 or 1 as the first value is smaller, equal or larger; None if that cannot be said."""
    date, other_date = read_date(first), read_date(second)
    if date is not None and other_date is not None:
        return dates.order(date, other_date)
    if any(day is not None and day[1] for day in (date, other_date)):
        return None  # "2 March 1850" is no 2
    amount, other = read_amount(first), read_amount(second)
    if amount is None or other is None:
        return None
    if not (amount.per and other.per):  # a limit of 140 euros is one for a night if the price is
        amount, other = replace(amount, per=""), replace(other, per="")
    return quantities.order(amount, other)


def _calculate(step: Step, operands: Sequence[str]) -> tuple[str | None, str]:
    """Return a sum, an average, a product, a difference or a share."""
    if step.do == "difference" and step.by is not None:
        order = _order(*operands)
        if order not in (None, 1 if step.by in ("more", "later") else -1):
            return None, f"{operands[0]} is not {step.by} than {operands[1]}"
    days = [day for text in operands if (day := read_date(text)) is not None]
    if any(year <= 0 for year, _, _ in days):
        return None, f"{' and '.join(operands)}: years before Christ are not computed with"
    if step.do == "difference" and len(days) == 2 and _are_dates(step, operands):
        first, second = sorted(days)
        rough = "days" if first[1] and second[1] else "years"
        unit = step.unit if step.unit in _TIMES else rough
        if unit == "full_years" and first != days[0]:
            return None, f"{operands[0]} to {operands[1]} is no life"
        begin, end = operands if first == days[0] else reversed(operands)
        return _time_between(first, second, unit), f"from {begin} to {end}"
    amounts = [_first_amount(text) for text in operands]
    exact = [amount for amount in amounts if amount is not None and amount.quantity.exact]
    if len(exact) < len(operands):
        unread = next(text for text, amount in zip(operands, amounts, strict=True) if amount not in exact)
        return None, f"{unread!r} is not an exact number"
    result = _ARITHMETIC[step.do](exact, step)
    if result is None:
        zero = step.do == "share" and not exact[1].quantity.low
        return None, "division by zero" if zero else f"{' and '.join(operands)} have different units"
    if step.do == "difference" and quantities.order(exact[0].quantity, exact[1].quantity) == -1:
        operands = [*reversed(operands)]
    sign = {"product": " × ", "difference": " − ", "share": " / "}.get(step.do, " + ")
    computation = (
        sign.join(operands) if step.do != "average" else f"({sign.join(operands)}) / {len(operands)}"
    )
    return quantities.spelled(result), f"{computation} = {quantities.spelled(result)}"


def _are_dates(step: Step, operands: Sequence[str]) -> bool:
    """Return whether operands that may be dates are dates. A bare number such as 1950 is a year only if the
    step asks for a unit of time, or if another operand is certainly a date.
    """
    return step.unit in _TIMES or any(
        _SAYS_DATE.search(text) or (read_date(text) or (0, 0, 0))[1] for text in operands
    )


def _sum(amounts: Sequence[QuantitySpan], _: Step) -> Quantity | None:
    result: Quantity | None = amounts[0].quantity
    for amount in amounts[1:]:
        result = None if result is None else quantities.add(result, amount.quantity)
    return result


def _difference(amounts: Sequence[QuantitySpan], _: Step) -> Quantity | None:
    result = quantities.subtract(amounts[0].quantity, amounts[1].quantity)
    if result is None or result.low is None:
        return None
    return replace(result, low=abs(result.low), high=abs(result.low))


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


def _average(amounts: Sequence[QuantitySpan], _: Step) -> Quantity | None:
    first = amounts[0].quantity
    if not all(quantities.comparable(first, amount.quantity) for amount in amounts):
        return None
    alike = [quantities.rate_as(amount.quantity, first.per) for amount in amounts]
    mean = sum(quantities.convert(each, first.unit).low or Fraction(0) for each in alike) / Fraction(
        len(alike)
    )
    return replace(first, low=mean, high=mean)


_ARITHMETIC: dict[Do, Callable[[Sequence[QuantitySpan], Step], Quantity | None]] = {
    "sum": _sum,
    "average": _average,
    "product": _product,
    "difference": _difference,
    "share": _share,
}


def _time_between(first: Date, second: Date, unit: str) -> str:
    """Return the time between two dates in words, as an interval where the days are not known.

    >>> _time_between((1900, 0, 0), (1927, 0, 0), "full_years")
    '26 or 27 years'
    >>> _time_between((1900, 5, 5), (1927, 5, 4), "full_years")
    '26 years'
    """
    if unit == "full_years":
        unit = "years"
        if not all((*first, *second)) and dates.earlier((1, *first[1:]), (1, *second[1:])) is None:
            years = second[0] - first[0]
            return f"{years - 1} or {years} years"
    count = _elapsed(first, second, unit)
    return f"{count} {unit[:-1] if count == 1 else unit}"


def _elapsed(first: Date, second: Date, unit: str) -> int:
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
