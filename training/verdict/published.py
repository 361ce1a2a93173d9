"""The published sets of claims with evidence that may be trained on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from probative.bench.data.claims import VerdictRow, read_verdict_rows
from training.verdict.example import Judged, Label

FILES = ("verdict/train.jsonl.gz", "verdict/train_other_languages.jsonl.gz")
# Sets that state no licence: the shipped weights do without them.
NO_LICENCE = ("covidfact_traindev", "nli4ct_train", "nli4ct_dev", "control_dev")
# Words in common nearly give the label away in these: a few rows are enough.
MAX_ROWS = {"conjnli_adv_train": 700, "proofwriter_train": 1500}


def as_judged(row: VerdictRow) -> Judged:
    """Return a row as an example."""
    return Judged(row.claim, row.evidence, cast(Label, row.label), row.set, row.gold, row.binary)


def training_rows(data: Path) -> Iterator[Judged]:
    """Yield the rows that may be trained on: English, then other languages."""
    counts: dict[str, int] = {}
    for file in FILES:
        for row in read_verdict_rows(data, file):
            counts[row.set] = counts.get(row.set, 0) + 1
            if row.set not in NO_LICENCE and counts[row.set] <= MAX_ROWS.get(row.set, 10**9):
                yield as_judged(row)
