from __future__ import annotations

from pathlib import Path

from graph_questions import FEED, STOP, answering_model

from probative.bench.run import run_experiment
from probative.bench.studies.give import GiveShapes
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.settings import Settings as ModelSettings

from .conftest import SIMPLE, values


def test_a_run_keeps_its_rows_and_asks_nothing_again(data: Path, tmp_path: Path) -> None:
    model = answering_model(
        {STOP: {"a": "no", "ac": "yes", "ace": "yes"}, FEED: {"a": "no", "ac": "no", "ace": "yes"}}
    )
    # Without near entities and an intermediate group, no encoder is needed.
    options = {**SIMPLE, "sets": "pubmedqa", "intermediate": False}
    settings = Settings(data, options=options)
    models = Models(ModelSettings(home=tmp_path / "home"), model=model)
    report = run_experiment(GiveShapes(), settings, tmp_path / "run", models)
    assert report.failed == 0
    table, tests = report.report.tables
    assert values(table)["GIVE a, triples"] == [50.0]
    assert values(table)["GIVE a+c, text"] == [100.0]
    assert values(table)["GIVE a+c+e, triples"] == [50.0]
    assert values(tests)["GIVE a, text against GIVE a, triples"] == [0.0, None]
    asked = len(model.asked)
    again = run_experiment(GiveShapes(), settings, tmp_path / "run", models)
    assert again.report == report.report
    assert len(model.asked) == asked
