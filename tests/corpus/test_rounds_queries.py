"""The queries of the next round."""

from __future__ import annotations

from probative.corpus.rounds import matches, names_to_look_up, uncovered_query
from probative.text import english
from probative.types import Passage

QUESTION = english.parse_question("Where was the builder of the Sea Lark born?")


def test_names_of_the_question_and_of_the_title_are_not_looked_up_again() -> None:
    passage = Passage(text="The Sea Lark, a sister of Grey Gull, was built by Ada Berg.", title="Grey Gull")
    assert names_to_look_up(QUESTION, passage, 5) == ["Ada Berg"]


def test_a_name_in_a_sentence_with_words_of_the_question_comes_first() -> None:
    text = (
        "It was painted. In May it left Molde for Vell. The builder of the Sea Lark was Ada Berg, born late."
    )
    names = names_to_look_up(QUESTION, Passage(text=text), 5)
    assert names[0] == "Ada Berg"
    assert {"Molde", "Vell"} <= set(names)
    assert names_to_look_up(QUESTION, Passage(text=text), 1) == ["Ada Berg"]


def test_words_that_the_chain_has_are_not_asked_for_again() -> None:
    first = Passage(text="The builder of the Sea Lark was Ada Berg.", title="Sea Lark")
    assert uncovered_query(QUESTION, [first]) == "Sea Lark born"
    second = Passage(text="She was born in Molde.", title="Ada Berg")
    assert uncovered_query(QUESTION, [first, second]) is None


def test_a_passage_is_about_its_title_or_the_name_it_begins_with() -> None:
    assert matches(Passage(text="She was born in Molde.", title="Ada Berg"), "Ada Berg")
    assert matches(Passage(text="Ada Berg was born in Molde."), "Ada Berg")
    assert matches(Passage(text="He sailed.", title="Ole Brandt (captain)"), "Ole Brandt")
    assert not matches(Passage(text="Molde is where Ada Berg lived.", title="Molde"), "Ada Berg")


def test_dates_and_nationalities_are_not_looked_up() -> None:
    question = english.parse_question("Who was the sister of the captain of the Lark?")
    text = "Ole Brandt (born 19 June 1887 in Molde) was a Norwegian captain from Norway, with Danish parents."
    assert names_to_look_up(question, Passage(text=text, title="Lark"), 9) == [
        "Ole Brandt",
        "Molde",
        "Norway",
    ]
