"""The preset `paper` of give does what the paper says, each point followed by hand on a tiny graph."""

from __future__ import annotations

import json
from typing import Any

import pytest
from kiln import EDGES, QUESTION, VECTORS, model, names, prompts
from knowing import Given, knowing_model
from servers import Saying

from probative import Reasoning, load_model, reason
from probative.give.answer import HEADINGS, examples_for
from probative.give.options import PRESETS, GiveOptions
from probative.give.query import make_query
from probative.testing import ScriptedModel

ASKED = (
    make_query("Is moss green?"),
    make_query("Which floats?", ["iron", "cork"]),
    make_query("What softens iron?"),
)
LOGIC = "no\nLogic chain: A kiln heats iron.\nHeat softens it."


def reasoned(by: ScriptedModel, **options: Any) -> Reasoning:
    return reason(QUESTION, EDGES, model=by, encoder=Given(VECTORS), **{"preset": "paper", **options})


def test_p_other_entities_join_an_entity_that_the_graph_has_too() -> None:
    """Kiln and hinge are not in the graph, and iron is: each gets p more."""
    by = model()
    found = reasoned(by, entities=1)
    assert names(found) == [["kiln", "furnace"], ["hinge", "anchor"], ["iron", "ore"]]
    # Three inner pairs, the candidates of test_give_algorithm.py, open pairs of three groups of two; and
    # entities, relations, path and three answers.
    assert len(by.asked) == 2 + 1 + 3 + 33 + 12 + 3
    assert [len(group) for group in names(reasoned(model()))] == [3, 3, 3]


def test_the_nearest_entity_joins_however_far_it_is() -> None:
    vectors = {**VECTORS, "kiln": [-1.0, 0.0, 0.0, 0.0], "anchor": [1.0, 0.0, 0.0, 0.0]}
    edges = [("furnace", "made near", "anchor")]
    told: dict[str, Any] = {"encoder": Given(vectors), "preset": "paper", "entities": 1}
    found = reason(QUESTION, edges, model=knowing_model(entities=["kiln"]), **told)
    assert names(found) == [["kiln", "furnace"]]
    assert found.groups[0].members[1].cosine == -1.0
    limited = reason(QUESTION, edges, model=knowing_model(entities=["kiln"]), **told, min_cosine=-0.9)
    assert names(limited) == [["kiln"]]


def test_a_path_may_lead_through_an_entity_of_a_group() -> None:
    """Anchor is in the group of hinge, and the only way from furnace to hinge."""
    edges = [("furnace", "made near", "anchor"), ("anchor", "holds", "hinge")]
    told: dict[str, Any] = {"encoder": Given(VECTORS), "preset": "paper", "entities": 1}
    found = reason(QUESTION, edges, model=knowing_model(entities=["kiln", "hinge"]), **told)
    assert str(found.path) == "(furnace, made near, anchor, holds, hinge)"
    assert names(found) == [["kiln", "furnace"], ["hinge", "anchor"], ["anchor", "hinge"]]
    told["through_members"] = False
    around = reason(QUESTION, edges, model=knowing_model(entities=["kiln", "hinge"]), **told)
    assert around.path is None


def test_a_path_has_three_entities() -> None:
    edges = [("furnace", "heats", "furnace"), ("furnace", "made near", "anchor")]
    told: dict[str, Any] = {"encoder": Given(VECTORS), "preset": "paper", "entities": 0}
    by = knowing_model(entities=["furnace", "anchor"])
    assert reason(QUESTION, edges, model=by, **told).path is None


def test_the_prompts_for_entities_relations_and_phrases_show_examples() -> None:
    by = model()
    reasoned(by)
    asked = prompts(by)
    entities, relations = asked[:2]
    assert entities.count('{"entities": [') == relations.count('{"relations": [') == 3
    phrases = [prompt for prompt in asked if prompt.endswith("Phrase:")]
    assert phrases
    assert all(prompt.count("Phrase: ") == 3 for prompt in phrases)
    bare = model()
    reasoned(bare, step_examples=0)
    assert prompts(bare)[0].count("Question: ") == 1


def test_the_answer_comes_with_a_logic_chain() -> None:
    by = model(answers=["maybe\nLogic chain: Not enough.", LOGIC, LOGIC.replace("no\n", "Yes.\n")])
    found = reasoned(by)
    assert (found.answers.a, found.answers.ac, found.answers.ace) == ("maybe", "no", "yes")
    assert found.rationale == "A kiln heats iron. Heat softens it."
    first, second, _ = prompts(by)[-3:]
    assert 'begins with "Logic chain:"' in first
    assert first.count("\nLogic chain: ") == 3  # one in each worked example
    assert "Answer so far: maybe\n" in second
    assert "Not enough" not in second  # only the answer goes on to the next stage
    silent = model()
    assert reasoned(silent, logic_chain=False).rationale is None
    assert "Logic chain" not in prompts(silent)[-1]


@pytest.mark.parametrize(
    ("reply", "answer"),
    [("yes", "yes"), ("Logic chain: It floats.\nyes", "yes"), ("No. LOGIC CHAIN: yes and no", "no")],
)
def test_the_answer_is_read_apart_from_the_chain(reply: str, answer: str) -> None:
    assert reasoned(model(answers=[reply] * 3)).answer == answer


def test_a_free_answer_ends_before_the_chain() -> None:
    by = knowing_model(entities=["kiln"], answers=["the heat of a fire\nLogic chain: It burns."] * 3)
    found = reason("What softens iron?", EDGES, model=by, encoder=Given(VECTORS), preset="paper")
    assert make_query("What softens iron?").form == "text"
    assert (found.answer, found.rationale) == ("the heat of a fire", "It burns.")


def test_edges_of_the_graph_are_printed_as_they_are() -> None:
    by = model()
    found = reasoned(by, entities=1)
    last = prompts(by)[-1].splitlines()
    (expert,) = [line for line in last[last.index(f"Question: {QUESTION}") :] if "expert" in line]
    assert expert.endswith(": (furnace, made near, anchor), (furnace, heats, iron), (iron, part of, anchor)")
    assert {triple.relation for triple in found.knowledge.expert} == {"made near", "heats", "part of"}
    text = model()
    reasoned(text, entities=1, shape="text")
    assert "furnace heats iron." in prompts(text)[-1]


def test_the_worked_examples_show_the_stages() -> None:
    by = model()
    reasoned(by)
    shown = [prompt.partition(f"Question: {QUESTION}")[0] for prompt in prompts(by)[-3:]]
    for number, (examples, whole) in enumerate(zip(shown, prompts(by)[-3:], strict=True), 1):
        for stage, heading in enumerate(HEADINGS, 1):
            assert examples.count(f"\n{heading}: (") == (3 if stage <= number else 0)
            assert whole.count(f"\n{heading}: ") == (4 if stage <= number else 0)
        assert examples.count("\nAnswer so far: ") == 3 * (number - 1)
        assert "Knowledge: " not in examples
    plain = model()
    reasoned(plain, staged_examples=False)
    assert prompts(plain)[-1].count("\nKnowledge: ") == 3
    assert prompts(plain)[-1].count(f"\n{HEADINGS[0]}: ") == 1


def test_your_own_examples_show_what_they_have() -> None:
    cork = {"head": "cork", "relation": "floats on", "tail": "water"}
    sand = {"head": "sand", "relation": "not floats on", "tail": "water"}
    example: dict[str, Any] = {"question": "Does cork float?", "answer": "yes", "knowledge": [cork]}
    staged = {**example, "sets": {"affirmative": [cork], "counterfactual": [sand]}}
    for one, denied in ((example, "none"), (staged, "(sand, not floats on, water)")):
        by = model()
        reasoned(by, examples=1, worked=[one])
        assert (
            "Question: Does cork float?\n"
            f"What seems to hold: (cork, floats on, water)\nAnswer so far: yes\n"
            f"What seems not to hold: {denied}\nAnswer so far: yes\n"
            "What an expert knowledge graph says: none\nAnswer: yes"
        ) in prompts(by)[-1]


@pytest.mark.parametrize("form", ["yes-no", "choice", "text"])
def test_every_example_of_ours_has_all_three_sets(form: str) -> None:
    examples = [example for query in ASKED for example in examples_for(query, 10) if query.form == form]
    assert len(examples) == 10
    for example in examples:
        assert example.sets is not None
        assert example.sets.affirmative
        assert example.sets.expert
        assert all(triple.relation.startswith("not ") for triple in example.sets.counterfactual)
        assert len({*example.sets.affirmative, *example.sets.counterfactual, *example.sets.expert}) >= 3


def test_every_stage_is_asked_even_without_new_knowledge() -> None:
    alone: dict[str, Any] = {
        "entities": ["kiln"],
        "relations": [],
        "related": {("kiln", "furnace"): "is like"},
    }
    by = knowing_model(**alone, answers=["maybe", "no", "yes"])
    found = reasoned(by, entities=1)
    assert (found.answers.a, found.answers.ac, found.answers.ace) == ("maybe", "no", "yes")
    assert found.knowledge.counterfactual == found.knowledge.expert == ()
    assert "What seems not to hold: none" in prompts(by)[-2]
    skipping = knowing_model(**alone, answers=["maybe"])
    assert reasoned(skipping, entities=1, ask_every_stage=False).answers.ace == "maybe"


def test_all_entities_and_relations_of_the_question_count() -> None:
    listed = [f"thing {number}" for number in range(15)]
    relations = [f"rubs {number}" for number in range(10)]
    options: dict[str, Any] = {"entities": 0, "connections": "inner"}
    found = reasoned(knowing_model(entities=listed, relations=relations), **options)
    assert (len(found.entities), len(found.relations)) == (15, 10)
    limited: dict[str, Any] = {"max_entities": 12, "max_relations": 8}
    fewer = reasoned(knowing_model(entities=listed, relations=relations), **options, **limited)
    assert (len(fewer.entities), len(fewer.relations)) == (12, 8)


def many_paths(count: int) -> list[tuple[str, str, str]]:
    edges = [("furnace", "warms", f"stone {number}") for number in range(count)]
    return edges + [(f"stone {number}", "rests on", "anchor") for number in range(count)]


def offered(by: ScriptedModel) -> int:
    (prompt,) = [prompt for prompt in prompts(by) if prompt.endswith("Number:")]
    return prompt.count("warms")


def test_the_model_chooses_among_all_paths() -> None:
    by = knowing_model(entities=["furnace", "anchor"])
    options: dict[str, Any] = {"model": by, "encoder": Given(VECTORS), "preset": "paper", "entities": 0}
    reason(QUESTION, many_paths(30), **options)
    assert offered(by) == 30
    limited = knowing_model(entities=["furnace", "anchor"])
    reason(QUESTION, many_paths(30), **{**options, "model": limited, "paths": 20})
    assert offered(limited) == 20


def test_of_too_many_paths_the_model_sees_those_that_fit() -> None:
    by = knowing_model(entities=["furnace", "anchor"], window=500)
    found = reason(
        QUESTION, many_paths(100), model=by, encoder=Given(VECTORS), preset="paper", entities=0, examples=0
    )
    # 300 of the 500 words are for paths of 9 words with their number.
    assert 20 < offered(by) < 40
    assert any("two-hop paths: 100, of which the model saw the" in note for note in found.notes)


def reasoned_at_a_server(limit: int | None, **settings: Any) -> tuple[Reasoning, int]:
    """The result over 2,000 paths, and the characters of the longest prompt that the server took."""
    known = knowing_model(entities=["furnace", "anchor"])

    def answer(asked: str) -> str:
        if asked.startswith("Which"):
            return json.dumps({"entities": ["furnace", "anchor"], "relations": ["holds"]})
        answered.append(len(asked))
        return known.generate([asked])[0].text

    answered: list[int] = []
    says = {"/v1/models": {"data": [{"id": "m", "max_model_len": limit}]}}
    with Saying(says, window=limit, answer=answer) as server:
        model = load_model("openai:m", base_url=server.base_url, cache=False, **settings)
        options: dict[str, Any] = {"encoder": Given(VECTORS), "preset": "paper", "entities": 0}
        found = reason(QUESTION, many_paths(2_000), model=model, **options)
        model.close()
    assert found.answer == "yes"
    return found, max(answered)


def test_the_prompt_of_all_paths_is_long_where_nobody_knows_the_window() -> None:
    found, longest = reasoned_at_a_server(None)
    assert longest > 94_000
    assert not any("window" in note or "two-hop paths" in note for note in found.notes)


def test_a_server_with_a_small_window_is_shown_the_paths_that_fit() -> None:
    found, longest = reasoned_at_a_server(8_192)
    assert 10_000 < longest < 8_192 * 4
    assert any("two-hop paths: 2,000, of which the model saw the" in note for note in found.notes)
    assert not any("left out" in note for note in found.notes)


def test_what_a_server_refuses_for_a_wrong_setting_is_cut_with_a_note() -> None:
    found, longest = reasoned_at_a_server(8_192, window=100_000)
    assert 10_000 < longest < 8_192 * 4
    assert any("whose middle was left out: 1 of intermediate group" in note for note in found.notes)


def test_the_other_presets_keep_their_choices() -> None:
    ours = GiveOptions()
    switches = ["max_entities", "max_relations", "step_examples", "min_cosine", "through_members"]
    switches += ["staged_examples", "logic_chain"]
    for name in ("calls", "small"):
        assert all(getattr(PRESETS[name], switch) == getattr(ours, switch) for switch in switches)
        assert not PRESETS[name].ask_every_stage
    assert (PRESETS["calls"].paths, PRESETS["small"].paths) == (20, 1)
    assert all(getattr(PRESETS["paper"], switch) != getattr(ours, switch) for switch in switches)
