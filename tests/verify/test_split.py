"""Compound claims that the language model takes apart."""

from __future__ import annotations

import pytest
from verifying import by_overlap

import probative
from probative.models.types import Request
from probative.testing import ScriptedModel
from probative.verify.split import parts_in

BUILT = "The bridge was built in 1871 and the mole in 1880."
COSTS = "It costs 4 euros for adults and 2 for children."


@pytest.mark.parametrize(
    ("claim", "reply", "parts"),
    [
        (BUILT, "The bridge was built in 1871.\nThe mole was built in 1880.", 2),
        (COSTS, "It costs 4 euros for adults.\nIt costs 2 euros for children.", 2),
        (BUILT, BUILT, 0),
        (BUILT, "The bridge was built in 1871.", 0),  # a half is lost
        (BUILT, "The bridge was built in 1871.\nThe mole was built in 1881.", 0),
        (BUILT, "maybe", 0),
        ("The bridge and the mole were not sold.", "The bridge was sold.\nThe mole was not sold.", 0),
    ],
)
def test_a_reply_counts_only_if_it_says_the_same_in_parts(claim: str, reply: str, parts: int) -> None:
    assert len(parts_in(reply, claim)) == parts


def test_each_part_is_checked_and_stands_in_its_place() -> None:
    def writes(request: Request) -> str:
        asked = request.messages[-1].content
        if asked.startswith("Write each thing"):
            return "The bridge was built in 1871.\nThe mole was built in 1880."
        return '{"verdict": "supported", "confidence": 0.9, "deciding": ["A"]}'

    text = "# Sea\n\nThe bridge was **built** in 1871 and the mole in 1880 [1]. It is blue."
    sources = ["The bridge was built in 1871.", "The mole was built in 1880."]
    model = ScriptedModel(generate=writes)
    with probative.Session(model=model, policy=by_overlap(), verdict="model") as session:
        first, second, other = session.verify(text, sources).claims
    assert [first.claim, second.claim] == ["The bridge was built in 1871.", "The mole was built in 1880."]
    assert text[first.start : first.end] == "The bridge was **built** in 1871"
    assert text[second.start : second.end] == "the mole in 1880"
    assert [len(claim.citations) for claim in (first, second, other)] == [1, 1, 0]
    assert sum("Write each thing" in str(request) for request in model.asked) == 1  # the other claim is short


def test_the_embedded_models_are_not_asked(session: probative.Session) -> None:
    """They were taught to judge claims, and reply with a verdict."""
    (claim,) = session.verify(BUILT, ["The bridge was built in 1871."]).claims
    assert claim.claim == BUILT


def test_a_reader_of_ours_is_not_asked_either_where_it_gives_the_verdicts() -> None:
    verdict = '{"verdict": "supported", "confidence": 0.9, "deciding": ["A"]}'
    model = ScriptedModel(generate=verdict, reader=True)
    with probative.Session(model=model, policy=by_overlap(), verdict="model") as session:
        (claim,) = session.verify(BUILT, ["The bridge was built in 1871."]).claims
    assert claim.claim == BUILT
    assert not any("Write each thing" in str(request) for request in model.asked)
