"""GraphRAG: communities, their summaries, the answers from each, and the one made of them."""

from __future__ import annotations

import importlib
import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from word_vectors import WordVectors

from probative import InputError, MissingExtraError, Reasoning, reason, reason_all
from probative.baselines.graphs import graphrag as module
from probative.baselines.graphs.graphrag import MAX_NAMES, Report, communities, read_partial
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.graph.graph import Graph
from probative.models.types import Request
from probative.testing import ScriptedModel


def clique(*names: str) -> list[tuple[str, str, str]]:
    return [(a, "near", b) for a, b in itertools.permutations(names, 2)]


# Two dense parts, joined by one edge, and one that stands apart.
PLANTS, TOOLS, SEA = ("moss", "fern", "slug"), ("saw", "axe", "file", "rasp"), ("whale", "krill")
GRAPH = [*clique(*PLANTS), *clique(*TOOLS), ("moss", "cut by", "saw"), *clique(*SEA)]
QUESTION = "Do slugs eat moss?"


def model(helped: dict[str, str], final: str = "yes", **more: Any) -> ScriptedModel:
    """Names a report after its first entity; rates reports by that name."""

    def answer(request: Request) -> str:
        prompt = request.messages[-1].content
        if prompt.endswith("Report:"):
            return "All about " + prompt.split("Things: ")[1].split(",")[0]
        if "Helped: a number" in prompt:
            return helped[prompt.rsplit("All about ", 1)[1].split("\n")[0]]
        return final

    return ScriptedModel(generate=answer, **more)


def ask_graphrag(one: ScriptedModel, **more: Any) -> Reasoning:
    more.setdefault("graph", GRAPH)
    return reason(QUESTION, method="graphrag", model=one, encoder=WordVectors(), **more)


RATED = {
    "moss": "Answer: yes, slugs eat moss\nHelped: 90",
    "saw": "Answer: no idea\nHelped: 0",
    "whale": "Answer: maybe\nHelpful: 15 of 100",
}


def prompts(one: ScriptedModel) -> list[str]:
    return [each.messages[-1].content for each in one.asked if isinstance(each, Request)]


def test_communities_are_the_dense_parts_the_largest_first() -> None:
    graph = Graph.from_triples(GRAPH)
    found = communities(graph, GiveBaselineOptions())
    assert [{graph.entities[one] for one in part.entities} for part in found] == [
        set(TOOLS),
        set(PLANTS),
        set(SEA),
    ]
    assert [len(part.rows) for part in found] == [12, 6, 2]
    # The most connected come first: saw and moss have the joining edge.
    assert graph.entities[found[0].entities[0]] == "saw"
    assert {graph.entities[end] for end in (found[1].rows[0][0], found[1].rows[0][2])} >= {"moss"}


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 1), st.integers(0, 8)), min_size=1, max_size=40),
    st.integers(0, 3),
)
def test_communities_part_the_entities_and_are_the_same_each_time(
    rows: list[tuple[int, int, int]], seed: int
) -> None:
    graph = Graph.from_triples([(f"e{a}", f"r{r}", f"e{b}") for a, r, b in rows])
    found = communities(graph, GiveBaselineOptions(seed=seed))
    members = [entity for part in found for entity in part.entities]
    assert len(members) == len(set(members))
    for part in found:
        assert part.rows
        assert {end for head, _, tail in part.rows for end in (head, tail)} <= set(part.entities)
    assert tuple(module._louvain(graph, seed)) == found


def test_the_answer_comes_from_the_parts_that_helped() -> None:
    one = model(RATED)
    found = ask_graphrag(one, examples=0)
    assert found.answer == "yes"
    assert found.usage.calls == 3 + 3 + 1
    summaries, partials, (final,) = prompts(one)[:3], prompts(one)[3:6], prompts(one)[6:]
    assert "Things: saw, axe, file, rasp" in summaries[0]
    assert "(moss, near, fern)" in summaries[1]
    assert "cut by" not in "".join(summaries)  # an edge between communities belongs to neither
    assert all(QUESTION not in prompt for prompt in summaries)
    assert all(QUESTION in prompt for prompt in partials)
    assert "yes, slugs eat moss (helped 90 of 100); maybe (helped 15 of 100)" in final
    assert "no idea" not in final
    assert {triple.head for triple in found.knowledge.expert} == {*PLANTS, *SEA}
    assert found.rationale == "90: yes, slugs eat moss ← All about moss\n15: maybe ← All about whale"
    assert found.notes == ("communities that were summarised: 3",)


def test_only_the_best_intermediate_answers_are_used() -> None:
    one = model(RATED)
    ask_graphrag(one, best=1)
    assert "(helped 90 of 100)\n" in prompts(one)[-1]
    assert "(helped 15 of 100)" not in prompts(one)[-1]


def test_summaries_are_made_once_for_a_graph_and_a_model() -> None:
    one = model(RATED)
    graph = Graph.from_triples(GRAPH)
    for _ in range(3):
        assert ask_graphrag(one, graph=graph).answer == "yes"
    assert len([prompt for prompt in prompts(one) if prompt.endswith("Report:")]) == 3
    other = model(RATED)
    ask_graphrag(other, graph=graph)
    assert len([prompt for prompt in prompts(other) if prompt.endswith("Report:")]) == 3


def test_questions_side_by_side_ask_for_the_same_summaries_word_for_word() -> None:
    one = model(RATED)
    cases = [{"question": f"Do slugs eat {what}?"} for what in ("moss", "fern")]
    assert len(list(reason_all(cases, GRAPH, method="graphrag", model=one, encoder=WordVectors()))) == 2
    summaries = [
        each
        for each in one.asked
        if isinstance(each, Request) and each.messages[-1].content.endswith("Report:")
    ]
    assert len({each.to_json() for each in summaries}) == 3


def test_answers_without_a_rating_count_as_of_no_help_and_are_said() -> None:
    one = model({**RATED, "whale": "I do not know."})
    found = ask_graphrag(one)
    assert found.answer == "yes"
    assert (
        "partial answers without a rating, which counts as 0: 1 of 3, the first 'I do not know.'"
        in found.notes
    )
    assert "I do not know." not in prompts(one)[-1]


def test_where_nothing_helped_the_answers_are_used_all_the_same() -> None:
    one = model(dict.fromkeys(RATED, "Answer: no\nHelped: 0"), final="no")
    found = ask_graphrag(one)
    assert found.answer == "no"
    assert "no part of the graph has a rating above 0: their answers are used nevertheless" in found.notes
    assert prompts(one)[-1].count("no (helped 0 of 100)") == 3


def test_where_no_answer_is_rated_all_are_used() -> None:
    one = model(dict.fromkeys(RATED, "Well, yes."))
    assert ask_graphrag(one).answer == "yes"
    assert prompts(one)[-1].count("Well, yes. (helped 0 of 100)") == 3


def test_where_no_community_says_anything_the_model_answers_by_itself() -> None:
    one = model(dict.fromkeys(RATED, " \n"))
    found = ask_graphrag(one)
    assert found.answer == "yes"
    assert "communities that gave no answer: 3 of 3" in found.notes
    assert found.knowledge.expert == ()
    assert "no part of the graph gave an answer: the answer is the model's own" in found.notes
    assert prompts(one)[-1].count("Question: ") == 4  # with the worked examples


def test_a_graph_that_is_too_large_is_refused_with_what_to_do() -> None:
    one = model(RATED)
    with pytest.raises(InputError, match=r"21 edges, more than max_edges=20") as caught:
        ask_graphrag(one, max_edges=20)
    assert "max_edges" in caught.value.hint
    with pytest.raises(InputError, match=r"3 communities, more than max_communities=2") as caught:
        ask_graphrag(one, max_communities=2)
    assert "max_communities" in caught.value.hint
    assert not one.asked


def test_without_networkx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MissingExtraError, match="graphrag") as caught:
        module._louvain(Graph.from_triples(GRAPH), 0)
    assert caught.value.hint == "pip install 'probative-evidence[graphrag]'"


def test_facts_beyond_the_limit_are_left_out_the_least_connected_first() -> None:
    many = [("hub", "joins", f"leaf {number}") for number in range(200)]
    one = model({"hub": "Answer: yes\nHelped: 50"})
    found = ask_graphrag(one, graph=many, community_tokens=100)
    # A triple is 4 words and one more.
    assert len(found.knowledge.expert) == 20
    assert "triples that did not fit into their community's summary: 180" in found.notes
    things = prompts(one)[0].split("Things: ")[1].split("\n")[0]
    assert things.startswith("hub, leaf 0")
    assert things.endswith("and others")
    assert things.count(",") == MAX_NAMES
    small = model({"hub": "Answer: yes\nHelped: 50"}, window=420)
    assert 0 < len(ask_graphrag(small, graph=many).knowledge.expert) < 20


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Answer: yes\nHelped: 70", ("yes", 70)),
        ("**Answer:** yes\n**Helpfulness:** 70/100", ("yes", 70)),
        ("Answer: yes\nHelped: 900", ("yes", 100)),
        ("yes, so it says\nHelped: 40", ("yes, so it says", 40)),
        ("Answer: yes", ("yes", None)),
        ("Helped: 50", None),
        ("", None),
    ],
)
def test_what_a_partial_answer_says(text: str, read: tuple[str, int | None] | None) -> None:
    partial = read_partial(text, Report("", (), 0))
    assert (partial and (partial.answer, partial.helped)) == read
