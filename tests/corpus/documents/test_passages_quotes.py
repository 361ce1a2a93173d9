"""A quote is found again whatever happened to its spaces."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from probative.corpus.documents.passages import locate
from probative.text.words import clean

TEXT = st.text(alphabet="ab é.\n\t\x07\u3000中", max_size=40)


@given(before=TEXT, quote=TEXT, after=TEXT)
def test_a_cleaned_part_of_a_text_is_found(before: str, quote: str, after: str) -> None:
    cleaned = clean(quote)
    place = locate(cleaned, f"{before}{quote}{after}")
    if not cleaned:
        assert place is None
        return
    assert place is not None
    start, end = place
    found = f"{before}{quote}{after}"[start:end]
    assert clean(found).replace(" ", "") == cleaned.replace(" ", "")


def test_only_the_given_part_is_searched() -> None:
    assert locate("sea", "sea sea sea", 1) == (4, 7)
    assert locate("sea", "sea sea", 1, 6) is None
