"""Passages that contradict or replace the answer, in any words; and those that speak of something else."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from runs import make_run

from probative.engine.search import Search
from probative.models.loading import load_verdict
from probative.models.verdict import VerdictItem, VerdictModel, VerdictScores
from probative.scope.conclude.contradictions import describe, find_contradictions
from probative.scope.finding import Chain, Contradiction, Finding, ParsedAnswer
from probative.scope.question import Features, Judgements
from probative.scope.run import Run
from probative.testing import ScriptedVerdict
from probative.verdict import languages
from probative.verdict.languages import Level

# A question, its answer, and two passages, the first of which holds it. `in_force`: the value that replaces
# the other one.
FILE = Path(__file__).parent / "contradictions.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
# How many of each kind are right, at least; the small model is sure of fewer contradictions.
RIGHT = {"contradiction": 9, "replaced": 15, "harmless": 18}


@pytest.fixture(scope="module")
def verdict() -> VerdictModel:
    return load_verdict()


def found(
    question: str, answer: str | None, passages: list[Any], verdict: VerdictModel
) -> tuple[Run, list[Contradiction]]:
    """Return what contradicts an answer that the first passage holds."""
    run = make_run(question, passages)
    judgements = Judgements(Features(intent="answer"), [[0.0] for _ in run.pool.judged])
    parsed = ParsedAnswer(answer, (0,))
    finding = Finding(Chain((0,), judgements, judgements), (0,), complete=True, missing=(), answer=parsed)
    return run, list(done(find_contradictions(run, finding), verdict))


def done(search: Search[Any], verdict: VerdictModel) -> Any:
    try:
        ask = next(search)
        while True:
            ask = search.send(verdict.judge(ask.items))
    except StopIteration as stop:
        return stop.value


def denying(probability: float = 0.95) -> ScriptedVerdict:
    """Return a verdict model that denies everything so surely."""
    return ScriptedVerdict(lambda _: VerdictScores(0.0, probability, 1.0 - probability, (1.0,)))


@pytest.mark.model
def test_it_is_another_thing_in_each_of_two_passages(verdict: VerdictModel) -> None:
    passages = [
        {"title": f"Mill {number}", "text": f"The mill number {number} was built in 1940. {stands}"}
        for number, stands in (
            (343, "It stands 66 metres above the river."),
            (331, "It is 54 metres above the river."),
        )
    ]
    question = "How high above the river does the mill stand?"
    assert not found(question, "66 metres", passages, verdict)[1]
    passages[1]["text"] = passages[1]["text"].replace("331", "343")
    assert [entry.instead for entry in found(question, "66 metres", passages, verdict)[1]] == ["54 metres"]


CONFLICTS = [
    (
        "When does the Ferrow Museum close?",
        "The Ferrow Museum closes at 6 pm.",
        "The Ferrow Museum is open until 8 pm.",
        "6 pm",
        "8 pm",
    ),
    (
        "How long is the Soran Tunnel?",
        "The Soran Tunnel is 4.2 km long.",
        "With a length of 5.1 kilometres, the Soran Tunnel is the longest of all.",
        "4.2 km",
        "5.1 kilometres",
    ),
    (
        "How much is a day ticket for the pool?",
        "A day ticket for the pool costs 6 euros.",
        "Visitors pay 8 euros for a day ticket to the pool.",
        "6 euros",
        "8 euros",
    ),
    pytest.param(
        "Where was Greta Holm born?",
        "Greta Holm was born in Aarhus.",
        "Greta Holm, born in Odense, trained as a nurse.",
        "Aarhus",
        "Odense",
        marks=pytest.mark.xfail(reason="the small model does not find the two at odds", strict=False),
    ),
    (
        "Who owns the Gull Inn?",
        "The Gull Inn is owned by Petra Lang.",
        "The owner of the Gull Inn is Hugo Sand.",
        "Petra Lang",
        "Hugo Sand",
    ),
    (
        "Who chaired the meeting of 4 March?",
        "Ruth Adler chaired the meeting of 4 March.",
        "The meeting of 4 March was chaired by Piet Vos.",
        "Ruth Adler",
        "Piet Vos",
    ),
    (
        "How long does the warranty cover the motor?",
        "The warranty covers the motor for five years.",
        "The motor is covered by the warranty for two years.",
        "five years",
        "two years",
    ),
    (
        "When was lot 14 made?",
        "Lot 14: an oak chest, made in 1720.",
        "Lot 14, the oak chest, dates from 1790.",
        "1720",
        "1790",
    ),
]
OTHER_THINGS = [
    (
        "When does the Ferrow Museum close?",
        "The Ferrow Museum closes at 6 pm.",
        "The Ferrow Museum opens at 9 am.",
        "6 pm",
    ),
    (
        "When does the Marl Café open on Sundays?",
        "On Sundays the Marl Café opens at 10 am.",
        "On Mondays the Marl Café opens at 8 am.",
        "10 am",
    ),
    (
        "How long is the Soran Tunnel?",
        "The Soran Tunnel is 4.2 km long.",
        "The Soran Tunnel has a length of 4,200 metres.",
        "4.2 km",
    ),
    (
        "How high is the Stern Tower?",
        "The Stern Tower is 72 metres high.",
        "The viewing platform of the Stern Tower is 58 metres high.",
        "72 metres",
    ),
    (
        "When did the Ferrow Museum open?",
        "The Ferrow Museum opened in 1931.",
        "The new wing of the Ferrow Museum opened in 1998.",
        "1931",
    ),
    ("Where was Anna Berg born?", "Anna Berg was born in Molde.", "Jonas Berg was born in Oslo.", "Molde"),
    (
        "Who wrote The Salt Road?",
        "The Salt Road was written by Mara Quill.",
        "Edwin Hask reviewed The Salt Road for a newspaper.",
        "Mara Quill",
    ),
    (
        "When was the Bank of Orrin founded?",
        "The Bank of Orrin was founded in 1901.",
        "The bank of the river Orrin was raised in 1923.",
        "1901",
    ),
    (
        "What is the deposit of the tenant?",
        "The tenant pays a deposit of 900 euros.",
        "The tenant pays a monthly rent of 650 euros.",
        "900 euros",
    ),
    (
        "How much does the adult ticket cost?",
        "The adult ticket costs 12 euros.",
        "The child ticket costs 6 euros.",
        "12 euros",
    ),
    (
        "Who seconded the motion on the car park?",
        "Ms Doyle seconded the motion on the car park.",
        "Mr Hale proposed the motion on the car park.",
        "Ms Doyle",
    ),
    ("When did the mill open?", "The mill opened in 1842.", "The mill opened in 1842.", "1842"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("question", "own", "other", "answer", "instead"), CONFLICTS)
def test_another_value_for_the_same_thing_contradicts_the_answer(
    question: str, own: str, other: str, answer: str, instead: str, verdict: VerdictModel
) -> None:
    _, entries = found(question, answer, [own, other], verdict)
    assert [(entry.says, entry.instead, entry.in_force) for entry in entries] == [(answer, instead, None)]


@pytest.mark.slow
@pytest.mark.parametrize(("question", "own", "other", "answer"), OTHER_THINGS)
def test_a_value_of_something_else_contradicts_nothing(
    question: str, own: str, other: str, answer: str, verdict: VerdictModel
) -> None:
    assert found(question, answer, [own, other], verdict)[1] == []


@pytest.mark.slow
def test_contradictions_replaced_rules_and_harmless_differences_are_told_apart(verdict: VerdictModel) -> None:
    right: Counter[str] = Counter()
    for case in CASES:
        _, entries = found(case["question"], case["answer"], case["passages"], verdict)
        in_force = [entry.in_force for entry in entries]
        expected = {"contradiction": [None], "harmless": []}.get(
            case["kind"], [int(case.get("in_force") != case["answer"])]
        )
        right[case["kind"]] += in_force == expected
    assert all(right[kind] >= least for kind, least in RIGHT.items()), right


FEE = "What is the fee for the car park?"
OLD = {"text": "The fee for the car park is 2 euros.", "title": "Fees", "date": "2021-02-03"}


@pytest.mark.model
@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("From 1 May 2024 the fee for the car park is 3 euros.", "From 1 May 2024"),
        ("The fee for the car park has been raised to 3 euros.", "“has been raised”"),
        ("The fee for the car park is 3 euros.", "dated 2024-04-12, the other 2021-02-03"),
    ],
)
def test_the_statement_in_force_is_named_with_the_reason(new: str, reason: str) -> None:
    newer = {"text": new, "title": "Fees", "date": "2024-04-12"}
    _, (entry,) = found(FEE, "3 euros", [newer, OLD], denying())
    assert (entry.in_force, entry.reason, entry.blocking) == (0, reason, False)
    run, (entry,) = found(FEE, "2 euros", [OLD, newer], denying())
    assert (entry.in_force, entry.instead, entry.blocking) == (1, "3 euros", True)
    assert describe(run, entry) == f"[2] is in force ({reason}): [1] says 2 euros, [2] says 3 euros"


@pytest.mark.model
def test_what_begins_in_the_future_is_not_in_force() -> None:
    texts = ["The permit costs 5 euros.", "From 1 January 2190 the permit costs 9 euros."]
    _, (entry,) = found("How much does the permit cost?", "5 euros", texts, denying())
    assert (entry.in_force, entry.blocking) == (0, False)
    assert entry.reason == "the other holds only from 1 January 2190"


@pytest.mark.model
def test_of_a_question_with_a_date_the_version_of_that_date_is_in_force() -> None:
    texts = ["From 1 May 2019 the permit costs 5 euros.", "From 1 May 2023 the permit costs 9 euros."]
    _, (entry,) = found("How much did the permit cost in 2021?", "9 euros", texts[::-1], denying())
    assert (entry.in_force, entry.blocking) == (1, True)
    assert entry.reason == "the other holds only from 1 May 2023"
    _, (entry,) = found("How much did the permit cost in 2024?", "9 euros", texts[::-1], denying())
    assert (entry.in_force, entry.blocking) == (0, False)


@pytest.mark.model
def test_sentences_with_pronouns_are_about_what_their_passages_name() -> None:
    texts = [
        "Ada Berg was a captain. She was born in 1900 in Molde.",
        "Lise Holm was a cook. She was born in 1911 in Bergen.",
    ]
    assert found("When was Ada Berg born?", "1900", texts, denying())[1] == []
    texts[1] = "Ada Berg was a cook. She was born in 1911 in Bergen."
    _, (entry,) = found("When was Ada Berg born?", "1900", texts, denying())
    assert (entry.says, entry.instead) == ("1900", "1911")


@pytest.mark.model
def test_later_documents_do_not_change_what_happened() -> None:
    texts = [
        {"text": f"The Lark was built in {year}.", "title": "Lark", "date": date}
        for year, date in (("1842", "2001"), ("1824", "2015"))
    ]
    _, (entry,) = found("When was the Lark built?", "1842", texts, denying())
    assert (entry.in_force, entry.blocking) == (None, True)


@pytest.mark.model
@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("When did the mill open?", "1842", "THE MILL opened in 1842!"),
        ("When did the mill open?", "1842", "In May 1842 the mill opened."),
        ("How long is the Orme Tunnel?", "4.2 km", "The Orme Tunnel is 4,200 metres long."),
        ("How many people live in Skarne?", "41,873", "About 42,000 people live in Skarne."),
        ("Where was Ada Berg born?", "Molde", "Jon Berg was born in Oslo."),
        ("Who won the cup in 2019?", "Ada Berg", "Jon Falk won the cup in 2021."),
        ("When did the mill open?", "1842", "Gulls nested in 1824."),
    ],
)
def test_the_same_value_or_another_thing_costs_no_call(question: str, answer: str, other: str) -> None:
    own = {
        "When did the mill open?": "The mill opened in 1842.",
        "How long is the Orme Tunnel?": "The Orme Tunnel is 4.2 km long.",
        "How many people live in Skarne?": "Skarne, where 41,873 people live.",
        "Where was Ada Berg born?": "Ada Berg was born in Molde.",
        "Who won the cup in 2019?": "Ada Berg won the cup in 2019.",
    }[question]
    verdict = denying()
    assert found(question, answer, [own, other], verdict)[1] == []
    assert verdict.asked == []


@pytest.mark.model
@pytest.mark.parametrize(
    ("denied", "exclusive"), [((0.9, 0.9), True), ((0.9, 0.5), False), ((0.5, 0.9), False)]
)
def test_two_sentences_exclude_each_other_only_if_each_denies_the_other(
    denied: tuple[float, float], exclusive: bool
) -> None:
    def judge(item: VerdictItem) -> VerdictScores:
        share = denied[item.claim == "The mill opened in 1824."]
        return VerdictScores(0.0, share, 1.0 - share, (1.0,))

    texts = [f"The mill opened in {year}." for year in (1842, 1824)]
    _, entries = found("When did the mill open?", "1842", texts, ScriptedVerdict(judge))
    assert bool(entries) is exclusive


@pytest.mark.model
def test_without_an_answer_the_chain_is_held_against_the_others() -> None:
    texts = ["The mill opened in 1842.", "The mill opened in 1824."]
    _, (entry,) = found("When did the mill open?", None, texts, denying())
    assert (entry.says, entry.instead) == ("1842", "1824")
    assert found("Who built the mill?", None, texts, denying())[1] == []


BRIDGE = [
    "Die Brücke von Askel wurde 1911 von Jonas Brandt gebaut.",
    "Ole Steen hat die Brücke von Askel gebaut.",
]


@pytest.mark.model
def test_in_another_language_the_model_alone_says_what_contradicts_if_it_reads_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    question = "Wer hat die Brücke von Askel gebaut?"
    assert found(question, "Jonas Brandt", BRIDGE, denying())[1] == []
    level = Level(rows=40, right=0.8, wrong_and_supported=0.0)
    monkeypatch.setattr(languages, "measured", lambda: {"embedded": {"de": {"question": level}}})
    _, (entry,) = found(question, "Jonas Brandt", BRIDGE, denying())
    assert (entry.says, entry.instead, entry.blocking) == ("Jonas Brandt", BRIDGE[1], True)
    assert found(question, "Jonas Brandt", BRIDGE, denying(0.1))[1] == []
    agreeing = [BRIDGE[0], "Gebaut hat die Brücke von Askel Jonas Brandt."]
    assert found(question, "Jonas Brandt", agreeing, denying())[1] == []
