"""A test that opens a model without its mark fails."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import ctranslate2
import model_marks
import pytest
from model_marks import DOCTESTS, OPENED

import probative
from probative.models.hf.runtime import Runtime

NO_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
TESTS = '''
import threading

import pytest
from model_marks import OPENED


def open_model():
    OPENED.note("tiny")


@pytest.fixture(scope="module")
def shared():
    open_model()


@pytest.mark.model
def test_marked(shared):
    open_model()


@pytest.mark.slow
def test_slow():
    open_model()


def test_opens_none():
    pass


def test_unmarked():
    open_model()


def test_caught():
    with pytest.raises(BaseException):
        open_model()


def test_thread():
    def work():
        try:
            open_model()
        except BaseException:
            pass

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_fixture_of_an_earlier_test(shared):
    pass


def example():
    """
    >>> open_model()
    """
'''


def test_every_unmarked_opening_fails_its_test(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    model\n    slow\n")
    (tmp_path / "test_opening.py").write_text(TESTS)
    words = ["-p", "model_marks", "-p", "no:cacheprovider", "-q", "-rA", "--doctest-modules"]
    helpers = str(Path(model_marks.__file__).parent)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([helpers, *sys.path]), **NO_PLUGINS},
        capture_output=True,
        text=True,
        check=False,
    )
    outcomes = {
        tuple(line.split(" - ")[0].replace("test_opening.py::", "").split()[:2])
        for line in done.stdout.splitlines()
        if line.startswith(("PASSED", "FAILED", "ERROR"))
    }
    assert outcomes >= {
        ("PASSED", "test_marked"),
        ("PASSED", "test_slow"),
        ("PASSED", "test_opens_none"),
        ("FAILED", "test_unmarked"),
        ("ERROR", "test_caught"),
        ("ERROR", "test_thread"),
        ("FAILED", "test_fixture_of_an_earlier_test"),
        ("FAILED", "test_opening.example"),
    }, done.stdout
    assert "opened a model without its mark: tiny. Use a scripted model, or mark it `model`." in done.stdout
    assert "or list it in tests/helpers/model_marks.py." in done.stdout


@pytest.mark.parametrize("name", sorted(DOCTESTS))
def test_every_listed_doctest_exists(name: str) -> None:
    # `probative.verify` is a function, and a package of this name.
    thing: object = probative
    for number, _ in enumerate(parts := name.split("."), 1):
        with suppress(ImportError):
            thing = importlib.import_module(".".join(parts[:number]))
            continue
        thing = getattr(thing, parts[number - 1])
    assert ">>>" in (thing.__doc__ or ""), "take it off the list"


def test_engines_and_transformers_are_noted() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"without its mark: weights\."):
        ctranslate2.Generator("some/weights")
    with pytest.raises(pytest.fail.Exception, match=r"without its mark: weights\."):
        ctranslate2.Encoder("some/weights")
    with pytest.raises(pytest.fail.Exception, match=r"without its mark: hf:gpt2\."):
        Runtime("gpt2", None, None)
    OPENED.unmarked.clear()
