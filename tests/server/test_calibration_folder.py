"""The files of a calibration: labels apart from what is drawn, and what happens to damaged ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from probative.errors import StoreError
from probative.server.base.errors import NotThereError
from probative.server.state.calibration_folder import CalibrationFolder, Lapse, Plan

PLAN = Plan(source="given", n=2, contents="0" * 16, model="embedded")


def test_labels_are_kept_changed_and_taken_back(tmp_path: Path) -> None:
    folder = CalibrationFolder(tmp_path / "calibration")
    folder.begin(PLAN, ["Where was the Heron built?"])
    for right in (True, False):
        folder.label("a", right)
    folder.label("b", True)
    assert CalibrationFolder(folder.path).labels() == {"a": False, "b": True}
    folder.label("a", None)
    assert folder.labels() == {"b": True}


def test_a_draw_that_is_discarded_leaves_only_why_the_guarantee_lapsed(tmp_path: Path) -> None:
    folder = CalibrationFolder(tmp_path / "calibration")
    folder.begin(PLAN, ["Where was the Heron built?"])
    folder.label("a", True)
    lapse = Lapse(why="the documents have changed", noticed="2026-05-03T08:00:00+00:00")
    folder.notice(lapse)
    folder.discard()
    assert (folder.plan(), folder.labels(), folder.read(), folder.lapse()) == (None, {}, None, lapse)
    folder.notice(None)
    assert folder.lapse() is None


@pytest.mark.parametrize("name", ["plan.json", "labels.json", "lapse.json"])
def test_a_damaged_file_is_an_error_that_says_what_to_do(tmp_path: Path, name: str) -> None:
    folder = CalibrationFolder(tmp_path / "calibration")
    folder.begin(PLAN, [])
    (folder.path / name).write_text("{", encoding="utf-8")
    with pytest.raises(StoreError, match="discard the draw"):
        folder.plan(), folder.labels(), folder.lapse()
    folder.discard()
    assert (folder.plan(), folder.labels(), folder.lapse()) == (None, {}, None)
    with pytest.raises(NotThereError, match="nothing is drawn yet"):
        folder.discard()
