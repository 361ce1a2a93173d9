"""The parts that experiments share."""

from __future__ import annotations

import pytest

from probative.bench.families.evidence import evidence_metrics
from probative.bench.report import Cell
from probative.bench.studies.chains import METHODS as CHAIN_METHODS
from probative.bench.studies.evidence import METHODS as EVIDENCE_METHODS
from probative.bench.study import parse_options
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import McseOptions
from probative.scope.options import ScopeOptions


def test_the_methods_name_options_and_values_that_exist() -> None:
    known = {"mcse": McseOptions.model_fields, "learned": LearnedOptions.model_fields}
    for rows in EVIDENCE_METHODS.values():
        for row, settings in rows.items():
            options = set(settings) - {"preset", "method"}
            assert options <= set(known.get(settings.get("method", "mcse"), ())), row
    for rows in CHAIN_METHODS.values():
        for row, settings in rows.items():
            options = set(settings) - {"preset", "method"}
            assert options <= set(ScopeOptions.model_fields), row
            ScopeOptions.model_validate({name: settings[name] for name in options})


def test_options_are_names_and_values() -> None:
    assert parse_options(["a=1", "b=0.5", "c=none", "d=pair"]) == {"a": 1, "b": 0.5, "c": None, "d": "pair"}
    with pytest.raises(ValueError, match="NAME=VALUE, got 'lexical'"):
        parse_options(["lexical"])


def test_figures_by_hand() -> None:
    claims = [
        {"gold": [[0, 1], [2]], "label": "SUPPORTS", "indexes": [2, 0], "tokens": 10, "multiply_adds": 3e9},
        {"gold": [[3]], "label": "REFUTES", "indexes": [1, 3], "tokens": 20, "multiply_adds": 0.0},
        {"gold": [[1]], "label": "SUPPORTS", "indexes": None},
    ]
    got = {name: metric(claims) for name, metric in evidence_metrics(2).items()}
    assert all(isinstance(cell, Cell) and cell.n == 3 for cell in got.values())
    figures = {name: cell.value for name, cell in got.items() if isinstance(cell, Cell)}
    # The best sets: {2} for {2, 0}, {3} for {1, 3}, {1} for nothing: 2 hits of 4 chosen and 3 gold.
    assert figures == {
        "precision": pytest.approx(50.0),
        "recall": pytest.approx(200 / 3),
        "F1": pytest.approx(400 / 7),
        "F1, true claims": pytest.approx(50.0),  # 1 hit of 2 chosen and 2 gold
        "all gold": pytest.approx(200 / 3),
        "exact match": 0.0,
        "tokens": 10.0,
        "G multiply-adds": 1.0,
    }
    at_gold = evidence_metrics("gold")
    cells = [at_gold[name](claims) for name in ("all gold", "exact match")]
    assert [getattr(cell, "value", None) for cell in cells] == pytest.approx([100 / 3, 100 / 3])
