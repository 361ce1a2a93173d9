"""The parts that experiments share."""

from __future__ import annotations

import pytest

from probative.bench.arguments import parse_options
from probative.bench.data.evidence import Example
from probative.bench.evidence_figures import Chosen, figures
from probative.bench.experiments.ours.chains import METHODS as CHAIN_METHODS
from probative.bench.experiments.ours.evidence import METHODS as EVIDENCE_METHODS
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import McseOptions
from probative.scope.options import ScopeOptions


def test_the_methods_name_options_that_exist() -> None:
    known = {"mcse": McseOptions.model_fields, "learned": LearnedOptions.model_fields}
    for rows in EVIDENCE_METHODS.values():
        for row, settings in rows.items():
            options = set(settings) - {"preset", "method"}
            assert options <= set(known.get(settings.get("method", "mcse"), ())), row
    for rows in CHAIN_METHODS.values():
        for row, settings in rows.items():
            assert set(settings) - {"preset", "method"} <= set(ScopeOptions.model_fields), row


def test_options_are_names_and_values() -> None:
    assert parse_options(["a=1", "b=0.5", "c=none", "d=pair"]) == {"a": 1, "b": 0.5, "c": None, "d": "pair"}
    with pytest.raises(ValueError, match="NAME=VALUE, got 'lexical'"):
        parse_options(["lexical"])


def test_figures_by_hand() -> None:
    claims = [
        Example("a", "A.", ("s",) * 4, (frozenset({0, 1}), frozenset({2})), "SUPPORTS", False),
        Example("b", "B.", ("s",) * 4, (frozenset({3}),), "REFUTES", False),
        Example("c", "C.", ("s",) * 4, (frozenset({1}),), "SUPPORTS", False),
    ]
    chosen = {0: Chosen((2, 0), 10), 1: Chosen((1, 3), 20)}
    got = figures(claims, chosen, 2)
    # The best sets: {2} for {2, 0}, {3} for {1, 3}, {1} for nothing: 2 hits of 4 chosen and 3 gold.
    assert (got.precision, got.recall, got.f1) == pytest.approx((50.0, 200 / 3, 400 / 7))
    assert (got.all_gold, got.exact, got.failed) == (pytest.approx(200 / 3), 0.0, 1)
    assert (got.tokens, got.true_claims) == (10.0, 2)
    at_gold = figures(claims, chosen, "gold")
    assert (at_gold.all_gold, at_gold.exact) == pytest.approx((100 / 3, 100 / 3))
