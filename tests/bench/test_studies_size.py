"""A study is a short record: its shared parts are in the families."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median

import probative.bench.studies
from probative.bench.registry import EXPERIMENTS

FOLDER = Path(probative.bench.studies.__file__).parent


def test_the_median_study_has_at_most_60_lines() -> None:
    lines = [
        (node.end_lineno or node.lineno) - node.lineno + 1
        for file in FOLDER.glob("*.py")
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and _states_a_name(node)
    ]
    assert len(lines) >= len(EXPERIMENTS.names()) - 1
    assert median(lines) <= 60


def _states_a_name(node: ast.ClassDef) -> bool:
    targets = [
        target.id
        for part in node.body
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name)
    ]
    return "name" in targets
