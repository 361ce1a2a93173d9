"""Labels: what is missing, what was not drawn, and what cannot be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from calibrated import ALPHA, corpus

from probative import Corpus, InputError
from probative.calibration.kept import GUARANTEE
from probative.calibration.labels import Draw, calibrate, label_text


@pytest.fixture
def ships(tmp_path: Path) -> Iterator[Corpus]:
    with corpus(tmp_path) as opened:
        yield opened


def row(number: int, *, counts: bool = True, certainty: float = 0.9) -> dict[str, Any]:
    return {"id": f"q{number}", "question": f"Question {number}?", "certainty": certainty, "counts": counts}


def drawn(ships: Corpus, file: Path, rows: list[dict[str, Any]], right: list[bool | None]) -> Path:
    draw = Draw(
        kind="given",
        seed=3,
        n=len(rows),
        pool=500,
        pool_hash="0" * 16,
        contents=ships.contents,
        models={"model": "m"},
        settings={"method": "scope"},
    )
    before = {draw.mark(each): is_right for each, is_right in zip(rows, right, strict=True)}
    file.write_text(label_text(draw, rows, before), encoding="utf-8")
    return file


def changed(file: Path, line: int, **fields: Any) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **fields})
    file.write_text("\n".join(lines), encoding="utf-8")


def test_at_5_and_95_percent_59_answers_without_an_error_are_needed(ships: Corpus, tmp_path: Path) -> None:
    rows = [row(number) for number in range(40)] + [row(number, counts=False) for number in range(40, 70)]
    file = drawn(ships, tmp_path / "labels.jsonl", rows, [True] * 40 + [None] * 30)
    result = calibrate(ships, file)
    assert (result.kind, result.needed, result.missing) == ("none", 59, 19)
    assert result.reason == (
        # 70 questions gave 40 answers: 59 · 70 / 40 = 103.25.
        "59 answers without an error are needed, and 40 could be supported: draw about 104 questions"
    )
    assert not (ships.path / GUARANTEE).exists()


@pytest.mark.parametrize(("wrong", "kind"), [(0, "guarantee"), (1, "none")])
def test_59_answers_allow_no_error(ships: Corpus, tmp_path: Path, wrong: int, kind: str) -> None:
    rows = [row(number) for number in range(59)]
    file = drawn(ships, tmp_path / "labels.jsonl", rows, [False] * wrong + [True] * (59 - wrong))
    result = calibrate(ships, file)
    assert result.kind == kind
    assert (ships.path / GUARANTEE).exists() is (kind == "guarantee")


def test_the_limit_leaves_out_uncertain_answers_that_are_wrong(ships: Corpus, tmp_path: Path) -> None:
    rows = [row(number, certainty=0.8) for number in range(10)]
    rows += [row(number, certainty=0.4) for number in range(10, 18)]
    file = drawn(ships, tmp_path / "labels.jsonl", rows, [True] * 10 + [False] * 8)
    result = calibrate(ships, file, alpha=ALPHA)
    assert (result.kind, result.limit) == ("guarantee", 0.41)
    assert (result.limits[-1].limit, result.limits[-1].wrong, result.limits[-1].passed) == (0.4, 8, False)


def test_labels_that_are_missing_are_counted(ships: Corpus, tmp_path: Path) -> None:
    rows = [row(number) for number in range(12)]
    file = drawn(ships, tmp_path / "labels.jsonl", rows, [True] * 10 + [None] * 2)
    result = calibrate(ships, file, alpha=ALPHA)
    assert (result.kind, result.missing) == ("none", 2)
    assert result.reason == "2 of the 12 answers that count have no label yet"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"id": "another"}, "the file has 1 line not drawn"),
        ({"certainty": 0.1}, "the file has 1 line not drawn"),
        ({"mark": None}, "the file has 1 line not drawn"),
    ],
)
def test_a_line_that_was_not_drawn_makes_it_a_test(
    ships: Corpus, tmp_path: Path, change: dict[str, Any], why: str
) -> None:
    file = drawn(ships, tmp_path / "labels.jsonl", [row(number) for number in range(12)], [True] * 12)
    changed(file, 5, **change)
    result = calibrate(ships, file, alpha=ALPHA)
    assert result.kind == "test"
    assert result.reason is not None
    assert result.reason.startswith(why)
    assert not (ships.path / GUARANTEE).exists()


def test_a_draw_with_lines_left_out_is_a_test(ships: Corpus, tmp_path: Path) -> None:
    file = drawn(ships, tmp_path / "labels.jsonl", [row(number) for number in range(12)], [True] * 12)
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(lines[:-2]), encoding="utf-8")
    result = calibrate(ships, file, alpha=ALPHA)
    assert (result.kind, result.reason) == ("test", "the file lacks 2 drawn lines")


def test_marks_on_answers_of_ones_choice_are_a_test(ships: Corpus, tmp_path: Path) -> None:
    file = tmp_path / "marked.jsonl"
    answers = [{"id": str(n), "verdict": "supported", "certainty": 0.9, "right": n > 1} for n in range(70)]
    file.write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    result = calibrate(ships, file)
    assert (result.kind, result.labelled, result.wrong, result.guarantee) == ("test", 70, 2, None)
    assert result.limits == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no lines"),
        ("[1]", "is not a JSON object"),
        ("{", "is not JSON"),
        ('{"id": 1, "right": "yes"}', "right must be true, false or null"),
        ('{"id": 1, "right": 1}', "right must be true, false or null"),
        ('{"draw": {"seed": 1}}', "line 1"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error(
    ships: Corpus, tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        calibrate(ships, file)


@pytest.mark.parametrize("wrong", [{"alpha": 0.0}, {"alpha": 1.0}, {"delta": 5.0}])
def test_a_share_that_is_none_is_an_error(ships: Corpus, tmp_path: Path, wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match="must be above 0 and below 1"):
        calibrate(ships, tmp_path / "labels.jsonl", **wrong)
