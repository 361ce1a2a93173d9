"""The rules of a language are reached through its analyzer."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import probative
from probative.text.analyzer import TextAnalyzer, analyzer_for
from probative.text.english.analyzer import EnglishAnalyzer

SOURCE = Path(probative.__file__).parent


def test_only_text_imports_the_rules_of_english() -> None:
    for file in SOURCE.rglob("*.py"):
        path = file.relative_to(SOURCE)
        if path.parts[0] == "text" or path.as_posix() == "bench/literal/comparison_rules.py":
            continue  # the second is the baseline of an experiment: the former rules as they were
        tree = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        imported = [node.module or "" for node in tree if isinstance(node, ast.ImportFrom)]
        assert not [name for name in imported if name.startswith("probative.text.english")], file


def test_english_implements_the_whole_protocol() -> None:
    wanted = {name for name in vars(TextAnalyzer) if not name.startswith("_")}
    assert wanted == {name for name in vars(EnglishAnalyzer) if not name.startswith("_")}
    for name in wanted - {"language"}:
        protocol = list(inspect.signature(getattr(TextAnalyzer, name)).parameters)[1:]
        assert protocol == list(inspect.signature(getattr(analyzer_for(), name)).parameters), name
