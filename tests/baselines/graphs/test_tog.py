"""Think-on-Graph, worked by hand: where it starts, what it follows, when it stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from word_vectors import WordVectors

from probative import Reasoning, reason
from probative.baselines.graphs.tog_pruning import (
    MAX_SCORED,
    connections_of,
    read_scores,
    scores_by_words,
    steps_of,
)
from probative.graph.graph import Graph
from probative.models.types import Request
from probative.testing import ScriptedModel

# melatonin ─is a→ hormone ─affects→ sleep ─disturbed in→ insomnia; and ways that lead nowhere.
GRAPH = [
    ("melatonin", "is a", "hormone"),
    ("melatonin", "made by", "pineal gland"),
    ("hormone", "affects", "sleep"),
    ("hormone", "affects", "growth"),
    ("insulin", "is a", "hormone"),
    ("sleep", "disturbed in", "insomnia"),
    ("stone", "part of", "wall"),
]
QUESTION = "Does melatonin help against insomnia?"
Reply = Callable[[str], str]


class Guide:
    """A model that starts at these entities, scores what the rules name (10 for what holds one of the words,
    1 for the rest), and takes the triples for enough when they hold `until`.
    """

    def __init__(
        self, start: str = "melatonin", likes: tuple[str, ...] = ("is a", "affects"), until: str = ""
    ) -> None:
        self.start, self.likes, self.until = start, likes, until
        self.model = ScriptedModel(generate=self.reply)

    def reply(self, request: Request) -> str:
        prompt = request.messages[-1].content
        if request.json_schema is not None:
            return '{"entities": [' + ", ".join(f'"{name}"' for name in self.start.split(",") if name) + "]}"
        if "score from 1 to 10" in prompt:
            return self.scores(prompt)
        if "Enough:" in prompt:
            facts = prompt.split("Facts:")[1]
            return "yes" if self.until and self.until in facts else "no"
        return "Answer: yes"

    def scores(self, prompt: str) -> str:
        marked = prompt.split("Connections:" if "Connections:" in prompt else "Things:")[1]
        rows = [line for line in marked.splitlines() if line[:1].isdigit()]
        return "\n".join(
            f"{row.split('.')[0]}. {10 if any(word in row for word in self.likes) else 1}" for row in rows
        )

    def prompts(self, word: str = "") -> list[str]:
        every = [one.messages[-1].content for one in self.model.asked if isinstance(one, Request)]
        return [prompt for prompt in every if word in prompt]


def ask_tog(guide: Guide | ScriptedModel, **more: Any) -> Reasoning:
    more.setdefault("graph", GRAPH)
    question = more.pop("question", QUESTION)
    model = guide.model if isinstance(guide, Guide) else guide
    return reason(question, method="tog", model=model, encoder=WordVectors(), examples=0, **more)


def found_triples(found: Reasoning) -> list[str]:
    return [str(triple) for triple in found.knowledge.expert]


def test_the_beam_follows_what_the_model_scores_highest() -> None:
    guide = Guide(likes=("is a", "affects", "sleep", "hormone"))
    found = ask_tog(guide, width=1, depth=3)
    assert found_triples(found) == [
        "(melatonin, is a, hormone)",
        "(hormone, affects, sleep)",
        "(sleep, disturbed in, insomnia)",
    ]
    assert found.entities == ("melatonin",)
    assert found.answer == "yes"
    # Topics; connections of melatonin, of hormone (sleep has only one); the two things that hormone affects;
    # enough after the first and the second step, not after the last; the answer.
    assert found.usage.calls == 1 + 2 + 1 + 2 + 1
    first = guide.prompts("Connections:")[0]
    assert "come to this thing: melatonin\n" in first
    assert "1. melatonin is a …\n2. melatonin made by …" in first
    assert "Choose the 1 best" in first
    # Both directions; the edge from melatonin was walked, and insulin's is left.
    assert "1. hormone affects …\n2. … is a hormone" in guide.prompts("Connections:")[1]
    (things,) = guide.prompts("Things:")
    assert "follows this connection: hormone affects …" in things
    assert "1. sleep\n2. growth" in things
    answer = guide.prompts("Answer:")[-1]
    assert "(melatonin, is a, hormone), (hormone, affects, sleep), (sleep, disturbed in, insomnia)" in answer
    assert all(QUESTION in prompt for prompt in guide.prompts())


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_it_stops_as_soon_as_the_model_says_enough(depth: int) -> None:
    guide = Guide(until="is a, hormone")
    found = ask_tog(guide, width=1, depth=depth)
    assert found_triples(found) == ["(melatonin, is a, hormone)"]
    assert f"the triples were enough after 1 of {depth} steps" in found.notes
    assert len(guide.prompts("Enough:")) == 1
    # Topics, connections, enough, answer: nothing is asked after that.
    assert found.usage.calls == 4


def test_it_goes_on_until_the_depth_when_the_model_says_no() -> None:
    guide = Guide(until="insomnia", likes=("is a", "affects", "hormone", "sleep"))
    found = ask_tog(guide, width=1, depth=5)
    assert found_triples(found)[-1] == "(sleep, disturbed in, insomnia)"
    assert "the triples were enough after 3 of 5 steps" in found.notes
    assert len(guide.prompts("Enough:")) == 3


def test_the_width_limits_topics_connections_and_paths() -> None:
    guide = Guide(start="melatonin,hormone,stone,sleep")
    found = ask_tog(guide, width=2, depth=1)
    assert len(found.knowledge.expert) == 2
    # Only melatonin and hormone are in the beam.
    assert len(guide.prompts("Connections:")) == 2
    assert found.entities == ("melatonin", "hormone", "stone", "sleep")


def test_independent_calls_of_a_depth_go_out_as_one_batch() -> None:
    sizes: list[int] = []

    class Counting(ScriptedModel):
        def generate(self, requests: Any, **more: Any) -> Any:
            sizes.append(len(requests))
            return super().generate(requests, **more)

    guide = Guide(start="melatonin,hormone,sleep")
    guide.model = Counting(generate=guide.reply)
    ask_tog(guide, width=3, depth=1)
    # Topics; the connections of the three; "hormone affects …" and "… is a hormone" lead to two each; answer.
    assert sizes == [1, 3, 2, 1]


def test_a_path_s_score_is_the_product_of_both() -> None:
    """Connections 3 to 1, things 1 to 3: the four paths have 3/4·1/4, 3/4·3/4, 1/4·1/2, 1/4·1/2."""
    graph = [("a", "p", "x"), ("a", "p", "y"), ("a", "q", "u"), ("a", "q", "v")]

    def reply(request: Request) -> str:
        prompt = request.messages[-1].content
        if request.json_schema is not None:
            return '{"entities": ["a"]}'
        if "Connections:" in prompt:
            return "1. 9\n2. 3"
        if "a p …" in prompt:
            return "1. 2\n2. 6"
        return "1. 5\n2. 5" if "Things:" in prompt else "yes"

    found = ask_tog(ScriptedModel(generate=reply), graph=graph, depth=1, width=3)
    assert found_triples(found) == ["(a, p, y)", "(a, p, x)", "(a, q, u)"]


def test_names_that_the_graph_lacks_are_linked_to_the_nearest() -> None:
    found = ask_tog(Guide(start="human growth,Pineal_Gland,zebra"), depth=1)
    assert "the graph has no 'human growth'; nearest to it: 'growth'" in found.notes
    assert "the graph has nothing near 'zebra'" in found.notes
    assert "(hormone, affects, growth)" in found_triples(found)
    assert "(melatonin, made by, pineal gland)" in found_triples(found)


def test_without_an_entity_the_model_answers_by_itself() -> None:
    found = ask_tog(Guide(start=""), question="Is it so?")
    assert found.answer == "yes"
    assert found.knowledge.expert == ()
    assert found.notes == (
        "the question names no entity",
        "no triples were found: the answer is the model's own, after a chain of thought",
    )
    assert found.usage.calls == 2


def test_an_entity_that_leads_nowhere_is_said() -> None:
    graph = [("melatonin", "is", "melatonin"), ("stone", "part of", "wall")]
    found = ask_tog(Guide(), graph=graph)
    assert found.answer == "yes"
    assert found.notes == (
        "no helpful connection leads on after 0 of 5 steps",
        "no triples were found: the answer is the model's own, after a chain of thought",
    )


def test_the_search_ends_where_the_graph_ends() -> None:
    found = ask_tog(Guide(start="stone"), depth=5)
    assert found_triples(found) == ["(stone, part of, wall)"]
    assert "no helpful connection leads on after 1 of 5 steps" in found.notes


def test_what_the_model_gives_nothing_for_is_not_followed() -> None:
    guide = Guide()
    guide.scores = lambda prompt: "1. 0\n2. 0"  # type: ignore[method-assign]
    found = ask_tog(guide)
    assert found.knowledge.expert == ()
    assert "no helpful connection leads on after 0 of 5 steps" in found.notes


def test_scores_that_cannot_be_read_fall_back_on_words_and_are_said() -> None:
    guide = Guide()
    guide.scores = lambda prompt: "All of them are fine."  # type: ignore[method-assign]
    found = ask_tog(guide, width=1, depth=2)
    assert len(found.knowledge.expert) == 2
    (note,) = [note for note in found.notes if "connections" in note]
    assert "words in common with the question decided: 2 of 2 replies" in note
    assert "'All of them are fine.'" in note


def test_a_reply_neither_yes_nor_no_means_that_the_search_goes_on() -> None:
    class Vague(Guide):
        def reply(self, request: Request) -> str:
            return "Hard to say" if "Enough:" in request.messages[-1].content else super().reply(request)

    found = ask_tog(Vague(), width=1, depth=2)
    assert len(found.knowledge.expert) == 2
    assert (
        "the reply whether the triples are enough could not be read, so the search went on: 'Hard to say'"
        in found.notes
    )


def test_entities_that_cannot_be_read_are_found_by_rules() -> None:
    class Mute(Guide):
        def reply(self, request: Request) -> str:
            return "melatonin, I think" if request.json_schema is not None else super().reply(request)

    found = ask_tog(Mute(), depth=1)
    assert "the question's entities could not be read: 'melatonin, I think'" in found.notes
    assert "the model named no entity of the question, so rules were used" in found.notes
    assert "melatonin" in found.entities
    assert found.knowledge.expert


def test_very_many_entities_are_drawn_the_same_way_each_time() -> None:
    graph = [("melatonin", "is near", f"thing {number}") for number in range(300)]
    graph.append(("melatonin", "made by", "gland"))
    runs = [ask_tog(Guide(likes=("is near", "thing")), graph=graph, depth=1, seed=seed) for seed in (0, 0, 1)]
    assert found_triples(runs[0]) == found_triples(runs[1]) != found_triples(runs[2])
    assert (
        f"lists with more than {MAX_SCORED['entities']} entities, from which {MAX_SCORED['entities']} were "
        "drawn at random: 1" in runs[0].notes
    )


def test_choices_are_named_to_the_model_as_things() -> None:
    guide = Guide()
    found = reason(
        "Which helps against insomnia?",
        GRAPH,
        choices=["melatonin", "insulin"],
        method="tog",
        model=guide.model,
        encoder=WordVectors(),
        depth=1,
    )
    assert "A) melatonin\nB) insulin" in guide.prompts()[0]
    assert "choices are things too" in guide.prompts()[0]
    assert found.answer is None  # the guide says yes, which is none of the choices


edges = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=25)


@settings(max_examples=40, deadline=None)
@given(edges, st.integers(1, 4), st.integers(1, 5), st.integers(0, 5))
def test_what_is_found_is_in_the_graph_new_at_each_step_and_no_more_than_the_beam(
    rows: list[tuple[int, int, int]], width: int, depth: int, start: int
) -> None:
    names = [(f"e{head}", f"r{relation}", f"e{tail}") for head, relation, tail in rows]
    graph = Graph.from_triples(names)
    found = ask_tog(Guide(start=f"e{start}"), graph=graph, width=width, depth=depth)
    triples = [(one.head, one.relation, one.tail) for one in found.knowledge.expert]
    assert set(triples) <= set(names)
    assert len(triples) == len(set(triples)) <= width * depth
    assert all(head != tail for head, _, tail in triples)


@settings(deadline=None)
@given(edges, st.integers(0, 5))
def test_every_edge_of_an_entity_is_at_the_end_of_one_of_its_connections(
    rows: list[tuple[int, int, int]], entity: int
) -> None:
    graph = Graph.from_triples([(f"e{a}", f"r{r}", f"e{b}") for a, r, b in rows])
    number = graph.find(f"e{entity}")
    if number is None:
        return
    connections = connections_of(number, graph, ())
    reached = [step.row for connection in connections for step in steps_of(connection, graph, ())]
    whole = {tuple(row) for row in [*graph.out_edges(number).tolist(), *graph.in_edges(number).tolist()]}
    assert set(reached) == {row for row in whole if row[0] != row[2]}
    assert len(reached) == len(set(reached))


@pytest.mark.slow
@settings(deadline=None)
@given(st.text(max_size=60), st.integers(2, 9))
def test_scores_are_a_distribution_or_nothing(text: str, count: int) -> None:
    scores = read_scores(text, count)
    if scores is not None:
        assert len(scores) == count
        assert sum(scores) == pytest.approx(1) or not any(scores)


def test_words_in_common_never_lose_anything() -> None:
    assert scores_by_words(["a", "b"], "") == [0.5, 0.5]
