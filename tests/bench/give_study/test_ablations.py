"""Tables 5, 6 and 7 and figures 4 and 5: give with one option changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from graph_questions import (
    FEED,
    FIRST,
    GOLD,
    KEPT,
    KIND,
    SECOND,
    SLOW,
    SLOWS,
    STOP,
    VECTORS,
    answering_model,
    prompt_kind,
)
from knowing import Given

from probative.bench.studies.give import GiveConnections, GiveEncoders, GiveExamples, GiveShapes
from probative.bench.studies.give_entities import GiveEntities, ratio_finding, ratio_groups
from probative.models.types import Request
from probative.testing import ScriptedModel

from .conftest import Study, published, values

ALL = (STOP, FEED, KIND, SLOW, FIRST, SECOND, KEPT, SLOWS)
WRONG = {STOP: "no", FEED: "yes", KIND: "yes", SLOW: "no", FIRST: "rot", SECOND: "tar", KEPT: "cloud"}
WRONG[SLOWS] = "boat"


def model_that(is_right: Callable[[str, str, str], bool]) -> ScriptedModel:
    """Return a model whose answer is right if the function of question, stage and prompt says so."""
    plain = answering_model({text: dict.fromkeys(("a", "ac", "ace", "direct"), "?") for text in ALL})

    def reply(request: Request) -> str:
        prompt = request.messages[-1].content
        (completion,) = plain.generate([request])
        if completion.text != "?":
            return completion.text
        question = next(text for text in ALL if f"Question: {text}" in prompt)
        return GOLD[question] if is_right(question, prompt_kind(prompt), prompt) else WRONG[question]

    return ScriptedModel(generate=reply)


def test_connections_decide_which_knowledge_the_model_reads(study: Study) -> None:
    # A question is answered right from expert edges; with inner connections only, there are none, and no
    # near entity to relate either, so the model answers without knowledge.
    model = model_that(lambda question, kind, prompt: "(tar, stops, rot)" in prompt or question == KEPT)
    table, tests = study(GiveConnections(), model).tables
    assert values(table) == {
        "random answer": [33.3, 33.3, 50.0, 50.0],
        "always the commonest": [50.0] * 4,
        "Inner-group only": [0.0, 0.0, 0.0, 50.0],
        "Inter-group only": [100.0, 100.0, 100.0, 50.0],
        "Inner and inter group": [100.0, 100.0, 100.0, 50.0],
    }
    assert [row.name for row in tests.rows] == [
        "Inner-group only against Inner and inter group",
        "Inter-group only against Inner and inter group",
    ]
    assert values(tests)["Inner-group only against Inner and inter group"][::2] == [
        -100.0,
        -100.0,
        -100.0,
        0.0,
    ]
    assert published(table, "Inner-group only") == [14.0, 50.0, 70.0, 66.0]


def test_accuracy_by_entities_and_by_expert_ratio(study: Study) -> None:
    # p = 0: groups {tar}, {rot}; p = 1 adds salt and rust; their candidates are in the prompt.
    model = model_that(lambda question, kind, prompt: "salt" in prompt or question in (STOP, FIRST))
    report = study(GiveEntities(), model, counts="0,1")
    last = report.tables[2]
    assert {name: cells for name, cells in values(last).items() if name.startswith("p")} == {
        "p = 0": [50.0, 0.0, 50.0],
        "p = 1": [100.0, 100.0, 100.0],
    }
    ratios = report.tables[3]
    # p = 1 is the last of the two: it is studied. From {tar, salt} to {rot, rust}: two expert edges; the
    # other way none. Candidates: four pairs × (slows, stops) less two edges, and four pairs back × slows: 10,
    # all judged yes (tar first: 3) or no (7). So the ratio is 2 / 12.
    assert ratios.rows[0].name == "PubMedQA, group 1"
    assert values(ratios)["PubMedQA, group 1"] == [16.7, 100.0]
    lines, scatter = report.plots
    assert lines.series[0].points == ((0.0, 50.0), (1.0, 100.0))
    assert scatter.kind == "scatter"


def rated(number: int, ratio: float | None, answer: str) -> dict[str, object]:
    return {
        "set": "bioasq",
        "id": str(number),
        "gold": "yes",
        "answer": answer,
        "answers": {"a": "no", "ac": "no", "ace": answer},
        "expert_ratio": ratio,
        "error": None,
    }


def test_questions_are_grouped_by_expert_ratio() -> None:
    rows = [rated(n, n / 10, "yes" if n >= 4 else "no") for n in range(8)]
    groups = ratio_groups([*rows, rated(9, None, "yes")])
    assert [[row["id"] for row in group] for group in groups] == [
        ["0", "1"],
        ["2", "3"],
        ["4", "5"],
        ["6", "7"],
    ]
    # Ratios 0 to 0.7 against 0 0 0 0 1 1 1 1: covariance 0.1, deviations 0.2291 and 0.5.
    assert list(ratio_finding("BioASQ", rows)) == [
        "BioASQ: expert ratio and right answers correlate with +0.87 over 8 questions (the paper finds a "
        "positive one)."
    ]
    assert not list(ratio_finding("BioASQ", rows[:4]))


def test_knowledge_as_triples_and_as_text(study: Study) -> None:
    # The stage a is wrong, a+c right with triples only, a+c+e right with both.
    def is_right(question: str, kind: str, prompt: str) -> bool:
        return kind == "ace" or (kind == "ac" and "(rot, not slows, tar)" in prompt)

    table, tests = study(GiveShapes(), model_that(is_right), sets="pubmedqa,csqa").tables
    assert {name: cells for name, cells in values(table).items() if name.startswith("GIVE")} == {
        "GIVE a, triples": [0.0, 0.0],
        "GIVE a, text": [0.0, 0.0],
        "GIVE a+c, triples": [100.0, 100.0],
        "GIVE a+c, text": [0.0, 0.0],
        "GIVE a+c+e, triples": [100.0, 100.0],
        "GIVE a+c+e, text": [100.0, 100.0],
    }
    assert values(tests)["GIVE a+c, text against GIVE a+c, triples"][::2] == [-100.0, -100.0]
    assert published(table, "GIVE a+c+e, triples") == [52.0, 76.0]
    assert published(table, "GIVE a, text") == [None, None]


def test_up_to_ten_examples_stand_in_the_prompt(study: Study) -> None:
    # A yes-no question is right with at least 4 examples, a choice with 10.
    def is_right(question: str, kind: str, prompt: str) -> bool:
        wanted = 4 if question in (STOP, FEED) else 10
        return prompt.count("\nQuestion: ") - 1 >= wanted

    report = study(GiveExamples(), model_that(is_right), sets="pubmedqa,processbank")
    last = {name: cells for name, cells in values(report.tables[0]).items() if name.startswith("GIVE a+c+e")}
    assert last == {
        "GIVE a+c+e, 0 examples": [0.0, 0.0],
        "GIVE a+c+e, 1 example": [0.0, 0.0],
        "GIVE a+c+e, 2 examples": [0.0, None],
        "GIVE a+c+e, 3 examples": [0.0, 0.0],
        "GIVE a+c+e, 4 examples": [100.0, None],
        "GIVE a+c+e, 5 examples": [100.0, 0.0],
        "GIVE a+c+e, 7 examples": [None, 0.0],
        "GIVE a+c+e, 10 examples": [None, 100.0],
    }
    assert report.plots[0].series[1].points[-1] == (10.0, 100.0)


class Named(Given):
    """An encoder with a name of its own."""

    def __init__(self, name: str, vectors: dict[str, list[float]]) -> None:
        super().__init__(vectors)
        self.name = name


@pytest.mark.parametrize("order", [1, -1])
def test_each_encoder_finds_its_own_groups(study: Study, order: int) -> None:
    # For the second encoder rope, not salt, is nearest to tar.
    swapped = {**VECTORS, "rope": [0.95, 0.05, 0.0], "salt": [0.0, 0.0, 1.0]}
    encoders = [Named("all-mpnet-base-v2", VECTORS), Named("other", swapped)][::order]
    model = model_that(lambda question, kind, prompt: "salt" in prompt)
    table, tests = study(GiveEncoders(), model, sets="bioasq", encoders=encoders, entities=1).tables
    assert values(table)["GIVE a+c+e, all-mpnet-base-v2"] == [100.0]
    assert values(table)["GIVE a+c+e, other"] == [0.0]
    (last,) = [row for row in tests.rows if row.name.startswith("GIVE a+c+e")]
    assert values(tests)[last.name][0] == -100.0 * order
    assert published(table, "GIVE a+c+e, all-mpnet-base-v2") == [88.0]
