"""The curves of verdicts: what counts in their fit."""

from __future__ import annotations

from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("torch")

from training.large.arrays import REPLY, Arrays, Encoded  # noqa: E402
from training.large.calibrate import calibrate  # noqa: E402


def measured(folder: Path) -> tuple[Arrays, Path]:
    """Claims of a public set whose odds say little, and of our own, where support is said too readily."""
    rows, logits = [], []
    rng = np.random.default_rng(0)
    for source, lift in (("snli", 0.0), ("tune_claims", 2.0), ("report_a_claims", 2.0)):
        for number in range(120):
            label = number % 3
            facts = {"task": "verdict", "source": source, "label": label, "kind": "any"}
            rows.append(Encoded([number + 1, len(rows)], [REPLY, REPLY], facts))
            said = rng.normal(0, 0.5, 3)
            said[label] += 1.5
            said[0] += lift
            logits.append(said)
    file = folder / "kept.npz"
    np.savez(file, claims=np.arange(len(rows)), logits=np.array(logits, np.float16))
    return Arrays.of(rows, {"verdicts": [1, 2, 3]}), file


def test_our_own_claims_and_the_weight_of_the_rest_make_support_rarer(tmp_path: Path) -> None:
    arrays, file = measured(tmp_path)
    plain = calibrate(arrays, file)
    own = calibrate(arrays, file, own_share=1.0)
    against = calibrate(arrays, file, own_share=1.0, against=2.0)
    wrong = [each["report_a_claims"]["wrong_and_supported"] for each in (plain, own, against)]
    assert wrong[0] > wrong[1] >= wrong[2]
    assert "claims of ours count 1 as much; what is not supported counts 2 times" in against["fitted_on"]
    assert plain["fitted_on"] == (
        "verdict/eval.jsonl.gz, English sets, each counting the same; figures are cross-fitted"
    )
