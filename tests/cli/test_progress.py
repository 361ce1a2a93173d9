"""Progress of long work on standard error, on a terminal and elsewhere."""

from __future__ import annotations

import io
import threading

import pytest
from rich.console import Console

from probative.cli.views import progress
from probative.types import Usage


def test_lines_say_how_far_the_work_is_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, printed = [], threading.Event()

    def note(text: str) -> None:
        lines.append(text)
        if text == "ships: 3 of 7, 1 failed":
            printed.set()

    monkeypatch.setattr(progress, "print_note", note)
    monkeypatch.setattr(progress, "SECONDS", 0.001)
    with progress.batch_progress("ships") as update:
        update(2, 1, 7)
        assert printed.wait(60)
    assert set(lines) <= {"ships: starting", "ships: 3 of 7, 1 failed"}


def test_short_work_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.batch_progress("ships") as update:
        update(7, 0, 7)
    assert capsys.readouterr().err == ""


def test_a_search_shows_on_a_terminal_that_the_model_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    terminal = Console(file=written, force_terminal=True, width=100)
    monkeypatch.setattr(progress, "console", lambda stderr: terminal)
    with progress.search_progress() as update:
        assert update is not None
        update(Usage(calls=2, prompt_tokens=1_500))
    assert "opening and asking the model" in written.getvalue()
    assert "asking the model: 2 calls, 1,500 tokens so far" in written.getvalue()
    assert "0:00:0" in written.getvalue()
