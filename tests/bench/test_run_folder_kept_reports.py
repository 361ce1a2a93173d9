"""A run's report is kept with how it was made, and results.md is made of kept reports only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docs.tools import keep_report
from docs.tools.results import Results
from kept_reports import keep_run, kept_page, read_kept, write_kept
from probative import InputError, load_settings
from probative.bench.registry import load_experiment
from probative.bench.report import (
    NOT_FINISHED,
    Cell,
    ErrorCount,
    Plot,
    Report,
    RunReport,
    Series,
    Table,
    TableRow,
)
from probative.bench.reports import PublishedReport, command_of
from probative.bench.run import report_again, run_experiment
from probative.bench.run_folder import RunFolder
from probative.bench.run_report import UNSEEN
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.scope.checks import Signals
from probative.testing import ScriptedModel

TABLE = Table(
    title="Accuracy by set",
    corner="method",
    columns=("right", "AUROC"),
    rows=(
        TableRow(
            name="ours",
            cells=(
                Cell(value=62.34, low=55.0, high=69.5, n=200),
                Cell(value=0.8163, low=0.7, high=0.9, n=200),
            ),
        ),
        TableRow(name="alone", cells=(Cell(value=24.0, low=20.0, high=29.0, n=200), "none")),
    ),
)
ONLY_AUROC = (
    "| method | AUROC | n |\n| --- | --- | --- |\n| ours | 0.816 [0.700, 0.900] | 200 |\n\n"
    "Not shown, of fewer than 30 cases: `alone`."
)
PLOT = Plot(title="Risk", kind="lines", x="coverage", y="risk", series=(Series(name="a", points=((0, 1),)),))


def kept(name: str = "verdict-sets", **changes: Any) -> PublishedReport:
    run = RunReport(
        version="0.1.0",
        experiment="verdict-sets",
        title="How often are verdicts right?",
        paper="ours",
        shown_as="a table",
        models={"model": "embedded", "judge_model": None},
        settings={"limit": None, "seed": 1},
        data=(),
        cases=1200,
        errors=(),
        notes=("A note.",),
        report=Report(tables=(TABLE,), plots=(PLOT,), findings=("Ours is above the model alone.",)),
    )
    about = {"command": f"probative bench run {name}", "date": "2026-11-16", "machine": "two cores"}
    return PublishedReport(name=name, **about, fingerprints={}, run=run.model_copy(update=changes))


def finished_run(data: Path, out: Path, **changes: Any) -> RunFolder:
    models = Models(load_settings({"cache": False}), model=ScriptedModel(generate="Ada Berg"))
    settings = Settings(data=data, **changes)
    run_experiment(load_experiment("harbour-closed-book"), settings, out, models)
    return RunFolder(out)


@pytest.mark.usefixtures("plugin")
def test_a_finished_run_is_kept_with_how_it_was_made(data: Path, tmp_path: Path) -> None:
    finished_run(data, tmp_path / "harbour", seed=4, options={"hops": 2, "facts": False})
    code = keep_report.main(
        [str(tmp_path / "harbour"), "--machine", "two cores", "--folder", str(tmp_path / "kept")]
    )
    assert code == 0
    report = read_kept(tmp_path / "kept")["harbour"]
    assert report.command == (
        "probative bench run harbour-closed-book --data DIR --out RUN --seed 4 --option hops=2 "
        "--option facts=false --model scripted"
    )
    assert (report.machine, len(report.date), report.run.cases) == ("two cores", 10, 4)
    assert report.fingerprints
    page = (tmp_path / "kept/harbour.md").read_text(encoding="utf-8")
    assert page == kept_page(report)
    assert f"- made: {report.date}, two cores" in page
    # One of four answers is right: that of the pier.
    assert "| closed book | 25.0" in page
    assert "[harbour](harbour.md)" in (tmp_path / "kept/index.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("plugin")
def test_the_kept_command_makes_the_same_settings(data: Path, tmp_path: Path) -> None:
    folder = finished_run(
        data, tmp_path / "run", limit=2, repeats=5, options={"a": None, "b": "x y", "c": 0.5}
    )
    manifest = folder.manifest()
    assert manifest is not None
    assert "--limit 2 --repeats 5" in command_of(manifest)
    for verdict, words in (("embedded:large", "--model embedded:large"), ("embedded", "--verdict embedded")):
        models = {"model": "embedded:large", "verdict": verdict}
        assert command_of(manifest.model_copy(update={"models": models})).endswith(words)
    assert "--option a=none --option 'b=x y' --option c=0.5" in command_of(manifest)


@pytest.mark.usefixtures("plugin")
def test_a_folder_without_a_run_is_not_kept_and_an_unfinished_run_only_if_asked(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = finished_run(data, tmp_path / "run")
    lines = folder.rows_file.read_text(encoding="utf-8").splitlines()
    folder.rows_file.write_text(f"{lines[0]}\n", encoding="utf-8")
    report_again(folder, data)
    (tmp_path / "empty").mkdir()
    words = [str(tmp_path / "run"), str(tmp_path / "empty"), "--folder", str(tmp_path / "kept")]
    assert keep_report.main(words) == 1
    assert "1 of 4 cases" in (printed := capsys.readouterr().err)
    assert "is not the folder of a run" in printed
    assert not (tmp_path / "kept").exists()
    assert keep_report.main([*words, "--unfinished"]) == 1
    page = (tmp_path / "kept/run.md").read_text(encoding="utf-8")
    assert "The run is not finished: 1 of 4 cases." in page


@pytest.mark.usefixtures("plugin")
def test_messages_and_private_folders_are_left_out(data: Path, tmp_path: Path) -> None:
    folder = finished_run(data, tmp_path / "run", options={"encoders": "embedded,hf:/home/ada/models/small"})
    run = RunReport.model_validate_json((folder.path / "report.json").read_text(encoding="utf-8"))
    failed = ErrorCount(type="ReplyError", count=2, first="a sentence of a data set")
    folder.write("report.json", run.model_copy(update={"errors": (failed,)}).model_dump_json())
    keep_run(folder.path, tmp_path / "kept", machine="two cores")
    for file in (tmp_path / "kept").iterdir():
        text = file.read_text(encoding="utf-8")
        assert "ada" not in text
        assert "a sentence of a data set" not in text
    page = (tmp_path / "kept/run.md").read_text(encoding="utf-8")
    assert "- 2 cases failed with ReplyError\n" in page
    assert "encoders=embedded,hf:PATH/small" in page


def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no name for a kept report"):
        write_kept(kept("../Up"), tmp_path)


def test_a_file_that_is_no_report_is_refused(tmp_path: Path) -> None:
    write_kept(kept(), tmp_path)
    (tmp_path / "verdict-sets.json").rename(tmp_path / "other.json")
    with pytest.raises(InputError, match="has the report of verdict-sets"):
        read_kept(tmp_path)
    (tmp_path / "other.json").write_text(json.dumps({"name": "other"}), encoding="utf-8")
    with pytest.raises(InputError, match="is no kept report"):
        read_kept(tmp_path)


@pytest.mark.parametrize(
    ("directive", "text"),
    [
        ('figure verdict-sets "Accuracy by set" ours right', "62.3 [55.0, 69.5], n = 200"),
        ("figure verdict-sets Accuracy ours AUROC", "0.816 [0.700, 0.900], n = 200"),
        ("cases verdict-sets", "1,200"),
        ("findings verdict-sets 1", "Ours is above the model alone."),
        ("plots verdict-sets", "![Risk](images/verdict-sets-1.svg)"),
    ],
)
def test_a_directive_takes_its_figure_from_a_report(directive: str, text: str) -> None:
    filled = Results({"verdict-sets": kept()}).fill(f"It is {{{{ {directive} }}}}.")
    assert text in filled
    assert "{{" not in filled


@pytest.mark.parametrize(
    ("directive", "text"),
    [
        ("table verdict-sets Accuracy AUROC", ONLY_AUROC),
        ("row mine verdict-sets Accuracy ours right", "| mine | 62.3 [55.0, 69.5] | 200 |"),
        (
            "rows small verdict-sets Accuracy right",
            "| small, ours | 62.3 [55.0, 69.5] | 200 |\n| small, alone | 24.0 [20.0, 29.0] | 200 |",
        ),
        (
            "ends verdict-sets Accuracy 1 right",
            "| alone | 24.0 [20.0, 29.0] | 200 |\n| ours | 62.3 [55.0, 69.5] | 200 |",
        ),
        (
            "source verdict-sets",
            "1,200 cases, embedded, two cores, 2026-11-16. [Report](bench/verdict-sets.md).",
        ),
    ],
)
def test_parts_of_a_report_can_be_shown(directive: str, text: str) -> None:
    assert Results({"verdict-sets": kept()}).fill(f"{{{{ {directive} }}}}") == text


def test_the_source_says_that_a_run_was_cut_and_cases_failed() -> None:
    cut = kept(
        notes=(f"{NOT_FINISHED}: 9 of 20 cases.",),
        errors=(ErrorCount(type="OutputError", count=2, first=""),),
    )
    filled = Results({"verdict-sets": cut}).fill("{{ source verdict-sets }}")
    assert "2026-11-16. The run is not finished: 9 of 20 cases. 2 of them failed. [Report" in filled


def test_the_source_says_how_many_cases_are_left_out() -> None:
    unseen = TABLE.model_copy(update={"title": f"{TABLE.title}: {UNSEEN}"})
    note = "16 of 840 cases have a question, claim or document that a shipped model was trained on (small 16)"
    filled = Results({"verdict-sets": kept(notes=(note,), report=Report(tables=(TABLE, unseen)))}).fill(
        "{{ source verdict-sets }}"
    )
    assert "Figures are without 16 cases that trained a shipped model." in filled


def test_the_source_says_that_newer_reports_have_other_weights() -> None:
    first, same = ({"model": f"ctranslate2-{kind}:aaa"} for kind in ("int8", "int8@cuda"))
    old = kept().model_copy(update={"fingerprints": first})
    new = kept("own", models={"model": "embedded"})
    for weights, told in ((same, False), ({"model": "ctranslate2-int8:bbb"}, True)):
        newer = new.model_copy(update={"fingerprints": weights, "date": "2026-11-19"})
        results = Results({"verdict-sets": old, "own": newer})
        assert ("other weights" in results.fill("{{ source verdict-sets }}")) is told
        assert "other weights" not in results.fill("{{ source own }}")


def test_reports_on_papers_are_counted() -> None:
    note = f"{NOT_FINISHED}: 9 of 20 cases."
    paper = kept("coe-noise", paper="GIVE", cases=9, notes=(note,), models={"model": "hf:Big-7B"})
    results = Results({"verdict-sets": kept(), "coe-noise": paper})
    counts = [results.fill(f"{{{{ count {which} }}}}") for which in ("all", "unfinished", "few", "tiny")]
    assert counts == ["1", "1", "1", "0"]
    with pytest.raises(InputError, match="unknown kind of reports: large"):
        results.fill("{{ count large }}")


def signals(*names: str) -> Results:
    rows = tuple(TableRow(name=name, cells=(Cell(value=0.5, n=200),)) for name in names)
    table = Table(title="Each signal by itself", corner="signal", columns=("AUROC",), rows=rows)
    return Results({"risk-coverage": kept(report=Report(tables=(table,)))})


def test_a_report_older_than_the_certainty_is_told_by_its_signals() -> None:
    template = "{{ if risk-coverage refitted }}\nolder\n{{ end }}\n"
    assert signals("probability", "hops").fill(template) == "older\n"
    assert signals(*Signals.model_fields).fill(template) == ""
    assert Results({}).fill(template) == ""


def test_a_named_table_is_the_one_without_trained_cases() -> None:
    unseen = TABLE.model_copy(update={"title": f"{TABLE.title}: {UNSEEN}", "rows": TABLE.rows[:1]})
    results = Results({"verdict-sets": kept(report=Report(tables=(TABLE, unseen)))})
    assert "| alone |" not in results.fill("{{ table verdict-sets Accuracy right }}")


def few(*counts: int, plots: tuple[Plot, ...] = (PLOT,)) -> Results:
    """Return a report whose rows have so many cases in their first column, and 200 in the second."""
    rows = tuple(
        TableRow(
            name=f"row {n}",
            cells=(
                Cell(value=50.0, low=40.0, high=60.0, n=n),
                Cell(value=0.5, low=0.4, high=0.6, n=200 if n else 1),
            ),
        )
        for n in counts
    )
    table = TABLE.model_copy(update={"rows": rows})
    return Results({"verdict-sets": kept(report=Report(tables=(table,), plots=plots))})


def test_figures_of_few_cases_are_not_shown_and_lines_without_any_are_named() -> None:
    filled = few(29, 30, 0).fill('{{ table verdict-sets "Accuracy" right AUROC }}')
    assert filled.splitlines()[2:] == [
        "| row 29 | - | 0.500 [0.400, 0.600] | 200 |",
        "| row 30 | 50.0 [40.0, 60.0], n = 30 | 0.500 [0.400, 0.600] | 200 |",
        "",
        "Not shown, of fewer than 30 cases: `row 0`.",
    ]
    with pytest.raises(InputError, match="no row has a figure of 30 cases"):
        few(0).fill("{{ table verdict-sets Accuracy right }}")


def test_a_figure_without_an_interval_is_not_shown() -> None:
    row = TableRow(name="calls", cells=(Cell(value=3.0, n=200), Cell(value=0.5, low=0.4, high=0.6, n=200)))
    results = Results(
        {"verdict-sets": kept(report=Report(tables=(TABLE.model_copy(update={"rows": (row,)}),)))}
    )
    line = "| calls | - | 0.500 [0.400, 0.600] | 200 |"
    assert line in results.fill("{{ table verdict-sets Accuracy right AUROC }}")
    with pytest.raises(InputError, match="with an interval"):
        results.fill("{{ figure verdict-sets Accuracy calls right }}")


def test_a_part_may_ask_for_enough_cases() -> None:
    enough = "verdict-sets with 100 }}"
    template = f"{{{{ if {enough}\nmany\n{{{{ end }}}}\n{{{{ unless {enough}\nfew\n{{{{ end }}}}\n"
    assert few(100).fill(template) == "many\n"
    assert few(99, 100).fill(template) == "few\n"
    assert Results({}).fill(template) == "few\n"


def test_the_cases_of_a_drawing_are_those_of_the_tables_with_its_name() -> None:
    template = "{{ if verdict-sets with 100 }}\nmany\n{{ end }}\n"
    other = TABLE.model_copy(update={"title": "Risk, judged"})
    (report,) = few(99)._reports.values()
    tables = (*report.run.report.tables[:1], other)
    run = report.run.model_copy(update={"report": Report(tables=tables, plots=(PLOT,))})
    results = Results({"verdict-sets": report.model_copy(update={"run": run})})
    assert results.fill(template) == "many\n"


def test_a_report_without_a_drawing_is_an_error() -> None:
    with pytest.raises(InputError, match="has no drawing"):
        few(100, plots=()).fill("{{ plots verdict-sets }}")


def test_a_cell_is_short() -> None:
    words = " ".join(["word"] * 20)
    assert few(99).fill(f"| {words} |\n") == f"| {words} |\n"
    with pytest.raises(InputError, match="more than 20 words"):
        few(99).fill(f"| one more {words} |\n")


def test_drawings_of_several_reports_are_one() -> None:
    results = Results({"verdict-sets": kept(), "own": kept("own")})
    filled = results.fill("{{ joined both Risk verdict-sets small own large }}")
    assert filled == "![Risk](images/both.svg)"
    assert "a, small" in results.drawings["both.svg"]
    assert "a, large" in results.drawings["both.svg"]


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ shout verdict-sets }}", "unknown directive"),
        ("{{ table verdict-sets Accuracy left }}", "it has: right; AUROC"),
        ("{{ figure verdict-sets Accuracy ours }}", "wrong number of names"),
        ("{{ figure verdict-sets Accuracy theirs right }}", "it has: ours; alone"),
        ("{{ table verdict-sets Speed }}", "it has: Accuracy by set"),
        ("{{ table leaderboard Speed }}", "no report leaderboard is kept"),
        ("{{ if ladder }}\n{{ end }}\n", "ladder is no experiment"),
        ("{{ joined both Speed verdict-sets ours }}", "it has: Risk"),
        ("{{ if verdict-sets }}\n", "without an"),
        ("{{ end }}\n", "ends nothing"),
    ],
)
def test_what_a_template_cannot_mean_is_an_error(template: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Results({"verdict-sets": kept()}).fill(template)


def test_a_part_is_left_out_unless_all_its_reports_are_kept() -> None:
    template = (
        "a\n{{ if verdict-sets }}\nb\n{{ if verdict-sets leaderboard }}\nc\n{{ end }}\nd\n{{ end }}\ne\n"
    )
    assert Results({"verdict-sets": kept()}).fill(template) == "a\nb\nd\ne\n"
    assert Results({}).fill(template) == "a\ne\n"
