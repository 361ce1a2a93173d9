"""The preset `paper` of scope does what the paper says, each point followed by hand on a tiny example."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from probative import Answer, Check, Encoder, Request, Session, Verdict
from probative.scope.options import PRESETS, ScopeOptions
from probative.testing import ScriptedModel

pytestmark = pytest.mark.model

QUESTION = "In which town was the ship built that Ada Berg commanded?"
COMMANDED = "Ada Berg commanded the Sea Lark for nine years."
BUILT = "The Sea Lark was built in Molde."
ELSEWHERE = "The Sea Lark was built in Narvik."
GULLS = "Gulls nest on the quay."


class Judge:
    """Names the given features, and says yes where a passage has the word for a feature."""

    def __init__(self, nodes: Sequence[str], relations: Sequence[tuple[str, str, str]] = ()) -> None:
        self.nodes, self.relations = nodes, relations
        self.words = {
            "town": "built",
            "ship": "Sea Lark",
            "Ada Berg": "Ada Berg",
            "commanded by": "commanded",
        }
        self.prompts: list[str] = []

    def __call__(self, request: Request) -> str:
        prompt = request.messages[-1].content
        self.prompts.append(prompt)
        if request.json_schema is None:
            about, text = prompt.split("-----\n")[:2]
            words = [word for feature, word in self.words.items() if feature in about]
            return "yes" if words and all(word in text for word in words) else "no"
        links = [{"head": head, "predicate": said, "tail": tail} for head, said, tail in self.relations]
        known = {"intent": "town", "nodes": list(self.nodes), "relations": links}
        return json.dumps({name: known[name] for name in request.json_schema["properties"]})


@pytest.fixture
def judge() -> Judge:
    return Judge(["ship", "Ada Berg"], [("ship", "commanded by", "Ada Berg")])


def asked(
    judge: Judge,
    encoder: Encoder,
    texts: Sequence[str],
    replies: Sequence[str] = ("Molde",),
    **changes: Any,
) -> tuple[Answer, list[str]]:
    """Ask with the preset `paper`; returns also the prompts of the model that answers, which replies in turn
    and then repeats its last reply.
    """
    prompts: list[str] = []

    def answer(request: Request) -> str:
        prompts.append(request.messages[-1].content)
        return replies[min(len(prompts), len(replies)) - 1]

    model = ScriptedModel(generate=answer, name="answerer")
    judging = ScriptedModel(generate=judge, name="judge")
    with Session(model, judge_model=judging, encoder=encoder) as session:
        return session.ask(QUESTION, texts, preset="paper", **changes), prompts


def test_an_incomplete_chain_is_answered_from(judge: Judge, encoder: Encoder) -> None:
    answer, prompts = asked(judge, encoder, [BUILT, GULLS])
    assert answer.missing == ("node: Ada Berg", "relation: ship commanded by Ada Berg")
    assert (answer.answer, answer.verdict) == ("Molde", Verdict.INSUFFICIENT)
    assert BUILT in prompts[0]
    assert GULLS not in prompts[0]
    withheld, prompts = asked(judge, encoder, [BUILT, GULLS], answer_anyway=False)
    assert (withheld.answer, prompts) == (None, [])


def test_a_contradiction_is_neither_looked_for_nor_in_the_way(judge: Judge, encoder: Encoder) -> None:
    answer, prompts = asked(judge, encoder, [COMMANDED, BUILT, ELSEWHERE])
    assert answer.conflicts == ()
    assert (answer.answer, answer.verdict) == ("Molde", Verdict.SUPPORTED)
    # Phase 1 of Algorithm 1 takes every passage with the intent, also the one that says Narvik.
    assert ELSEWHERE in prompts[0]
    looked, _ = asked(judge, encoder, [COMMANDED, BUILT, ELSEWHERE], conflicts=True, answer_anyway=False)
    assert (looked.answer, looked.verdict) == (None, Verdict.CONTRADICTED)


def test_without_any_chain_the_model_is_still_asked(judge: Judge, encoder: Encoder) -> None:
    answer, prompts = asked(judge, encoder, [GULLS])
    assert answer.chain == ()
    assert (answer.answer, answer.verdict) == ("Molde", Verdict.INSUFFICIENT)
    assert len(prompts) == 1
    assert GULLS not in prompts[0]
    refused, prompts = asked(judge, encoder, [GULLS], answer_without_chain=False)
    assert (refused.answer, prompts) == (None, [])


def test_no_prompt_for_an_answer_offers_unknown(judge: Judge, encoder: Encoder) -> None:
    _, written = asked(judge, encoder, [COMMANDED, BUILT])
    _, unread = asked(judge, encoder, [GULLS])
    assert all("unknown" not in prompt for prompt in (*written, *unread))
    _, offered = asked(judge, encoder, [COMMANDED, BUILT], answer_anyway=False)
    assert "unknown" in offered[0]


def test_an_unknown_is_asked_once_more_without_texts(judge: Judge, encoder: Encoder) -> None:
    answer, prompts = asked(judge, encoder, [COMMANDED, BUILT], ["unknown", "Narvik"])
    assert (answer.answer, answer.verdict, answer.citations) == ("Narvik", Verdict.INSUFFICIENT, ())
    assert [BUILT in prompt for prompt in prompts] == [True, False]
    assert QUESTION in prompts[1]
    assert "the model found no answer in the texts, and was asked again without them" in answer.notes
    final, prompts = asked(judge, encoder, [COMMANDED, BUILT], ["unknown"], answer_anyway=False)
    assert (final.answer, len(prompts)) == (None, 1)


def test_a_model_that_says_unknown_twice_is_not_asked_again(judge: Judge, encoder: Encoder) -> None:
    answer, prompts = asked(judge, encoder, [COMMANDED, BUILT], ["unknown"])
    assert (answer.answer, len(prompts)) == (None, 2)
    assert "asked without texts, the model gave no answer" in answer.notes
    _, prompts = asked(judge, encoder, [GULLS], ["unknown"])
    assert len(prompts) == 1  # there was no text to leave out


def test_both_extraction_prompts_show_five_examples(judge: Judge, encoder: Encoder) -> None:
    asked(judge, encoder, [BUILT])
    features, relations = judge.prompts[:2]
    assert features.count("\nQuestion: ") == relations.count("\nQuestion: ") == 5 + 1  # and the question
    assert features.count('{"intent"') == relations.count('{"relations"') == 5
    judge.prompts.clear()
    asked(judge, encoder, [BUILT], examples=2)
    assert judge.prompts[0].count('{"intent"') == judge.prompts[1].count('{"relations"') == 2


def test_the_examples_of_the_first_versions_form_are_five_too(judge: Judge, encoder: Encoder) -> None:
    judge.relations = ()
    asked(judge, encoder, [BUILT], form="described")
    assert judge.prompts[1].count('{"relations"') == 5
    assert judge.prompts[1].count('"description": "') > 5


def test_all_nodes_and_relations_are_used(encoder: Encoder) -> None:
    nodes = [f"pier {number}" for number in range(14)]
    links = [(nodes[0], "is beside", node) for node in nodes[1:]]
    answer, _ = asked(Judge(nodes, links), encoder, [BUILT])
    assert answer.features is not None
    assert (len(answer.features.nodes), len(answer.features.relations)) == (14, 13)
    fewer, _ = asked(Judge(nodes, links), encoder, [BUILT], max_nodes=10, max_relations=5)
    assert fewer.features is not None
    assert (len(fewer.features.nodes), len(fewer.features.relations)) == (10, 5)


def test_every_passage_is_judged(judge: Judge, encoder: Encoder) -> None:
    texts = [f"Gull number {number} sat on the quay." for number in range(205)]
    judge.relations = ()
    asked(judge, encoder, texts)
    assert len(judge.prompts) == 2 + 205 * 3  # two extractions; the intent and two nodes for each passage
    judge.prompts.clear()
    asked(judge, encoder, texts, candidates=200)
    assert len(judge.prompts) == 2 + 200 * 3


def test_nothing_is_looked_up_after_the_first_retrieval(judge: Judge, encoder: Encoder) -> None:
    queries: list[str] = []

    def retriever(query: str, n: int) -> list[str]:
        queries.append(query)
        return [BUILT]

    asked(judge, encoder, [], retriever=retriever)
    assert queries == [QUESTION]
    asked(judge, encoder, [], retriever=retriever, rounds=1)
    assert len(queries) > 2


def checked(judge: Judge, encoder: Encoder, texts: Sequence[str], **changes: Any) -> Check:
    judging = ScriptedModel(generate=judge, name="judge")
    with Session(judging, encoder=encoder) as session:
        return session.check(QUESTION, texts, preset="paper", **changes)


def test_knowledge_is_judged_as_one_text(judge: Judge, encoder: Encoder) -> None:
    """Ada Berg stands in the one passage and what she did in the other: only both show the relation."""
    texts = ["Ada Berg went to sea at twelve.", "She commanded the Sea Lark, which was built in Molde."]
    assert checked(judge, encoder, texts).complete
    assert len(judge.prompts) == 2 + 4
    piecewise = checked(judge, encoder, texts, whole_knowledge=False)
    assert piecewise.missing == ("relation: ship commanded by Ada Berg",)


def test_the_other_presets_keep_their_choices() -> None:
    ours = ScopeOptions()
    for name, options in PRESETS.items():
        changed = {
            field
            for field in ("examples", "max_nodes", "max_relations", "candidates", "rounds", "conflicts")
            if getattr(options, field) != getattr(ours, field)
        }
        given = {options.answer_anyway, options.answer_without_chain, options.whole_knowledge}
        assert (len(changed), given) == ((6, {True}) if name == "paper" else (0, {False}))
