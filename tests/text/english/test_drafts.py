"""What is asked of each option, as steps of a plan."""

from __future__ import annotations

from probative.text.analysis import Attribute
from probative.text.english.drafts import Draft
from probative.text.plan import MAX_STEPS

HEIGHT = Attribute("height", "How high is {}?", "quantity")


def test_a_role_is_looked_up_before_the_value() -> None:
    plan = Draft("compare", (HEIGHT,), ("A", "B"), "more", "which", role="builder").plan()
    assert plan is not None
    assert [(step.ask, step.of) for step in plan.look_ups] == [
        ("Who is the builder of A?", "A"),
        ("How high is #1?", "A"),
        ("Who is the builder of B?", "B"),
        ("How high is #3?", "B"),
    ]
    assert plan.steps[-1].steps == (2, 4)


def test_without_two_values_or_with_too_many_there_is_no_plan() -> None:
    assert Draft("sum", (HEIGHT,), ("A",)).plan() is None
    assert Draft("sum", (HEIGHT,), tuple(f"A{number}" for number in range(MAX_STEPS))).plan() is None
