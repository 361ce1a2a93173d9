"""Claims over many windows of evidence, for a teacher to judge: those with a label, and others without one.

A window without a label is one that an example does not have: its evidence without what decides, a part of
it, or the evidence of the example that shares most words with the claim. Windows over documents of our own
have their headers, and are those that share most with the claim.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from probative.models.task_prompts import VERDICTS
from probative.text.words import words
from training.large.bundles import deciding, document_lines, read_window, stated, with_definitions
from training.large.claims import claim_row
from training.large.rows import LABELS, Row
from training.reader.example import draws
from training.verdict.example import Judged

# The words of evidence that the small model reads at once, one of which is drawn.
WORDS = (60, 120, 200, 260, 260)
# How often a claim over our own documents is drawn, and the share that is drawn without what decides.
TIMES, HIDDEN = 4, 0.25
# Among so many others, the example is looked for that shares most words with a claim.
NEAR = 60


def windows(
    judged: Iterable[Judged], bundles: Iterable[dict[str, Any]], count: int, seed: int
) -> Iterator[Row]:
    """Yield all claims to train on over windows of their evidence, then windows without a label, up to
    `count` rows together; of our own documents only those of `bundles`.
    """
    examples = [
        example for example in judged if example.part == "train" and not example.source.startswith("bundle_")
    ]
    rng = draws(seed, "windows")
    own = [row for bundle in bundles for row in _own(bundle, rng)]
    read = [(example, claim_row(example, rng.choice(WORDS))) for example in examples]
    # Where sentences that decide are known to be left out, `_lacking` makes better windows.
    public = [row for example, row in read if row.facts.get("labelled", True) or not example.gold]
    made = [*own, *public][:count]
    yield from made
    of_source: dict[str, list[Judged]] = defaultdict(list)
    for example in examples:
        of_source[example.source].append(example)
    for _ in range(count - len(made)):
        example = rng.choice(examples)
        change = rng.choice((_lacking, _part, _near))
        yield _unlabelled(change(example, of_source[example.source], rng), rng)


def _own(bundle: dict[str, Any], rng: random.Random) -> Iterator[Row]:
    """Yield the claims of a bundle, and its questions with their answers, over windows of its documents."""
    entries = [(entry["claim"], entry, False) for entry in bundle["claims"]]
    entries += [found for entry in bundle["questions"] for found in stated(entry, rng)]
    for claim, entry, either in entries:
        for _ in range(TIMES):
            documents = rng.sample(bundle["documents"], len(bundle["documents"]))
            lines = document_lines(documents)
            cited = deciding(lines, entry["sentences"])
            if hidden := bool(cited) and rng.random() < HIDDEN:
                lines = tuple(line for index, line in enumerate(lines) if index not in (cited or ()))
            window = read_window(claim, [line.text for line in lines], rng.choice(WORDS))
            places = tuple(window.index(index) for index in cited or () if index in window)
            label = LABELS.index(entry["label"])
            known = label == 2 or (bool(cited) and len(places) == len(cited or ()) and not hidden)
            shown = with_definitions([lines[index] for index in window], documents)
            yield Row(
                "verdict",
                claim,
                shown,
                VERDICTS[label],
                "bundle_window",
                places if known and label < 2 and not either else None,
                either,
                facts={} if known else {"labelled": False},
            )


def _unlabelled(example: Judged, rng: random.Random) -> Row:
    row = claim_row(replace(example, gold=(), label="insufficient"), rng.choice(WORDS))
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
