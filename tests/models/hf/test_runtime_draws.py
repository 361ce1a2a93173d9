"""Draws with a seed for each row of a batch."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from probative.models.hf.runtime import Draws  # noqa: E402

LOGITS = torch.log(torch.tensor([0.6, 0.3, 0.1]))


def test_draws_have_the_model_s_probabilities() -> None:
    rows = 4000
    drawn = Draws(torch, range(rows), 1.0, 1.0)(None, LOGITS.repeat(rows, 1)).argmax(dim=-1)
    shares = torch.bincount(drawn, minlength=3) / rows
    assert shares.tolist() == pytest.approx([0.6, 0.3, 0.1], abs=0.03)


def test_a_low_temperature_prefers_the_probable() -> None:
    # At 0.5 the probabilities are squared: 36, 9 and 1 of 46.
    rows = 4000
    drawn = Draws(torch, range(rows), 0.5, 1.0)(None, LOGITS.repeat(rows, 1)).argmax(dim=-1)
    shares = torch.bincount(drawn, minlength=3) / rows
    assert shares.tolist() == pytest.approx([36 / 46, 9 / 46, 1 / 46], abs=0.03)


@pytest.mark.parametrize(("top_p", "left"), [(0.5, {0}), (0.6, {0}), (0.7, {0, 1}), (0.95, {0, 1, 2})])
def test_top_p_leaves_out_the_improbable(top_p: float, left: set[int]) -> None:
    drawn = Draws(torch, range(500), 1.0, top_p)(None, LOGITS.repeat(500, 1)).argmax(dim=-1)
    assert set(drawn.tolist()) == left
