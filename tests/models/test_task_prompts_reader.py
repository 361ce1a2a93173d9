"""How the tuned reader is asked, and how its replies are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.models.task_prompts import FeatureLines, ask_answer, ask_features, read_features
from probative.types import Passage
from training.reader.features import write_features

SHIP = Passage(text="It was built\nin Molde.", title="Sea Lark")


def test_each_task_is_named_in_one_word_before_what_is_asked() -> None:
    asked = {"answer": ask_answer("Where  was it\nbuilt?", [SHIP]), "features": ask_features("Where is  it?")}
    for task, request in asked.items():
        assert [message.role for message in request.messages] == ["system", "user"]
        assert request.messages[0].content == task
    assert {task: request.messages[1].content for task, request in asked.items()} == {
        "answer": "Question: Where was it built?\n# Sea Lark\n1. It was built in Molde.\n"
        "Question: Where was it built?",
        "features": "Question: Where is it?",
    }


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", None),
        ("Bananas", None),
        ("nodes: a", None),
        ("intent:", None),
        ("intent: year", FeatureLines("year")),
        ("intent: year\nnodes: a ; a ; b", FeatureLines("year", ("a", "b"))),
        ("intent: year\nnodes: a ; b\nrelations: a | b", FeatureLines("year", ("a", "b"))),
        ("intent: year\nnodes: a ; b\nrelations: a | of | b | c", FeatureLines("year", ("a", "b"))),
        ("intent: year\nnodes: a ; b\nrelations: a | of | a", FeatureLines("year", ("a", "b"))),
        (
            "intent: year\nnodes: a ; b\nrelations: a | of | b ; b | of | c",
            FeatureLines("year", ("a", "b"), (("a", "of", "b"),)),
        ),
    ],
)
def test_what_does_not_fit_is_left_out(text: str, found: FeatureLines | None) -> None:
    assert read_features(text) == found


@given(st.text())
def test_any_reply_gives_nothing_or_features_that_fit_together(text: str) -> None:
    for reply in (text, f"intent: {text}", f"intent: year\nnodes: a ; b\nrelations: {text}"):
        found = read_features(reply)
        assert found is None or found.intent.strip()
        assert found is None or all({head, tail} <= set(found.nodes) for head, _, tail in found.relations)


NAMES = st.lists(
    st.from_regex(r"[a-z]{1,6}( [a-z]{1,6})?", fullmatch=True), min_size=2, max_size=5, unique=True
)


@given(NAMES)
def test_what_is_written_is_read_again(names: list[str]) -> None:
    features = FeatureLines(names[0], tuple(names), ((names[0], "of", names[1]),))
    assert read_features(write_features(features)) == features
