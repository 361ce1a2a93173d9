"""The fit of the certainty on rows whose truth is known."""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from probative.bench.data.questions import Question
from probative.bench.metrics import auroc
from probative.bench.rows import Row
from probative.scope.checks import Signals
from probative.scope.conclude.certainty import CertaintyModels, certainty_models
from probative.settings import load_settings
from probative.types import Passage
from training.certainty import __main__ as certainty_main
from training.certainty.__main__ import fitted
from training.certainty.collect import KEY, is_gold, is_supported, read_answers
from training.certainty.fit import COMMON, READER, fit_model
from training.certainty.paragraphs import NO_ANSWER
from training.certainty.teacher import compare, teach
from training.certainty.thresholds import MAX_WRONG, MIN_PRECISION, choose_thresholds, probable_limit
from training.certainty.worth import GROUPS, study
from training.row_files import read_rows

KEPT = Path(certainty_main.__file__).with_name("large.jsonl")


def rows(count: int) -> list[Row]:
    """Answers that are right as often as `entailed` says; `completeness` says nothing."""
    draw = random.Random(3)
    made = []
    for number in range(count):
        entailed = draw.random()
        signals = {"entailed": entailed, "denied": 0.0, "completeness": draw.random(), "hops": 1.0}
        right = draw.random() < entailed
        made.append(
            {
                "id": str(number),
                "set": "own",
                "right": right,
                "eligible": True,
                "computed": False,
                "signals": signals,
            }
        )
    return made


def test_the_signal_that_tells_right_from_wrong_gets_the_weight() -> None:
    known = rows(600)
    model = fit_model(known, tuple(dict.fromkeys(READER + COMMON)), source="own rows")
    weights = {term.signal: term.weight for term in model.terms}
    assert weights["entailed"] > 5 * abs(weights.get("completeness", 0.0))
    chances = [model.certainty(Signals.from_dict(row["signals"])) for row in known]
    right = [chance for chance, row in zip(chances, known, strict=True) if row["right"]]
    wrong = [chance for chance, row in zip(chances, known, strict=True) if not row["right"]]
    assert auroc(right, wrong) > 0.75


def test_no_answer_is_right_where_there_is_none() -> None:
    asked = Question("1", "Are both rivers?", NO_ANSWER, "none", (), frozenset())
    assert not is_gold(asked, "no")
    assert is_gold(replace(asked, answer="no"), "no")


def test_the_thresholds_let_few_wrong_answers_pass(capsys: pytest.CaptureFixture[str]) -> None:
    known = rows(800)
    model = fitted(known, COMMON, "own", "own rows")
    assert "AUROC" in capsys.readouterr().out
    models = CertaintyModels(one=model, several=model, computed=model, other=model)
    supported = [row for row in known if is_supported(row, models)]
    wrong = sum(not row["right"] for row in supported)
    assert 0.1 < len(supported) / len(known) < 0.7
    assert wrong / len(known) < MAX_WRONG + 0.01
    assert 1 - wrong / len(supported) > MIN_PRECISION


def test_the_shipped_certainty_holds_for_answers_of_the_large_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    certainty_main.check(argparse.Namespace(rows=[KEPT], size="large"))
    every, *of_sets = capsys.readouterr().out.splitlines()
    assert every.startswith("all: 687 answers, 314 right; ")
    assert sum(int(line.split()[1]) for line in of_sets) == 687
    supported = [row for row in read_answers([KEPT]) if is_supported(row, certainty_models(), "large")]
    assert sum(row["right"] for row in supported) / len(supported) > MIN_PRECISION


def test_of_the_answers_that_are_not_supported_the_probable_ones_are_right_more_often_than_not(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """By hand: of 30 answers, the 20 surest are right in 12 cases, and the others never."""
    right = [True] * 12 + [False] * 18
    known = [{"right": hit} for hit in right]
    chances = [0.6 - 0.01 * number for number in range(30)]
    assert probable_limit(known, chances) == pytest.approx(0.41)
    assert probable_limit([{"right": False}] * 30, chances) is None
    assert probable_limit(known[:19], chances[:19]) is None
    svg = tmp_path / "curves.svg"
    certainty_main.curves(argparse.Namespace(rows=[KEPT], shipped=True, size="large", svg=svg))
    drawn = ElementTree.parse(svg).getroot()
    assert [part.get("x") for part in drawn] == ["0.0pt", "460.8pt"]
    assert "one passage (285)" in svg.read_text(encoding="utf-8")
    shown = capsys.readouterr().out
    assert "the tuned reader, one passage, 285 answers: AUROC 0.9" in shown
    assert "100%" in shown


def test_a_signal_that_tells_right_from_wrong_is_worth_something() -> None:
    known = [
        {**row, "signals": {**row["signals"], "agreement": 0.5, "probability": 0.5}} for row in rows(300)
    ]
    lines = list(study(known))
    lost = {
        group: float(line.split("loss ")[1].split()[0]) for group in GROUPS for line in lines if group in line
    }
    assert lost["judge the chain"] > 0.1 > abs(lost["read other passages"])


def test_a_teacher_that_is_right_teaches_as_much_as_labels() -> None:
    known = [{**row, "id": str(number)} for number, row in enumerate(rows(400))]
    taught = [{"set": row["set"], "id": row["id"], "supported": row["right"]} for row in known[:200]]
    title, *lines, none = compare(known, taught)
    assert none == "several passages: too few answers"
    assert title == "one passage: 200 answers"
    assert len({line.split(maxsplit=1)[1] for line in lines}) == 1
    turned = [{**row, "supported": 1.0 - row["supported"]} for row in taught]
    _, labels, _, teacher, _ = compare(known, turned)
    assert float(labels.split()[2].strip(",")) > 0.7 > float(teacher.split()[2].strip(","))


@pytest.mark.model
def test_a_teacher_judges_an_answer_by_its_chain(tmp_path: Path) -> None:
    passage = Passage(title="Vale bridge", text="The bridge was opened in 1931 by Ada Quill.")
    question = Question("q", "When was the bridge opened?", "1931", "span", (passage,), frozenset({0}))
    row = {"set": "own", "id": "q", "answer": "1931", "chain": [0]}
    settings = load_settings({"cache": False, "verdict": "embedded"})
    teach([row], {("own", "q"): question}, tmp_path / "taught.jsonl", settings)
    (taught,) = read_rows([tmp_path / "taught.jsonl"], KEY)
    assert taught["id"] == "q"
    assert taught["supported"] > 0.5


def test_each_set_counts_the_same_for_a_threshold() -> None:
    """By hand: ten wrong answers are a tenth of all rows, and a half of the mean of both sets."""
    large = [{**row, "right": True, "signals": {"entailed": 0.9, "denied": 0.0}} for row in rows(90)]
    small = [
        {**row, "set": "small", "right": False, "signals": {"entailed": 0.9, "denied": 0.0}}
        for row in rows(10)
    ]
    plain = fit_model(rows(50), ("entailed",), source="")
    sure = [0.8] * 90 + [0.6] * 10
    assert choose_thresholds(plain, [*large, *small], sure).min_certainty == 0.8
    one_set = [{**row, "set": "own"} for row in (*large, *small)]
    assert choose_thresholds(plain, one_set, sure, 0.10).min_certainty == 0.6


def test_the_package_has_all_models() -> None:
    file = Path(__file__).parents[2] / "src/probative/scope/certainty.json"
    models = CertaintyModels.model_validate(json.loads(file.read_text(encoding="utf-8")))
    assert {term.signal for term in models.other.terms} <= set(COMMON)
    for model in (models.one, models.several):
        assert {term.signal for term in model.terms} <= set(READER)


def test_the_large_reader_has_models_of_the_kinds_with_enough_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "large.jsonl", tmp_path / "certainty.json"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows(300)), encoding="utf-8")
    certainty_main.fit(argparse.Namespace(rows=[file], out=out, size="large"))
    shown = capsys.readouterr().out
    assert "several passages: fewer than 10 right or 10 wrong answers" in shown
    models, shipped = CertaintyModels.model_validate_json(out.read_text("utf-8")), certainty_models()
    assert models.model_copy(update={"large": shipped.large}) == shipped
    one, several = Signals(entailed=0.5), Signals(entailed=0.5, hops=2.0)
    assert models.model_for(one, "large") == models.large["one"] != models.model_for(one)
    assert models.model_for(several, "large") == models.several
    assert models.model_for(one, None) == models.other


def test_the_shipped_limits_of_probable_are_those_of_the_kept_rows(tmp_path: Path) -> None:
    small, more, out = KEPT.with_name("small.jsonl"), KEPT.with_name("more.jsonl"), tmp_path / "made.json"
    certainty_main.probable(argparse.Namespace(rows=[small], more=[more], out=out))
    made = CertaintyModels.model_validate_json(out.read_text(encoding="utf-8"))
    assert made.one.min_probable == pytest.approx(certainty_models().one.min_probable, abs=0.002)
    assert made.several.min_probable == pytest.approx(certainty_models().several.min_probable, abs=0.002)
