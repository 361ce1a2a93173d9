"""A claim is computed only from values that its evidence states, not from planned, lost or rumoured ones."""

from __future__ import annotations

import pytest

import probative

pytestmark = pytest.mark.slow

UNSTATED = [
    ("Brekke has more than 2,000 inhabitants.", "Brekke lost 3,400 of its inhabitants."),
    ("Brekke has more than 2,000 inhabitants.", "Brekke had 3,400 inhabitants in 1880 and has 700 today."),
    pytest.param(
        "The yard has more than 300 employees.",
        "The yard dismissed 450 employees.",
        marks=pytest.mark.xfail(
            reason="the small model takes it for stated on some processors", strict=False
        ),
    ),
    pytest.param(
        "The gallery has more than 200 drawings.",
        "The gallery lost 300 of its 350 drawings.",
        marks=pytest.mark.xfail(reason="the small model takes 350 for what it has", strict=False),
    ),
    ("The mast is taller than 40 m.", "The mast would have been 46 m tall."),
    ("The mast is taller than 40 m.", "Some say that the mast is 46 m tall."),
    ("The canal opened before 1920.", "The canal was due to open in 1911."),
]
STATED = [
    ("Brekke has more than 2,000 inhabitants.", "Brekke has 3,400 inhabitants."),
    ("The gallery has more than 200 drawings.", "The gallery owns 350 drawings and two busts."),
    ("The mast is taller than 40 m.", "The mast on the hill is 46 m tall."),
    ("The canal opened before 1920.", "The canal was opened in 1911 by the queen."),
    ("Lake Sol is deeper than Lake Vann.", "Lake Sol is 90 m deep. Lake Vann is 31 m deep."),
]


@pytest.mark.parametrize(("claim", "evidence"), UNSTATED)
def test_a_value_that_is_not_stated_supports_nothing(claim: str, evidence: str) -> None:
    assert probative.judge(claim, evidence).verdict.value != "supported"


@pytest.mark.parametrize(("claim", "evidence"), STATED)
def test_a_stated_value_is_computed_with(claim: str, evidence: str) -> None:
    judgement = probative.judge(claim, evidence)
    assert judgement.verdict.value == "supported"
    assert judgement.notes[0].startswith("computed: ")


def test_a_stated_value_contradicts_a_claim_too() -> None:
    judgement = probative.judge("The mast is taller than 50 m.", "The mast on the hill is 46 m tall.")
    assert judgement.verdict.value == "contradicted"
