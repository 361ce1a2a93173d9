"""Passages that deny the answer, in any words; and those that speak of something else."""

from __future__ import annotations

from typing import Any

import pytest
from runs import make_run

from probative.engine.search import Search
from probative.models.loading import load_verdict
from probative.models.verdict import VerdictItem, VerdictModel, VerdictScores
from probative.scope.conclude.contradictions import contradictions_of_answer, exclude_each_other
from probative.scope.features import Features, Judgements
from probative.scope.finding import Chain, Finding
from probative.scope.pipeline.extend_chain import find_gaps
from probative.scope.run import Run
from probative.testing import ScriptedVerdict


@pytest.fixture(scope="module")
def verdict() -> VerdictModel:
    return load_verdict()


def finding_of(run: Run) -> Finding:
    judgements = Judgements(Features(intent="answer"), [[0.0] for _ in run.pool.judged])
    return find_gaps(run, Chain((0,), judgements, judgements), [0])


def denials(question: str, own: str, other: str, answer: str, verdict: VerdictModel) -> list[str]:
    """Return what other passages say instead of an answer."""
    run = make_run(question, [own, other])
    return [entry.instead for entry in done(contradictions_of_answer(run, finding_of(run), answer), verdict)]


def done(search: Search[Any], verdict: VerdictModel) -> Any:
    try:
        ask = next(search)
        while True:
            ask = search.send(verdict.judge(ask.items))
    except StopIteration as stop:
        return stop.value


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
    assert denials(question, own, other, answer, verdict) == [instead]


@pytest.mark.slow
@pytest.mark.parametrize(("question", "own", "other", "answer"), OTHER_THINGS)
def test_a_value_of_something_else_contradicts_nothing(
    question: str, own: str, other: str, answer: str, verdict: VerdictModel
) -> None:
    assert denials(question, own, other, answer, verdict) == []


@pytest.mark.model
@pytest.mark.parametrize(("denied", "exclusive"), [((0.9, 0.9), True), ((0.9, 0.1), False)])
def test_two_sentences_exclude_each_other_only_if_each_denies_the_other(
    denied: tuple[float, float], exclusive: bool
) -> None:
    def judge(item: VerdictItem) -> VerdictScores:
        share = denied[item.claim == "Two."]
        return VerdictScores(0.0, share, 1.0 - share, (1.0,))

    assert done(exclude_each_other([("One.", "Two.")]), ScriptedVerdict(judge)) == [exclusive]
