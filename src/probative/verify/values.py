"""Compare the dates and amounts of a claim with those of its evidence.

A small model overlooks that "£14,200" is not "£9,000". If the supporting sentences lack a value of the claim,
support is less probable; if they have another value of the same kind in its place, they contradict it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from probative.text import dates, english, quantities
from probative.text.analysis import QuantitySpan
from probative.text.dates import Date
from probative.text.names import mentions
from probative.text.quantities import Quantity, comparable, order
from probative.text.words import words
from probative.types import Verdict
from probative.verdict.judge import verdict_of
from probative.verdict.judgement import OTHER_VALUE, Judgement, Probabilities

# Stands for the year of a date that has none.
_ANY_YEAR = 9999


class Values(NamedTuple):
    """The dates and amounts of some texts."""

    dates: frozenset[Date]
    amounts: tuple[QuantitySpan, ...]


class Unstated(NamedTuple):
    """A value of a claim that the evidence lacks, and the value of the same kind that it has instead."""

    claimed: str
    stated: str | None = None

    @property
    def note(self) -> str:
        if self.stated is None:
            return f"support is less probable: the evidence lacks {self.claimed}"
        return f"the evidence has {self.stated}, and the claim {self.claimed}"


def values_of(texts: Iterable[str]) -> Values:
    """Return the values of texts. The numbers of a date are no amounts; a missing year is 0.

    >>> values = values_of(["On 6 May nine cars were sold."])
    >>> sorted(values.dates), [span.text for span in values.amounts]
    ([(0, 5, 6)], ['nine'])
    """
    all_dates: set[Date] = set()
    amounts: list[QuantitySpan] = []
    for text in texts:
        text_dates = [
            (0 if year == _ANY_YEAR else year, month, day)
            for year, month, day in english.dates_in(english.with_years(text, (_ANY_YEAR, 0, 0)))
        ]
        all_dates.update(text_dates)
        parts = {abs(part) for date in text_dates for part in date if part}
        amounts += [
            span
            for span in english.quantities_in(text)
            if is_read_whole(text, span)
            and (span.quantity.unit or not (span.text.isdigit() and int(span.text) in parts))
        ]
    return Values(frozenset(all_dates), tuple(amounts))


def is_read_whole(text: str, span: QuantitySpan) -> bool:
    """Return whether no letter follows the characters of an amount, as in "12th".

    >>> text = "The 12th of 30 rows."
    >>> [is_read_whole(text, span) for span in english.quantities_in(text)]
    [False, True]
    """
    return not text[span.end : span.end + 1].isalpha()


def unstated(claim: str, deciding: Sequence[str], context: Iterable[str]) -> Unstated | None:
    """Return a value of a claim that neither the deciding sentences nor their context states; None if all are
    stated or can be computed.

    The other value is looked for in the sentences that decide.

    >>> unstated("The mill cost £900.", ["The mill cost £700 in 1890."], [])
    Unstated(claimed='£900', stated='£700')
    >>> unstated("The mill has nine wheels.", ["It has two sails and nine wheels."], []) is None
    True
    """
    claimed = values_of([claim])
    stated = values_of([*deciding, *context])
    near = values_of(deciding)
    without_other: Unstated | None = None
    for lacking in (*_dates(claimed, stated, near), *_amounts(claimed, stated, near)):
        if lacking.stated is None and _may_state(lacking.claimed, [*deciding, *context]):
            continue
        if lacking.stated is not None:
            return lacking
        without_other = without_other or lacking
    return without_other


def _dates(claimed: Values, stated: Values, near: Values) -> Iterable[Unstated]:
    for date in claimed.dates:
        if not any(dates.agree(other, date) for other in stated.dates):
            others = sorted(near.dates - claimed.dates)
            yield Unstated(dates.spelled(date), dates.spelled(others[0]) if len(others) == 1 else None)


def _amounts(claimed: Values, stated: Values, near: Values) -> Iterable[Unstated]:
    for span in claimed.amounts:
        if any(_agree(span, other) for other in stated.amounts):
            continue
        if _computable(span.quantity, [other.quantity for other in stated.amounts]):
            continue
        others = [other for other in near.amounts if _same_kind(span, other)]
        yield Unstated(span.text, others[0].text if others else None)


def _may_state(claimed: str, texts: Sequence[str]) -> bool:
    """Return whether texts contain a value in the same words, or an amount that was not read whole."""
    return any(
        mentions(text, claimed) or not all(is_read_whole(text, span) for span in english.quantities_in(text))
        for text in texts
    )


def _agree(claimed: QuantitySpan, stated: QuantitySpan) -> bool:
    """Return whether a stated amount may be the claimed one."""
    first, second = _aligned(claimed.quantity, stated.quantity)
    if _number(first) == _number(second) and "" in (first.unit, second.unit):
        return True  # a column may name the unit of its cells in its head
    if not _same_kind(claimed, stated):
        return False
    if first.exact == second.exact:
        return _number(first) == _number(quantities.convert(second, first.unit))
    return order(first, second) in (0, None)


def _aligned(first: Quantity, second: Quantity) -> tuple[Quantity, Quantity]:
    """Return two amounts without what they are for, unless both say it: a fee is one "a year" or not."""
    if first.per and second.per:
        return first, second
    return replace(first, per=""), replace(second, per="")


def _number(quantity: Quantity) -> Fraction | None:
    return quantity.low if quantity.low is not None else quantity.high


def _computable(claimed: Quantity, stated: Sequence[Quantity]) -> bool:
    """Return whether an amount is the sum or the difference of two stated ones."""
    total = _number(claimed)
    exact = {_number(other) for other in stated if other.exact and comparable(other, claimed)}
    numbers = [number for number in exact if number is not None]
    return any(total in (a + b, abs(a - b)) for a, b in itertools.combinations(numbers, 2))


def _same_kind(claimed: QuantitySpan, stated: QuantitySpan) -> bool:
    """Return whether two amounts measure the same: by their unit, or by what they count."""
    units = claimed.quantity.unit, stated.quantity.unit
    if all(units):
        return comparable(*_aligned(claimed.quantity, stated.quantity))
    if any(units):
        return not stated.counted and units[1] == "" and not claimed.counted
    counted = [english.stems_of(span.counted.partition(" ")[0]) for span in (claimed, stated)]
    return bool(counted[0] & counted[1])


# A sentence says what a claim says, in nearly the same words, from this share of the claim's words on.
MIN_SAME = 0.9
# How much more probable support by such a sentence is: of the evaluation claims that the model did not find
# supported though they have one, 47 of 101 are.
SAME_WORDS = 4.0


class Piece(NamedTuple):
    """A piece of evidence as it was read, its source, and its context: its title and date."""

    text: str
    origin: str = ""
    context: tuple[str, ...] = ()


def with_values(claim: str, judgement: Judgement, pieces: Sequence[Piece]) -> Judgement:
    """Return a judgement corrected by the values of the claim, and by a sentence with the same words."""
    if not judgement.judged:
        return judgement
    before = judgement.probabilities
    if judgement.verdict is Verdict.SUPPORTED:
        lacking = _unstated(claim, pieces, judgement.deciding)
        if lacking is None:
            return judgement
        left = before.supported / OTHER_VALUE
        moved = before.supported - left if lacking.stated is not None else 0.0
        return _changed(judgement, (left, before.contradicted + moved, before.insufficient), lacking.note)
    index = same_words(claim, pieces)
    if index is None or _unstated(claim, pieces, (index,)) is not None:
        return judgement
    shares = (SAME_WORDS * before.supported, before.contradicted, before.insufficient)
    after = _changed(judgement, shares, "more probable: a sentence has nearly the same words")
    if after.verdict is Verdict.SUPPORTED:
        return after.model_copy(update={"deciding": (index,), "opposing": (), "disputed": None})
    return after


def _unstated(claim: str, pieces: Sequence[Piece], deciding: Sequence[int]) -> Unstated | None:
    """Return a value of the claim that the pieces lack; None if one source has all values.

    Values of different sources do not add up: the price of one year is not that of another.
    """
    unstated_by_source: list[Unstated] = []
    for origin in dict.fromkeys(piece.origin for piece in pieces):
        rows = [index for index, piece in enumerate(pieces) if piece.origin == origin]
        decide = [pieces[index].text for index in rows if index in deciding or not deciding]
        context = [part for index in rows for part in (pieces[index].text, *pieces[index].context)]
        lacking = unstated(claim, decide, context)
        if lacking is None:
            return None
        unstated_by_source.append(lacking)
    return max(unstated_by_source, key=lambda lacking: lacking.stated is not None, default=None)


def same_words(claim: str, pieces: Sequence[Piece]) -> int | None:
    """Return the piece of evidence that has nearly all words of a claim, apart from those of its context.

    >>> pieces = [Piece("Herons eat fish."), Piece("The old mill burnt down.", context=("Log of 1890",))]
    >>> same_words("In 1890 the old mill burnt.", pieces)
    1
    >>> same_words("The old mill burnt.", [Piece("The old mill never burnt.")]) is None
    True
    """
    shares = [_share(claim, piece) for piece in pieces]
    best = max(range(len(pieces)), key=lambda index: (shares[index], -index), default=None)
    if best is None or shares[best] < MIN_SAME:
        return None
    return best if english.is_negated(claim) == english.is_negated(pieces[best].text) else None


def _share(claim: str, piece: Piece) -> float:
    context_words = frozenset(word for text in piece.context for word in words(text))
    claim_words = frozenset(words(claim)) - context_words
    return len(claim_words & frozenset(words(piece.text))) / len(claim_words) if len(claim_words) > 1 else 0.0


def shared_words(claim: str, pieces: Sequence[Piece]) -> float:
    """Return the share of a claim's words that the best of some pieces has.

    Only numbers of the subject count, and they must be there: a contradiction has another number, but it is
    about the same thing, and house 12 is not house 15.

    >>> shared_words("Mill 12 burnt in 1890.", [Piece("Mill 12 burnt in 1893."), Piece("Herons eat fish.")])
    1.0
    >>> shared_words("Mill 12 burnt in 1890.", [Piece("Mill 15 burnt in 1893.")])
    0.0
    """
    subject = frozenset(words(english.subject_phrase(claim)))
    claim_words = frozenset(word for word in words(claim) if word in subject or not word.isdigit())
    if not claim_words:
        return 1.0
    numbers = frozenset(filter(str.isdigit, subject))
    piece_words = [frozenset(words(" ".join((piece.text, *piece.context)))) for piece in pieces]
    counts = [len(claim_words & others) for others in piece_words if numbers <= others]
    return max(counts, default=0) / len(claim_words)


def _changed(judgement: Judgement, shares: Sequence[float], note: str) -> Judgement:
    supported, contradicted, insufficient = (share / sum(shares) for share in shares)
    after = Probabilities(supported=supported, contradicted=contradicted, insufficient=insufficient)
    verdict = verdict_of(after)
    return judgement.model_copy(
        update={
            "probabilities": after,
            "verdict": verdict,
            "deciding": () if verdict is Verdict.INSUFFICIENT else judgement.deciding,
            "opposing": judgement.opposing if verdict is judgement.verdict else (),
            "notes": (*(text for text in judgement.notes if not text.startswith("hardly decided")), note),
        }
    )
