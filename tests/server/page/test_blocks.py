"""The text of documents beside answers: headings, lists, tables, sheets and slides, with the cited characters
marked and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from axe import load_axe, run_axe
from browsing import Site, assert_only_text, serve
from office import Worksheet, packed, pptx, shape, slide_table, xlsx
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow
OpenPage = Callable[..., Page]

HOSTILE = """<!DOCTYPE html><html><body><h1>Notice &lt;b&gt;</h1>
<p>Write &lt;script&gt;window.hacked = 1&lt;/script&gt; &amp;amp; <a href="javascript:window.hacked=1">press
here</a>.</p><ul><li>A rope &lt;img src=x onerror=window.hacked=1&gt;</li><li>A net</li></ul>
<ol start="3"><li>Untie</li><li>Leave</li></ol>
<table><tr><th>Boat</th><th>Berth; Fee</th></tr><tr><td>Gull; Berth: 9</td><td>4</td></tr>
<tr><td>Tern 😀</td><td></td></tr><tr><td></td><td>7</td></tr></table></body></html>"""
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def word() -> bytes:
    """A Word document with a heading, a list and a table."""

    def paragraph(text: str, marks: str = "") -> str:
        return f"<w:p><w:pPr>{marks}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"

    cells = [[paragraph(text) for text in row] for row in (("Rope", "Price"), ("hemp", "3.20"))]
    rows = "".join(f"<w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in row)}</w:tr>" for row in cells)
    item = '<w:numPr><w:numId w:val="1"/></w:numPr>'
    body = (
        paragraph("Order", '<w:outlineLvl w:val="0"/>')
        + paragraph("Details", '<w:outlineLvl w:val="2"/>')
        + paragraph("The ropes come on Monday.")
        + paragraph("One for the Gull.", item)
        + paragraph("One for the Tern.", item)
        + f"<w:tbl>{rows}</w:tbl>"
    )
    return packed({"word/document.xml": f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'})


FILES: dict[str, bytes] = {
    "notice.html": HOSTILE.encode(),
    "order.docx": word(),
    "prices.xlsx": xlsx(
        {
            "Ropes": Worksheet([["Rope", "Price"], ["hemp", 3.2], ["steel", 9]]),
            "Tar": Worksheet([["Kind", "Barrels"], ["pine", 4], ["coal", 5]]),
        }
    ),
    "plan.pptx": pptx(
        [
            shape("Ropes", kind="title") + shape("Buy hemp", "Sell steel", kind=""),
            shape("Berths", kind="title") + slide_table([["Boat", "Berth"], ["Gull", "4"]]),
        ],
        {2: shape("Ask the harbour master.", kind="body")},
    ),
    "many.csv": ("boat,berth\n" + "".join(f"Boat {n},{n}\n" for n in range(10_000))).encode(),
    "log.txt": b"Log\n===\n\n- no list\n\n<b>plain</b>\n",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with a corpus of these files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(tmp_path_factory.mktemp("home")))
        with serve(tmp_path_factory.mktemp("data")) as opened:
            with httpx.Client(base_url=f"{opened.url}api", timeout=60) as client:
                client.post("/corpora", json={"name": "port"}).raise_for_status()
                for source, data in FILES.items():
                    query = {"source": source}
                    client.post("/corpora/port/documents", params=query, content=data).raise_for_status()
                while client.get("/corpora/port").json()["indexing"]:
                    pass
            yield opened


def document(site: Site, source: str) -> dict[str, Any]:
    reply = httpx.get(f"{site.url}api/corpora/port/document", params={"source": source}, timeout=60)
    found: dict[str, Any] = reply.raise_for_status().json()
    return found


def opened(site: Site, open_page: OpenPage, source: str, cited: str = "", **options: Any) -> Page:
    """Open a document at some of its characters."""
    start = document(site, source)["text"].index(cited) if cited else 0
    place = f"&char={start},{start + len(cited)}" if cited else ""
    page = open_page(f"#/document/port?source={source}{place}", **options)
    page.locator(".source-text").wait_for()
    return page


# `[cited]` is in a mark for screen readers, on a line of its own.
def table(page: Page, number: int = 0) -> list[list[str]]:
    rows = page.locator(".source-text table").nth(number).locator("tr")
    return [row.locator("th, td").all_inner_texts() for row in rows.all()]


def test_html_keeps_its_form_and_none_of_its_markup_becomes_an_element(
    site: Site, open_page: OpenPage
) -> None:
    page = opened(site, open_page, "notice.html")
    expect(page.get_by_role("heading", name="Notice <b>").last).to_be_visible()
    assert_only_text(page, "<script>window.hacked = 1</script> &amp;", "<img src=x onerror=window.hacked=1>")
    assert page.locator(".source-text ul li").all_inner_texts()[1] == "A net"
    numbered = page.locator(".source-text ol li")
    assert [each.get_attribute("value") for each in numbered.all()] == ["3", "4"]
    # What looks like the separator of a row in the text stays in its cell.
    assert table(page) == [["Boat", "Berth; Fee"], ["Gull; Berth: 9", "4"], ["Tern 😀", ""], ["", "7"]]
    assert page.locator(".source-text a").count() == 0


def test_a_row_that_is_cited_is_marked_cell_by_cell(site: Site, open_page: OpenPage) -> None:
    page = opened(site, open_page, "notice.html", "Boat: Gull; Berth: 9; Berth; Fee: 4")
    expect(page.locator(".source-text mark.cited .hidden")).to_have_count(1)
    marked = page.locator("td:has(mark.cited)")
    expect(marked).to_have_count(2)
    expect(marked.first).to_have_text("[cited] Gull; Berth: 9")
    expect(marked.last).to_have_text("4")


def test_the_exact_characters_in_a_cell_are_marked_behind_astral_ones(
    site: Site, open_page: OpenPage
) -> None:
    page = opened(site, open_page, "notice.html", "7")
    expect(page.locator("td mark.cited")).to_have_text("[cited] 7")
    page = opened(site, open_page, "notice.html", "ern")
    cell = page.locator("td:has(mark)")
    expect(cell).to_have_text("T[cited] ern 😀")
    expect(cell.locator("mark")).to_have_text("[cited] ern")


def test_a_word_document_has_headings_lists_and_tables(site: Site, open_page: OpenPage) -> None:
    page = opened(site, open_page, "order.docx", "One for the Tern.")
    shown = page.locator(".source-text")
    # No level of headings is left out, though the file does.
    assert shown.locator("h3").all_inner_texts() == ["Order"]
    assert shown.locator("h4").all_inner_texts() == ["Details"]
    assert shown.locator("p").all_inner_texts() == ["The ropes come on Monday."]
    expect(shown.locator("ul li")).to_have_count(2)
    expect(shown.locator("li mark")).to_have_text("[cited] One for the Tern.")
    assert table(page) == [["Rope", "Price"], ["hemp", "3.20"]]


def test_sheets_and_slides_have_their_names_and_numbers(site: Site, open_page: OpenPage) -> None:
    page = opened(site, open_page, "prices.xlsx", "Kind: coal; Barrels: 5")
    assert page.locator(".source-text h3").all_inner_texts() == ["Ropes", "Tar"]
    assert table(page, 1) == [["Kind", "Barrels"], ["pine", "4"], ["[cited]\ncoal", "5"]]
    assert page.locator(".source-text thead th[scope=col]").count() == 4
    page = opened(site, open_page, "plan.pptx", "Ask the harbour master.")
    assert page.locator(".part-label").all_inner_texts() == ["Slide 1", "Slide 2"]
    assert page.locator(".source-text h3").all_inner_texts() == ["Ropes", "Berths"]
    assert page.locator(".source-text li").all_inner_texts() == ["Buy hemp", "Sell steel"]
    expect(page.locator(".slide-notes")).to_contain_text("Notes: [cited] Ask the harbour master.")


def test_of_a_long_table_the_rows_around_the_cited_one_are_shown_and_more_on_request(
    site: Site, open_page: OpenPage
) -> None:
    page = opened(site, open_page, "many.csv", "boat: Boat 5000; berth: 5000")
    expect(page.locator("td mark").first).to_have_text("[cited] Boat 5000")
    expect(page.locator("td mark").first).to_be_in_viewport()
    rows = page.locator(".source-text tbody tr")
    before = rows.count()
    assert 100 < before < 5_000
    assert table(page)[0] == ["boat", "berth"]
    first = int(rows.first.locator("td").last.inner_text())
    page.get_by_role("button", name="Show what stands before").click()
    expect(rows.first.locator("td").last).not_to_have_text(str(first))
    assert rows.count() > before
    page.get_by_role("button", name="Show what follows").click()
    expect(page.locator(".source-text table")).to_have_count(1)
    numbers = [int(each) for each in page.locator(".source-text tbody td:last-child").all_inner_texts()]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_a_plain_text_stays_as_it_is(site: Site, open_page: OpenPage) -> None:
    page = opened(site, open_page, "log.txt")
    assert page.locator(".source-text").inner_text().strip() == "Log\n===\n\n- no list\n\n<b>plain</b>"


@pytest.mark.parametrize("source", ["notice.html", "plan.pptx", "many.csv"])
def test_axe_finds_nothing(site: Site, open_page: OpenPage, source: str) -> None:
    cited = {"many.csv": "boat: Boat 5000; berth: 5000"}.get(source, "")
    for options in ({}, {"width": 360, "dark": True}):
        page = opened(site, open_page, source, cited, **options)
        load_axe(page)
        assert run_axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
