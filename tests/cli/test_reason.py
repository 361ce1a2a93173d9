"""`probative reason` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import run_here as run

pytestmark = [pytest.mark.model, pytest.mark.usefixtures("open_models")]

EDGES = "sail\tcatches\twind\nwind\tdrives\tmill\nmill\tgrinds\tcorn\ncorn\tfeeds\then\n"
QUESTION = "Does a sail help a mill?"


@pytest.fixture
def graph(tmp_path: Path) -> str:
    file = tmp_path / "mill.tsv"
    file.write_text(EDGES, encoding="utf-8")
    return str(file)


@pytest.mark.slow
def test_the_stages_the_groups_and_the_knowledge_are_shown_and_drawn(graph: str, tmp_path: Path) -> None:
    picture = tmp_path / "mill.svg"
    words = ("reason", QUESTION, "--graph", graph, "--option", "entities=0", "--option", "veracity=scored")
    done = run(*words, "--draw", str(picture), columns=110)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split("  ")[0] for line in lines[3:6]] == [
        "affirmative knowledge",
        "+ counterfactual",
        "+ expert",
    ]
    assert "  by way of (sail, catches, wind, drives, mill)" in lines
    assert "  sail —catches→ wind" in lines
    assert "(between)" in done.stdout
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    assert "scored tokens" in done.stderr
    result = json.loads(run(*words, "--json").stdout)  # from the cache
    # The graph does not say whether a sail helps: what is printed is called a guess, or the model's answer.
    guess = "" if result["answer"] == "maybe" else f" (the model's guess: {result['answer']})"
    assert lines[0].startswith(
        {
            "unknown": f"unknown: the graph does not say{guess}",
            "extrapolated": f"{result['answer']}  extrapolated by the model: the graph does not state it",
        }[result["verdict"]]
    )
    assert set(result["answers"]) == {"a", "ac", "ace"}
    assert set(result["knowledge"]) == {"affirmative", "counterfactual", "expert"}
    assert result["usage"]["calls"] == 0


def test_nothing_is_guessed_from_a_graph_that_is_too_small_to_learn_from(graph: str) -> None:
    done = run("reason", QUESTION, "--graph", graph, "--option", "entities=0", columns=110)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "unknown: the graph does not say"
    assert "too small or too varied to learn" in done.stdout
    assert "scored tokens" not in done.stderr


@pytest.mark.slow
def test_the_choices_are_those_of_the_option(graph: str) -> None:
    words = ("--choices", "mill; hen", "--method", "direct")
    result = json.loads(run("reason", "What turns?", "--graph", graph, *words, "--json").stdout)
    assert (result["form"], result["choices"]) == ("choice", ["mill", "hen"])


@pytest.mark.slow
def test_many_questions_go_from_file_to_file(graph: str, tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(
        json.dumps({"id": 1, "question": QUESTION}) + "\n" + json.dumps({"id": 2, "question": ""}) + "\n",
        encoding="utf-8",
    )
    words = ("--in", str(source), "--out", str(target), "--graph", graph, "--method", "direct")
    done = run("reason", *words)
    assert done.returncode == 4
    rows = {row["id"]: row for row in map(json.loads, target.read_text(encoding="utf-8").splitlines())}
    assert rows[1]["answer"] in ("yes", "no", "maybe")
    assert "empty" in str(rows[2]["error"])
    assert run("reason", *words, "--limit", "1", "--fail-on", "answered").returncode == 3


def test_a_dry_run_says_what_it_would_cost(graph: str) -> None:
    done = run("reason", QUESTION, "--graph", graph, "--dry-run", "--preset", "calls")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("would make about ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["reason", QUESTION], "there is no graph"),
        (["reason", "--graph", "{graph}"], "there is no question"),
        (["reason", QUESTION, "--graph", "nowhere.tsv"], "nowhere.tsv"),
        (["reason", QUESTION, "--graph", "{graph}", "--method", "oracle"], "no method"),
        (
            ["reason", QUESTION, "--graph", "{graph}", "--option", "speed=9"],
            "give has no option 'speed'",
        ),
        (["reason", QUESTION, "--graph", "{graph}", "--option", "entities=many"], "entities"),
        (["reason", QUESTION, "--graph", "{graph}", "--worked", "none.jsonl"], "none.jsonl"),
        (["reason", QUESTION, "--graph", "{graph}", "--in", "a.jsonl"], "QUESTION cannot be used with --in"),
        (["reason", QUESTION, "--graph", "{graph}", "--limit", "3"], "--limit needs --in"),
        (["reason", QUESTION, "--graph", "{graph}", "--columns", "a,b"], "column"),
        (["reason", QUESTION, "--graph", "{graph}", "--draw", "nowhere/x.svg"], "no folder nowhere"),
        (["reason", QUESTION, "--graph", "{graph}", "--draw", "x.png"], "name a .svg file"),
    ],
)
def test_what_is_wrong_is_said_in_one_message(graph: str, words: list[str], said: str) -> None:
    done = run(*[word.replace("{graph}", graph) for word in words])
    assert done.returncode == 1
    assert done.stderr.startswith("probative: ")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
