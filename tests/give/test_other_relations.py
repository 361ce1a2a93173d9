"""Only the asked relation is read; what another relation says is extrapolated by a model, and said so."""

from __future__ import annotations

import json
from typing import Any

import pytest
from knowing import Given

from probative import Graph, InputError, Reasoning, Session
from probative.give.other_relations import SHARE_RIGHT
from probative.give.reasoning import describe_verdict
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedModel, ScriptedVerdict
from probative.views.html import notebook

GRAPH = Graph.from_triples(
    [
        ("ginger tea", "relieves", "cough"),
        ("scarf", "prevents", "cough"),
        ("Mia", "feeds", "cat"),
        ("nettle", "irritates", "skin"),
        ("camomile", "soothes", "stomach"),
        ("mustard", "irritates", "stomach"),
        ("Ole Vik", "works with", "Finch"),
        ("Ole Vik", "was found in", "Oslo"),
        ("Molde", "lies in", "Nordland"),
        ("aspirin", "may treat", "pain"),
        ("plum", "did not cause", "fever"),
        ("plum", "never eases", "pain"),
        ("Ole Vik", "no longer owns", "Elna"),
        ("Elna", "was built by", "Odd Berg"),
        ("cave", "was found by", "Tora Vik"),
        ("Ada", "wrote", "Tidewater"),
        ("Bo", "taught", "Ada"),
        ("salve", "contains", "arnica"),
        ("arnica", "eases", "bruise"),
        ("fox", "eats", "hen"),
    ]
)
NAMES = {name: [1.0, float(number)] for number, name in enumerate(GRAPH.entities)}


def judged(supported: float, contradicted: float = 0.0) -> ScriptedVerdict:
    def scores(item: VerdictItem) -> VerdictScores:
        rest = 1 - supported - contradicted
        return VerdictScores(supported, contradicted, rest, (1 / len(item.evidence),) * len(item.evidence))

    return ScriptedVerdict(scores)


def small(
    question: str, verdict: ScriptedVerdict, choices: list[str] | None = None, **options: Any
) -> Reasoning:
    """Reason as a small model does, which can neither score nor choose here."""
    encoder = Given({**NAMES, question: [1.0, 0.5], "Who": [1.0, 0.1], "remedy": [1.0, 0.1]})
    with Session(model=ScriptedModel(generate="maybe"), encoder=encoder, verdict=verdict) as session:
        return session.reason(question, GRAPH, choices, preset="small", **options)


READ = [
    ("May aspirin treat pain?", "yes"),
    ("Did plum cause a fever?", "no"),
    ("Does plum ease pain?", "no"),
    ("Who built Elna?", "Odd Berg"),
    ("Who found the cave?", "Tora Vik"),  # and "founded" is another verb
    ("Did Ada write Tidewater?", "yes"),
    ("Who was taught by Bo?", "Ada"),
    ("Did the fox eat the hen?", "yes"),
    ("Where was Ole Vik found?", "Oslo"),
]
OTHERS = [
    ("Does ginger tea cure a cough?", "(ginger tea, relieves, cough)"),
    ("Does a scarf cure a cough?", "(scarf, prevents, cough)"),
    ("Does Mia eat the cat?", "(Mia, feeds, cat)"),
    ("Does Ole Vik work for Finch?", "(Ole Vik, works with, Finch)"),
    ("Does aspirin treat pain?", "(aspirin, may treat, pain)"),
    ("Does Ole Vik own Elna?", "(Ole Vik, no longer owns, Elna)"),
    ("Does camomile calm the stomach?", "(camomile, soothes, stomach)"),
    ("Did Ada publish Tidewater?", "(Ada, wrote, Tidewater)"),
]


@pytest.mark.parametrize(("question", "answer"), READ)
def test_the_same_root_is_read_and_no_model_is_asked(question: str, answer: str) -> None:
    verdict = judged(1.0)
    result = small(question, verdict)
    assert (result.verdict, result.answer, result.extrapolated_by) == ("read", answer, None)
    assert result.usage.calls == 0


@pytest.mark.parametrize(("question", "edge"), OTHERS)
def test_another_relation_is_extrapolated_by_the_verdict_model(question: str, edge: str) -> None:
    result = small(question, judged(0.96))
    assert (result.verdict, result.answer, result.extrapolated_by) == ("extrapolated", "yes", "verdict")
    assert [str(fact) for fact in result.facts] == [edge]
    assert result.strength == pytest.approx(0.96 * SHARE_RIGHT, abs=1e-4)
    contradicted = small(question, judged(0.02, 0.96))
    assert (contradicted.verdict, contradicted.answer) == ("extrapolated", "no")


@pytest.mark.parametrize(("question", "edge"), OTHERS)
def test_an_edge_of_another_relation_that_decides_nothing_gives_no_answer(question: str, edge: str) -> None:
    result = small(question, judged(0.8, 0.1))
    assert (result.verdict, result.extrapolated_by, result.facts) == ("unknown", None, ())


def test_open_questions_and_choices_are_extrapolated_too() -> None:
    def scores(item: VerdictItem) -> VerdictScores:
        good = float("soothes" in item.evidence[0] or "found in" in item.evidence[0])
        return VerdictScores(0.98 * good, 0.0, 1 - 0.98 * good, (1.0,))

    result = small("Where does Ole Vik live?", ScriptedVerdict(scores))
    assert (result.verdict, result.answer) == ("extrapolated", "Oslo")
    choices = ["camomile", "mustard"]
    result = small("Which of these calms the stomach?", ScriptedVerdict(scores), choices)
    assert (result.verdict, result.answer) == ("extrapolated", "camomile")
    both = small("Which of these calms the stomach?", judged(0.98), choices)
    assert both.verdict == "unknown"


def test_a_relation_in_the_other_direction_is_not_put_to_the_verdict_model() -> None:
    for question in ("Does the hen eat the fox?", "What does the hen eat?", "Who teaches Bo?"):
        assert small(question, judged(0.99)).verdict == "unknown"


def test_what_follows_from_a_path_is_extrapolated_and_not_read() -> None:
    result = small("Does salve ease a bruise?", judged(0.98))
    assert (result.verdict, result.answer, result.extrapolated_by) == ("extrapolated", "yes", "verdict")
    assert len(result.facts) == 2


@pytest.mark.parametrize(
    ("question", "equal"),
    [
        ("Does ginger tea cure a cough?", [["cure", "relieves"]]),
        ("Does ginger tea cure a cough?", "own = possess; ease = relieve = cure"),
        ("Does camomile calm the stomach?", (("soothe", "calm"),)),
    ],
)
def test_names_that_the_user_declares_equal_are_read(question: str, equal: Any) -> None:
    result = small(question, judged(0.0), equal_relations=equal)
    assert (result.verdict, result.answer) == ("read", "yes")


@pytest.mark.parametrize("equal", ["cure", [["cure"]], [["cure", ""]], "a = ; b = c"])
def test_a_group_that_declares_nothing_is_refused(equal: Any) -> None:
    with pytest.raises(InputError, match="at least two names"):
        small("Does ginger tea cure a cough?", judged(0.0), equal_relations=equal)


@pytest.mark.parametrize(
    ("question", "reply", "edge"),
    [
        ("Does ginger tea cure a cough?", "no", "(ginger tea, relieves, cough)"),
        ("What cures a cough?", "ginger tea", "(scarf, prevents, cough)"),
    ],
)
def test_a_large_model_is_asked_and_shown_the_edges(question: str, reply: str, edge: str) -> None:
    def write(request: Any) -> str:
        prompt = request.messages[-1].content
        if "JSON" in prompt:
            names = [name for name in ("ginger tea", "cough") if name in question]
            return json.dumps({"entities": names, "relations": ["cure"]})
        return reply

    model = ScriptedModel(generate=write)
    with Session(model=model, encoder=Given({**NAMES, question: [1.0, 0.5]})) as session:
        result = session.reason(question, GRAPH, preset="calls", entities=0, open_relations=False, batch=1)
    assert (result.verdict, result.answer, result.extrapolated_by) == ("extrapolated", reply, "model")
    assert edge in [str(triple) for triple in result.knowledge.expert]


def test_every_form_of_the_result_says_what_extrapolated_it() -> None:
    result = small("Does ginger tea cure a cough?", judged(0.96))
    said = "extrapolated by the verdict model: the graph states 'relieves', strength 0.72"
    assert describe_verdict(result) == said
    assert said.replace("'", "&#x27;") in (notebook(result) or "")
    assert json.loads(result.to_json())["extrapolated_by"] == "verdict"
