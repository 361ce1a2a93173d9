"""Sentences of published rows in a frame that takes their truth back, or leaves it; instructions to a reader.

A rumour, a plan or a wish states nothing; a record does. A sentence that tells a reader what to answer states
nothing either, and what the other sentences state stays as it was. The frames are our own words.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files

from training.verdict.example import Judged

MIN_WORDS, MAX_WORDS = 5, 45
# The first words of a sentence that are written small behind a frame.
_SMALL_WORDS = (
    "the a an in it he she they there on at by as after before during its his her their this these some many "
    "most both while when from for with two three all one each since until although under over"
)
_SMALL = frozenset(_SMALL_WORDS.split())


def frames(name: str) -> list[str]:
    """Return the frames of `frames/NAME.txt`: one on each line."""
    text = (files("training.verdict") / "frames" / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in map(str.strip, text.splitlines()) if line]


def framed(rows: Sequence[Judged], number: int, rng: random.Random) -> Iterator[Judged]:
    """Yield `number` rows: two thirds are hedged and so insufficient, one third are on record and stay
    supported.
    """
    hedges, records = frames("hedges"), frames("records")
    usable = [row for row in rows if row.label == "supported" and not row.binary and _is_sentence(row)]
    for row in rng.sample(usable, min(number, len(usable))):
        hedged = rng.random() < 2 / 3
        frame = rng.choice(hedges if hedged else records)
        evidence = (put(frame, row.evidence[0]), *row.evidence[1:])
        if hedged:
            yield replace(row, evidence=evidence, label="insufficient", source="hedged", gold=())
        else:
            yield replace(row, evidence=evidence, source="on_record", gold=(0,))


def addressed(rows: Sequence[Judged], number: int, rng: random.Random) -> Iterator[Judged]:
    """Yield `number` rows with an instruction among their sentences; their labels stay."""
    orders = frames("orders")
    usable = [row for row in rows if len(row.evidence) <= 12]
    for row in rng.sample(usable, min(number, len(usable))):
        order = rng.choice(orders).replace("{claim}", row.claim)
        place = rng.randrange(len(row.evidence) + 1)
        evidence = (*row.evidence[:place], order, *row.evidence[place:])
        gold = tuple(index + (index >= place) for index in row.gold)
        yield replace(row, evidence=evidence, gold=gold, source=f"{row.source}_addressed")


def put(frame: str, sentence: str) -> str:
    """Return a sentence in a frame.

    >>> put("Some say that {s}.", "The mill burnt."), put("{S}, or so they say.", "Ada rowed home.")
    ('Some say that the mill burnt.', 'Ada rowed home, or so they say.')
    """
    whole = sentence.strip().rstrip(".")
    first, space, rest = whole.partition(" ")
    small = f"{first.lower()}{space}{rest}" if first.lower() in _SMALL else whole
    return frame.replace("{s}", small).replace("{S}", whole)


def _is_sentence(row: Judged) -> bool:
    first = row.evidence[0]
    return len(row.evidence) == 1 and first[:1].isupper() and MIN_WORDS <= len(first.split()) <= MAX_WORDS
