"""Sentences know their own place, not only that of their passage."""

from __future__ import annotations

from probative.corpus.documents.document import Document
from probative.corpus.documents.places import Cells
from probative.types import Passage
from probative.verify.evidence import candidates_of, with_places


def test_a_sentence_of_a_sheet_is_cited_with_its_cells() -> None:
    text = "Rope: hemp\n\nRope: tar"
    rows = tuple(
        Cells(start=start, sheet="S", left=1, top=top, right=1, bottom=top)
        for start, top in ((0, 2), (12, 3))
    )
    document = Document(source="a.xlsx", text=text, cells=rows)
    passage = Passage(text=text, source="a.xlsx", start=0, end=len(text))
    read = with_places(candidates_of([passage]), lambda source, start, end: document.place_at(start, end))
    assert [each.evidence().citation for each in read] == [
        "a.xlsx#sheet=S&cells=A2&char=0,10",
        "a.xlsx#sheet=S&cells=A3&char=12,21",
    ]
    alone = candidates_of([passage])[0].evidence()
    assert (alone.citation, alone.page) == ("a.xlsx#char=0,10", None)
