from __future__ import annotations

from typing import Any

import pytest

import probative
from probative.bench.families.graph_questions import candidate_relations
from probative.bench.families.graph_tables import floors, right
from probative.bench.studies.reason import maybe_share
from probative.give.result import EntityGroup, Member


def row(**changes: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "gold": "yes",
        "options": ["yes", "no", "maybe"],
        "answer": "yes",
        "answers": {"a": "no", "ac": "no", "ace": "yes"},
        "triples": {"affirmative": 3, "counterfactual": 1, "expert": 1},
        "maybe": 4,
    }
    return {**given, **changes}


def test_a_stage_is_right_on_its_own_and_a_baseline_has_only_the_last() -> None:
    assert [right(row(), stage) for stage in ("a", "ac", "ace")] == [False, False, True]
    baseline = row(answer="Yes", answers={"a": None, "ac": None, "ace": None})
    assert [right(baseline, stage) for stage in ("a", "ac", "ace")] == [False, False, True]
    assert not right({"gold": "yes", "error": "it broke"}, "ace")


def test_an_answer_read_from_the_graph_is_that_of_every_stage() -> None:
    read = row(verdict="read", answers={"a": None, "ac": None, "ace": None})
    assert all(right(read, stage) for stage in ("a", "ac", "ace"))


def test_maybe_is_a_share_of_all_that_was_judged() -> None:
    assert maybe_share(row()) == 0.5
    assert maybe_share(row(triples={"affirmative": 0, "counterfactual": 0}, maybe=0)) == 0.0


def test_floors_of_yes_no_and_of_choices() -> None:
    assert floors([row(), row(gold="no"), row()]) == pytest.approx((100 / 3, 200 / 3))
    choices = [row(gold="pier", options=["pier", "quay"]), row(gold="reef", options=["bay", "reef"])]
    assert floors(choices) == (50.0, 50.0)


def test_candidate_relations_are_the_graphs_and_the_questions() -> None:
    graph = probative.Graph.from_triples([("gull", "eats", "herring"), ("gull", "is a", "bird")])
    groups = tuple(
        EntityGroup(members=(Member(name=name, entity=graph.find(name)),)) for name in ("gull", "herring")
    )
    reasoning = probative.Reasoning(
        question="Do gulls harm herring?", form="yes-no", answer="yes", relations=("harm",), groups=groups
    )
    # From gull to herring: eats and harm; from herring to gull: harm.
    assert candidate_relations(reasoning, graph) == 1.5
