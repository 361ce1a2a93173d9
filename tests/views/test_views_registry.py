"""A result finds its view by its type, and knows nothing of it."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

import probative
from probative.corpus.index.index_folder import IndexSummary
from probative.graph.summary import GraphInfo
from probative.types import Usage, Value
from probative.verbs.table import VERBS
from probative.views import SHARED_FILES, add_view, blocks_of, view_of
from probative.views.annotation import annotation_view
from probative.views.answer import answer_view
from probative.views.blocks import line
from probative.views.graph import graph_info_view
from probative.views.html import notebook
from probative.views.index import index_summary_view
from probative.views.markdown import markdown
from probative.views.terminal import show_result
from probative.views.trace import usage_view

SOURCE = Path(probative.__file__).parent


RESULTS = [spec.result for spec in VERBS.specs()]
FOUND = {
    probative.Answer: answer_view,
    probative.Annotation: annotation_view,
    IndexSummary: index_summary_view,
    GraphInfo: graph_info_view,
    Usage: usage_view,
}


@pytest.mark.parametrize("kind", RESULTS)
def test_every_verb_has_a_view_of_its_result(kind: type) -> None:
    assert view_of(kind) is not None


@pytest.mark.parametrize("kind", FOUND)
def test_the_view_of_a_type_is_found_by_its_name(kind: type) -> None:
    assert view_of(kind) is FOUND[kind]


@pytest.mark.parametrize("name", SHARED_FILES)
def test_a_shared_file_has_the_view(name: str) -> None:
    module = import_module(f"probative.views.{SHARED_FILES[name]}")
    assert callable(getattr(module, f"{name}_view"))


def test_another_package_adds_a_view(capsys: pytest.CaptureFixture[str]) -> None:
    class Told(Value):
        words: str

    assert view_of(Told) is None
    add_view(Told, lambda told: [line(f"it said {told.words}")])
    show_result(Told(words="hello"))
    assert capsys.readouterr().out.strip() == "it said hello"


def test_a_result_without_a_view_is_shown_by_its_fields(capsys: pytest.CaptureFixture[str]) -> None:
    class Tide(Value):
        harbour: str
        hours: tuple[int, ...] = ()
        notes: tuple[str, ...] = ("measured at noon",)
        model: str = "gauge"
        usage: Usage = Usage(calls=2)

    tide = Tide(harbour="Molde", hours=(4, 16))
    show_result(tide)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == ["harbour  Molde", "hours    [4, 16]", "note: measured at noon"]
    assert "<b>harbour</b>" in (notebook(tide) or "")
    assert "gauge, 2 calls" in (markdown(tide) or "")


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
