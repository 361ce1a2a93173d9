"""Values that a claim states and no sentence does: "cost 300 crowns more", where sentences give both prices.

Code computes such a value from two that sentences state. The verdict model then reads both sentences with the
computation. A difference that no sentence states and no two values give does not support the claim, whatever
the model says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from probative.engine.methods import Tools
from probative.engine.search import Search
from probative.models.task_prompts import Line
from probative.scope.plan import calculate
from probative.text import english, quantities
from probative.text.plan import Step
from probative.text.quantities import Quantity, QuantitySpan
from probative.text.words import words
from probative.types import Verdict
from probative.verdict.judge import judge_claim
from probative.verify.claims import TextClaim
from probative.verify.conclusion import Conclusion, Reading, listed
from probative.verify.evidence import Candidate, lines_of, texts_of
from probative.verify.verification import EvidenceSentence

# Smaller numbers without a unit count what nobody states ("the two surnames"), and many pairs give them.
MIN_BARE = 13
# How surely both sentences with the computation must support a claim that they do not support without it. Of
# 136 claims of training and tuning documents, 22 reached it, 21 of them true.
MIN_COMPUTED = 0.75
# The worth of a sentence that was not among those weighed, in nats.
UNREAD = -20.0
_STEPS = (
    Step(do="share", steps=(1, 2), unit="percent"),
    Step(do="difference", steps=(1, 2)),
    Step(do="sum", steps=(1, 2)),
    Step(do="product", steps=(1, 2)),
)


class ComputedFrom(NamedTuple):
    """A computation ("£61 − £48 = £13") and the sentences that state its values, the larger value first."""

    rule: str
    sentences: tuple[Candidate, Candidate]


def unstated_values(claim: str, texts: Iterable[str]) -> list[QuantitySpan]:
    """Return the amounts of a claim that none of some texts states.

    >>> [span.text for span in unstated_values("In 1990 it cost £13 more than 40 loaves.", ["40 loaves"])]
    ['£13']
    """
    values = [span for span in amounts_in(claim) if span.quantity.unit or _written(span.quantity) >= MIN_BARE]
    if not values:
        return []
    stated = [span for text in texts for span in amounts_in(text)]
    return [value for value in values if not any(_equal(value, span) for span in stated)]


@lru_cache(2_000)
def amounts_in(text: str) -> tuple[QuantitySpan, ...]:
    """Return the exact amounts of a text that are no part of a date."""
    dates = english.date_spans(text)
    return tuple(
        span
        for span in english.quantities_in(text)
        if span.quantity.exact and not any(start <= span.start < end for start, end, _ in dates)
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


def computed_from(
    value: QuantitySpan, candidates: Sequence[Candidate], worth: Mapping[tuple[str, int], float]
) -> ComputedFrom | None:
    """Return how two values of the sentences give a value: if there are several ways, that of the sentences
    that fit the claim best.
    """
    stated = [(entry, span) for entry in candidates for span in amounts_in(entry.text)]
    ways: dict[ComputedFrom, float] = {}
    for row, other in _pairs(value.quantity, [span.quantity for _, span in stated]):
        (first, high), (second, low) = stated[row], stated[other]
        for step in _STEPS if value.quantity.unit == "%" else _STEPS[1:]:
            operands = (low.text, high.text) if step.do == "share" else (high.text, low.text)
            result, rule = calculate(step, operands)
            if any(_equal(value, span) for span in amounts_in(result or "")):
                fit = worth.get(first.key, UNREAD) + worth.get(second.key, UNREAD)
                ways[ComputedFrom(rule, (first, second))] = fit
    return max(ways, key=ways.__getitem__) if ways else None


def _pairs(value: Quantity, stated: Sequence[Quantity]) -> list[tuple[int, int]]:
    """Return the rows of the pairs of quantities, the larger first, that may give a value: by their numbers
    as they are written, and in base units.
    """
    pairs: dict[tuple[int, int], None] = {}
    for size in (_written, _in_base_unit):
        wanted, sizes = size(value), [size(quantity) for quantity in stated]
        rows: defaultdict[Fraction, list[int]] = defaultdict(list)
        for row, number in enumerate(sizes):
            rows[number].append(row)
        for row, number in enumerate(sizes):
            others = {number - wanted, wanted - number, number * wanted / 100}
            others |= {wanted / number, 100 * wanted / number} if number else set()
            smaller = [other for least in others if least <= number for other in rows[least]]
            pairs |= dict.fromkeys((row, other) for other in sorted(smaller) if other != row)
    return list(pairs)


def _written(quantity: Quantity) -> Fraction:
    return quantity.low or Fraction(0)


def _in_base_unit(quantity: Quantity) -> Fraction:
    return quantities.bounds(quantity)[0] or Fraction(0)


def with_computed(
    claim: TextClaim,
    outcome: Conclusion,
    sentences: Sequence[Candidate],
    worth: Mapping[tuple[str, int], float],
    tools: Tools,
) -> Search[Conclusion]:
    """Return the verdict on a claim after the values that none of the sentences states were computed from
    those that they state.
    """
    known = (f"{entry.titled} {' '.join(entry.definitions)}" for entry in sentences)
    values = unstated_values(claim.statement, known) if outcome.judged else []
    computed = [computed_from(value, sentences, worth) for value in values]
    if None in computed or not computed:
        outcome = of_its_row(claim.statement, outcome)
    if not computed:
        return outcome
    ways = [way for way in computed if way is not None]
    rules = "; ".join(way.rule for way in ways)
    missing = [value.text for value, way in zip(values, computed, strict=True) if way is None]
    if missing:
        note = f"no sentence states {' or '.join(missing)}, and no two of their values give it"
        return unsupported(outcome, note) if needs_two(claim.statement, outcome) else outcome
    if any(is_reversed(claim.statement, way) for way in ways):
        return unsupported(outcome, f"computed the other way round: {rules}")
    operands = tuple(dict.fromkeys(entry for way in ways for entry in way.sentences))
    lines = [*lines_of(operands, texts_of(operands)), *(Line(f"{way.rule}.") for way in ways)]
    texts = [": ".join(filter(None, (line.header, line.text))) for line in lines]
    judgement = yield from judge_claim(claim.statement, texts, tools, language=claim.language, lines=lines)
    supported = outcome.verdict is Verdict.SUPPORTED
    if not supported and judgement.probabilities.supported < MIN_COMPUTED:
        return outcome
    deciding = judgement.model_copy(
        update={"verdict": Verdict.SUPPORTED, "deciding": tuple(range(len(operands))), "opposing": ()}
    )
    evidence = listed([Reading(operands, deciding)], [Reading(operands, deciding)])
    places = {(entry.source, entry.start) for entry in evidence}
    others = outcome.evidence if supported else _undecided(outcome.evidence)
    return replace(
        outcome,
        verdict=Verdict.SUPPORTED,
        probabilities=outcome.probabilities if supported else judgement.probabilities,
        evidence=(*evidence, *(entry for entry in others if (entry.source, entry.start) not in places)),
        notes=(*outcome.notes, f"computed: {rules}"),
    )


def needs_two(claim: str, outcome: Conclusion) -> bool:
    """Return whether a value of a claim must follow from two others: it says by how much something is more or
    less, or two sentences with one value each decide. Others are sums of many, or products of three.
    """
    values = [unstated_values(entry.text, []) for entry in outcome.evidence if entry.deciding]
    return english.says_more(claim) is not None or [len(each) for each in values if each] == [1, 1]


def of_its_row(claim: str, outcome: Conclusion) -> Conclusion:
    """Return a conclusion that is not supported by one row of a table, or one entry of a list, with another
    amount than the claim's: those of other rows are not about the same thing.
    """
    deciding = [entry for entry in outcome.evidence if entry.deciding]
    if len(deciding) != 1 or deciding[0].text.endswith((".", "!", "?", '"', "”", ")")):
        return outcome
    row = deciding[0]
    lacking = unstated_values(claim, [f"{row.title}: {row.text}"])
    counts = {len(unstated_values(text, [])) for text in (row.text, claim)}
    if counts != {1} or not lacking:  # a claim may have the sum of several
        return outcome
    return unsupported(outcome, f"the row has no {lacking[0].text}")


def unsupported(outcome: Conclusion, note: str) -> Conclusion:
    """Return a conclusion that does not support the claim, and why."""
    if outcome.verdict is not Verdict.SUPPORTED:
        return outcome
    return replace(
        outcome,
        verdict=Verdict.INSUFFICIENT,
        conflict=False,
        evidence=_undecided(outcome.evidence),
        notes=(*outcome.notes, note),
    )


def _undecided(evidence: Sequence[EvidenceSentence]) -> tuple[EvidenceSentence, ...]:
    """Return sentences as those of a verdict that rests on none of them."""
    return tuple(entry.model_copy(update={"deciding": False, "stance": None}) for entry in evidence)


def is_reversed(claim: str, way: ComputedFrom) -> bool:
    """Return whether a claim says that what has the smaller value has more: by the words that only one of the
    two sentences shares with the part of the claim before "than", or behind it.
    """
    before, _, behind = claim.partition(" than ")
    more = english.says_more(before)
    larger, smaller = (set(words(entry.titled)) for entry in way.sentences)
    if more is None or not behind or larger == smaller:
        return False
    left, right = set(words(before)) - set(words(behind)), set(words(behind)) - set(words(before))
    fits = len(larger & left) + len(smaller & right) - len(smaller & left) - len(larger & right)
    return fits < 0 if more else fits > 0
