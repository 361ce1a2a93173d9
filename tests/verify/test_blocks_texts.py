"""The texts that verify takes: tables, footnotes, files of other formats, other languages, long ones."""

from __future__ import annotations

import tracemalloc
from functools import partial
from pathlib import Path

import pytest
from layouts import STYLES, Pdf, docx, paragraph
from verifying import PASSAGES

import probative
from probative.corpus.documents.document import Document, Heading
from probative.types import Verdict
from probative.verify.blocks import row_statements
from probative.verify.claims import claims_of

TABLE = """\
# Mills

| Mill | Year built | Height | Note |
| :--- | ---------: | ------ | ---- |
| **Aske** | 1790 [1] | 12 m | burnt \\| rebuilt |
| Dorn | – | 9 m | |

[1] Chronicle
"""


def test_each_cell_of_a_table_is_a_claim_about_its_row() -> None:
    made = claims_of(TABLE)
    assert [claim.statement for claim in made.claims] == [
        "The year built of Aske is 1790.",
        "The height of Aske is 12 m.",
        "The note of Aske is burnt | rebuilt.",
        "The height of Dorn is 9 m.",
    ]
    assert TABLE[made.claims[1].start : made.claims[1].end] == "12 m"
    assert made.claims[0].references[0].targets == ("Chronicle",)
    assert made.claims[1].references == ()
    assert made.claims[0].headings == ("Mills",)
    assert [part.reason for part in made.unchecked] == ["a row of a table"]  # the header


def test_a_row_is_about_its_first_word() -> None:
    assert row_statements(["No.", "Mill", "Built"], ["1", "Aske", "1790"]) == [
        (2, "The built of Aske is 1790.")
    ]
    assert row_statements(["Mill"], ["Aske"]) == []
    assert row_statements(["", ""], ["Aske", "old"]) == [(1, "Aske: old.")]


def test_rows_and_headings_of_a_document_are_no_sentences() -> None:
    text = "1. Fares: what to pay\n\nRoute: Harbour; Fare: 3.20\n\nTickets cost three crowns.\n\nThe mill"
    headings = [Heading(start=0, end=21, level=1, text="1. Fares: what to pay")]
    made = claims_of(text, headings)
    assert [claim.statement for claim in made.claims] == [
        "The fare of Harbour is 3.20.",
        "Tickets cost three crowns.",
        "The mill",
    ]
    assert {claim.headings for claim in made.claims} == {("1. Fares: what to pay",)}


@pytest.mark.parametrize("form", ["html", "docx", "pdf", "md", "txt"])
def test_files_of_other_formats_are_read_as_a_corpus_reads_them(
    form: str, session: probative.Session, tmp_path: Path
) -> None:
    file = tmp_path / f"report.{form}"
    sentence = "Tickets cost three crowns."
    pdf = Pdf()
    pdf.page().paragraph(72, 700, ["Tickets cost", "three crowns."])
    contents = {
        "html": f"<html><body><h1>Fares here</h1><p>{sentence}</p><script>x</script></body></html>".encode(),
        "docx": docx(paragraph("Fares here", "Titre1") + paragraph(sentence), {"word/styles.xml": STYLES}),
        "pdf": pdf.bytes(),
        "md": b"# Fares here\n\n**Tickets** cost three crowns.\n",
        "txt": sentence.encode("utf-16"),
    }
    file.write_bytes(contents[form])
    verification = session.verify(file, PASSAGES)
    (claim,) = verification.claims
    assert claim.verdict is Verdict.SUPPORTED
    assert verification.text[claim.start : claim.end].replace("*", "").split() == sentence.split()
    assert verification.name == str(file)


def test_a_document_is_a_text_and_its_notes_are_kept(session: probative.Session) -> None:
    document = Document(source="a.txt", text="Herons eat fish.", notes=("read as windows-1252",))
    verification = session.verify(document, PASSAGES)
    assert verification.name == "a.txt"
    assert verification.notes == ("read as windows-1252",)
    with pytest.raises(probative.InputError, match=r"a\.pdf has no text"):
        session.verify(Document(source="a.pdf", text=" "), PASSAGES)
    with pytest.raises(probative.UnreadableError, match="does not exist"):
        session.verify(Path("nothing.md"), PASSAGES)


def test_a_text_in_another_language_is_split_and_told(session: probative.Session) -> None:
    text = "Die Mühle ist 1890 abgebrannt. Sie wurde nicht wieder aufgebaut, weil das Geld dafür fehlte."
    first, second = session.verify(text, PASSAGES).claims
    assert (first.claim, second.claim) == tuple(part.strip() + "." for part in text.rstrip(".").split("."))


def test_a_list_and_its_footnotes_are_claims_with_sources(session: probative.Session) -> None:
    text = (
        "The chronicle says:\n\n- Herons eat fish.[^a]\n- the wheel is made of oak\n\n[^a]: chronicle.txt\n"
    )
    claims = session.verify(text, PASSAGES).claims
    assert claims[0].citations[0].source == "chronicle.txt"
    assert claims[0].citations[0].verdict is Verdict.SUPPORTED
    assert len(claims) == 2


def huge(sentences: int) -> str:
    """A text with a citation and a paragraph every few sentences."""
    ends = (" ", "\n\n")
    return (
        "".join(
            f"Barn {n} stands in field {n % 97} since {1500 + n % 400} [{n % 9 + 1}].{ends[n % 5 == 0]}"
            for n in range(sentences)
        )
        + "\n\n## Sources\n\n"
        + "".join(f"[{n}] book {n}\n" for n in range(1, 10))
    )


def test_ten_thousand_sentences_become_claims_with_their_citations() -> None:
    text = huge(10_000)
    claims = claims_of(text).claims
    assert len(claims) == 10_000
    assert text[claims[-1].start : claims[-1].end] == "Barn 9999 stands in field 8 since 1899"
    assert claims[-1].references[0].targets == ("book 1",)


def _note(seen: list[tuple[int, int]], done: int, claims: int) -> None:
    seen.append((done, claims))


@pytest.mark.slow
def test_a_claim_of_a_long_text_takes_little_memory_and_counts_as_done(session: probative.Session) -> None:
    peaks = []
    for sentences in (200, 600):
        seen: list[tuple[int, int]] = []
        tracemalloc.start()
        session.verify(huge(sentences), PASSAGES, claim_progress=partial(_note, seen))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert seen == [(done, sentences) for done in range(1, sentences + 1)]
    # 20 kB of result and trace for each claim: ten thousand take 200 MB.
    assert peaks[1] - peaks[0] < 400 * 40_000
