"""What counts as a contradiction between two passages."""

from __future__ import annotations

import pytest
from runs import make_run

from probative import Passage
from probative.scope.conclude.contradictions import contradictions_of, find_conflicts


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ("The mill opened in 1842.", "The mill opened in 1824.", ("1842", "1824")),
        ("The mill has 12 stones.", "The mill has 14 stones.", ("12", "14")),
        ("The mill was not closed by its owner.", "The mill was closed by its owner.", ("not so", "so")),
        (
            "The mill moved to Molde, Norway.",
            "The mill moved to Skagen, Denmark.",
            ("Molde, Norway", "Denmark, Skagen"),
        ),
        ("The mill cost 40 marks, 3 more.", "The mill cost 90 marks, 3 more.", ("40", "90")),
        ("THE MILL opened with Ada Berg.", "The Mill opened with Ada Berg!", None),
        ("The mill opened in 1842.", "The mill was painted red in 1824.", None),
        ("The mill opened in 1842.", "The forge opened in 1824.", None),
        ("The mill opened in 1842.", "In May 1842 the mill opened.", None),
        ("The mill is 1,200 feet long.", "The mill is 1200 feet long.", None),
        ("The mill opened on 3 May 1842.", "The mill opened in 1842.", None),
        ("The mill was built by Ada Berg.", "The mill was built by Ada Berg and Bo Li.", None),
        ("The mill had 20 hands in 1842.", "The mill had 25 hands in 1862.", None),
    ],
)
def test_what_counts_as_a_contradiction(one: str, other: str, clash: tuple[str, str] | None) -> None:
    passages = [Passage(text=text, title=text.split()[1]) for text in (one, other)]
    found = find_conflicts([0], passages)
    assert [(each.says, each.instead) for each in found] == ([clash] if clash else [])


def test_another_doer_of_the_same_deed_is_a_contradiction() -> None:
    texts = [
        f"{who} beat Jon Falk at the final to win the Harbour Race of 1842."
        for who in ("Ada Berg", "Siri Moe")
    ]
    (clash,) = find_conflicts([0], [Passage(text=text) for text in texts])
    assert (clash.kind, clash.says, clash.instead) == ("name", "Ada Berg", "Siri Moe")


@pytest.mark.parametrize(
    ("question", "texts", "titles"),
    [
        (  # the same sentence in two documents
            "Who opened the hall in Vik?",
            ["Ada Berg opened the hall of the guild in Vik in 1931."] * 2,
            ["Gazette", "Herald"],
        ),
        (  # the same words in another order
            "Who opened the hall in Vik?",
            [
                "Ada Berg opened the guild hall in Vik in 1931.",
                "In 1931 Ada Berg opened the guild hall in Vik.",
            ],
            ["Gazette", "Herald"],
        ),
        (  # of two people, the same is true
            "Where did Ada Berg study law?",
            [
                f"{who} was born in Molde and studied law at the school in Oslo."
                for who in ("Ada Berg", "Jon Falk")
            ],
            [None, None],
        ),
        (  # "she" and "he" are two people
            "Where did Ada Berg study law?",
            ["Born in Molde, the later judge studied law in Oslo for six years."] * 2,
            ["Ada Berg", "Jon Falk"],
        ),
    ],
)
def test_two_statements_that_can_both_hold_are_no_contradiction(
    question: str, texts: list[str], titles: list[str | None]
) -> None:
    passages = [Passage(text=text, title=title) for text, title in zip(texts, titles, strict=True)]
    assert contradictions_of(make_run(question, passages), [0]) == ()
