"""The types of the verbs and of the package are those of their tables."""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path

import pytest

import probative

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["session/session.pyi", "session/default.pyi", "__init__.pyi"])
def test_the_stub_is_current(name: str) -> None:
    sys.path.insert(0, str(ROOT / "docs" / "tools"))
    try:
        from stubs import stubs
    finally:
        sys.path.pop(0)
    written = (Path(probative.__file__).parent / name).read_text(encoding="utf-8")
    assert _sorted(stubs()[name]) == _sorted(written), "run docs/tools/stubs.py and `make format`"


def _sorted(text: str) -> list[str]:
    """Return the statements of a stub; the order of its imports and its line breaks do not matter."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = inspect.cleandoc(node.value)
    return sorted(ast.dump(node) for node in tree.body)
