"""The real page of a PDF: beside an answer and on its own, with the cited sentence marked on it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from browsing import Site, Watch, serve
from layouts import Pdf
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow
OpenPage = Callable[..., Page]

QUESTION = "In which town was the engineer born who designed the Grey Heron?"
BORN = "Marit Solberg was born in Vindal in 1868 and learned engineering."
# The share of dark pixels of the canvas within the box of a mark.
INK = """([selector]) => {
  const canvas = document.querySelector(".page-sheet canvas");
  const share = (name) => document.querySelector(selector)[name].baseVal.value;
  const place = [share("x") * canvas.width, share("y") * canvas.height];
  const size = [share("width") * canvas.width, share("height") * canvas.height];
  const { data } = canvas.getContext("2d").getImageData(...place, ...size);
  let dark = 0;
  for (let at = 0; at < data.length; at += 4) dark += data[at] < 128;
  return dark / (data.length / 4);
}"""


def heron() -> bytes:
    pdf = Pdf()
    page = pdf.page()
    page.paragraph(60, 780, ["The Grey Heron was designed by Marit Solberg and carried the mail."])
    page = pdf.page()
    page.paragraph(60, 500, ["She drew other ships as well.", BORN])
    return pdf.bytes()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with the corpus "ships": a PDF of two pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(tmp_path_factory.mktemp("home")))
        with serve(tmp_path_factory.mktemp("data")) as opened:
            with httpx.Client(base_url=f"{opened.url}api", timeout=60) as client:
                client.post("/corpora", json={"name": "ships"}).raise_for_status()
                files = {"heron.pdf": heron(), "log.txt": b"It rained for a week."}
                for source, data in files.items():
                    query = {"source": source}
                    client.post("/corpora/ships/documents", params=query, content=data).raise_for_status()
                while client.get("/corpora/ships").json()["indexing"]:
                    pass
            yield opened


def document(site: Site) -> dict[str, str]:
    query = {"source": "heron.pdf"}
    found: dict[str, str] = httpx.get(f"{site.url}api/corpora/ships/document", params=query).json()
    return found


def place(site: Site) -> str:
    start = document(site)["text"].index("Marit Solberg was born")
    return f"{start},{start + len(BORN)}"


def test_the_cited_sentence_is_marked_beside_the_answer(site: Site, open_page: OpenPage) -> None:
    request = {"question": QUESTION, "corpus": "ships"}
    reply = httpx.post(f"{site.url}api/ask", json=request, timeout=120)
    page = open_page(f"#/ask/{reply.headers['Probative-Run']}")
    expect(page.locator(".answer-text")).to_contain_text("Vindal")
    picture = page.get_by_role("img", name="Page 2 of heron.pdf.")
    expect(picture).to_have_accessible_name(f"Page 2 of heron.pdf. Marked: “{BORN}”")
    mark = page.locator("rect.deciding, rect.cited").first
    expect(mark).to_be_in_viewport()
    assert page.evaluate(INK, ["rect.deciding, rect.cited"]) > 0.05
    page.get_by_role("button", name="Show as text").click()
    expect(page.locator("mark.deciding, mark.cited").first).to_contain_text("born in Vindal")
    expect(page.get_by_role("button", name="Show the page")).to_be_focused()
    page.get_by_role("button", name="Show the page").click()
    page.locator(".answer-text button.cite").first.click()
    expect(page.get_by_role("region", name="Page of")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".answer-text button.cite").first).to_be_focused()
    page.get_by_role("link", name="Link to this page").click()
    expect(page.get_by_role("heading", name="Document", exact=True)).to_be_visible()
    expect(page.locator("rect.cited.here")).to_be_visible()


def test_an_older_answer_marks_nothing_in_a_file_that_has_changed(site: Site, open_page: OpenPage) -> None:
    name = f"board-{secrets.token_hex(4)}"
    with httpx.Client(base_url=f"{site.url}api", timeout=60) as client:
        client.post("/corpora", json={"name": name}).raise_for_status()

        def put(text: str) -> None:
            path, query = f"/corpora/{name}/document", {"source": "minutes.txt"}
            client.post(f"{path}s", params=query, content=text.encode()).raise_for_status()
            while client.get(path, params=query).json().get("text") != text:
                time.sleep(0.05)
            while client.get(f"/corpora/{name}").json()["indexing"]:
                time.sleep(0.05)

        put("The Grey Heron was designed by Marit Solberg. " + BORN)
        reply = client.post("/ask", json={"question": QUESTION, "corpus": name}, timeout=120)
        page = open_page(f"#/ask/{reply.headers['Probative-Run']}")
        expect(page.locator("mark.deciding, mark.cited").first).to_contain_text("born in Vindal")
        put("It rained for the whole of that week, and nobody had anything else to do.")
    page.reload()
    expect(page.get_by_text("The file has changed since this answer")).to_be_visible()
    expect(page.locator(".evidence-text mark")).to_have_count(0)


def test_a_file_of_one_question_shows_its_page_until_it_is_gone(
    site: Site, open_page: OpenPage, watch: Watch
) -> None:
    page = open_page("#/ask")
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("tab", name="Files").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "heron.pdf", "mimeType": "application/pdf", "buffer": heron()}
    )
    expect(page.locator(".file-name")).to_have_text("heron.pdf")
    page.get_by_role("button", name="Ask", exact=True).click()
    picture = page.get_by_role("img", name="Page 2 of heron.pdf.")
    expect(picture).to_have_accessible_name(f"Page 2 of heron.pdf. Marked: “{BORN}”")
    assert page.evaluate(INK, ["rect.deciding, rect.cited"]) > 0.05
    expect(page.locator(".quote-place").first).to_have_text("heron, page 2")
    expect(page.get_by_role("link", name="Link to this page")).to_have_count(0)
    page.get_by_role("button", name="Previous page").click()
    expect(page.get_by_role("img", name="Page 1 of heron.pdf.")).to_be_visible()
    page.get_by_role("button", name="Larger").click()
    expect(page.locator("canvas")).to_have_attribute("width", "1500")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Open original").click()
    assert (waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()) == (
        "heron.pdf",
        heron(),
    )
    request = httpx.get(f"{site.url}api/runs/{page.url.rpartition('/')[2]}").json()["request"]
    httpx.delete(f"{site.url}api/uploads/{request['uploads'][0]}").raise_for_status()
    page.reload()
    expect(page.get_by_text("This is the passage as the run read it.")).to_be_visible()
    watch.wait_for(page, "404")


def test_a_link_opens_the_page_with_its_mark_and_pages_are_turned(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"#/document/ships?source=heron.pdf&page=2&char={place(site)}")
    expect(page.locator("rect.cited")).to_have_count(1)
    number = page.get_by_role("spinbutton", name="Page")
    expect(number).to_have_value("2")
    page.get_by_role("button", name="Next page").press("Enter")
    expect(number).to_have_value("2")
    page.get_by_role("button", name="Previous page").press("Enter")
    expect(page.get_by_role("img", name="Page 1 of heron.pdf.")).to_be_visible()
    expect(page.locator("rect")).to_have_count(0)
    expect(page.get_by_role("button", name="Previous page")).to_be_focused()
    expect(page.locator(".announcer")).to_have_text("Page 1 of 2.")
    number.fill("2")
    number.press("Enter")
    expect(page.locator("rect.cited")).to_have_count(1)
    narrow = page.locator("canvas").bounding_box()
    page.get_by_role("button", name="Larger").press("Enter")
    expect(page.locator("canvas")).to_have_attribute("width", "1500")
    wide = page.locator("canvas").bounding_box()
    assert narrow is not None
    assert wide is not None
    assert wide["width"] > 1.4 * narrow["width"]
    assert page.evaluate(INK, ["rect.cited"]) > 0.05
    assert page.evaluate("document.documentElement.scrollWidth") == 1200


def test_a_link_to_a_page_alone_opens_it(site: Site, open_page: OpenPage) -> None:
    page = open_page("#/document/ships?source=heron.pdf&page=2")
    expect(page.get_by_role("img", name="Page 2 of heron.pdf.")).to_be_visible()
    expect(page.locator("rect")).to_have_count(0)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Open original").click()
    assert Path(waiting.value.path()).read_bytes().startswith(b"%PDF")


def test_the_page_fits_a_phone(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"#/document/ships?source=heron.pdf&page=2&char={place(site)}", width=360)
    expect(page.locator("rect.cited")).to_be_visible()
    # The page is wider than the phone: it is scrolled to the beginning of the sentence.
    assert page.locator(".source-text").evaluate(
        "box => box.scrollWidth > box.clientWidth && box.scrollLeft > 0"
    )
    page.get_by_role("button", name="Larger").click()
    expect(page.locator("canvas")).to_have_attribute("width", "2000")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_documents_without_pages_are_text(site: Site, open_page: OpenPage) -> None:
    page = open_page("#/document/ships?source=log.txt&char=0,9")
    expect(page.locator("mark")).to_contain_text("It rained")
    expect(page.get_by_role("button", name="Show as text")).to_have_count(0)


@pytest.mark.parametrize("where", ["corpus", "uploads"])
def test_the_sentence_behind_a_checked_claim_is_marked_on_its_page(
    site: Site, open_page: OpenPage, where: str
) -> None:
    added = httpx.post(f"{site.url}api/uploads", params={"name": "heron.pdf"}, content=heron()).json()["id"]
    source = {"corpus": "ships"} if where == "corpus" else {"uploads": [added]}
    request = {"text": "Marit Solberg was born in Vindal.", **source}
    reply = httpx.post(f"{site.url}api/verify", json=request, timeout=120)
    page = open_page(f"#/verify/{reply.headers['Probative-Run']}")
    page.get_by_role("button", name="Open the source here").first.click()
    expect(page.get_by_role("img", name="Page 2 of heron.pdf.")).to_have_accessible_name(
        f"Page 2 of heron.pdf. Marked: “{BORN}”"
    )


def test_a_page_that_cannot_be_drawn_leaves_the_text(site: Site, open_page: OpenPage, watch: Watch) -> None:
    page = open_page("#/documents")
    page.route(
        "**/page?*", lambda route: route.fulfill(status=404, json={"error": {"message": "It is gone."}})
    )
    page.goto(f"{site.url}#/document/ships?source=heron.pdf&page=2&char={place(site)}")
    expect(page.get_by_text("The page cannot be shown: It is gone.")).to_be_visible()
    expect(page.locator("mark.cited")).to_contain_text("born in Vindal")
    watch.wait_for(page, "404")
