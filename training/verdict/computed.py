"""Claims that compare or compute: higher, older, together, twice, in the 1930s, under a limit.

Each document states one number for each of two to four things of a kind; the claim follows from two of the
numbers, or is refuted by them, or one of them is missing. Everything is our own words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from training.reader.genres.entity import sentence
from training.reader.genres.values import fill
from training.verdict.example import Judged, Label
from training.verdict.measures import BESIDE, MEASURES, Measure

SOURCE = "computed"
LAST_YEAR = 2026


@dataclass
class Things:
    """Some things of a kind with their numbers."""

    measure: Measure
    names: list[str]
    numbers: list[int]
    rng: random.Random

    @property
    def be(self) -> str:
        """The verb of a comparison."""
        return "was" if self.measure.is_year and self.rng.random() < 0.3 else "is"


Claimed = tuple[str, bool, tuple[int, ...]]
"""A claim, whether it is true, and the things whose numbers decide it."""


def computed(number: int, rng: random.Random) -> Iterator[Judged]:
    """Yield `number` claims.

    >>> row = next(computed(1, random.Random(4)))
    >>> row.label in ("supported", "contradicted", "insufficient"), len(row.evidence) > 1
    (True, True)
    """
    made = 0
    while made < number:
        things = draw_things(rng)
        way = rng.choice(YEAR_WAYS if things.measure.is_year else AMOUNT_WAYS)
        claimed = way(things)
        if claimed is not None:
            made += 1
            yield _judged(things, claimed)


def draw_things(rng: random.Random) -> Things:
    """Return two to four things with different numbers."""
    measure = rng.choice(MEASURES)
    count = rng.choice((2, 2, 2, 3, 4))
    names: list[str] = []
    while len(names) < count:
        name = fill(rng.choice(measure.names.split("|")), {}, rng)
        if name not in names:
            names.append(name)
    near = rng.random() < 0.4
    first = rng.randint(measure.low, measure.high)
    reach = max(6, (measure.high - measure.low) // 20)
    numbers: list[int] = [first]
    while len(numbers) < count:
        other = rng.randint(first - reach, first + reach) if near else rng.randint(measure.low, measure.high)
        if other > 1 and other not in numbers:
            numbers.append(other)
    return Things(measure, names, numbers, rng)


def shown(number: int, rng: random.Random, *, year: bool = False) -> str:
    """Return a number as a text writes it.

    >>> shown(1842, random.Random(1), year=True), shown(12000, random.Random(1))
    ('1842', '12,000')
    """
    return f"{number:,}" if not year and number > 999 and rng.random() < 0.7 else str(number)


def _compared(things: Things) -> Claimed:
    first, second = things.rng.sample(range(len(things.names)), 2)
    more = things.rng.random() < 0.5
    word = things.measure.more if more else things.measure.less
    right = (things.numbers[first] > things.numbers[second]) == more
    return f"{things.names[first]} {things.be} {word} {things.names[second]}.", right, (first, second)


def _best(things: Things) -> Claimed | None:
    count = len(things.names)
    if count < 3:
        return None
    more = things.rng.random() < 0.5
    place = things.rng.randrange(count)
    best = (max if more else min)(range(count), key=lambda index: things.numbers[index])
    if things.rng.random() < 0.5:
        place = best
    word = things.measure.most if more else things.measure.least
    end = f"of the {('three', 'four')[count - 3]}"
    return f"{things.names[place]} {things.be} {word} {end}.", place == best, tuple(range(count))


def _difference(things: Things) -> Claimed:
    first, second = sorted(
        things.rng.sample(range(len(things.names)), 2), key=lambda index: -things.numbers[index]
    )
    right = things.rng.random() < 0.5
    gap = things.numbers[first] - things.numbers[second]
    said = gap if right else _other(gap, things.rng)
    unit = things.measure.unit or "years"
    return (
        f"Between {things.names[first]} and {things.names[second]} there is a difference of {said} {unit}.",
        right,
        (first, second),
    )


def _limit(things: Things) -> Claimed:
    place = things.rng.randrange(len(things.names))
    number = things.numbers[place]
    limit = _round(_other(number, things.rng))
    if limit == number:
        limit += 1
    more = things.rng.random() < 0.5
    word = things.rng.choice(("more than", "over", "at least") if more else ("less than", "under", "at most"))
    right = (number > limit) == more
    own = things.measure.own.replace("{n}", f"{word} {shown(limit, things.rng)}")
    return f"{things.names[place]} {own}.", right, (place,)


def _about(things: Things) -> Claimed:
    place = things.rng.randrange(len(things.names))
    number = things.numbers[place]
    right = things.rng.random() < 0.5
    said = _round(number) if right else _round(round(number * things.rng.choice((0.55, 0.7, 1.4, 1.8, 2.5))))
    word = things.rng.choice(("about", "roughly", "around"))
    own = things.measure.own.replace("{n}", f"{word} {shown(said, things.rng)}")
    return f"{things.names[place]} {own}.", right, (place,)


def _total(things: Things) -> Claimed:
    first, second = things.rng.sample(range(len(things.names)), 2)
    right = things.rng.random() < 0.5
    total = things.numbers[first] + things.numbers[second]
    said = total if right else _other(total, things.rng)
    return (
        f"{things.names[first]} and {things.names[second]} come to "
        f"{shown(said, things.rng)} {things.measure.unit} together.",
        right,
        (first, second),
    )


def _twice(things: Things) -> Claimed:
    first, second = things.rng.sample(range(len(things.names)), 2)
    right = things.rng.random() < 0.5
    times, word = things.rng.choice(((2, "twice"), (3, "three times")))
    factor = times if right else things.rng.choice((1.3, 1.5, 4.5, 0.5))
    things.numbers[first] = max(2, round(things.numbers[second] * factor))
    return (
        f"The figure in {things.measure.unit} for {things.names[first]} is {word} "
        f"that of {things.names[second]}.",
        right and things.numbers[first] == times * things.numbers[second],
        (first, second),
    )


def _period(things: Things) -> Claimed:
    place = things.rng.randrange(len(things.names))
    year = things.numbers[place]
    right = things.rng.random() < 0.5
    said = year if right else year + things.rng.choice((-1, 1)) * things.rng.choice((20, 30, 100))
    said = min(said, LAST_YEAR)
    period = (
        f"the {said // 10 * 10}s"
        if things.rng.random() < 0.5
        else f"the {_CENTURIES.get(said // 100 + 1, f'{said // 100 + 1}th')} century"
    )
    right = year // 10 == said // 10 if period.endswith("0s") else year // 100 == said // 100
    return f"{things.names[place]} {things.measure.own.replace('{n}', period)}.", right, (place,)


_CENTURIES = {17: "seventeenth", 18: "eighteenth", 19: "nineteenth", 20: "twentieth", 21: "21st"}


def _before(things: Things) -> Claimed:
    place = things.rng.randrange(len(things.names))
    year = things.numbers[place]
    limit = year + things.rng.choice((-40, -12, -5, -1, 1, 4, 11, 35))
    early = things.rng.random() < 0.5
    own = things.measure.own.replace("in {n}", f"{'before' if early else 'after'} {limit}")
    return f"{things.names[place]} {own}.", (year < limit) == early, (place,)


def _same_year(things: Things) -> Claimed:
    first, second = things.rng.sample(range(len(things.names)), 2)
    right = things.rng.random() < 0.5
    if right:
        things.numbers[first] = things.numbers[second]
    own = things.measure.own.replace("was", "were").replace("{n}", "the same year")
    return f"{things.names[first]} and {things.names[second]} {own}.", right, (first, second)


Way = Callable[[Things], Claimed | None]
AMOUNT_WAYS: tuple[Way, ...] = (_compared, _compared, _compared, _best, _difference, _limit, _limit, _about,
                                _total, _twice)  # fmt: skip
YEAR_WAYS: tuple[Way, ...] = (_compared, _compared, _best, _difference, _period, _period, _before, _before,
                              _same_year)  # fmt: skip


def _round(number: int) -> int:
    """Return a number with its first two digits.

    >>> _round(1842), _round(36)
    (1800, 40)
    """
    step = 10 ** max(1, len(str(number)) - 2)
    return max(step, round(number / step) * step)


def _other(number: int, rng: random.Random) -> int:
    """Return another number, near or far."""
    moved = round(number * rng.choice((0.5, 0.7, 0.8, 0.9, 1.1, 1.2, 1.4, 2.0)))
    return moved if moved not in (0, number) else number + rng.choice((1, 2, 3))


def _judged(things: Things, claimed: Claimed) -> Judged:
    """Return the claim with the sentences of its things among others; one is missing now and then."""
    claim, right, deciding = claimed
    rng, measure = things.rng, things.measure
    missing = rng.choice(deciding) if rng.random() < 0.25 else None
    lines: list[tuple[str, bool]] = []
    for place, (name, number) in enumerate(zip(things.names, things.numbers, strict=True)):
        if place != missing:
            text = rng.choice(measure.say).replace("{e}", name)
            text = fill(text.replace("{n}", shown(number, rng, year=measure.is_year)), {}, rng)
            lines.append((sentence(text), place in deciding))
        elif rng.random() < 0.5:
            lines.append((sentence(fill(f"{name} is shown on the map of {{town}}.", {}, rng)), False))
    beside = rng.sample(BESIDE, rng.choice((0, 1, 2, 4)))
    lines += [(fill(text, {}, rng), False) for text in beside]
    rng.shuffle(lines)
    if len(lines) < 2:
        lines.append((fill(rng.choice(BESIDE), {}, rng), False))
    label: Label = "insufficient" if missing is not None else "supported" if right else "contradicted"
    gold = tuple(place for place, (_, decides) in enumerate(lines) if decides and missing is None)
    return Judged(sentence(claim), tuple(text for text, _ in lines), label, SOURCE, gold)
