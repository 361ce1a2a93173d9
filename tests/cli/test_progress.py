"""Progress of long work where standard error is no terminal."""

from __future__ import annotations

import threading

import pytest

from probative.cli.views import progress


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
