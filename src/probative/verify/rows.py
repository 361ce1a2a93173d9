"""One row of a table does not support a claim with another amount: that may be of another row."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from probative.text import english, quantities
from probative.text.quantities import QuantitySpan
from probative.types import Verdict
from probative.verify.conclusion import Conclusion

# Smaller numbers without a unit count what nobody states ("the two surnames").
MIN_BARE = 13


def of_its_row(claim: str, outcome: Conclusion) -> Conclusion:
    """Return a conclusion that is not supported by one row, whose cells have names, with another amount than
    the claim's. A claim with several amounts may have the sum of several.
    """
    deciding = [entry for entry in outcome.evidence if entry.deciding]
    if outcome.verdict is not Verdict.SUPPORTED or len(deciding) != 1 or ": " not in deciding[0].text:
        return outcome
    row = deciding[0]
    amounts, stated = amounts_in(claim), amounts_in(row.text)
    if row.text.endswith((".", "!", "?")) or len(amounts) != 1 or len(stated) != 1:
        return outcome
    (amount,) = amounts
    if any(_equal(amount, span) for span in (*stated, *amounts_in(row.title or ""))):
        return outcome
    return replace(
        outcome,
        verdict=Verdict.INSUFFICIENT,
        conflict=False,
        evidence=tuple(
            entry.model_copy(update={"deciding": False, "stance": None}) for entry in outcome.evidence
        ),
        notes=(*outcome.notes, f"the row has no {amount.text}"),
    )


@lru_cache(2_000)
def amounts_in(text: str) -> tuple[QuantitySpan, ...]:
    """Return the exact amounts of a text that are no part of a date.

    >>> [span.text for span in amounts_in("In 1990 two loaves cost £13.")]
    ['£13']
    """
    dates = english.date_spans(text)
    return tuple(
        span
        for span in english.quantities_in(text)
        if span.quantity.exact
        and (span.quantity.unit or (span.quantity.low or 0) >= MIN_BARE)
        and not any(start <= span.start < end for start, end, _ in dates)
    )


def _equal(first: QuantitySpan, second: QuantitySpan) -> bool:
    """Return whether two amounts are the same; one without a unit, or without what it is for, may have that
    of the other.
    """
    one, other = first.quantity, second.quantity
    if not (one.unit and other.unit):
        return one.low == other.low
    if not (one.per and other.per):
        one, other = replace(one, per=""), replace(other, per="")
    return quantities.order(one, other) == 0
