"""The claims of a text: where they stand, what is checked, what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.text.english.claims import claim_parts, stand_alone
from probative.verify.claims import claims_of
from probative.verify.references import references_of

REPORT = """---
title: The mill
---
# The mill of Aske

*A note for the council, May 2020*

The mill was **built** in 1790 by Ole Berg [1]. It burnt down in 1890, and the town sold
the ground [1, 3]. Was it insured?

## What is left

The museum has:

- a wheel of oak
- The stones lie in the [garden](#garden) ([map](maps/garden.txt)).

| year | visitors |
| --- | --- |
| 2019 | 4,210 |

```
The code is no claim.
```

> She sold 4,210 tickets.[^t] Why?

[^t]: The ledger, ledger.csv

## Sources

[1] The chronicle (chronicle.pdf)
[3] Minutes of 1891
"""


def test_every_claim_stands_where_it_says() -> None:
    made = claims_of(REPORT)
    assert [(claim.statement, REPORT[claim.start : claim.end]) for claim in made.claims] == [
        ("The mill was built in 1790 by Ole Berg.", "The mill was **built** in 1790 by Ole Berg"),
        ("The mill burnt down in 1890.", "It burnt down in 1890"),
        ("The town sold the ground.", "the town sold\nthe ground"),
        ("The museum has a wheel of oak", "a wheel of oak"),
        ("The stones lie in the garden.", "The stones lie in the [garden](#garden)"),
        ("The visitors of year 2019 is 4,210.", "4,210"),
        ("She sold 4,210 tickets.", "She sold 4,210 tickets."),
    ]
    assert made.claims[0].headings == ("The mill of Aske",)
    assert made.claims[3].headings == ("The mill of Aske", "What is left")


def test_what_is_not_checked_is_listed_with_the_reason() -> None:
    reasons = {part.text: part.reason for part in claims_of(REPORT).unchecked}
    assert reasons == {
        "A note for the council, May 2020": "a caption",
        "Was it insured?": "a question",
        "Why?": "a question",
        "The museum has:": "the introduction of a list",
        "| year | visitors |": "a row of a table",
    }


def test_citations_belong_to_their_sentence_and_know_their_source() -> None:
    cited = [
        [(reference.marker, reference.targets) for reference in claim.references]
        for claim in claims_of(REPORT).claims
    ]
    chronicle, minutes = "The chronicle (chronicle.pdf)", "Minutes of 1891"
    assert cited == [
        [("[1]", (chronicle,))],
        [("[1, 3]", (chronicle, minutes))],
        [("[1, 3]", (chronicle, minutes))],
        [],
        [("[map](maps/garden.txt)", ("maps/garden.txt",))],
        [],
        [("[^t]", ("The ledger, ledger.csv",))],
    ]


def test_a_list_of_sources_may_be_numbered_and_a_mark_may_lack_an_entry() -> None:
    text = "It rained [2]. It snowed [9]. The hall has 40 m² of floor.\n\n**Notes**\n\n1. A log\n2. A diary\n"
    assert [reference.targets for reference in references_of(text).citations] == [("A diary",), ()]


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "The pier opened in 1890 and closed in 1950.",
            ["The pier opened in 1890.", "The pier closed in 1950."],
        ),
        ("The hut was bought and restored by Ada.", ["The hut was bought.", "The hut was restored by Ada."]),
        ("Ada, who was 30, left.", ["Ada, who was 30, left."]),
        ("It has a brake, which closes by itself.", ["It has a brake.", "A brake closes by itself."]),
        (
            "If it rains, the pier closes, and we stay.",
            ["If it rains, the pier closes, and we stay."],
        ),
        ("Salt and pepper were sold.", ["Salt and pepper were sold."]),
        ("The fund paid £5; the rest came from gifts.", ["The fund paid £5.", "The rest came from gifts."]),
    ],
)
def test_compound_sentences_are_split_only_where_it_is_certain(sentence: str, parts: list[str]) -> None:
    assert [part.text for part in claim_parts(sentence)] == parts


@given(st.text(alphabet="The mill, and was sold; who £5 it.\n", max_size=120))
def test_parts_stand_inside_their_sentence_in_order(sentence: str) -> None:
    parts = claim_parts(sentence)
    places = [(part.start, part.end) for part in parts]
    assert places == sorted(places)
    assert all(0 <= start <= end <= len(sentence) for start, end in places)


@pytest.mark.parametrize(
    ("sentence", "before", "alone"),
    [
        ("They left.", "In 1790 the brothers built a mill.", "The brothers left."),
        ("She left.", "Ada Berg built a mill.", "Ada Berg left."),
        ("It is true that she left.", "The mill burnt.", "It is true that she left."),
        ("In 1890 it burnt.", "The mill of Aske stood there.", "In 1890 the mill of Aske burnt."),
        ("Their boat sank.", "The fishers left at dawn.", "The fishers' boat sank."),
        ("It sank.", "Nobody knew why.", "It sank."),
    ],
)
def test_a_pronoun_gets_its_name_where_one_agrees(sentence: str, before: str, alone: str) -> None:
    assert stand_alone(sentence, [before]) == alone


def test_a_text_in_another_language_is_checked_sentence_by_sentence() -> None:
    made = claims_of("Die Mühle wurde 1790 gebaut und war alt. Sie ist nicht mehr da.")
    assert [claim.statement for claim in made.claims] == [
        "Die Mühle wurde 1790 gebaut und war alt.",
        "Sie ist nicht mehr da.",
    ]


@given(st.text(alphabet="# -*_[]()^1:.\n|>`a B", max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    made = claims_of(text)
    assert all(0 <= claim.start <= claim.end <= len(text) for claim in made.claims)


def test_a_claim_keeps_its_subject_from_the_section_or_the_title() -> None:
    text = (
        "# Skarvo\n\n## The lighthouse\n\nIt opened in 1871.\n\nIts lamp was sold.\n\n"
        "## Trade\n\nThe quay burnt.\n\nIt was old."
    )
    assert [claim.statement for claim in claims_of(text).claims] == [
        "Skarvo › The lighthouse: It opened in 1871.",
        "Skarvo › The lighthouse: Its lamp was sold.",
        "The quay burnt.",
        "The quay was old.",
    ]
    (claim,) = claims_of("It opened in 1871.", title="The lighthouse of Skarvo").claims
    assert claim.statement == "The lighthouse of Skarvo: It opened in 1871."
