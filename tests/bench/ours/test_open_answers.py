"""The experiment on answers over open collections: how evidence is compared."""

from __future__ import annotations

from probative.bench.data.questions import Question
from probative.bench.families.open_pages import evidence_of
from probative.scope.result import Answer, ChainPassage, CitedSentence
from probative.types import Passage, Verdict

QUESTION = Question(
    id="1",
    text="Who married the maker of Salt Wind?",
    answer="Ada Berg",
    kind="bridge",
    passages=(
        Passage(text="Salt Wind was made by Ole Brandt.", title="Salt Wind"),
        Passage(text="It ran in Molde.", title="Salt Wind"),
        Passage(text="He married Ada Berg.", title="Ole Brandt"),
    ),
    gold=frozenset({0, 2}),
)


def chain(*pieces: tuple[str, str]) -> Answer:
    return Answer(
        question=QUESTION.text,
        answer="Ada Berg",
        verdict=Verdict.SUPPORTED,
        chain=tuple(
            ChainPassage(index=index, title=title, text=text) for index, (title, text) in enumerate(pieces)
        ),
        cited=(
            CitedSentence(index=0, text="Salt Wind was made by Ole Brandt.", start=0, end=33),
            CitedSentence(index=0, text="It ran in Molde.", start=34, end=50),
        ),
    )


def test_a_chain_with_one_of_two_pages_has_half_of_the_gold() -> None:
    found = evidence_of(QUESTION, chain(("Salt Wind", "Salt Wind was made by Ole Brandt. It ran in Molde.")))
    # One of two cited sentences is gold, and one of two gold sentences is cited.
    assert found == {"pages": False, "gold_sentences": 0.5, "cited_f1": 0.5}


def test_the_same_words_on_another_page_are_no_gold() -> None:
    pieces = (("Salt Wind", "Salt Wind was made by Ole Brandt."), ("Bo Lund", "He married Ada Berg."))
    assert evidence_of(QUESTION, chain(*pieces))["gold_sentences"] == 0.5


def test_all_gold_pages_are_noticed() -> None:
    pieces = (("Ole Brandt", "He married Ada Berg."), ("Salt Wind", "Salt Wind was made by Ole Brandt."))
    found = evidence_of(QUESTION, chain(*pieces))
    assert found["pages"]
    assert found["gold_sentences"] == 1.0
