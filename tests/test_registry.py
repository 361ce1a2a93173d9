from __future__ import annotations

import sys
from importlib.metadata import EntryPoint

import pytest

from probative import InputError, registry
from probative.registry import Registry


def test_nothing_is_imported_before_it_is_loaded() -> None:
    sys.modules.pop("this", None)
    functions = Registry("poem", {"zen": "this:s"})
    assert functions.names() == ("zen",)
    assert "zen" in functions
    assert "this" not in sys.modules


def test_an_unknown_name_is_an_error_with_the_nearest_names() -> None:
    methods = Registry("method", {"bm25": "a:b", "rouge": "a:c"}, others=["mcse"])
    with pytest.raises(InputError, match="no method called 'bm52'") as caught:
        methods.load("bm52")
    assert caught.value.hint == "did you mean bm25? The methods are: bm25, mcse, rouge"
    with pytest.raises(InputError) as caught:
        methods.load("quite different")
    assert caught.value.hint == "The methods are: bm25, mcse, rouge"


def test_a_plug_in_adds_a_part_and_replaces_none(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("sine", "math:tan", "g"), EntryPoint("cosine", "math:cos", "g")]
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == "g" else [])
    functions = Registry("function", {"sine": "math:sin"}, group="g")
    assert functions.load("sine").__name__ == "sin"
    assert functions.load("cosine").__name__ == "cos"
    assert "cosine" not in Registry("function", {"sine": "math:sin"})


def test_doctor_knows_every_extra_that_the_package_offers() -> None:
    import tomllib
    from pathlib import Path

    from probative.doctor import EXTRAS

    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"dev", "docs"}
    for extra, (modules, _) in EXTRAS.items():
        required = " ".join(project["optional-dependencies"][extra])
        assert all(module.replace("_", "-") in required for module in modules)
