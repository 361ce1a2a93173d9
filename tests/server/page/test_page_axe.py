"""axe-core finds nothing wrong with any view, in light and dark, wide and on a phone.

It checks WCAG 2.0 to 2.2 (A and AA) and axe's best practices. No rule
is left out and no element is excepted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from audits import TEXTS_OF_LOW_CONTRAST
from axe import TAGS, load_axe, run_axe
from playwright.sync_api import Browser, Page, Route, expect
from whole_site import QUESTION, WholeSite, whole_site

pytestmark = pytest.mark.slow

# Rules that look at colours: the others find the same in the dark as in the light.
COLOURS = ["color-contrast", "link-in-text-block"]
OPEN_ALL = "document.querySelectorAll('main details').forEach((details) => (details.open = true))"


def ask_without_a_question(page: Page) -> None:
    page.get_by_label("Question").fill(" ")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("alert").wait_for()


def add_a_file(page: Page) -> None:
    page.get_by_role("tab", name="Files").click()
    file = {"name": "mail.txt", "mimeType": "text/plain", "buffer": b"The Grey Heron carried the mail."}
    page.locator("input[type=file]").set_input_files(file)
    page.locator(".file-name").wait_for()


def open_a_citation(page: Page) -> None:
    page.locator("table.beside").wait_for()
    page.locator(".answer-text button.cite").first.click()
    expect(page.locator(".source-text")).to_be_focused()


def open_a_cited_scan(page: Page) -> None:
    expect(page.locator(".quote-place").first).to_contain_text("read by OCR")
    page.locator(".answer-text button.cite").first.click()
    expect(page.locator(".source-text")).to_be_focused()


def open_a_source(page: Page) -> None:
    page.get_by_role("button", name="Open the source here").first.click()
    page.locator(".source-text").wait_for()


def paste_a_line_that_is_no_triple(page: Page) -> None:
    page.get_by_role("tab", name="Pasted triples").click()
    page.get_by_role("textbox", name="Triples").fill("moss")
    page.get_by_text("Line 1 has 1 part").wait_for()


def show_a_connection(page: Page) -> None:
    page.get_by_role("button", name="Show in the drawing: salicin, eases, pain").click()


def choose_two_runs_and_delete_one(page: Page) -> None:
    for box in page.get_by_role("checkbox", name=f"Compare: {QUESTION}").all()[:2]:
        box.check()
    page.get_by_role("table").get_by_role("button", name="Delete").first.click()
    page.get_by_role("button", name="Delete for good").wait_for()


def delete_and_be_asked(page: Page) -> None:
    page.get_by_role("button", name="Delete harbour").click()
    page.get_by_role("region", name="Deleted").wait_for()


def rename_and_change_a_date(page: Page) -> None:
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("button", name="Change the date of 2023/lease.txt").click()
    page.get_by_label("Date of 2023/lease.txt").wait_for()


def give_own_questions(page: Page) -> None:
    page.get_by_role("radio", name="Your own As your users").check()
    page.get_by_role("button", name="Draw and answer").click()
    page.get_by_role("alert").wait_for()


def label_the_last_answer(page: Page) -> None:
    if not page.get_by_role("heading", name="Guaranteed").count():
        page.locator(".labelling").get_by_role("button", name="Right").click()
    page.get_by_role("heading", name="Guaranteed").wait_for()
    page.get_by_role("button", name="Discard the draw with its labels").click()


def ask_what_is_in_here(page: Page) -> None:
    page.get_by_label("Question").fill("What is in here?")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".contents li").first.wait_for()


def change_name_and_question(page: Page) -> None:
    page.locator(".mark-button[aria-pressed=true]").nth(1).wait_for()
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("button", name="Change the question").first.click()
    page.get_by_role("button", name="Delete the thread").click()


def delete_the_thread_in_the_list(page: Page) -> None:
    page.locator(".threads").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete the thread", exact=True).click()
    page.get_by_role("button", name="Undo").wait_for()


def delete_the_thread(page: Page) -> None:
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Delete the thread").click()
    page.get_by_role("button", name="Delete the thread", exact=True).click()
    page.get_by_role("button", name="Undo").wait_for()


def ask_for_the_token(page: Page) -> None:
    page.evaluate("dispatchEvent(new Event('probative:token'))")
    page.get_by_label("Token").wait_for()


def replied(page: Page, path: str, **changes: Any) -> None:
    """Load the page again with these changes to a reply of the server."""

    def change(route: Route) -> None:
        reply = route.fetch()
        route.fulfill(response=reply, json={**reply.json(), **changes})

    page.route(re.compile(f"/api/corpora/harbour{path}$"), change)
    page.reload()
    load_axe(page)


def index_the_corpus(page: Page) -> None:
    replied(page, "", indexing={"done": 1, "total": 4, "source": "2025/lease.txt"})
    page.get_by_role("progressbar", name="Indexing").wait_for()


def index_corpora(page: Page) -> None:
    listed = page.evaluate("fetch('api/corpora').then((reply) => reply.json())")["corpora"]
    indexing = {"done": 0, "total": 0, "source": ""}
    page.route(
        re.compile("/api/corpora$"),
        lambda route: route.fulfill(
            json={**route.fetch().json(), "corpora": [{**each, "indexing": indexing} for each in listed]}
        ),
    )
    page.reload()
    load_axe(page)
    page.get_by_text("Waiting to be read").first.wait_for()


def show_a_conversation(page: Page) -> None:
    (first, *others) = page.evaluate("fetch('api/corpora/harbour/documents').then((reply) => reply.json())")[
        "documents"
    ]
    mail = {"source": others[0]["source"], "date": "2026-05-03", "author": "Ada Holm <ada@example.org>"}
    replied(page, "/documents.*", documents=[{**first, "thread": [mail, mail]}, *others])
    page.get_by_text("Conversation with 2 other e-mails").wait_for()


def read_by_ocr(page: Page) -> None:
    found = page.evaluate(
        "fetch('api/corpora/harbour/document?source=mast.pdf').then((reply) => reply.json())"
    )
    structure = {**found["structure"], "ocr": [[0, len(found["text"])]]}
    replied(page, "/document.*", structure=structure)
    page.get_by_text("Read by OCR").wait_for()
    page.get_by_role("button", name="Show as text").click()


# What is shown: the address (with the names of runs), what is there when it is shown, and what is done then.
Act = Callable[[Page], None]
STATES: dict[str, tuple[str, str, Act | None]] = {
    "ask": ("ask", ".example", None),
    "ask, no question": ("ask", ".example", ask_without_a_question),
    "ask, a file": ("ask", ".example", add_a_file),
    "ask, contents": ("ask", ".example", ask_what_is_in_here),
    "ask, running": ("ask/{asking}", ".working", None),
    "ask, answered": ("ask/{answered}?rag={plain}", ".answer-text", open_a_citation),
    "ask, refused": ("ask/{refused}", ".answer-text", None),
    "ask, contradicted": ("ask/{contradicted}", ".contradiction", None),
    "ask, probable, read as, by OCR": ("ask/{probable}", ".answer.probable .read-as", open_a_cited_scan),
    "ask, failed": ("ask/{failed}", "text=Run again", None),
    "ask, cancelled": ("ask/{cancelled}", "text=This run was cancelled.", None),
    "ask, no such run": ("ask/none", "[role=alert]", None),
    "verify": ("verify", "form", None),
    "verify, running": ("verify/{verifying}", ".verify-result", None),
    "verify, checked": ("verify/{verified}", ".claim", open_a_source),
    "prove": ("prove", "form", None),
    "prove, proved": ("prove/{proved}", ".proof-step", None),
    "reason": ("reason", "form", paste_a_line_that_is_no_triple),
    "reason, answered": ("reason/{reasoned}", ".stage", show_a_connection),
    "runs": ("runs", "table", choose_two_runs_and_delete_one),
    "thread": ("thread/{thread}", ".turn .answer", change_name_and_question),
    "runs, a thread deleted": ("runs", ".threads", delete_the_thread_in_the_list),
    "thread, deleted": ("thread/{thread}", ".turn .answer", delete_the_thread),
    "no such thread": ("thread/none", "[role=alert]", None),
    "trace": ("runs/{answered}", ".step", None),
    "compare": ("compare/{answered}/{plain}", "table", None),
    "bench": ("bench", "table", None),
    "report": ("bench/small", "svg.plot", None),
    "reports compared": ("bench/small/large", "table", None),
    "documents": ("documents", "table", delete_and_be_asked),
    "documents, a corpus": ("documents/harbour", ".documents", rename_and_change_a_date),
    "documents, no such corpus": ("documents/none", "[role=alert]", None),
    "document": ("document/ferries?source=people/solberg.txt&char=0,20", "mark", None),
    "documents, a conversation": ("documents/harbour", ".documents", show_a_conversation),
    "documents, indexed now": ("documents/harbour", ".documents", index_the_corpus),
    "documents, all indexed now": ("documents", "table", index_corpora),
    "document, read by OCR": ("document/harbour?source=mast.pdf&char=0,32", "rect", read_by_ocr),
    "document, a page": ("document/harbour?source=mast.pdf&page=1&char=0,32", "rect", None),
    "calibrate": ("calibrate?corpus=harbour", "form", give_own_questions),
    "calibrate, labelling": ("calibrate?corpus=ferries", ".labelling", None),
    "calibrate, guaranteed": ("calibrate?corpus=ferries", ".labelling", label_the_last_answer),
    "calibrate, no such corpus": ("calibrate?corpus=none", "[role=alert]", None),
    "no such document": ("document/ferries?source=none", "[role=alert]", None),
    "no such page": ("nothing", "text=No such page", None),
    "token": ("ask", ".example", ask_for_the_token),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholeSite]:
    yield from whole_site(tmp_path_factory)


@pytest.fixture(scope="module")
def audited(browser: Browser, site: WholeSite) -> Iterator[Page]:
    """A page that all tests share, each of which loads it anew."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def load(page: Page, site: WholeSite) -> None:
    """Load the page anew, whatever the test before has done to it."""
    page.unroute_all(behavior="ignoreErrors")
    page.goto(site.url)
    page.reload()
    load_axe(page)


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(audited: Page, site: WholeSite, state: str) -> None:
    address, there, act = STATES[state]
    audited.set_viewport_size({"width": 1200, "height": 800})
    audited.emulate_media(color_scheme="light")
    load(audited, site)
    audited.evaluate("address => { location.hash = address; }", f"#/{address.format(**site.runs)}")
    audited.locator(f"main {there}" if "=" not in there else there).first.wait_for()
    if act:
        act(audited)
    audited.evaluate(OPEN_ALL)
    problems: dict[str, Any] = {"light": run_axe(audited, "tag", TAGS)}
    audited.emulate_media(color_scheme="dark")
    problems["dark"] = run_axe(audited, "rule", COLOURS)
    # On a phone things stand elsewhere; the contrast of each text is computed faster than axe does it.
    audited.set_viewport_size({"width": 360, "height": 800})
    problems["phone, dark"] = audited.evaluate(TEXTS_OF_LOW_CONTRAST)
    audited.emulate_media(color_scheme="light")
    problems["phone, light"] = audited.evaluate(TEXTS_OF_LOW_CONTRAST)
    problems["phone"] = run_axe(audited, "tag", TAGS)
    assert audited.evaluate("document.documentElement.scrollWidth") == 360
    assert {where: found for where, found in problems.items() if found} == {}


def test_axe_would_find_something(audited: Page, site: WholeSite) -> None:
    load(audited, site)
    audited.locator(".example").first.wait_for()
    audited.evaluate("document.querySelector('h1').append(new Image())")
    audited.evaluate("document.querySelector('nav a').style.color = 'silver'")
    found = {line.split(" ")[0] for line in run_axe(audited, "tag", TAGS)}
    assert {"image-alt", "color-contrast"} <= found
