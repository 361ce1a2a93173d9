from __future__ import annotations

import threading

from probative import Call, Step, Trace, Usage, step
from probative.trace import current_step, record, recording


def call(tokens: int) -> Call:
    return Call(verb="generate", model="m", request={}, usage=Usage(calls=1, prompt_tokens=tokens))


def test_calls_land_in_the_step_that_is_open() -> None:
    with Trace("run") as trace:
        record(call(1))
        with step("outer"):
            record(call(2))
            with step("inner"):
                record(call(4))
                assert current_step() == "inner"
        record(call(8))
    root = trace.root
    assert [c.usage.prompt_tokens for c in root.calls] == [1, 8]
    assert root.usage.prompt_tokens == 15
    assert (root.find("inner") or root).usage.prompt_tokens == 4
    assert root.find("nowhere") is None


def test_without_a_trace_nothing_is_kept_and_nothing_fails() -> None:
    assert not recording()
    with step("lonely"):
        record(call(1))
        assert current_step() == ""


def test_a_step_ends_though_it_fails() -> None:
    with Trace("run") as trace:
        try:
            with step("bad"):
                raise ValueError
        except ValueError:
            pass
        record(call(1))
    assert len(trace.root.calls) == 1
    assert trace.root.steps[0].name == "bad"


def test_traces_nest_and_threads_keep_their_own() -> None:
    seen: list[bool] = []
    with Trace("outer") as outer:
        with Trace("inner") as inner:
            record(call(1))
        thread = threading.Thread(target=lambda: seen.append(recording()))
        thread.start()
        thread.join()
        record(call(2))
    assert (inner.usage.prompt_tokens, outer.usage.prompt_tokens) == (1, 2)
    assert seen == [False]


def test_a_trace_round_trips_through_json() -> None:
    with Trace("run") as trace, step("a"):
        record(call(3))
    root = trace.root
    assert Step.model_validate_json(root.to_json()) == root
