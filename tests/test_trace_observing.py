"""An observer is told of steps and calls as they happen, and can stop a run."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
from browsing import FERRIES, scripted_session
from small_corpus import write

import probative
from probative import Corpus
from probative.models.wrappers import traced
from probative.testing import ScriptedModel
from probative.trace import Call, Found, Observer, RunStoppedError, Trace, observing, record, recording, step

CALL = Call(verb="generate", model="m", request={})


class Noting(Observer):
    """Keeps what it is told; raises `error` at the step of this name."""

    def __init__(self, fails_at: str = "", error: type[Exception] = RunStoppedError) -> None:
        self.told: list[str] = []
        self.fails_at = fails_at
        self.error = error

    def step_started(self, name: str) -> None:
        self.told.append(f"+{name}")
        if name == self.fails_at:
            raise self.error("enough")

    def step_ended(self, name: str, seconds: float) -> None:
        assert seconds >= 0
        self.told.append(f"-{name}")

    def called(self, call: Call) -> None:
        self.told.append(call.verb)


def test_steps_and_calls_are_told_in_their_order() -> None:
    observer = Noting()
    with observing(observer), Trace("run"), step("judge"):
        record(CALL)
    with step("after"):
        record(CALL)
    assert observer.told == ["+run", "+judge", "generate", "-judge", "-run"]


def test_steps_are_told_without_a_trace() -> None:
    observer = Noting()
    with observing(observer), step("judge"):
        assert recording()
        record(CALL)
    assert observer.told == ["+judge", "generate", "-judge"]
    assert not recording()


def test_an_observer_that_overrides_nothing_hears_everything() -> None:
    with observing(Observer()), Trace("run") as trace:
        record(CALL)
    assert trace.root.calls == (CALL,)


def test_observers_nest_and_the_outer_one_is_told_first() -> None:
    outer, inner = Noting(), Noting()
    with observing(outer):
        with observing(inner), step("both"):
            pass
        with step("one"):
            pass
    assert outer.told == ["+both", "-both", "+one", "-one"]
    assert inner.told == ["+both", "-both"]


def test_a_step_that_fails_is_told_to_end() -> None:
    observer = Noting()
    with observing(observer), pytest.raises(ValueError, match="bad"), step("judge"):
        raise ValueError("bad")
    assert observer.told == ["+judge", "-judge"]


def test_an_observer_that_stops_the_run_leaves_every_step_ended() -> None:
    stopping, other = Noting("run"), Noting()
    with observing(stopping), observing(other), pytest.raises(RunStoppedError), Trace("run"):
        record(CALL)
    assert stopping.told == other.told == ["+run", "-run"]
    assert not recording()


def test_a_faulty_observer_is_logged_and_the_run_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    observer, other = Noting("judge", ValueError), Noting()
    with caplog.at_level(logging.ERROR, "probative.trace"), observing(observer), observing(other):
        with step("judge"):
            record(CALL)
    assert other.told == ["+judge", "generate", "-judge"]
    assert "an observer failed" in caplog.text


CASE = {"claim": "The mill burnt down.", "sentences": ["The mill burnt.", "Herons eat."]}


def session() -> probative.Session:
    return probative.Session(traced(ScriptedModel(score=lambda prompt, text: -1.0)))


def proved(observer: Observer) -> probative.Proof:
    with session() as opened, observing(observer):
        return opened.prove(**CASE, k=1, preset="paper", verdict=False)  # type: ignore[arg-type]


def test_a_verb_tells_its_name_and_its_steps_before_their_calls() -> None:
    observer = Noting()
    proof = proved(observer)
    assert proof.trace is not None
    expected = ["+prove"]
    for inner in proof.trace.steps:
        expected += [f"+{inner.name}", *(call.verb for call in inner.calls), f"-{inner.name}"]
    assert observer.told == [*expected, "-prove"]
    assert "score" in observer.told


def test_an_observer_stops_a_run_before_the_calls_of_a_step() -> None:
    first = Noting()
    proved(first)
    observer = Noting(first.told[1][1:])
    with pytest.raises(RunStoppedError, match="enough"):
        proved(observer)
    assert observer.told == [*first.told[:2], f"-{first.told[1][1:]}", "-prove"]


def test_the_steps_of_a_batch_are_told() -> None:
    observer = Noting()
    with session() as opened, observing(observer):
        done = dict(opened.prove_all([CASE, CASE], k=1, preset="paper", verdict=False))
    assert isinstance(done[1], probative.Proof)
    one = Noting()
    proved(one)
    assert [told for told in observer.told if told[0] == "+"] == [
        told for told in one.told if told[0] == "+" and told != "+prove"
    ]
    assert observer.told.count("score") == 2 * one.told.count("score")


def test_an_awaited_run_is_observed() -> None:
    observer = Noting()
    with session() as opened, observing(observer):
        asyncio.run(opened.prove_async(**CASE, k=1, verdict=False))
    assert (observer.told[0], observer.told[-1]) == ("+prove", "-prove")


class Finding(Observer):
    """Keeps what was found."""

    def __init__(self) -> None:
        self.kept: list[Found] = []

    def found(self, found: Found) -> None:
        self.kept.append(found)


def test_what_ask_finds_is_told_as_it_is_found(tmp_path: Path) -> None:
    observer = Finding()
    documents = write(tmp_path / "ferries", FERRIES)
    with scripted_session() as session, Corpus.open(documents, vectors=False) as corpus, observing(observer):
        answer = session.ask("Where was the designer of the Grey Heron born?", corpus=corpus)
    assert answer.answer == "Vindal"
    passages, chain, candidate = observer.kept
    assert [found.kind for found in observer.kept] == ["passages", "chain", "candidate"]
    assert {text.source for text in chain.texts} <= {text.source for text in passages.texts}
    assert "Marit Solberg was born in Vindal in 1868" in chain.texts[-1].text
    assert [text.text for text in candidate.texts] == ["Vindal"]
