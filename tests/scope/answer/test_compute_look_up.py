"""The passages that are read for one step."""

from __future__ import annotations

from runs import make_run

from probative import Passage
from probative.scope.answer.compute import MAX_PASSAGES, passages_about
from probative.text.plan import Step


def test_passages_that_name_the_thing_come_before_those_that_share_more_words() -> None:
    passages = [
        "How high the towers of the harbour are: the Saga is 40 m high, and the Vega is 50 m high.",
        Passage(title="Idun", text="It is 30 m high."),
        "The Idun was painted in 1950.",
    ]
    run = make_run("Which is higher, the Idun or the Saga?", passages)
    assert passages_about(run, Step(do="look_up", ask="How high is the Idun?", of="the Idun")) == [1, 2]


def test_a_later_step_is_about_what_an_earlier_one_found() -> None:
    passages = ["Lark is a film by Ada Berg.", "Ada Berg was born in 1900.", "Ole Lund was a painter."]
    run = make_run("Which boat?", passages)
    step = Step(do="look_up", ask="When was Ada Berg born?", of="Lark")
    assert passages_about(run, step) == [0, 1]


def test_few_passages_are_read() -> None:
    passages = [f"The Idun sailed to port {number}." for number in range(9)]
    run = make_run("Which boat?", passages)
    asked = Step(do="look_up", ask="Where did the Idun sail?", of="the Idun")
    assert len(passages_about(run, asked)) == MAX_PASSAGES
    assert passages_about(run, Step(do="look_up", ask="Who owns Vega?", of="Vega")) == []


def test_no_passage_is_read_for_a_thing_that_none_names() -> None:
    run = make_run("Which is higher, the Idun or the Saga?", ["The Vega is 50 m high.", "The old Saga sank."])
    assert passages_about(run, Step(do="look_up", ask="How high is the Idun?", of="the Idun")) == []
    renewed = Step(do="look_up", ask="How high is the new mast of the Saga?", of="the new mast of the Saga")
    assert passages_about(run, renewed) == [1]
