"""English questions: long ones, odd ones, and what they compare."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.text import english
from probative.text.english.questions import tokens_of

# The pattern before it was made linear: a long word before an underscore took a minute.
_QUADRATIC = re.compile(r"\"[^\"]+\"|“[^”]+”|[^\W_]+(?:[-.'’&][^\W_]+)*\.?(?=\s[A-Z]|\b)|[^\w\s]")

LETTERS = 100_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "a" * LETTERS + "_",
        "a-" * (LETTERS // 2) + "_",
        "_a" * (LETTERS // 2),
        "A" * LETTERS + ", or B?",
        "“" * LETTERS + " ship",
        "A b " * (LETTERS // 4),
        "Ada's ship, " * (LETTERS // 12) + "or B?",
        "which town of the " * (LETTERS // 18),
        "born first or " * (LETTERS // 14),
        "船" * LETTERS,
    ],
)
def test_a_question_of_100_000_letters_is_parsed_in_linear_time(text: str) -> None:
    parsed = english.parse_question(text)
    assert parsed.intent
    assert all(node.text and node.text in text for node in parsed.nodes)


@given(st.text(alphabet="aB1 _-.'’&\"“”?,é船", max_size=60))
def test_the_linear_pattern_finds_the_same_tokens(text: str) -> None:
    linear = [(token.start, token.text.rstrip(".")) for token in tokens_of(text)]
    assert linear == [(match.start(), match.group().rstrip(".")) for match in _QUADRATIC.finditer(text)]


@given(st.text(alphabet="Aa or,?'Sava first born", max_size=200))
def test_every_text_is_parsed(text: str) -> None:
    assert english.parse_question(text).intent


def test_a_single_quotation_mark_is_no_node() -> None:
    nodes = english.parse_question('Who built the "Lark" and the “ of Molde?').nodes
    assert [node.text for node in nodes] == ["Lark", "Molde"]


@pytest.mark.parametrize(
    ("question", "intent", "nodes"),
    [
        (
            "How much does the supplier of the ropes pay for each day?",
            "amount",
            ["supplier", "ropes", "day"],
        ),
        ("How much rent does the tea room pay?", "amount of rent", ["tea room"]),
        ("How many people did the rope walk employ?", "number of people", ["rope walk"]),
        ("When does the tea room close?", "date", ["tea room"]),
        ("How much does the ferry company pay the crew?", "amount", ["ferry company", "crew"]),
        # The verb is known, or a name stands before it: the words before it belong together.
        ("When did the rope walk come to Vindal?", "date", ["rope walk", "Vindal"]),
        ("When did Ada Berg paint the tea room?", "date", ["Ada Berg", "tea room"]),
    ],
)
def test_the_verb_behind_do_is_no_part_of_a_node(question: str, intent: str, nodes: list[str]) -> None:
    parsed = english.parse_question(question)
    assert (parsed.intent, [node.text for node in parsed.nodes]) == (intent, nodes)
