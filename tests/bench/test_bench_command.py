"""`probative bench` as a user runs it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import run_here

from probative.bench.registry import load_experiment
from probative.bench.run_folder import RunFolder
from probative.testing import LoopbackServer

NAME = "harbour-closed-book"


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(answer=lambda prompt: "Ada Berg" if "pier" in prompt else "nobody") as server:
        yield server


def bench(*words: str, server: LoopbackServer, home: Path) -> tuple[int, str, str]:
    done = run_here(
        "bench",
        *words,
        *("--model", "openai:any", "--base-url", server.base_url),
        PROBATIVE_HOME=str(home),
        PROBATIVE_DATA="",
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.usefixtures("plugin")
def test_list_names_experiments_with_data_and_cost() -> None:
    shown = run_here("bench", "list").stdout
    assert "harbour-closed-book" in shown
    assert "data: harbour; model: generate; about 1 call a case; --limit: cases" in shown
    listed = {
        one["name"]: one for one in json.loads(run_here("bench", "list", "--json").stdout)["experiments"]
    }
    assert listed["verdict-sets"]["data"][0]["files"] == ["verdict/eval.jsonl.gz"]
    assert listed[NAME]["data"][0]["source"] == "https://example.org/harbour"


@pytest.mark.usefixtures("plugin")
def test_a_run_prints_its_report_and_writes_it(data: Path, tmp_path: Path, server: LoopbackServer) -> None:
    out = tmp_path / "run"
    code, shown, notes = bench(NAME, "--data", str(data), "--out", str(out), server=server, home=tmp_path)
    assert code == 0
    assert "| closed book | 25.0 (paper 50.0) | 4 |" in shown
    assert shown.strip() == (out / "report.md").read_text(encoding="utf-8").strip()
    assert "report.html" in notes
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "<script" not in page


@pytest.mark.usefixtures("plugin")
def test_a_dry_run_counts_and_asks_nothing(data: Path, tmp_path: Path, server: LoopbackServer) -> None:
    words = (
        NAME,
        "--data",
        str(data),
        "--dry-run",
        "--price-prompt",
        "1",
        "--price-completion",
        "1",
        "--json",
    )
    code, shown, _ = bench(*words, server=server, home=tmp_path)
    plan = json.loads(shown)
    assert (code, plan["cases"], plan["usage"]["calls"], plan["by_estimate"]) == (0, 4, 4, 0)
    assert plan["money"] > 0
    assert server.bodies == []


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("no-such", "--data", "{data}", "--out", "{out}"), "there is no experiment called 'no-such'"),
        ((NAME, "--out", "{out}"), "no data folder"),
        ((NAME, "--data", "{out}", "--out", "{out}"), "there is no data folder"),
        ((NAME, "--data", "{data}"), "no folder for the run"),
        ((NAME, "--data", "{data}", "--out", "{out}", "--option", "x"), "an option is NAME=VALUE"),
        ((NAME, "--data", "{data}", "--out", "{out}", "--runner", "moon"), "there is no runner 'moon'"),
        ((NAME, "--data", "{data}", "--out", "{out}", "--runner", "local:0"), "at least 1, got 0"),
        (("verdict-sets", "--data", "{data}", "--out", "{out}"), "verdict needs the file"),
        (("compare", "{data}"), "a comparison needs two runs"),
        (("compare", "{data}", "{data}"), "is not the folder of a run"),
    ],
)
def test_bad_input_is_an_error_that_says_what_is_wrong(
    words: tuple[str, ...], message: str, data: Path, tmp_path: Path
) -> None:
    filled = [word.format(data=data, out=tmp_path / "out") for word in words]
    done = run_here("bench", *filled, PROBATIVE_HOME=str(tmp_path), PROBATIVE_DATA="")
    assert done.returncode == 1
    assert message in done.stderr
    assert not (tmp_path / "out/rows.jsonl").exists()


@pytest.mark.usefixtures("plugin")
def test_the_leaderboard_takes_a_data_set_a_method_and_a_metric_of_the_plugin(
    data: Path, tmp_path: Path, server: LoopbackServer
) -> None:
    options = ("--option", "data=harbour", "--option", "methods=closed-book,first-word")
    words = ("leaderboard", "--data", str(data), "--out", str(tmp_path / "run"), *options)
    code, shown, _ = bench(*words, server=server, home=tmp_path)
    assert code == 0
    assert "## Methods on harbour" in shown
    rows = [json.loads(line) for line in (tmp_path / "run/rows.jsonl").read_text().splitlines()]
    first = {row["question"]: row for row in rows if row["method"] == "first-word"}
    assert {key: row["answer"] for key, row in first.items()} == {
        "q1.0": "Ada", "q2.0": "1931", "q3.0": "The", "q4.0": "Ole",
    }  # fmt: skip
    assert first["q2.0"]["metrics"] == {"exact match": 1.0, "F1": 1.0, "right": 1.0, "same-length": 1.0}
    unknown = ("--option", "data=harbour", "--option", "methods=second-word")
    words = ("leaderboard", "--data", str(data), "--out", str(tmp_path / "other"), *unknown)
    assert "there is no method called 'second-word'" in bench(*words, server=server, home=tmp_path)[2]


@pytest.mark.usefixtures("plugin")
def test_a_refused_key_ends_the_run_and_keeps_what_is_done(data: Path, tmp_path: Path) -> None:
    with LoopbackServer(api_key="right") as server:
        words = (NAME, "--data", str(data), "--out", str(tmp_path / "run"), "--api-key", "wrong")
        code, _, error = bench(*words, server=server, home=tmp_path)
    assert code == 1
    assert "key" in error
    assert not (tmp_path / "run/report.md").exists()


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize("verb", ["score", "choose"])
def test_a_server_that_lacks_a_verb_of_the_study_is_refused_before_the_first_case(
    verb: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(load_experiment(NAME)), "verbs", frozenset({"generate", verb}))
    with LoopbackServer(scoring="none", logprobs=False) as server:
        words = (NAME, "--data", str(data), "--out", str(tmp_path / "run"))
        code, _, error = bench(*words, server=server, home=tmp_path)
        asked = [str(body) for body in server.bodies]
    assert code == 1
    assert f"openai:any cannot {verb}" in error
    assert f"the experiment {NAME} needs it" in error
    assert "use embedded, hf:NAME, or openai:NAME on" in error
    assert not any(word in text for text in asked for word in ("pier", "crane", "ship", "light"))
    assert not (tmp_path / "run/rows.jsonl").exists()


@pytest.mark.usefixtures("plugin")
def test_a_run_says_what_it_has_cost(data: Path, tmp_path: Path, server: LoopbackServer) -> None:
    words = (NAME, "--data", str(data), "--out", str(tmp_path / "run"), "--price-prompt", "1000")
    _, _, notes = bench(*words, server=server, home=tmp_path)
    manifest = RunFolder(tmp_path / "run").opened()
    money = f"{manifest.spent.prompt_tokens / 1000:.4g} (your prices)"
    assert f"cost: {manifest.spent.counted}; money: {money}" in " ".join(notes.split())
    unpriced = (NAME, "--data", str(data), "--out", str(tmp_path / "other"))
    notes = bench(*unpriced, server=server, home=tmp_path)[2]
    assert "cost: 4 calls" in notes
    assert "money" not in notes


@pytest.mark.usefixtures("plugin")
def test_a_dry_run_of_a_listed_model_shows_money_with_the_date(data: Path, tmp_path: Path) -> None:
    words = ("bench", NAME, "--data", str(data), "--dry-run", "--model", "openai:gpt-4o-mini")
    shown = run_here(*words, PROBATIVE_HOME=str(tmp_path), PROBATIVE_DATA="").stdout
    assert re.search(r"money: about [\d.e-]+ \(US dollars, prices of 2026-\d\d-\d\d\)", shown)


@pytest.mark.usefixtures("plugin")
def test_an_unfinished_run_reports_what_it_has(data: Path, tmp_path: Path, server: LoopbackServer) -> None:
    out = tmp_path / "run"
    bench(NAME, "--data", str(data), "--out", str(out), server=server, home=tmp_path)
    whole = (out / "report.md").read_text(encoding="utf-8")
    report = ("bench", "report", str(out), "--data", str(data))
    assert run_here(*report).stdout.strip() == whole.strip()
    rows = (out / "rows.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    # Only the question about the pier is answered right.
    (out / "rows.jsonl").write_text(next(row for row in rows if "Ada Berg" in row), encoding="utf-8")
    shown = run_here(*report).stdout
    assert "| closed book | 100.0 (paper 50.0) | 1 |" in shown
    assert shown.splitlines()[2] == "**The run is not finished: 1 of 4 cases.**"
    assert shown.count("not finished") == 1
    (out / "rows.jsonl").write_text("", encoding="utf-8")
    done = run_here(*report)
    assert done.returncode == 1
    assert "no finished case yet" in done.stderr
    assert "is not the folder of a run" in run_here("bench", "report", str(data), "--data", str(data)).stderr
