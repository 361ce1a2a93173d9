"""Claims over many windows of evidence, for a teacher to judge: those with a label, and others without one.

A window without a label is one that an example does not have: its evidence without what decides, a part of
it, or the evidence of the example that shares most words with the claim.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from probative.text.words import words
from training.large.rows import Row
from training.large.sources import claim_row
from training.reader.example import draws
from training.verdict.example import Judged

# The words of evidence that the small model reads at once, one of which is drawn.
WORDS = (60, 120, 200, 260, 260)
# Among so many others, the example is looked for that shares most words with a claim.
NEAR = 60


def windows(judged: Sequence[Judged], count: int, seed: int) -> Iterator[Row]:
    """Yield all claims to train on over a window of their evidence, then windows without a label, up to
    `count` rows together.
    """
    examples = [example for example in judged if example.part == "train"]
    rng = draws(seed, "windows")
    labelled = 0
    for example in examples:
        row = claim_row(example, rng.choice(WORDS))
        if row is not None and labelled < count:
            labelled += 1
            yield row
    of_source: dict[str, list[Judged]] = defaultdict(list)
    for example in examples:
        of_source[example.source].append(example)
    for _ in range(count - labelled):
        example = rng.choice(examples)
        change = rng.choice((_lacking, _part, _near))
        yield _unlabelled(change(example, of_source[example.source], rng), rng)


def _unlabelled(example: Judged, rng: random.Random) -> Row:
    row = claim_row(replace(example, gold=(), label="insufficient"), rng.choice(WORDS), may_miss=True)
    assert row is not None
    return replace(row, source="windows", facts={"labelled": False})


def _lacking(example: Judged, others: Sequence[Judged], rng: random.Random) -> Judged:
    """Return a claim over its evidence without one sentence that decides, or without any."""
    if not example.gold or len(example.evidence) == 1:
        return _near(example, others, rng)
    gone = {rng.choice(example.gold)}
    kept = tuple(text for index, text in enumerate(example.evidence) if index not in gone)
    return replace(example, evidence=kept)


def _part(example: Judged, others: Sequence[Judged], rng: random.Random) -> Judged:
    """Return a claim over neighbouring sentences of its evidence."""
    if len(example.evidence) < 3:
        return _near(example, others, rng)
    size = rng.randrange(1, len(example.evidence))
    start = rng.randrange(len(example.evidence) - size + 1)
    return replace(example, evidence=example.evidence[start : start + size])


def _near(example: Judged, others: Sequence[Judged], rng: random.Random) -> Judged:
    """Return a claim over the evidence of another one that shares many of its words."""
    asked = set(words(example.claim))
    some = rng.sample(others, min(NEAR, len(others)))
    best = max(some, key=lambda other: (other is not example, len(asked & set(words(other.claim)))))
    return replace(example, evidence=best.evidence)
