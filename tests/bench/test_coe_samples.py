"""Perturbations, wrong answers, irrelevant text and the judge's replies, each with its check."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from coe_world import FEATURES, INTENT, LARK, PAGES, judge, open_lab, run_all, write_world

from probative.bench.data.pages import Collection
from probative.bench.families.coe.builder import ModelBuilder, RuleBuilder
from probative.bench.families.coe.candidates import (
    QUERY,
    Candidate,
    irrelevant_sentences,
    read_candidates,
    replace_mentions,
)
from probative.bench.families.coe.sample import generalise_node, remove_features, remove_sentences
from probative.bench.families.coe.trials import fill_to_share, mix, share_of
from probative.bench.studies.coe import CoeNoise
from probative.bench.study import Lab
from probative.errors import InputError
from probative.models.types import Request
from probative.scope.question import Features, Node, Relation
from probative.testing import ScriptedModel
from probative.types import Passage

HEAD, LINK, TAIL = FEATURES[LARK]
LARK_FEATURES = Features(
    intent=INTENT,
    nodes=(Node(text=HEAD), Node(text=TAIL)),
    relations=(Relation(head=HEAD, predicate=LINK, tail=TAIL),),
)
CANDIDATE = Candidate(
    id="lark",
    set="hotpotqa",
    question=LARK,
    answer="Molde",
    pieces=tuple(text for _, text, gold in PAGES[LARK] if gold),
    titles=tuple(title for title, _, gold in PAGES[LARK] if gold),
)


def builder(script: object = judge) -> ModelBuilder:
    return ModelBuilder(ScriptedModel(generate=script))  # type: ignore[arg-type]


def test_the_judge_model_extracts_and_discriminates() -> None:
    asked = builder()
    features = asked.features(LARK)
    assert features == LARK_FEATURES
    assert asked.missing(LARK, features, CANDIDATE.pieces) == ()
    assert asked.missing(LARK, features, CANDIDATE.pieces[1:]) == (
        "node: builder",
        "node: ferry Sea Lark",
        "relation: builder launched ferry Sea Lark",
    )


def test_a_tuned_reader_extracts_in_its_own_form() -> None:
    lines = f"intent: {INTENT}\nnodes: {HEAD} ; {TAIL}\nrelations: {HEAD} | {LINK} | {TAIL}"
    model = ScriptedModel(generate=lines, reader=True)
    assert ModelBuilder(model).features(LARK) == LARK_FEATURES
    (request,) = model.asked
    assert isinstance(request, Request)
    assert request.messages[0].content == "features"
    judging = ScriptedModel(generate="x", choose=lambda prompt, options: (1.0, 0.0), reader=True)
    assert ModelBuilder(judging).missing(LARK, LARK_FEATURES, CANDIDATE.pieces) == ()


def test_senp_never_removes_a_sentence_with_the_answer() -> None:
    answered = CANDIDATE.model_copy(update={"answer": "Ole Brandt"})
    perturbed = remove_sentences(builder(), answered, LARK_FEATURES, random.Random(1))
    assert perturbed.failed == "no sentence can be removed"


def test_senp_stops_at_the_first_removal_that_breaks_the_chain() -> None:
    extra = ("The builder rested.", "The ferry Sea Lark sailed.")
    longer = CANDIDATE.model_copy(update={"pieces": (*CANDIDATE.pieces, *extra)})
    perturbed = remove_sentences(builder(), longer, LARK_FEATURES, random.Random(2))
    assert perturbed.missing
    assert CANDIDATE.pieces[1] in perturbed.pieces
    left = [piece for piece in longer.pieces if piece in perturbed.pieces]
    assert list(perturbed.pieces) == left  # in the order of the evidence


def test_senp_fails_where_the_rest_is_always_a_chain() -> None:
    always = builder(lambda request: "yes")
    perturbed = remove_sentences(always, CANDIDATE, LARK_FEATURES, random.Random(1))
    assert perturbed.failed == "a CoE whatever sentence is removed"


def test_wordp_leaves_no_mention_of_the_node() -> None:
    perturbed = generalise_node(builder(), CANDIDATE, LARK_FEATURES, random.Random(1))
    text = " ".join(perturbed.pieces)
    assert "thing" in text
    assert (HEAD in text) != (TAIL in text)
    assert perturbed.missing


def test_wordp_refuses_an_expression_that_repeats_the_node() -> None:
    def repeat(request: Request) -> str:
        prompt = request.messages[-1].content
        return f"the {prompt.splitlines()[-2].removeprefix('Phrase: ')} thing"

    perturbed = generalise_node(builder(repeat), CANDIDATE, LARK_FEATURES, random.Random(1))
    assert perturbed.failed == "no node has a usable broader expression"


def test_a_rewriting_that_loses_another_feature_is_asked_for_again_and_then_given_up() -> None:
    asked: list[int] = []

    def careless(request: Request) -> str:
        if request.messages[-1].content.endswith("Rewritten:"):
            asked.append(request.sample)
            return "1. Somebody launched something.\n2. Ole Brandt sat in Molde."
        return judge(request)

    perturbed = remove_features("intent", builder(careless), CANDIDATE, LARK_FEATURES)
    assert perturbed.failed == "no rewriting of 3 lacks the intent and nothing else"
    assert asked == [0, 1, 2]


@pytest.mark.parametrize(
    ("replies", "wrong"),
    [
        (["Bergen"], "Bergen"),
        (['"Bergen".'], "Bergen"),
        (["1871", "Bergen"], "Bergen"),  # another form: asked again
        (["molde", "Ole Brandt", "Molde town"], None),  # the same, in the evidence, the same and more
        (["", "", ""], None),
    ],
)
def test_a_wrong_answer_has_the_form_of_the_right_one_and_is_not_in_the_evidence(
    replies: Sequence[str], wrong: str | None
) -> None:
    assert builder(list(replies)).wrong_answer(CANDIDATE, random.Random(1)) == wrong


def test_misinformation_names_the_wrong_answer_and_never_the_right_one() -> None:
    replies = ["1. It was Bergen.\n2. Bergen, not Molde.\n3. It was a town.\n4) It was Bergen.\nBergen."]
    assert builder(replies).misinformation(CANDIDATE, "Bergen", 10) == ["It was Bergen."]


def test_misinformation_is_asked_for_until_there_is_enough_of_it() -> None:
    prompts: list[str] = []

    def reply(request: Request) -> str:
        prompts.append(request.messages[-1].content)
        return f"1. It was Bergen.\n2. Record {len(prompts)} says Bergen."

    texts = builder(reply).misinformation(CANDIDATE, "Bergen", 56)
    assert texts == ["It was Bergen.", *(f"Record {number} says Bergen." for number in (1, 2))]
    assert "Write 3 different sentences" in prompts[0]
    assert "Write others" not in prompts[0]
    assert "Write others than these:\n- It was Bergen.\n- Record 1 says Bergen.\n" in prompts[1]
    tired = builder(["1. It was Bergen."] * 8)
    assert tired.misinformation(CANDIDATE, "Bergen", 60) == ["It was Bergen."]


@pytest.mark.parametrize("characters", [1, 300, 5_000])
def test_rules_write_enough_without_repeating_a_sentence(characters: int) -> None:
    texts = RuleBuilder(()).misinformation(CANDIDATE, "Bergen", characters)
    assert len(set(texts)) == len(texts)
    assert sum(map(len, texts[:-1])) < characters <= sum(map(len, texts))
    assert all("Bergen" in text and "Molde" not in text for text in texts)


def test_irrelevant_text_comes_by_the_paper_query_and_supports_nothing() -> None:
    asked: list[str] = []

    class Asked(Collection):
        def __call__(self, query: str, n: int) -> list[Passage]:
            asked.append(query)
            return super().__call__(query, n)

    pages = [
        Passage(text="The ferry Sea Lark is loud. A ferry Sea Lark man was from Molde.", title="Noise"),
        Passage(text="Ole Brandt, builder, slept.", title="Ole Brandt"),
        Passage(text="A builder builds.", title="Builder"),
    ]
    found = irrelevant_sentences(Asked(pages), CANDIDATE, [HEAD, TAIL])
    assert asked == [QUERY.format(node=HEAD), QUERY.format(node=TAIL)]
    # A gold page and a sentence with the answer are left out.
    assert set(found) == {"The ferry Sea Lark is loud.", "A builder builds."}


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_the_share_is_one_of_characters(share: float) -> None:
    pieces = ["word " * 40]
    others = fill_to_share(pieces, ["some other words that go on for a while", "more of it"], share)
    assert abs(share_of(others, pieces) - share) < 0.02
    assert fill_to_share(pieces, others, 0.0) == []


def test_mixing_keeps_the_order_of_the_evidence() -> None:
    mixed = mix(["one", "two", "three"], ["x"] * 5, random.Random(4))
    assert [text for text in mixed if text != "x"] == ["one", "two", "three"]
    assert len(mixed) == 8


def test_rules_take_wrong_answers_of_the_same_form_from_other_questions() -> None:
    rules = RuleBuilder(["1871", "Bergen", "Ole Brandt", "Molde", "a town"])
    assert rules.wrong_answer(CANDIDATE, random.Random(1)) == "Bergen"
    assert RuleBuilder(["1871"]).wrong_answer(CANDIDATE, random.Random(1)) is None
    with pytest.raises(InputError, match="without the intent"):
        rules.rewrite("intent", CANDIDATE, LARK_FEATURES, 0)


def test_a_judge_that_says_neither_yes_nor_no_is_counted(tmp_path: Path) -> None:
    lab = open_lab(write_world(tmp_path / "data"))
    session = type(lab.session)(model=ScriptedModel(generate="perhaps Molde"))
    _, report = run_all(CoeNoise(), Lab(session, lab.judge, lab.settings))
    (finding,) = [finding for finding in report.findings if "neither yes nor no" in finding]
    assert "72 of 72 answers" in finding  # two samples, three contexts, four shares, three repeats
    cell = report.tables[0].rows[0].cells[0]
    assert not isinstance(cell, str)
    assert (cell.value, cell.n) == (0.0, 1)


def test_an_answer_of_rgb_has_all_its_spellings_and_the_one_its_texts_use_comes_first(tmp_path: Path) -> None:
    row = {
        "id": 1,
        "query": "When did the Lark sink?",
        "answer": [["3 May 1871", "May 3, 1871", "3rd May 1871"]],
        "fakeanswer": "1 June 1880",
        "positive": ["It sank on May 3, 1871. On May 3, 1871 it blew. All say 3 May 1871."],
        "positive_wrong": [],
        "negative": [],
    }
    (tmp_path / "rgb").mkdir()
    (tmp_path / "rgb/en_fact.json").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (candidate,) = read_candidates(tmp_path, "rgb")
    assert candidate.accepted == ("May 3, 1871", "3 May 1871", "3rd May 1871")
    assert replace_mentions(candidate.accepted, "1 June 1880", candidate.pieces) == (
        "It sank on 1 June 1880.",
        "On 1 June 1880 it blew.",
        "All say 1 June 1880.",
    )
