"""`probative annotate` as a user runs it."""

from __future__ import annotations

import pytest
from command import Done, run_here

import probative
from probative.testing import ScriptedModel

TEXT = "Gulls nest here. The lighthouse was lit in 1871."


@pytest.fixture(autouse=True)
def model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probative.session.tools.Opener.model", lambda _: ScriptedModel(generate="[2]"))


def run(*words: str, stdin: str = "") -> Done:
    return run_here("annotate", *words, stdin=stdin)


def test_the_named_sentences_are_shown_with_their_numbers() -> None:
    done = run("The lighthouse is old.", stdin=TEXT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[2] The lighthouse was lit in 1871."


def test_json_is_the_annotation() -> None:
    done = run("The lighthouse is old.", "--json", stdin=TEXT)
    annotation = probative.Annotation.model_validate_json(done.stdout)
    assert (annotation.indexes, annotation.evidence[0].start) == ((1,), 17)


def test_errors_say_what_to_do() -> None:
    assert "there is no claim" in run(stdin=TEXT).stderr
    assert "annotate gives no verdict" in run("c", "--fail-on", "supported", stdin=TEXT).stderr
