"""The date of a document: what the user set, what it states itself, and last what its file says."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from letter_encoder import LetterEncoder
from reportlab.pdfgen.canvas import Canvas

from probative.corpus.corpus import Corpus
from probative.corpus.documents.dates import date_of_text
from probative.corpus.documents.document import Document
from probative.corpus.documents.files import SearchFilters
from probative.corpus.index.update import update_index
from probative.corpus.indexing import index_folder
from probative.corpus.readers.formats import read_document
from probative.errors import InputError

WORDS = "The mill was sold on 4 March 1921, and the new owner paid in three parts."


@pytest.mark.parametrize(
    ("text", "title", "date"),
    [
        (f"Date: 2024-01-15\n\n{WORDS}", "", "2024-01-15"),
        (f"**Date:** 15 January 2024\n\n{WORDS}", "", "2024-01-15"),
        (f"Date\n15.01.2024\n\n{WORDS}", "", "2024-01-15"),
        (f"DATE: 15/01/2024\n{WORDS}", "", "2024-01-15"),
        (f"Date of the meeting: Monday, 15 January 2024\n{WORDS}", "", "2024-01-15"),
        (f"Date: January 2024\n{WORDS}", "", "2024-01"),
        (f"Minutes of the board of the mill, held in Lom on 15 January 2024\n{WORDS}", "", "2024-01-15"),
        (f"Board minutes\n\nHeld on Monday, 15 January 2024.\n\n{WORDS}", "", "2024-01-15"),
        (f"{WORDS}\n\nSigned on 15 January 2024\n\nIda Lund", "", "2024-01-15"),
        (f"{WORDS} " * 90 + "\nSigned in Lom, 15 January 2024\nIda Lund", "", "2024-01-15"),
        (f"{WORDS} This agreement was signed by both parties on January 15th, 2024.", "", "2024-01-15"),
        (f"{WORDS} This lease is made as of the 15th day of January, 2024, by Ida.", "", "2024-01-15"),
        (f"{WORDS} The lease was signed in Lom on 15 January 2024.", "Lease of the mill", "2024-01-15"),
        (WORDS, "Board meeting, 15 January 2024", "2024-01-15"),
        (f"Published: 15 Jan. 2024\n{WORDS}", "", "2024-01-15"),
        (f"Lom, 15 January 2024\n\nDear Ida,\n\n{WORDS}", "", "2024-01-15"),
        (f"Signed on 03/04/2024\n{WORDS}", "", "2024"),
        (WORDS, "", None),
        ("The treaty was signed on 18 March 1921.", "The history of Lom", None),
        (f"Date of birth: 15 January 1950\n{WORDS}", "", None),
        (f"Due date: 15 January 2024\n{WORDS}", "", None),
        (f"Next meeting: 15 January 2024\n{WORDS}", "", None),
        (f"It took twenty minutes on foot. On 15 January 2024 it rained. {WORDS}", "", None),
        ("15 January 2024\nIt rained.\n16 January 2024\nIt snowed.", "", None),
        (f"Date: 2024-02-30\n{WORDS}", "", None),
        (f"Data of 300 boats: 2024 was wet.\n{WORDS}", "", None),
    ],
)
def test_a_document_states_its_own_date(text: str, title: str, date: str | None) -> None:
    assert date_of_text(text, title) == date


def pdf(folder: Path, name: str, lines: list[str]) -> Document:
    """Write a PDF, whose creation date is today, and read it."""
    file = folder / name
    canvas = Canvas(str(file))
    for at, line in enumerate(lines):
        canvas.drawString(72, 700 - 30 * at, line)
    canvas.save()
    return read_document(file)


def test_a_pdf_has_the_date_of_its_text_then_of_its_name_then_of_its_properties(tmp_path: Path) -> None:
    signed = pdf(
        tmp_path, "2022-02-02.pdf", ["Lease of the mill", "This lease was signed on 15 January 2024."]
    )
    assert (signed.date, signed.date_source) == ("2024-01-15", "text")
    named = pdf(tmp_path, "2022-02-02.pdf", ["Lease of the mill", WORDS])
    assert (named.date, named.date_source) == ("2022-02-02", "file name")
    made = pdf(tmp_path, "lease.pdf", ["Lease of the mill", WORDS])
    assert made.date is not None
    assert made.date_source == "file properties"
    agreeing = pdf(tmp_path, f"lease {made.date[:4]}.pdf", ["Lease of the mill", WORDS])
    assert (agreeing.date, agreeing.date_source) == (made.date, "file properties")


def docx(
    folder: Path, text: str, created: str, modified: str, written: tuple[int, int, int] = (2024, 5, 1)
) -> Document:
    """Write a DOCX with these properties, zipped on the day `written`, and read it."""
    parts = {
        "word/document.xml": '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        f"<w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>",
        "docProps/core.xml": '<c:p xmlns:c="core" xmlns:d="http://purl.org/dc/terms/">'
        f"<d:created>{created}</d:created><d:modified>{modified}</d:modified></c:p>",
    }
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (*written, 12, 0, 0)), content)
    file = folder / "lease.docx"
    file.write_bytes(data.getvalue())
    return read_document(file)


def test_a_docx_does_not_have_the_date_of_its_template(tmp_path: Path) -> None:
    template, later = "2013-12-23T23:15:00Z", "2024-04-01T09:00:00Z"
    assert docx(tmp_path, WORDS, template, template).date is None
    changed = docx(tmp_path, WORDS, "2023-01-02T08:00:00Z", later)
    assert (changed.date, changed.date_source) == ("2023-01-02", "file properties")
    # Word writes 1980 for all members.
    assert docx(tmp_path, WORDS, later, later, (1980, 1, 1)).date == "2024-04-01"
    signed = docx(tmp_path, "This lease was signed on 15 January 2024.", template, template)
    assert (signed.date, signed.date_source) == ("2024-01-15", "text")


@pytest.mark.parametrize(
    ("name", "text", "date", "source"),
    [
        ("a.md", f"---\ndate: 2023-03-03\n---\nDate: 2024-01-15\n\n{WORDS}", "2023-03-03", "front matter"),
        ("a.md", f"# Lease\n\nDate: 2024-01-15\n\n{WORDS}", "2024-01-15", "text"),
        ("2022-02.txt", f"Date: 2024-01-15\n\n{WORDS}", "2024-01-15", "text"),
        ("2022-02.txt", WORDS, "2022-02", "file name"),
        ("a.html", f"<meta name=date content=2023-03-03><p>Date: 2024-01-15<p>{WORDS}", "2024-01-15", "text"),
        ("a.html", f"<meta name=date content=2023-03-03><p>{WORDS}", "2023-03-03", "metadata"),
        (
            "a.eml",
            "From: a@b\nDate: Fri, 3 Mar 2023 10:00 +0000\n\nDate: 2024-01-15\n",
            "2023-03-03",
            "header",
        ),
        ("a.txt", WORDS, None, None),
    ],
)
def test_the_source_of_a_date_is_kept(
    tmp_path: Path, name: str, text: str, date: str | None, source: str | None
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    document = read_document(file)
    assert (document.date, document.date_source) == (date, source)


def test_a_column_and_the_user_set_dates(tmp_path: Path) -> None:
    folder, index = tmp_path / "documents", tmp_path / "index"
    folder.mkdir()
    (folder / "boats.csv").write_text("boat,date\nGull,2023-03-03\nTern,2024-01-15\n", encoding="utf-8")
    (folder / "log.txt").write_text(f"Date: 2024-01-15\n\n{WORDS}", encoding="utf-8")

    def dates(query: str, filters: SearchFilters | None = None) -> list[tuple[str | None, str | None]]:
        with Corpus(index, encoder=LetterEncoder()) as corpus:
            passages = [hit.passage for hit in corpus.search(query, 1, filters)]
            shown = [corpus.show(passage.id) for passage in passages]
            assert [each.date_source for each in shown] == [each.date_source for each in passages]
            return [(passage.date, passage.date_source) for passage in passages]

    index_folder(folder, index, vectors=False)
    assert dates("Gull") == [("2023-03-03", "column")]
    assert dates("mill") == [("2024-01-15", "text")]
    summary = index_folder(folder, index, vectors=False, dates=["*.txt=1 May 2020"])
    assert (summary.changed, summary.unchanged) == (1, 1)
    assert dates("mill") == [("2020-05-01", "--date")]
    assert dates("mill", SearchFilters(since="2021")) != [("2020-05-01", "--date")]
    (folder / "log.txt").write_text(f"Date: 2024-01-16\n\n{WORDS}", encoding="utf-8")
    assert update_index(folder, index).changed == 1
    assert dates("mill") == [("2020-05-01", "--date")]
    index_folder(folder, index, vectors=False, dates=["2019", "*.txt="])
    assert dates("mill") == [("2024-01-16", "text")]
    assert dates("Gull") == [("2023-03-03", "column")]


@pytest.mark.parametrize("date", ["soon", "", "*.md=soon", "2026-13"])
def test_a_date_that_is_none_is_an_input_error(tmp_path: Path, date: str) -> None:
    with pytest.raises(InputError, match="a date must be YYYY"):
        index_folder(tmp_path, tmp_path / "index", dates=[date])
