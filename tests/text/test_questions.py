"""English questions: long ones, odd ones, and what they compare."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.text.analyzer import Comparison, analyzer_for
from probative.text.english.tokens import tokens_of

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
    parsed = analyzer_for().parse_question(text)
    assert parsed.intent
    assert all(node.text and node.text in text for node in parsed.nodes)


@given(st.text(alphabet="aB1 _-.'’&\"“”?,é船", max_size=60))
def test_the_linear_pattern_finds_the_same_tokens(text: str) -> None:
    linear = [(token.start, token.text.rstrip(".")) for token in tokens_of(text)]
    assert linear == [(match.start(), match.group().rstrip(".")) for match in _QUADRATIC.finditer(text)]


@given(st.text(alphabet="Aa or,?'Sava first born", max_size=200))
def test_every_text_is_parsed(text: str) -> None:
    analyzer = analyzer_for()
    parsed = analyzer.parse_question(text)
    assert parsed.intent
    pair = analyzer.compared_pair(parsed, ["Sava", "Aa (river)"])
    assert pair is None or pair[0] != pair[1]
    assert analyzer.offered_pair(parsed, []) in (None, analyzer.compared_pair(parsed, []))


def test_a_single_quotation_mark_is_no_node() -> None:
    nodes = analyzer_for().parse_question('Who built the "Lark" and the “ of Molde?').nodes
    assert [node.text for node in nodes] == ["Lark", "Molde"]


@pytest.mark.parametrize(
    ("question", "comparison"),
    [
        ("Who was born first, Ada Berg or Jon Vik?", Comparison("date", True, "birth")),
        ("Which ship was built later, Lark or Heron?", Comparison("date", False, "start")),
        (
            "Which film has the director who died earlier, Lark or Heron?",
            Comparison("date", True, "death", "director"),
        ),
        ("Who lived longer, Ada Berg or Jon Vik?", Comparison("lifespan", True)),
        ("Are Lark and Heron from the same country?", Comparison("country", True)),
        ("Do Lark and Heron come from different countries?", Comparison("country", False)),
        ("Which lies on the Sava, Molde or Narvik?", Comparison("name")),
        ("Which is longer, Lark or Heron?", None),
        ("Who was not born first, Ada Berg or Jon Vik?", None),
        ("Who built the Lark?", None),
    ],
)
def test_what_a_question_compares(question: str, comparison: Comparison | None) -> None:
    assert analyzer_for().parse_question(question).comparison == comparison
