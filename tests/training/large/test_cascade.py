"""The table of the cascade, on a few claims."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("torch")

from training.large.cascade import Judged, cells, table  # noqa: E402


def judged(*rows: tuple[str, int, tuple[float, float, float]]) -> Judged:
    labels, chances = {}, {}
    for number, (source, label, said) in enumerate(rows):
        labels[source, number], chances[source, number] = label, np.array(said)
    return Judged(labels, chances)


def test_unsure_claims_get_the_verdict_of_the_large_model() -> None:
    small = judged(
        ("snli", 0, (0.9, 0.05, 0.05)),
        ("snli", 1, (0.55, 0.35, 0.1)),
        ("tune_claims", 0, (0.4, 0.35, 0.25)),
        ("tune_claims", 1, (0.05, 0.9, 0.05)),
    )
    large = judged(
        ("snli", 0, (0.9, 0.05, 0.05)),
        ("snli", 1, (0.1, 0.8, 0.1)),
        ("tune_claims", 0, (0.1, 0.8, 0.1)),
        ("tune_claims", 1, (0.1, 0.8, 0.1)),
    )
    rows = {row["limit"]: row for row in table(small, large)}
    assert rows[0.0]["public"] == {"share": 0.0, "value": 50.0}
    assert rows[0.3]["public"] == {"share": 0.5, "value": 100.0}
    assert rows[0.3]["tune_claims"]["share"] == 0.5
    assert (rows[0.0]["tune_claims"]["value"], rows[0.3]["tune_claims"]["value"]) == (100.0, 50.0)
    header, first, *_ = cells(list(rows.values()))
    assert header == ["limit", "public", "tune"]
    assert first[1] == "0%: 50.0; 0% of the gain"
