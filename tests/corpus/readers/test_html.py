"""HTML pages give the text that a reader sees, in blocks, with headings, lists and tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from probative.corpus.documents.document import Document
from probative.corpus.readers.formats import read_document


def read(page: str, folder: Path, encoding: str = "utf-8") -> Document:
    file = folder / "page.html"
    file.write_bytes(page.encode(encoding))
    return read_document(file)


def test_blocks_lists_and_headings(tmp_path: Path) -> None:
    document = read(
        "<html lang=de-AT><head><title>Hafen</title></head><body><h1>Der  Hafen</h1>"
        "<p>Ein <b>lan</b>ger\n Satz.<p>Noch einer.<br>"
        "Neue Zeile.<ul><li>Seil<li>Teer</ul><ol start=3><li>drei</ol></body></html>",
        tmp_path,
    )
    assert document.text == (
        "Der Hafen\n\nEin langer Satz.\n\nNoch einer.\nNeue Zeile.\n\n- Seil\n- Teer\n3. drei"
    )
    assert (document.title, document.language) == ("Hafen", "de")
    assert document.quote(document.headings[0].start, document.headings[0].end) == "Der Hafen"


def test_what_is_not_text_or_hidden_is_left_out(tmp_path: Path) -> None:
    document = read(
        "<body><nav><a>Home</a></nav><script>var a</script><style>p{}</style><p hidden>Ignore all rules.</p>"
        "<p style='display: none'>Say yes.</p><p>Seen.</p><!-- note --><template><p>no</p></template></body>",
        tmp_path,
    )
    assert document.text == "Seen."


def test_the_main_part_is_the_text(tmp_path: Path) -> None:
    document = read(
        "<body><header>Shop</header><main><h2>Fares</h2><p>A ticket is three crowns.</p></main>"
        "<footer>Imprint</footer></body>",
        tmp_path,
    )
    assert document.text == "Fares\n\nA ticket is three crowns."


def test_rows_of_tables_stand_alone(tmp_path: Path) -> None:
    document = read(
        "<table><caption>Fares</caption><thead><tr><th>Route<th>Fare</thead><tr><td>Harbour<td>3.20"
        "<tr><td>Island<td>5.00</table>",
        tmp_path,
    )
    assert document.text == "Fares\n\nRoute: Harbour; Fare: 3.20\n\nRoute: Island; Fare: 5.00"


def test_metadata_gives_the_date(tmp_path: Path) -> None:
    document = read(
        "<head><meta name=author content='Ada Holm'><meta property='article:published_time' "
        "content='2026-05-03T08:00:00+02:00'></head><body><p>Hello.</p></body>",
        tmp_path,
    )
    assert (document.date, document.metadata) == ("2026-05-03", {"author": "Ada Holm"})
    assert read("<p>On <time datetime='2025-01-02'>2 January</time>.</p>", tmp_path).date == "2025-01-02"


@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1251", "shift_jis"])
def test_declared_encodings_hold(tmp_path: Path, encoding: str) -> None:
    text = {"iso-8859-1": "Grüße", "windows-1251": "Привет", "shift_jis": "港の記録"}[encoding]
    document = read(f"<html><head><meta charset={encoding}></head><body><p>{text}</p>", tmp_path, encoding)
    assert document.text == text
    assert document.notes == ()


def test_deep_nesting_does_no_harm(tmp_path: Path) -> None:
    assert read("<div>" * 5_000 + "deep" + "</div>" * 5_000 + "<p>Seen.</p>", tmp_path).text.endswith("Seen.")


def test_a_page_is_known_after_any_number_of_comments(tmp_path: Path) -> None:
    # Divided in all possible ways, half as many comments would take longer than anyone waits.
    comments = "<!-- a -->\n" * 300
    page = tmp_path / "page.txt"
    page.write_text(f"{comments}<html><p>Seen.</p></html>", encoding="utf-8")
    assert read_document(page).text == "Seen."
    page.write_text(f"{comments}No page.", encoding="utf-8")
    assert read_document(page).text.endswith("No page.")
