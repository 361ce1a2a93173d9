"""Quantities in sentences: the one that measures the attribute, with the discounts and extras that apply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from probative.scope.compute.evidence import ChainSentence, SentenceValue, has_cue, has_words
from probative.text import english, quantities
from probative.text.analysis import Attribute, QuantitySpan
from probative.text.dates import agree
from probative.text.quantities import Quantity


class Candidate(NamedTuple):
    """A quantity of the attribute's dimensions in a sentence about the option."""

    value: SentenceValue
    entry: ChainSentence
    span: QuantitySpan


def quantity_by_rule(
    attribute: Attribute, sentences: Sequence[ChainSentence], asked: frozenset[str]
) -> SentenceValue | None:
    """Return the only quantity near the attribute's words, or the one beside the question's (`asked`)."""
    near = [
        candidate
        for candidate in candidates(attribute, sentences)
        if (
            _counts(attribute, candidate)
            if attribute.dimensions == {"number"}
            else has_cue(attribute, candidate.entry)
        )
    ]
    value = (
        only([candidate.value for candidate in near])
        or only([candidate.value for candidate in near if _is_named(attribute, candidate)])
        or _beside_words(near, asked)
    )
    return (
        _changed(value, sentences, asked)
        or (_between_times(attribute, sentences) if value is None else None)
        or _counted(attribute, sentences)
    )


def quantity_of_reply(
    attribute: Attribute, reply: str, sentences: Sequence[ChainSentence], asked: frozenset[str]
) -> SentenceValue | None:
    """Return the quantity of a sentence that the reply gives, with or without its unit."""
    replied = english.quantities_in(reply)
    if not replied:
        return None
    named = replied[0].quantity
    for candidate in candidates(attribute, sentences):
        value = candidate.value
        if attribute.dimensions == {"number"} and not has_cue(attribute, candidate.entry):
            continue  # a number of something else
        assert isinstance(value.value, Quantity)
        same_unit = named.unit in ("", value.value.unit) or {named.unit, value.value.unit} == {"lb", "GBP"}
        if same_unit and _overlap(named, value.value):
            return _changed(replace(value, read=True), sentences, asked)
    return None


def quantity_by_last_rule(attribute: Attribute, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the only size behind "of" ("a river of 212 km"), if there is no other size."""
    if attribute.dimensions == {"number"} or attribute.part:
        return None
    sizes = [candidate.value for candidate in candidates(attribute, sentences)]
    texts = " ".join(entry.text for entry in sentences)
    return sizes[0] if len(sizes) == 1 and f" of {sizes[0].shown}" in texts else None


def candidates(attribute: Attribute, sentences: Sequence[ChainSentence]) -> Iterator[Candidate]:
    """Yield the quantities that may be the value: of the right dimension and topic, no discount or extra."""
    for entry in sentences:
        if not has_words(attribute, entry):
            continue
        for span in english.quantities_in(entry.text):
            quantity = _as_money(attribute, span)
            if quantities.dimension_of(quantity.unit) not in attribute.dimensions or _is_other_rate(quantity):
                continue
            if not quantity.unit and english.is_label(entry.text, span.start):
                continue
            if english.measures_other(span.counted, attribute) or not _fits(attribute, entry, span):
                continue
            if english.change_at(entry.text, span.start, span.end) is None:
                yield Candidate(entry.gives(quantity, span.text), entry, span)


def _counts(attribute: Attribute, candidate: Candidate) -> bool:
    """Return whether a number counts what is asked for: "17,950 people", "a population of 17,950"."""
    counted = english.stems_of(candidate.span.counted)
    return not attribute.cues.isdisjoint(counted) or _is_named(attribute, candidate)


def _is_named(attribute: Attribute, candidate: Candidate) -> bool:
    """Return whether the words before an amount name the attribute: "a turnover of 31 million euros"."""
    named = english.names_amount(candidate.entry.text[: candidate.span.start])
    return not attribute.cues.isdisjoint(english.stems_of(named))


def only(values: Sequence[SentenceValue]) -> SentenceValue | None:
    """Return the first of the values if all are the same."""
    if not values:
        return None
    first = values[0]
    return first if all(_same(first, other) for other in values[1:]) else None


def may_be_same(first: SentenceValue, second: SentenceValue) -> bool:
    """Return whether two values do not exclude one another; "about 500" and "498" do not."""
    if isinstance(first.value, Quantity) and isinstance(second.value, Quantity):
        if not quantities.comparable(first.value, second.value):
            return True  # for a night and for a week, in metres and in hours: two attributes
        return _same(first, second) or quantities.order(first.value, second.value) in (None, 0)
    if isinstance(first.value, tuple) and isinstance(second.value, tuple):
        return agree(first.value, second.value)
    return True


def _as_money(attribute: Attribute, span: QuantitySpan) -> Quantity:
    if "money" in attribute.dimensions and span.quantity.unit == "lb" and "pound" in span.text:
        return replace(span.quantity, unit="GBP")
    return span.quantity


def _is_other_rate(quantity: Quantity) -> bool:
    """Return whether a rate is no amount of its unit ("8 hours a day" is no duration)."""
    rated = ("money", "mass", "volume", "number", "data")
    return bool(quantity.per) and quantities.dimension_of(quantity.unit) not in rated


def _fits(attribute: Attribute, entry: ChainSentence, span: QuantitySpan) -> bool:
    """Return whether the clause of a quantity is about the option or, if a part is asked for, that part."""
    topic = entry.topic_at(span.start)
    if topic.kind in ("other", "compared"):
        return False
    clause = english.stems_of(entry.text[topic.start : topic.end] if topic.end else entry.text)
    if attribute.part:
        return attribute.part in clause
    # The part may be the attribute itself: "its price", "admission to the museum".
    return topic.kind == "own" or bool(topic.part & (attribute.cues | attribute.words))


def _same(first: SentenceValue, second: SentenceValue) -> bool:
    if isinstance(first.value, Quantity) and isinstance(second.value, Quantity):
        # "5,900 feet (1,798 m)" is one height, rounded in one of the units.
        return first.value == second.value or _nearly(first.value, second.value)
    return first.value == second.value


def _nearly(first: Quantity, second: Quantity) -> bool:
    """Return whether two quantities in different units are within two percent of one another."""
    if (first.unit, first.per) == (second.unit, second.per) or not first.exact or not second.exact:
        return False
    assert second.low is not None
    around = Quantity(second.low * 98 / 100, second.low * 102 / 100, second.unit, second.per)
    return (
        quantities.dimension_of(first.unit) == quantities.dimension_of(second.unit)
        and quantities.order(first, around) is None
    )


def _beside_words(near: Sequence[Candidate], asked: frozenset[str]) -> SentenceValue | None:
    """Return the quantity whose own words, before or behind it, the question contains ("a single room")."""
    if len({candidate.entry.text for candidate in near}) != 1:
        return None
    picked = [value for behind in (True, False) if (value := _by_side(near, asked, behind=behind))]
    return only(picked)


def _by_side(near: Sequence[Candidate], asked: frozenset[str], *, behind: bool) -> SentenceValue | None:
    text = near[0].entry.text
    stretches = []
    for row, candidate in enumerate(near):
        if behind:
            end = near[row + 1].span.start if row + 1 < len(near) else len(text)
            stretches.append(english.stems_of(text[candidate.span.end : end]) & asked)
        else:
            start = near[row - 1].span.end if row else 0
            stretches.append(english.stems_of(text[start : candidate.span.start]) & asked)
    common = frozenset.intersection(*stretches)
    counts = [len(stretch - common) for stretch in stretches]
    best = max(counts)
    return near[counts.index(best)].value if best and counts.count(best) == 1 else None


def _changed(
    value: SentenceValue | None, sentences: Sequence[ChainSentence], asked: frozenset[str]
) -> SentenceValue | None:
    """Return a value with the discounts and extras that always apply, or that the question names."""
    if value is None or not isinstance(value.value, Quantity):
        return value
    for entry in sentences:
        if entry.index != value.index:
            continue
        for span in english.quantities_in(entry.text):
            change = english.change_at(entry.text, span.start, span.end)
            if change is None or not change.sign or entry.topic_at(span.start).kind in ("other", "compared"):
                continue
            if not change.condition or change.condition & asked:
                value = _with_change(value, span, change.sign)
                if value is None:
                    return None
    return value


def _with_change(value: SentenceValue, span: QuantitySpan, sign: int) -> SentenceValue | None:
    """Return a value plus or minus another amount; None if the two cannot be added."""
    assert isinstance(value.value, Quantity)
    amount = span.quantity
    if amount.unit == "%" and amount.low is not None and value.value.low is not None and value.value.exact:
        amount = quantities.exactly(value.value.low * amount.low / 100, value.value.unit)
    if not amount.per:
        amount = replace(amount, per=value.value.per)
    result = (quantities.add if sign > 0 else quantities.subtract)(value.value, amount)
    if result is None:
        return None
    shown = f"{value.shown} {'+' if sign > 0 else '−'} {span.text} = {quantities.spelled(result)}"
    return replace(
        value,
        value=result,
        shown=shown,
        derived=quantities.spelled(result),
        stated=value.stated or value.shown,
    )


def _between_times(attribute: Attribute, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return how long something lasts of which one sentence gives a start and an end, as times of day."""
    if "duration" not in attribute.dimensions or attribute.part:
        return None
    for entry in sentences:
        times = [
            (span, english.measures_of(entry.text, "clock", span.start))
            for span in english.quantities_in(entry.text)
            if span.quantity.unit == "clock" and entry.topic_at(span.start).kind == "own"
        ]
        if len(times) == 2 and "start" in times[0][1] and "end" in times[1][1]:
            return _duration(times[0][0], times[1][0], entry)
    return None


def _duration(start: QuantitySpan, end: QuantitySpan, entry: ChainSentence) -> SentenceValue | None:
    if start.quantity.low is None or end.quantity.low is None:
        return None
    minutes = (end.quantity.low - start.quantity.low) % (24 * 60)
    hours, rest = divmod(int(minutes), 60)
    length = " ".join(
        f"{count} {unit}{'' if count == 1 else 's'}"
        for count, unit in ((hours, "hour"), (rest, "minute"))
        if count
    )
    value = quantities.exactly(minutes, "min")
    shown = f"{start.text} to {end.text} = {length}"
    stated = f"from {start.text} to {end.text}"
    return SentenceValue(value, shown, entry.index, entry.text, derived=length, stated=stated)


def _counted(attribute: Attribute, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return how many people a sentence lists for the role that is counted."""
    for entry in sentences:
        people = english.people_with_role(entry.text, attribute.role) if attribute.role is not None else []
        if people:
            shown = f"{len(people)} ({', '.join(people)})"
            return entry.gives(quantities.exactly(len(people)), shown)
    return None


def _overlap(first: Quantity, second: Quantity) -> bool:
    """Return whether two amounts share a number, whatever their units; "about 300" and "300" do."""
    low = max((bound for bound in (first.low, second.low) if bound is not None), default=None)
    high = min((bound for bound in (first.high, second.high) if bound is not None), default=None)
    return low is None or high is None or low <= high
