"""A citation is written and read back, whatever the file is called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.corpus.citation import Citation
from probative.corpus.document import Document
from probative.errors import InputError


@given(
    st.text(st.characters(), min_size=1),
    st.integers(0, 10**9),
    st.integers(0, 10**6),
    st.none() | st.integers(1, 9999),
)
def test_what_is_written_is_read(source: str, start: int, length: int, page: int | None) -> None:
    citation = Citation(source=source.strip() or "a", start=start, end=start + length, page=page)
    written = str(citation)
    assert Citation.parse(written) == citation
    assert len(written.splitlines()) == 1


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
