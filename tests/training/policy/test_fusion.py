"""The search for weights next to the policy."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch")

from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import PRESETS
from training.policy.fusion import GRIDS, climb
from training.policy.remembering import RememberingPolicy


def test_the_grids_contain_what_is_shipped() -> None:
    for name, values in GRIDS["learned"].items():
        assert getattr(LearnedOptions(), name) in values, name
    for name, values in GRIDS["mcse"].items():
        assert getattr(PRESETS["fast"], name) in values, name


def test_climbing_finds_the_top_of_a_hill_with_one_slope() -> None:
    tried: list[tuple[float, float]] = []

    def value(options: Any) -> float:
        tried.append((options.lexical, options.proximity))
        return -abs(options.lexical - 0.6) - abs(options.proximity - 1.5)

    grid = {"lexical": (0.0, 0.3, 0.6, 1.0), "proximity": (0.0, 1.0, 1.5)}
    best = climb(LearnedOptions(lexical=1.0), grid, value)
    assert (best.lexical, best.proximity) == (0.6, 1.5)


def test_a_policy_is_asked_once_for_each_candidate() -> None:
    from policies import hashed

    from probative.models.evidence_policy import PolicyState

    inner = hashed(1)
    remembering = RememberingPolicy(inner)
    first = PolicyState("q", (), ("a", "b"))
    wider = PolicyState("q", (), ("b", "c"))
    assert remembering.weigh([first]) == hashed(1).weigh([first])
    assert remembering.weigh([wider]) == hashed(1).weigh([wider])
    assert [[state.candidates for state in batch] for batch in inner.asked] == [[("a", "b")], [("c",)]]
