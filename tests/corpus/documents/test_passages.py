"""Passages are whole sentences of one section, and cite their exact place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.corpus.documents.document import Citation, Document, Heading
from probative.corpus.documents.passages import passages_of, sentences_of

WORDS = st.lists(
    st.sampled_from(["boat", "Ada", "rain.", "It", "is", "wet!", "\n\n", "- tar", "\n", "1904"]), max_size=80
)


@given(WORDS, st.integers(20, 200))
def test_every_sentence_is_in_exactly_one_passage(words: list[str], limit: int) -> None:
    document = Document(source="a.txt", text=" ".join(words))
    passages = passages_of(document, limit)
    assert [span for passage in passages for span in passage.sentences] == list(sentences_of(document))
    for passage in passages:
        assert passage.start is not None
        assert passage.end is not None
        assert document.quote(passage.start, passage.end) == passage.text
        assert len(passage.text) <= limit or len(passage.sentences) == 1
        cited = Citation.parse(passage.id or "")
        assert (cited.source, cited.start, cited.end) == ("a.txt", passage.start, passage.end)


@given(WORDS)
def test_no_letter_is_lost(words: list[str]) -> None:
    document = Document(source="a.txt", text=" ".join(words))
    covered = "".join(document.quote(*span) for span in sentences_of(document))
    assert [letter for letter in covered if letter.isalnum()] == [
        letter for letter in document.text if letter.isalnum()
    ]


def test_a_passage_ends_with_its_section_and_its_headings_are_the_title() -> None:
    text = "Before.\n\n# Boats\n\nOne. Two.\n\n## Nets\n\nThree.\n\n# Ends\n"
    headings = [(9, 16, 1, "Boats"), (29, 36, 2, "Nets"), (46, 52, 1, "Ends")]
    document = Document(
        source="log.md",
        title="Log",
        text=text,
        headings=tuple(Heading(start=a, end=b, level=n, text=name) for a, b, n, name in headings),
        date="2026",
        language="en",
    )
    assert [(passage.title, passage.text) for passage in passages_of(document)] == [
        ("Log", "Before."),
        ("Log › Boats", "One. Two."),
        ("Log › Boats › Nets", "Three."),
        ("Log", "# Ends"),
    ]
    assert {passage.date for passage in passages_of(document)} == {"2026"}


def test_a_passage_ends_with_a_paragraph_where_it_can() -> None:
    first, second = "A short one. " * 4, "Another text. " * 4
    document = Document(source="a.txt", text=f"{first.strip()}\n\n{second.strip()}")
    assert [passage.text for passage in passages_of(document, 80)] == [first.strip(), second.strip()]


def test_the_page_is_that_of_the_first_sentence() -> None:
    document = Document(source="a.pdf", text="One ends. Two goes on. Three.", pages=(0, 14))
    passages = passages_of(document, 15)
    assert [(passage.page, passage.text) for passage in passages] == [
        (1, "One ends."),
        (1, "Two goes on."),
        (2, "Three."),
    ]
    assert passages[2].id == "a.pdf#page=2&char=23,29"


def test_items_and_rows_are_sentences_of_their_own() -> None:
    text = "We need:\n- rope\n- tar\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    document = Document(source="a.md", text=text)
    assert [document.quote(*span) for span in sentences_of(document)] == [
        "We need:",
        "- rope",
        "- tar",
        "| a | b |",
        "| 1 | 2 |",
    ]


@pytest.mark.parametrize(
    ("title", "heading", "expected"),
    [
        ("Ropes – The Gazette", "Ropes", "Ropes – The Gazette"),
        ("The Gazette | Ropes", "ROPES", "The Gazette | Ropes"),
        ("Ropes: a history", "Ropes", "Ropes: a history"),
        ("Ropes", "  Ropes.", "Ropes"),
        ("Rope-makers", "Rope", "Rope-makers › Rope"),
        ("Ropes", "Prices", "Ropes › Prices"),
        ("", "Prices", "Prices"),
    ],
)
def test_a_title_is_said_once(title: str, heading: str, expected: str) -> None:
    text = f"{heading}\n\nIt rained all day."
    made = Heading(start=0, end=len(heading), level=1, text=heading)
    (passage,) = passages_of(Document(source="a.html", title=title, text=text, headings=(made,)))
    assert passage.title == expected


def test_a_definition_is_not_repeated_above_the_passage_that_has_it() -> None:
    """Neither a line break in it nor a meaning that is too long for a header makes a second copy."""
    meaning = "the person who signs the book of the house at the desk, and whoever that person brings along"
    text = (
        f"Alden Ropes\nLtd (the Supplier) sells rope. 'Guest' means {meaning} without delay. "
        "The Supplier pays. A Guest signs.\n\n"
    )
    later = "The Supplier sends rope to each Guest. " * 3
    first, *others = passages_of(Document(source="a.txt", text=text + later), len(text) + 20)
    assert first.definitions == ()
    assert others
    for passage in others:
        assert [entry.partition(" = ")[0] for entry in passage.definitions] == ["the Supplier", "Guest"]
