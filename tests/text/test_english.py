"""The rules about English stand behind one package."""

from __future__ import annotations

import ast
from pathlib import Path

import probative

SOURCE = Path(probative.__file__).parent


def test_other_packages_import_no_single_rule_of_english() -> None:
    for file in SOURCE.rglob("*.py"):
        path = file.relative_to(SOURCE)
        if path.parts[0] == "text":
            continue
        tree = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        imported = [node.module or "" for node in tree if isinstance(node, ast.ImportFrom)]
        assert not [name for name in imported if name.startswith("probative.text.english")], file
