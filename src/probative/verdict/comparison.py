"""Compare the quantities of two things, or of one thing and a limit, as a claim does.

Each thing must have exactly one quantity of the right kind in the sentences that name it. Of a sentence that
names both, the part that names only one of them counts for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.text import english, quantities
from probative.text.analysis import Attribute, Comparison, QuantitySpan
from probative.text.quantities import Quantity, dimension_of, order
from probative.text.words import words
from probative.verdict.claim import statement
from probative.verdict.judgement import Computed, StatedValue


class Amount(NamedTuple):
    """An amount, the index of its sentence, what is counted, and the words that were read."""

    amount: Quantity
    sentence: int
    counted: str = ""
    text: str = ""


def compare(claim: str, sentences: Sequence[str]) -> Computed | None:
    """Return whether the values of two things, or of one and its limit, are as a claim says.

    >>> compare("Ode is higher than Skarn.", ["Ode is 912 m high, and Skarn 840 m."]).holds
    True
    """
    parts = english.claimed_comparison(claim)
    if parts is None:
        return None
    for attribute in parts.attributes:
        if attribute.kind == "quantity":
            values = [_quantity(option, attribute, parts, sentences) for option in parts.options]
            stated = [value for value in values if value is not None]
            # One value in one sentence belongs to one of two things at most.
            apart = len({(value.amount, value.sentence, value.text) for value in stated})
            if len(stated) == len(values) == apart and _same_things(stated, attribute):
                return _compared(parts, attribute, stated, sentences)
    return None


def _compared(
    parts: Comparison, attribute: Attribute, values: Sequence[Amount], sentences: Sequence[str]
) -> Computed | None:
    second = parts.limit if parts.limit is not None else values[1].amount
    direction = order(values[0].amount, second)
    if direction is None or (direction == 0 and values[-1].amount.exact is False):
        return None
    larger = parts.largest != attribute.inverted
    holds = (direction > 0) == larger if direction else parts.inclusive
    texts = [
        f"{option} {quantities.spelled(value.amount)}"
        for option, value in zip(parts.options, values, strict=False)
    ]
    if parts.limit is not None:
        texts.append(f"the limit is {quantities.spelled(parts.limit)}")
    stated = tuple(
        _stated(attribute.ask(option), value, sentences)
        for option, value in zip(parts.options, values, strict=False)
    )
    return Computed(
        holds, ", ".join(texts), tuple(sorted({value.sentence for value in values})), stated=stated
    )


def _stated(question: str, value: Amount, sentences: Sequence[str]) -> StatedValue:
    """Return a value as the answer to a question, beside the other values of its sentence."""
    spans = english.quantities_in(sentences[value.sentence])
    amounts = dict.fromkeys(quantities.spelled(span.quantity) for span in spans)
    amount_text = quantities.spelled(value.amount)
    others = tuple(statement(question, amount) for amount in amounts if amount != amount_text)
    return StatedValue(statement(question, amount_text), value.sentence, others)


def _same_things(values: Sequence[Amount], attribute: Attribute) -> bool:
    """Return whether bare numbers count the same things, where the claim does not say what they count."""
    if attribute.name != "amount" or any(value.amount.unit for value in values):
        return True
    counted = [english.stems_of(value.counted.partition(" ")[0]) for value in values]
    return bool(frozenset.intersection(*counted))


def _quantity(
    option: str, attribute: Attribute, parts: Comparison, sentences: Sequence[str]
) -> Amount | None:
    """Return the only quantity of the attribute in the (parts of) sentences that name an option."""
    others = [other for other in parts.options if other != option]
    values: dict[Quantity, Amount] = {}
    for index, sentence in enumerate(sentences):
        if not _names(sentence, option) or not _of_owner(sentence, option, attribute):
            continue
        for text in _own_parts(sentence, option, others, attribute):
            for span in _measured(text, sentence, attribute):
                if parts.limit is None or quantities.comparable(span.quantity, parts.limit):
                    values.setdefault(span.quantity, Amount(span.quantity, index, span.counted, text))
    return next(iter(values.values())) if len(values) == 1 else None


def _names(text: str, option: str) -> bool:
    named = frozenset(words(option))
    return bool(named) and named <= frozenset(words(text))


def _own_parts(sentence: str, option: str, others: Sequence[str], attribute: Attribute) -> list[str]:
    """Return a sentence, or, if it names another option too, its parts that name only this one."""
    if not any(_names(sentence, other) for other in others):
        is_held = attribute.verb or attribute.words
        return [] if is_held and english.is_change(sentence) else [sentence]
    return [
        part
        for part in english.segments_of(sentence)
        if _names(part, option)
        and not any(_names(part, other) for other in others)
        and not english.is_change(part)
    ]


def _of_owner(sentence: str, option: str, attribute: Attribute) -> bool:
    """Return whether a sentence has the claim's verb, and its owner by name, pronoun or as subject."""
    if attribute.verb and not english.same_verb(attribute.verb, sentence):
        return False
    if attribute.words <= frozenset(words(sentence)) or english.begins_with_pronoun(sentence):
        return True
    named = words(option)
    return words(sentence)[: len(named)] == named


def _measured(text: str, sentence: str, attribute: Attribute) -> list[QuantitySpan]:
    """Return the quantities of a sentence, or of a part of it, that may be the attribute's."""
    spans = [
        span
        for span in english.quantities_in(text)
        if dimension_of(span.quantity.unit) in attribute.dimensions
        and not english.measures_other(span.counted, attribute)
    ]
    if attribute.dimensions == {"number"}:
        counted = [span for span in spans if english.stems_of(span.counted) & attribute.cues]
        # "The hall has 300 seats, and the chapel 120."
        implied = text != sentence and len(spans) == 1 and english.stems_of(sentence) & attribute.cues
        bare = implied and not words(spans[0].counted.partition(" ")[0])
        return counted or (spans if bare else [])
    cued = bool(english.stems_of(text) & attribute.cues)
    return spans if len(spans) == 1 or cued else []
