"""Examples as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from policy_examples import tokenizer_of

from training.policy.evidence import Evidence
from training.policy.examples import Examples


def test_texts_are_kept_once_and_examples_find_them(rows: list[Evidence], examples: Examples) -> None:
    assert len(examples) == 80
    span = examples.places(3)
    assert span.stop - span.start == 4
    assert set(np.flatnonzero(examples.gold[span]).tolist()) == set(rows[3].gold)
    distinct = {text for row in rows for text in (row.query, *row.sentences)}
    assert len(examples.starts) == len(distinct) + 1
    query = tokenizer_of(rows).encode(rows[3].query).ids
    assert examples.text(int(examples.query[3]), 99).tolist() == query


def test_arrays_survive_the_file(examples: Examples, tmp_path: Path) -> None:
    examples.save(tmp_path / "all.npz")
    again = Examples.load(tmp_path / "all.npz")
    assert all(np.array_equal(value, getattr(again, name)) for name, value in vars(examples).items())
