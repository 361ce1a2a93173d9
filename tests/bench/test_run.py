"""A run of the documented plug-in, with a table worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from probative import (
    Capability,
    CapabilityError,
    InputError,
    InUseError,
    ModelError,
    StoreError,
    load_settings,
)
from probative.bench.data.sets import find_set
from probative.bench.registry import EXPERIMENTS, load_experiment
from probative.bench.run import run_experiment, unique_cases
from probative.bench.run_folder import RunFolder
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.models.contract import lacks
from probative.models.types import Request
from probative.testing import ScriptedModel

ANSWERS = {"pier": "Ada Berg", "crane": "1931", "ship": "The Grey Heron", "light": "Ole Dahl"}
REPLIES = {"Ada Berg": "Yes.", "1931": "yes", "The Grey Heron": "No", "Ole Dahl": "It may be so."}


def last(request: Request) -> str:
    return request.messages[-1].content


def studied(**changes: Any) -> ScriptedModel:
    def reply(request: Request) -> str:
        return next(answer for word, answer in ANSWERS.items() if word in last(request))

    return ScriptedModel(**{"generate": reply, "fingerprint": "studied", **changes})


def judge() -> ScriptedModel:
    def reply(request: Request) -> str:
        return next(reply for answer, reply in REPLIES.items() if f"Given answer: {answer}" in last(request))

    return ScriptedModel(generate=reply, name="judge", fingerprint="judge")


def run(
    data: Path, out: Path, model: ScriptedModel, judging: ScriptedModel | None = None, **changes: Any
) -> Any:
    settings = Settings(data=data, **changes)
    models = Models(load_settings({"cache": False}), model=model, judge=judging)
    return run_experiment(load_experiment("harbour-closed-book"), settings, out, models)


@pytest.mark.usefixtures("plugin")
def test_the_table_is_that_worked_out_by_hand(data: Path, tmp_path: Path) -> None:
    report = run(data, tmp_path / "run", studied(), judge())
    (table,) = report.report.tables
    (cell,) = table.rows[0].cells
    # Two replies say yes, one no, one neither: 2 of 4 are right, and the page "publishes" 50. Four cases are
    # too few for a difference.
    assert (cell.value, cell.n, cell.published, cell.difference) == (50.0, 4, 50.0, None)
    assert table.note == "1 of 4 replies of the judge was neither yes nor no: counted as wrong"
    page = (tmp_path / "run/report.md").read_text(encoding="utf-8")
    assert "| closed book | 50.0 (paper 50.0) | 4 |" in page  # too few for an interval, too
    assert "No judge model" not in page


@pytest.mark.usefixtures("plugin")
def test_without_a_judge_exact_match_decides_and_the_report_says_so(data: Path, tmp_path: Path) -> None:
    report = run(data, tmp_path / "run", studied())
    cell = report.report.tables[0].rows[0].cells[0]
    assert cell.value == 75.0  # all but the ship
    # The page "publishes" what a judge decided.
    assert (cell.published, cell.comparable) == (50.0, False)
    assert "No judge model" in (tmp_path / "run/report.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("plugin")
def test_a_second_run_asks_nothing_and_gives_the_same_report(data: Path, tmp_path: Path) -> None:
    run(data, tmp_path / "run", studied(), judge())
    names = ("report.json", "report.md", "report.html", "rows.jsonl")
    before = {name: (tmp_path / "run" / name).read_bytes() for name in names}
    again = studied()
    run(data, tmp_path / "run", again, judge())
    assert again.asked == []
    assert {name: (tmp_path / "run" / name).read_bytes() for name in names} == before


@pytest.mark.usefixtures("plugin")
def test_a_case_that_failed_is_counted_and_tried_again(data: Path, tmp_path: Path) -> None:
    def failing(request: Request) -> str | ModelError:
        return ModelError("the line broke") if "ship" in last(request) else "Ada Berg"

    report = run(data, tmp_path / "run", studied(generate=failing))
    assert (report.failed, report.errors[0].type) == (1, "ModelError")
    assert report.report.tables[0].rows[0].cells[0].n == 3
    assert "1 case failed with ModelError" in (tmp_path / "run/report.md").read_text(encoding="utf-8")
    assert "A case that failed is in no figure." in report.notes  # the page's experiment has no `wrong`
    mended = studied()
    assert run(data, tmp_path / "run", mended).failed == 0
    assert len(mended.asked) == 1


@pytest.mark.usefixtures("plugin")
def test_a_line_that_was_cut_off_is_run_again_without_a_paid_call(data: Path, tmp_path: Path) -> None:
    run(data, tmp_path / "run", studied(), judge())
    rows = tmp_path / "run/rows.jsonl"
    whole, report = rows.read_bytes(), (tmp_path / "run/report.json").read_bytes()
    for kept in (0, 1, len(whole) // 2, len(whole) - 1):
        rows.write_bytes(whole[:kept])
        again, judging = studied(), judge()
        run(data, tmp_path / "run", again, judging)
        assert (again.asked, judging.asked) == ([], [])
        assert (tmp_path / "run/report.json").read_bytes() == report


@pytest.mark.usefixtures("plugin")
def test_the_manifest_says_how_the_run_was_made(data: Path, tmp_path: Path) -> None:
    run(data, tmp_path / "run", studied(), judge(), limit=2, seed=7)
    manifest = RunFolder(tmp_path / "run").manifest()
    assert manifest is not None
    assert manifest.fingerprints == {"model": "studied", "judge_model": "judge"}
    assert (manifest.settings["seed"], manifest.settings["limit"]) == (7, 2)
    assert list(manifest.data) == ["harbour/questions.jsonl"]
    assert (manifest.cases, manifest.done, manifest.failed, manifest.pid) == (2, 2, 0, None)
    assert manifest.spent.calls == 4


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize(
    ("change", "named"),
    [({"seed": 2}, "seed"), ({"limit": 3}, "limit"), ({"options": {"a": 1}}, "options")],
)
def test_a_run_with_other_settings_is_refused(
    data: Path, tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    run(data, tmp_path / "run", studied())
    with pytest.raises(InputError, match=f"made otherwise: {named}"):
        run(data, tmp_path / "run", studied(), **change)


@pytest.mark.usefixtures("plugin")
def test_a_run_with_another_model_or_other_data_is_refused(data: Path, tmp_path: Path) -> None:
    run(data, tmp_path / "run", studied())
    with pytest.raises(InputError, match="weights of the model"):
        run(data, tmp_path / "run", studied(fingerprint="another"))
    file = data / "harbour/questions.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace("Ada", "Eva"), encoding="utf-8")
    with pytest.raises(InputError, match=r"harbour/questions\.jsonl"):
        run(data, tmp_path / "run", studied())


@pytest.mark.usefixtures("plugin")
def test_a_run_of_another_version_is_refused(data: Path, tmp_path: Path) -> None:
    run(data, tmp_path / "run", studied())
    file = tmp_path / "run/manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "version": "0.0.1"}))
    with pytest.raises(InputError, match=r"a run of probative 0\.0\.1"):
        run(data, tmp_path / "run", studied())


@pytest.mark.usefixtures("plugin")
def test_a_folder_in_use_is_refused(data: Path, tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run").locked(), pytest.raises(InUseError, match="another run"):
        run(data, tmp_path / "run", studied())


@pytest.mark.usefixtures("plugin")
def test_a_folder_that_is_no_run_and_a_file_are_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not the folder of a run: it has harbour"):
        run(data, data, studied())
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="not a folder"):
        run(data, tmp_path / "file", studied())
    (tmp_path / "run").mkdir()
    (tmp_path / "run/manifest.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        run(data, tmp_path / "run", studied())


@pytest.mark.usefixtures("plugin")
def test_a_model_that_cannot_do_what_the_experiment_needs_is_refused(data: Path, tmp_path: Path) -> None:
    only_scores = ScriptedModel(score=lambda prompt, text: -1.0)
    with pytest.raises(CapabilityError, match="cannot generate: the experiment harbour-closed-book needs it"):
        run(data, tmp_path / "run", only_scores)
    assert not (tmp_path / "run/rows.jsonl").exists()


@pytest.mark.usefixtures("plugin")
def test_an_experiment_that_needs_a_judge_is_refused_without_one(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(load_experiment("harbour-closed-book")), "needs_judge", True)
    with pytest.raises(InputError, match="needs a judge model"):
        run(data, tmp_path / "run", studied())


def test_an_unknown_experiment_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(InputError, match="did you mean verdict-sets"):
        load_experiment("verdict-set")


@pytest.mark.parametrize("name", EXPERIMENTS.names())
def test_every_experiment_has_its_own_name_and_data_sets_of_the_catalogue(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.name == name
    assert all(find_set(data_set).files for data_set in experiment.data)
    assert experiment.title
    assert experiment.paper_reference
    assert experiment.calls_per_case >= 0  # coe-samples asks only the judge


@pytest.mark.usefixtures("plugin")
def test_a_later_row_that_lacks_a_field_is_an_error_that_names_it(data: Path, tmp_path: Path) -> None:
    file = data / "harbour/questions.jsonl"
    file.write_text(file.read_text(encoding="utf-8") + '{"id": "q5", "answer": "x"}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"questions\.jsonl is not a file of harbour: row 5 has no question"):
        run(data, tmp_path / "run", studied())


@pytest.mark.usefixtures("plugin")
def test_a_field_that_the_catalogue_does_not_name_is_an_error_too(data: Path, tmp_path: Path) -> None:
    file = data / "harbour/questions.jsonl"
    row = {"id": "q5", "question": "Who?", "answer": "x"}
    file.write_text(file.read_text(encoding="utf-8") + json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="the data of harbour-closed-book cannot be read: KeyError"):
        run(data, tmp_path / "run", studied())


@pytest.mark.usefixtures("plugin")
def test_an_id_that_stands_twice_is_an_error_that_names_the_data_set(data: Path, tmp_path: Path) -> None:
    file = data / "harbour/questions.jsonl"
    file.write_text(file.read_text(encoding="utf-8") * 2, encoding="utf-8")
    with pytest.raises(InputError, match="two cases with the key") as caught:
        run(data, tmp_path / "run", studied())
    assert caught.value.hint == "each row needs an id of its own in the files of its data sets (harbour)"


@pytest.mark.usefixtures("plugin")
def test_damaged_files_of_a_run_are_errors_that_say_what_to_do(data: Path, tmp_path: Path) -> None:
    run(data, tmp_path / "run", studied(), limit=2)
    calls = tmp_path / "run/calls.sqlite"
    calls.write_bytes(b"no database at all" * 500)
    with pytest.raises(StoreError, match="is damaged") as caught:
        run(data, tmp_path / "run", studied(), limit=2)
    assert caught.value.hint.startswith(f"delete {calls.absolute()}")
    calls.unlink()
    assert run(data, tmp_path / "run", studied(), limit=2).failed == 0
    manifest = tmp_path / "run/manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "cases": "many"}))
    with pytest.raises(InputError, match="cannot be read at cases: ") as wrong:
        run(data, tmp_path / "run", studied(), limit=2)
    assert "pydantic" not in str(wrong.value)


class FindsOut(ScriptedModel):
    """Says that it can choose, until it is asked to."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        verbs = {Capability.GENERATE}
        return frozenset(verbs if getattr(self, "asked_to_choose", False) else verbs | {Capability.CHOOSE})

    def _choose(self, selections: Any) -> Any:
        self.asked_to_choose = True
        raise lacks(self.name, Capability.CHOOSE)


@pytest.mark.usefixtures("plugin")
def test_what_a_server_turns_out_not_to_be_able_to_do_costs_no_case(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = type(load_experiment("harbour-closed-book"))
    answer = experiment.run

    def choosing(self: Any, case: Any, lab: Any) -> Any:
        if Capability.CHOOSE in lab.model.capabilities:
            lab.model.choose(["Which?"], ["yes", "no"])
        return answer(self, case, lab)

    monkeypatch.setattr(experiment, "run", choosing)
    assert run(data, tmp_path / "run", FindsOut(generate="x", fingerprint="x")).failed == 0
    monkeypatch.setattr(experiment, "verbs", frozenset({"generate", "choose"}))
    with pytest.raises(CapabilityError, match="the experiment harbour-closed-book needs it"):
        run(data, tmp_path / "second", FindsOut(generate="x", fingerprint="x"))


@pytest.mark.parametrize(
    "name", [name for name in EXPERIMENTS.names() if load_experiment(name).option_names() is not None]
)
def test_an_option_that_an_experiment_does_not_have_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"the experiment {name} has no option 'colour'"):
        unique_cases(load_experiment(name), Settings(tmp_path, options={"colour": "red"}))


def test_only_a_method_that_uses_the_policy_marks_what_trained_it(tmp_path: Path) -> None:
    board = load_experiment("leaderboard")
    assert board.shipped_models(Settings(tmp_path, options={"methods": "rag,closed-book"})) == frozenset()
    assert "policy" in board.shipped_models(Settings(tmp_path, options={"methods": "rag,scope"}))
