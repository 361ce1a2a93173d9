"""Words that documents define: found in the forms that contracts, rules and reports use, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.corpus.documents.document import Document, Facts
from probative.corpus.documents.passages import CorpusPassage, passages_of
from probative.corpus.stores.records import DocumentFacts, from_record, to_record
from probative.models.task_prompts import lines_of
from probative.text.definitions import definitions_in, header_of, needed_definitions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Borg Ropes AS (the Supplier) delivers.", ["the Supplier = Borg Ropes AS"]),
        ('Borg Ropes AS ("Supplier") delivers.', ["Supplier = Borg Ropes AS"]),
        ("Borg Ropes AS (hereinafter called ‘the Seller’) delivers.", ["the Seller = Borg Ropes AS"]),
        ("Borg Ropes AS (the “Seller”) delivers.", ["Seller = Borg Ropes AS"]),
        ("“Working Day” means a day from Monday to Friday.", ["Working Day = a day from Monday to Friday"]),
        ("The Old Harbour Board (HB) met.", ["HB = Harbour Board"]),
        ("The HB (Harbour Board) met.", ["HB = Harbour Board"]),
        ("The Society of Friends of Vik (SFV) met.", ["SFV = Society of Friends of Vik"]),
        (
            'made by the Vik Yard Club,\nMill Lane, Vik ("the Club"), and Borg\nRopes Ltd, Rø (the Seller).',
            ["the Club = Vik Yard Club, Mill Lane, Vik", "the Seller = Borg Ropes Ltd, Rø"],
        ),
        ("The yard (built in 1912) is old.", []),
        ("Ada Lund (the painter) left.", []),
        ("Ada Lund (1850) left for Oslo (Norway).", []),
        ("It cost 40 (VAT included).", []),
    ],
)
def test_definitions_are_found_in_their_usual_forms(text: str, expected: list[str]) -> None:
    assert [str(found) for found in definitions_in(text)] == expected


def test_only_what_a_text_uses_and_does_not_explain_is_needed() -> None:
    known = definitions_in("Borg Ropes AS (the Supplier) and Vik Yard (the Buyer) agree.")
    assert [str(found) for found in needed_definitions(known, "The Supplier pays.")] == [
        "the Supplier = Borg Ropes AS"
    ]
    assert needed_definitions(known, "Other suppliers pay the Buyers.") == ()


def test_passages_of_a_document_keep_the_definitions_that_they_need() -> None:
    text = "Borg Ropes AS (the Supplier) sells rope.\n\n" + "Rope is made of hemp. " * 60
    document = Document(source="a.txt", title="Contract", text=text + "\n\nThe Supplier pays 3% a week.")
    first, *_, last = passages_of(document)
    assert first.definitions == ()
    assert last.definitions == ("the Supplier = Borg Ropes AS",)
    assert lines_of([last])[-1].header == "Contract · the Supplier = Borg Ropes AS"


def test_an_index_keeps_them_and_an_older_one_has_none() -> None:
    passage = CorpusPassage(text="The Supplier pays.", start=0, end=18, definitions=("the Supplier = Borg",))
    document = DocumentFacts(1, "a.txt", Facts("en", None, None, {}))
    assert from_record(to_record(passage), document).definitions == ("the Supplier = Borg",)
    assert from_record(b'["A","It rained.",0,null,[0,10]]', document).definitions == ()


@given(st.text(max_size=300))
def test_no_text_breaks_it_and_every_definition_stands_where_it_says(text: str) -> None:
    for found in definitions_in(text):
        assert found.key in text[found.start : found.end] or found.term in " ".join(text.split())
        assert header_of("T", None, [found]).startswith("T · ")
