"""Cases that trained a shipped model: recognised, marked in the report, refused."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from command import run_here

from probative import InputError, load_settings
from probative.bench import run as run_module
from probative.bench import trained
from probative.bench.data.claims import Example, VerdictRow, read_verdict_rows
from probative.bench.data.files import read_json
from probative.bench.data.graph_qa import Case as Question
from probative.bench.data.questions import ConflictCase
from probative.bench.families.graph_questions import Arm, Asked
from probative.bench.plan import plan_run
from probative.bench.registry import EXPERIMENTS, load_experiment
from probative.bench.run import marked_cases, run_experiment
from probative.bench.run_folder import RunFolder
from probative.bench.study import Case, Settings
from probative.bench.trained import describe, document_key, keys_in, text_key, trained_cases, trained_keys
from probative.bench.worker import Models
from probative.testing import ScriptedModel
from training.splits import reported_texts

REAL_DATA = os.environ.get("PROBATIVE_DATA")
ANSWERS = {"pier": "Ada Berg", "crane": "1931", "ship": "The Grey Heron", "light": "nobody"}
NAME = "harbour-closed-book"


def run(data: Path, out: Path, **changes: Any) -> Any:
    def reply(request: Any) -> str:
        return next(text for word, text in ANSWERS.items() if word in request.messages[-1].content)

    models = Models(
        load_settings({"cache": False}), model=ScriptedModel(generate=reply, fingerprint="scripted")
    )
    return run_experiment(load_experiment(NAME), Settings(data=data), out, models, **changes)


@pytest.fixture
def two_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the policy had been trained on the questions about the crane and the light."""
    keys = frozenset(map(text_key, ("0 when was the crane sold", "Who keeps the light? (0)")))
    monkeypatch.setattr(trained, "trained_keys", lambda model: keys if model == "policy" else frozenset())


def test_the_keys_of_a_case_are_those_of_its_question_or_claim_and_of_its_document() -> None:
    claim = Example("1", "It sank.", ("A ship sank.", "It was old."), (), "True", False)
    assert set(keys_in(claim)) == {text_key("It sank."), document_key(claim.sentences)}
    row = VerdictRow("own", "It -LRB- the ship -RRB- sank .", ("A ship sank.",), "supported")
    assert list(keys_in(row)) == [text_key("It (the ship) sank.")]
    question = ConflictCase("Which ship sank?", (), ())
    assert list(keys_in(("rag", question))) == [text_key("which ship sank")]
    assert list(keys_in("rag")) == []


@pytest.mark.usefixtures("plugin", "two_trained")
def test_trained_cases_are_counted_and_the_table_stands_without_them_too(data: Path, tmp_path: Path) -> None:
    report = run(data, tmp_path / "run")
    whole, unseen = report.report.tables
    # Right are the pier and the crane; without the crane and the light, the pier and the ship are left.
    assert (whole.title, whole.rows[0].cells[0].value, whole.rows[0].cells[0].n) == ("Accuracy", 50.0, 4)
    assert unseen.title == "Accuracy: unseen cases only"
    assert (unseen.rows[0].cells[0].value, unseen.rows[0].cells[0].n) == (50.0, 2)
    assert report.trained == {"policy": 2}
    page = (tmp_path / "run/report.md").read_text(encoding="utf-8")
    assert (
        "2 of 4 cases have a question, claim or document that a shipped model was trained on (policy 2)"
        in page
    )
    manifest = RunFolder(tmp_path / "run").manifest()
    assert manifest is not None
    assert manifest.trained == {"policy": ["q2.0", "q4.0"]}
    assert run(data, tmp_path / "run") == report


@pytest.mark.usefixtures("plugin", "two_trained")
def test_trained_cases_are_refused_before_anything_is_asked(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"2 of 4 cases have .* \(policy 2\); the first is 'q2.0'"):
        run(data, tmp_path / "run", trained="refuse")
    assert not (tmp_path / "run").exists()


def test_a_papers_study_marks_the_questions_that_settings_were_tuned_on(tmp_path: Path) -> None:
    give, own = load_experiment("give-biomedical"), load_experiment("reason")
    questions = [Question(name, "Does rope float?", None, "yes-no", "no", name == "b") for name in "ab"]
    cases = [Case(one.id, Asked(100, Arm("GIVE", {}), one)) for one in questions]
    models, settings = Models(load_settings({"cache": False})), Settings(tmp_path)
    marks = marked_cases(give, cases, models, settings)
    assert marks == {"settings": ["b"]}
    assert describe(marks, 2).endswith("was trained on or settings were tuned on (settings 1)")
    assert marked_cases(own, cases, models, settings) == {}


def test_the_verdict_model_marks_nothing_in_a_study_that_does_not_use_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(run_module, "trained_cases", lambda _, used: asked.append(tuple(used)) or {})
    models, settings = Models(load_settings({"cache": False, "model": "hf:NAME"})), Settings(tmp_path)
    marked_cases(load_experiment("coe-noise"), [], models, settings)
    marked_cases(load_experiment("coe-usability"), [], models, settings)
    assert asked == [(), ("small", "policy")]


@pytest.mark.model
@pytest.mark.usefixtures("plugin", "two_trained")
def test_a_dry_run_counts_trained_cases(data: Path) -> None:
    plan = plan_run(load_experiment(NAME), Settings(data=data), Models(load_settings({"cache": False})))
    assert plan.trained.startswith("2 of 4 cases have")


@pytest.mark.model
@pytest.mark.usefixtures("plugin")
def test_a_dry_run_ends_after_its_time_with_at_least_one_case(data: Path) -> None:
    seen: list[tuple[int, int, int]] = []

    def progress(done: int, failed: int, cases: int) -> None:
        seen.append((done, failed, cases))

    models = load_settings({"cache": False})
    plan = plan_run(load_experiment(NAME), Settings(data=data), Models(models), progress, seconds=0.0)
    assert (plan.cases, plan.sampled, plan.usage.calls) == (4, 1, 4)
    assert seen == [(1, 0, 4)]


@pytest.mark.usefixtures("plugin")
def test_a_run_without_trained_cases_says_nothing_and_is_not_refused(data: Path, tmp_path: Path) -> None:
    report = run(data, tmp_path / "run", trained="refuse")
    assert (report.trained, len(report.report.tables)) == ({}, 1)
    assert not any("trained" in note for note in report.notes)


@pytest.mark.usefixtures("plugin")
def test_another_word_than_mark_and_refuse_is_an_error(data: Path, tmp_path: Path) -> None:
    words = (NAME, "--data", str(data), "--out", str(tmp_path / "run"), "--trained", "hide")
    done = run_here("bench", *words, PROBATIVE_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "--trained must be mark or refuse, got 'hide'" in done.stderr


def test_the_keys_of_every_shipped_model_are_there() -> None:
    for model in trained.SHIPPED:
        assert len(trained_keys(model)) > 10_000
        assert {len(key) for key in trained_keys(model)} == {trained.KEY_BYTES}


@pytest.mark.slow
@pytest.mark.skipif(not REAL_DATA, reason="PROBATIVE_DATA does not name the data sets")
def test_in_the_real_files_the_known_rows_and_no_others_are_recognised() -> None:
    data = Path(str(REAL_DATA))
    texts = [
        *reported_texts(data),
        *((f"verdict {row.set}", row.claim) for row in read_verdict_rows(data)),
        *(("musique", row["question"]) for row in read_json(data / "musique/train_sample.json")),
    ]
    asked = [(name, ConflictCase(text, (), ())) for name, text in texts]
    marks = trained_cases(asked, trained.SHIPPED)
    counts = {model: {name: names.count(name) for name in set(names)} for model, names in marks.items()}
    # Both language models have the claims of FEVER's symmetric set without verdicts.
    assert counts == {
        "small": {"poisonedrag": 84, "verdict fever_symmetric_test": 290},
        "policy": {"poisonedrag": 66, "verdict fever_symmetric_test": 290, "musique": 100},
        "large": {"poisonedrag": 84, "verdict fever_symmetric_test": 290},
    }


@pytest.mark.slow
@pytest.mark.skipif(not REAL_DATA, reason="PROBATIVE_DATA does not name the data sets")
@pytest.mark.parametrize("name", EXPERIMENTS.names())
def test_every_experiment_says_what_its_cases_ask(name: str) -> None:
    experiment = load_experiment(name)
    case = experiment.cases(Settings(data=Path(str(REAL_DATA)), limit=1))[0]
    # Triples of a graph are no questions.
    assert bool(list(keys_in(experiment.asked(case)))) is (name != "veracity")
