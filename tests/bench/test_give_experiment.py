from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import probative
from probative.bench.experiments.give import ablations, candidate_relations, rows_of, run
from probative.bench.experiments.give_table import KEY, cells, floors, maybe, right, tables
from probative.bench.rows import read_rows
from probative.give.result import EntityGroup, Member
from probative.testing import ScriptedModel


def row(**changes: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "set": "bioasq",
        "row": "give, p = 1",
        "id": "1",
        "gold": "yes",
        "options": ["yes", "no", "maybe"],
        "model": "m",
        "answer": "yes",
        "answers": {"a": "no", "ac": "no", "ace": "yes"},
        "usage": {"calls": 9, "prompt_tokens": 100, "completion_tokens": 10, "scored_tokens": 0},
        "words": {"affirmative": 12, "counterfactual": 4, "expert": 3},
        "triples": {"affirmative": 3, "counterfactual": 1, "expert": 1},
        "expert_ratio": 0.2,
        "maybe": 4,
        "groups": 3,
        "candidate_relations": 1.5,
        "intermediate": True,
        "seconds": 0.5,
        "error": None,
    }
    return {**given, **changes}


def failed(**changes: Any) -> dict[str, Any]:
    kept = ("set", "row", "id", "gold", "options", "model")
    return {**{name: row()[name] for name in kept}, "error": "it broke", **changes}


def test_a_stage_is_right_on_its_own_and_a_baseline_has_only_the_last() -> None:
    assert [right(row(), stage) for stage in ("a", "ac", "ace")] == [False, False, True]
    baseline = row(answer="Yes", answers={"a": None, "ac": None, "ace": None})
    assert [right(baseline, stage) for stage in ("a", "ac", "ace")] == [False, False, True]
    assert not right(failed(), "ace")


def test_what_failed_is_wrong_and_counts_in_no_other_mean() -> None:
    found = cells([row(), failed(id="2")])
    assert (found["a"], found["a+c+e"], found["unreadable"]) == ("0.0", "50.0", "0% (1 failed)")
    assert (found["calls"], found["words a"], found["intermediate"]) == ("9.0", "12.0", "100%")
    assert cells([failed()])["a+c+e"] == "0.0"


def test_right_answers_are_counted_by_verdict_and_the_accuracy_has_an_interval() -> None:
    rows = [
        row(id=str(n), verdict="read" if n < 3 else "unknown", gold="yes" if n else "no") for n in range(4)
    ]
    printed = tables(rows)
    assert "| give, p = 1: read | 2 of 3 |" in printed
    assert "| give, p = 1: extrapolated | 0 of 0 |" in printed
    assert "| give, p = 1: unknown | 1 of 1 |" in printed
    assert "75.0 [30, 95] |" in printed


def test_maybe_is_a_share_of_all_that_was_judged() -> None:
    assert maybe(row()) == 0.5
    assert maybe(row(triples={"affirmative": 0, "counterfactual": 0}, maybe=0)) == 0.0


def test_floors_of_yes_no_and_of_choices() -> None:
    expected = pytest.approx({"*random*": 100 / 3, "*always yes*": 200 / 3})
    assert floors([row(), row(gold="no"), row()]) == expected
    choices = [row(gold="pier", options=["pier", "quay"]), row(gold="reef", options=["bay", "reef"])]
    assert floors(choices) == {"*random*": 50.0, "*always the commonest place*": 50.0}


def test_the_table_stands_beside_chance_and_the_paper(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join([json.dumps(row(answer="no")), json.dumps(row()), '{"set": "bio']))
    text = tables(read_rows([file], KEY))
    assert "### bioasq: 1 questions, m" in text
    assert "| give, p = 1 | 0.0 / 0.0 / 100.0 [21, 100] |" in text
    assert "| *paper: GIVE n=1* | 79 / 81 / 83 |" in text
    assert "| *always yes* |" in text
    assert "| give, p = 1 | 0.0 | 0.0 | 100.0 |" in text
    assert "| *paper: GIVE n=2* | 80 | 84 | 90 |" in text


def test_rows_are_named_by_what_they_change() -> None:
    rows = rows_of(["give", "rag"], [1, 2], "small", "chosen")
    assert list(rows) == ["give, small, chosen, p = 1", "give, small, chosen, p = 2", "rag, chosen"]
    changed = ablations(["p = 3", "k = 5"], 1, "paper")
    assert changed["give, paper, p = 1: p = 3"] == {"preset": "paper", "entities": 3}
    assert changed["give, paper, p = 1: k = 5"] == {"preset": "paper", "entities": 1, "batch": 5}


def test_candidate_relations_are_the_graphs_and_the_questions() -> None:
    graph = probative.Graph.from_triples([("gull", "eats", "herring"), ("gull", "is a", "bird")])
    groups = tuple(
        EntityGroup(members=(Member(name=name, entity=graph.find(name)),)) for name in ("gull", "herring")
    )
    found = probative.Reasoning(
        question="Do gulls harm herring?", form="yes-no", answer="yes", relations=("harm",), groups=groups
    )
    # From gull to herring: eats and harm; from herring to gull: harm.
    assert candidate_relations(found, graph) == 1.5


def test_a_run_is_taken_up_where_it_stopped(tmp_path: Path) -> None:
    questions = {str(n): {"QUESTION": f"Does tar {n} stop rot?", "final_decision": "yes"} for n in range(4)}
    (tmp_path / "pubmedqa").mkdir()
    (tmp_path / "pubmedqa/ori_pqal.json").write_text(json.dumps(questions))
    (tmp_path / "pubmedqa/test_ground_truth.json").write_text(json.dumps(dict.fromkeys(questions, "yes")))
    (tmp_path / "umls").mkdir()
    (tmp_path / "umls/train.tsv").write_text("tar\tstops\trot\n")
    (tmp_path / "umls/test.tsv").write_text("rot\thurts\ttar\n")
    (tmp_path / "umls/entity2text.txt").write_text("tar\ttar\nrot\trot\n")
    (tmp_path / "umls/relation2text.txt").write_text("stops\tstops\nhurts\thurts\n")
    model = ScriptedModel(generate="yes")

    def go(part: tuple[int, int]) -> None:
        run(
            tmp_path,
            ["pubmedqa"],
            rows_of(["direct"], [1], None),
            model=model,
            encoder=None,
            questions=4,
            seed=0,
            part=part,
            max_active=4,
            out=tmp_path / "rows.jsonl",
        )

    go((0, 2))
    assert len(model.asked) == 2
    go((0, 1))
    assert len(model.asked) == 4
    rows = read_rows([tmp_path / "rows.jsonl"], KEY)
    assert {one["id"] for one in rows} == set(questions)
    assert all(right(one, "ace") for one in rows)
