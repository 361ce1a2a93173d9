"""All examples, without the claims that figures are reported on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from probative.bench.data.claims import read_verdict_rows
from probative.bench.data.splits import question_key
from training.reader import prose
from training.splits import reported_keys
from training.verdict import published
from training.verdict.blocks import written
from training.verdict.bundles import bundles
from training.verdict.claims import documents
from training.verdict.computed import computed
from training.verdict.edits import edited
from training.verdict.example import Judged
from training.verdict.framed import addressed, framed
from training.verdict.fused import fused
from training.verdict.invented import invented
from training.verdict.questions import questions

SEED = 20261116
EDITED, FUSED, INVENTED, COMPUTED = 10_000, 12_000, 24_000, 8_000
FRAMED, ADDRESSED = 9_000, 6_000
# Languages whose script the base model hardly reads.
UNREADABLE = ("ocnli_train10k", "chef_train", "farstail_train")
# The share of claims with one sentence of evidence that get others around it.
PADDED = 0.2


def build(data: Path, seed: int = SEED) -> list[Judged]:
    """Return all examples in a fixed order."""
    rng = random.Random(seed)
    forbidden = reported_keys(data) | {question_key(row.claim) for row in read_verdict_rows(data)}
    rows = [row for row in published.training_rows(data) if row.source not in UNREADABLE]
    rows = list(with_others(rows, rng))
    rows += documents(data, rng)
    rows += questions(data, rng, forbidden)
    prose_texts = list(texts(data))
    rows += edited(prose_texts, EDITED, rng)
    rows += fused(prose_texts, FUSED, rng)
    rows += invented(INVENTED, rng)
    rows += computed(COMPUTED, rng)
    rows += own(data, seed)
    more = random.Random(seed + 2)
    rows += framed(rows, FRAMED, more)
    rows += addressed(rows, ADDRESSED, more)
    return [row for row in rows if question_key(row.claim) not in forbidden]


def own(data: Path, seed: int = SEED) -> list[Judged]:
    """Return the examples over texts of our own."""
    return [*written(random.Random(seed + 1)), *bundles(data, random.Random(seed + 2))]


def texts(data: Path) -> Iterator[tuple[str, ...]]:
    """Yield the texts whose sentences become claims: those of SQuAD, Natural Questions and BoolQ."""
    seen: set[str] = set()
    for read in (prose.squad, prose.natural_questions, prose.boolq):
        for row in read(data):
            sentences = tuple(passage.text for passage in row.sentences)
            if row.part == "train" and sentences and sentences[0] not in seen:
                seen.add(sentences[0])
                yield sentences


def with_others(rows: Sequence[Judged], rng: random.Random) -> Iterator[Judged]:
    """Yield the rows; some of one sentence get sentences of other rows of their set around it."""
    pools: dict[str, list[str]] = {}
    for row in rows:
        if len(row.evidence) == 1:
            pools.setdefault(row.source, []).append(row.evidence[0])
    for row in rows:
        pool = pools.get(row.source, ())
        if len(row.evidence) == 1 and len(pool) > 100 and rng.random() < PADDED:
            others = rng.sample(pool, rng.choice((1, 2, 4, 7)))
            place = rng.randrange(len(others) + 1)
            evidence = (*others[:place], row.evidence[0], *others[place:])
            gold = (place,) if row.label != "insufficient" else ()
            yield replace(row, evidence=evidence, gold=gold)
        else:
            yield row
