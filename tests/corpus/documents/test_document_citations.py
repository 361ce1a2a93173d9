"""A citation is written and read back, whatever the file is called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.corpus.documents.document import Citation, Document, surroundings
from probative.errors import InputError


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    st.integers(0, 10**9),
    st.integers(0, 10**6),
    st.none() | st.integers(1, 9999),
)
def test_what_is_written_is_read(source: str, start: int, length: int, page: int | None) -> None:
    citation = Citation(source=source.strip() or "a", start=start, end=start + length, page=page)
    written = str(citation)
    assert Citation.parse(written) == citation
    assert len(written.splitlines()) == 1


def test_half_a_surrogate_pair_is_written_too() -> None:
    assert str(Citation(source="a\ud800", start=3, end=9)) == "a%ED%A0%80#char=3,9"


@pytest.mark.parametrize(
    "source", ["notes/протокол мая.pdf", "a#page=2&char=1,2.txt", "50%.md", "a%41.md", "x\ny", "\udcff"]
)
def test_odd_names(source: str) -> None:
    citation = Citation(source=source, start=3, end=9, page=2)
    assert Citation.parse(str(citation)) == citation


def test_readable_names_stay_readable() -> None:
    assert str(Citation(source="Größe 50% — 港.pdf", start=1, end=2)) == "Größe 50% — 港.pdf#char=1,2"


@pytest.mark.parametrize(
    "text", ["", "a.txt", "a.txt#char=3", "#char=1,2", "a.txt#char=9,3", "a.txt#page=x&char=1,2"]
)
def test_what_is_no_citation_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Citation.parse(text)


def test_a_citation_beyond_the_text_is_refused() -> None:
    document = Document(source="a.txt", text="short")
    Citation(source="a.txt", start=0, end=5).check(document)
    with pytest.raises(InputError, match="has 5 characters"):
        Citation(source="a.txt", start=0, end=6).check(document)


@pytest.mark.parametrize(
    ("citation", "what"),
    [
        ("a.pdf#page=9&char=0,5", "a.pdf has 2 pages, the citation names page 9"),
        ("a.pdf#page=3&char=12,15", "a.pdf has 2 pages, the citation names page 3"),
        ("a.pdf#page=2&char=0,5", "char=0,5 of a.pdf is on page 1, not on page 2"),
        ("a.pdf#page=0&char=0,5", "char=0,5 of a.pdf is on page 1, not on page 0"),
        ("a.pdf#page=2&char=12,99", "a.pdf has 19 characters, the citation ends at 99"),
    ],
)
def test_a_page_that_does_not_have_the_characters_is_refused(citation: str, what: str) -> None:
    document = Document(source="a.pdf", text="It rained. We left.", pages=(0, 11))
    with pytest.raises(InputError) as raised:
        surroundings(document, Citation.parse(citation))
    assert raised.value.what == what
    assert surroundings(document, Citation.parse("a.pdf#page=2&char=11,19")).text == "We left."
    assert surroundings(document, Citation.parse("a.pdf#char=0,10")).page == 1


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    st.none() | st.sampled_from(["B2", "A4:AB7"]),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
)
def test_sheets_of_any_name_are_written_and_read(sheet: str, cells: str | None, source: str) -> None:
    citation = Citation(source=source.strip() or "a", start=3, end=9, sheet=sheet, cells=cells)
    assert Citation.parse(str(citation)) == citation
    assert len(str(citation).splitlines()) == 1


def test_a_slide_is_that_of_the_first_character() -> None:
    document = Document(source="a.pptx", text="Ropes\n\nTar", slides=(0, 7))
    assert str(Citation.of(document, 7, 10)) == "a.pptx#slide=2&char=7,10"
    Citation.parse("a.pptx#slide=2&char=7,10").check(document)
    with pytest.raises(InputError, match="is on slide 2, not on slide 1"):
        Citation.parse("a.pptx#slide=1&char=7,10").check(document)
    with pytest.raises(InputError, match=r"a\.txt has no slide 1"):
        Citation.parse("a.txt#slide=1&char=0,2").check(Document(source="a.txt", text="Ropes"))


def test_a_page_of_a_document_without_pages_or_with_one_is_refused() -> None:
    for pages, named in (((), "no pages"), ((0,), "1 page")):
        document = Document(source="a.pdf", text="It rained.", pages=pages)
        with pytest.raises(InputError, match=f"a.pdf has {named}, the citation names page 2"):
            Citation.parse("a.pdf#page=2&char=0,5").check(document)
