"""Algorithm 1 of the paper, followed by hand on a tiny graph.

The graph has six edges:

    furnace —made near→ anchor      furnace —heats→ iron      iron —part of→ anchor
    anchor —cooled by→ water        water —cools→ furnace     ore —becomes→ iron

The question names a kiln (nearest to furnace) and a hinge (nearest to anchor), and asks whether the one
softens the other. With p = 1 the groups are {kiln, furnace} and {hinge, anchor}. Two paths of two hops join
them: furnace → iron → anchor, and back anchor → water → furnace. The model takes the first, so {iron, ore}
is the third group.

Paths lead through entities of no group, and prompts have no examples; `test_options_paper_preset.py` follows
what the preset `paper` does instead.
"""

from __future__ import annotations

from typing import Any

import pytest
from kiln import EDGES, QUESTION, TRUE, UNSURE, VECTORS, model, names, prompts
from knowing import Given

from probative import Reasoning, Triple, reason
from probative.testing import ScriptedModel


def reasoned(by: ScriptedModel, **options: Any) -> Reasoning:
    plain = {"step_examples": 0, "logic_chain": False, "through_members": False}
    given = {"preset": "paper", "entities": 1, "examples": 0, **plain, **options}
    return reason(QUESTION, EDGES, model=by, encoder=Given(VECTORS), **given)


def as_text(triples: tuple[Triple, ...]) -> set[str]:
    return {triple.sentence for triple in triples}


def test_the_groups_are_the_entities_with_their_nearest_and_the_middle_of_the_chosen_path() -> None:
    found = reasoned(model())
    assert names(found) == [["kiln", "furnace"], ["hinge", "anchor"], ["iron", "ore"]]
    assert [group.intermediate for group in found.groups] == [False, False, True]
    assert str(found.path) == "(furnace, heats, iron, part of, anchor)"
    assert found.entities == ("kiln", "hinge")
    assert found.relations == ("soften",)


def test_edges_of_the_graph_between_groups_are_inherited_those_of_the_middle_group_too() -> None:
    found = reasoned(model())
    assert as_text(found.knowledge.expert) == {
        "furnace made near anchor",
        "furnace heats iron",
        "iron part of anchor",
    }


def test_every_other_candidate_is_judged_once_and_no_becomes_counterfactual() -> None:
    # Candidates of each ordered pair of groups: four pairs of entities times relations, less expert edges.
    # kiln→hinge (soften, made near) 7, kiln→iron (soften, heats) 7, iron→hinge (soften, part of) 7, and the
    # three ways back (soften) 4 each.
    by = model()
    found = reasoned(by)
    judged = [prompt for prompt in prompts(by) if "Is the statement true?" in prompt]
    assert len(judged) == len(set(judged)) == 33
    assert len(found.knowledge.counterfactual) == 33 - len(TRUE) - len(UNSURE)
    assert "anchor not soften kiln" in as_text(found.knowledge.counterfactual)
    assert all(triple.relation.startswith("not ") for triple in found.knowledge.counterfactual)
    assert as_text(found.uncertain) == UNSURE
    assert found.maybe == 1


def test_affirmative_knowledge_is_inner_relations_judged_candidates_and_open_relations() -> None:
    found = reasoned(model())
    assert as_text(found.knowledge.affirmative) == TRUE | {
        "kiln is like furnace",
        "hinge is like anchor",
        "iron is made from ore",
        "kiln heats up iron",
    }
    # Between groups: 3 expert, 3 affirmed and 1 open, 29 denied; the three inner relations do not count.
    assert found.expert_ratio == pytest.approx(3 / (3 + 4 + 29))
    assert found.words["expert"] == 4 + 3 + 4
    assert any(
        "open relations: the model named no relation for 11 of 12 pairs" in note for note in found.notes
    )


def test_each_stage_sees_the_answer_and_the_knowledge_before_it() -> None:
    by = model()
    found = reasoned(by)
    assert (found.answers.a, found.answers.ac, found.answers.ace) == ("maybe", "no", "yes")
    assert found.answer == "yes"
    first, second, third = prompts(by)[-3:]
    assert "(kiln, heats, iron)" in first
    assert "not soften" not in first
    assert "Answer so far: maybe" in second
    assert "(kiln, not made near, hinge)" in second
    assert "made near, anchor" not in second.replace("not made near", "")
    assert "Answer so far: maybe" in third
    assert "Answer so far: no" in third
    assert "(furnace, made near, anchor)" in third
    assert second.startswith(first.removesuffix("Answer:").rstrip())


def test_the_paper_makes_one_call_a_step_and_batches_give_the_same_with_few() -> None:
    # entities, relations, path, 3 inner pairs, 33 candidates, 12 open pairs, 3 answers
    one_by_one = model()
    alone = reasoned(one_by_one)
    assert len(one_by_one.asked) == 2 + 1 + 3 + 33 + 12 + 3
    # extraction, path, inner pairs, candidates in batches of 20, open pairs, 3 answers
    together = model()
    batched = reasoned(together, preset="calls")
    assert len(together.asked) == 1 + 1 + 1 + 2 + 1 + 3
    assert batched.knowledge == alone.knowledge
    assert batched.answers == alone.answers
    assert batched.uncertain == alone.uncertain


def test_independent_calls_go_out_together() -> None:
    found = reasoned(model())
    assert found.trace is not None
    steps = [step.name for step in found.trace.steps]
    assert steps == [
        "entities",
        "relations",
        "entity groups",
        "intermediate group",
        "inner-group",
        "veracity extrapolation",
        "open relations",
        "answer a",
        "answer a+c",
        "answer a+c+e",
    ]
