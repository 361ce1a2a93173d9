"""A result finds its view by its type, and knows nothing of it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import probative
from probative.types import Value
from probative.views import VIEWS, blocks_of
from probative.views.blocks import line
from probative.views.html import notebook

SOURCE = Path(probative.__file__).parent


@pytest.mark.parametrize("name", VIEWS.names())
def test_every_view_is_there(name: str) -> None:
    assert callable(VIEWS.load(name))


def test_a_value_without_a_view_is_shown_as_python_writes_it() -> None:
    class Gauge(Value):
        level: int

    assert blocks_of(Gauge(level=3)) is None
    assert Gauge(level=3)._repr_html_() is None


def test_a_type_is_shown_like_the_type_it_is_made_of() -> None:
    class Fee(probative.Usage):
        price: float = 0.0

    assert notebook(Fee(calls=2)) == notebook(probative.Usage(calls=2))
    assert blocks_of(Fee(calls=2)) == [line("2 calls, 0.0 s")]


def test_no_result_imports_a_view() -> None:
    for folder in ("scope", "mcse", "give", "graph", "verdict", "verify", "corpus"):
        for file in (SOURCE / folder).rglob("*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
            assert not any(module.startswith("probative.views") for module in modules), file
