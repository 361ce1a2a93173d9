"""The view Calibrate: questions drawn and answered, answers labelled by buttons and keys, the guarantee."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from browsing import Site, Watch, assert_only_text, serve
from calibrated import SHIPS, asking, corpus
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow
OpenPage = Callable[..., Page]

ADDRESS = "#/calibrate?corpus=ships"
QUESTIONS = [f"In which town was the {ship} built?" for ship in SHIPS]


class Gate:
    """Lets the model answer when it is open."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.opened.set()

    def __call__(self) -> None:
        self.opened.wait(60)


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def site(tmp_path: Path, gate: Gate) -> Iterator[Site]:
    with serve(tmp_path / "data", session=asking(gate), corpora={"ships": corpus(tmp_path)}) as opened:
        yield opened
        gate.opened.set()


def draw(page: Page, questions: list[str], *, alpha: str = "0.2", delta: str = "0.1") -> None:
    page.get_by_role("radio", name="Your own As your users").check()
    page.get_by_label("Questions", exact=True).fill("\n".join(questions))
    page.get_by_label("Wrong at most").select_option(alpha)
    page.get_by_label("Confidence").select_option(delta)
    page.get_by_role("button", name="Draw and answer").click()


def drawn(page: Page, site: Site, questions: list[str] = QUESTIONS, **chosen: str) -> None:
    page.goto(site.url + ADDRESS)
    draw(page, questions, **chosen)
    expect(page.locator(".labelling")).to_be_visible()


def test_a_corpus_is_calibrated_from_the_documents_page_to_the_guarantee(page: Page, site: Site) -> None:
    page.goto(f"{site.url}#/documents/ships")
    page.get_by_role("link", name="Calibrate").click()
    expect(page.get_by_role("heading", name="No guarantee")).to_be_visible()
    expect(page.get_by_text("At least 59 supported answers are needed")).to_be_visible()
    draw(page, QUESTIONS)
    box = page.locator(".labelling")
    expect(box).to_contain_text("Answer 1 of 12")
    expect(box).to_contain_text("12 labels missing")
    expect(box.locator(".label-evidence")).to_contain_text("was built in")
    expect(box.get_by_text("Supported")).to_be_visible()
    # One by button, then the others by key.
    box.get_by_role("button", name="Right").click()
    expect(box).to_contain_text("Answer 2 of 12")
    expect(page.get_by_role("status").filter(has_text="Kept: right. 11 labels missing.")).to_have_count(1)
    for number in range(3, 13):
        page.keyboard.press("r")
        expect(box).to_contain_text(f"Answer {number} of 12")
    page.keyboard.press("R")
    expect(page.get_by_role("heading", name="Guaranteed")).to_be_visible()
    guaranteed = (
        "At most 20% of supported answers to questions like the 12 drawn are wrong, with 90% confidence."
    )
    expect(page.get_by_text(guaranteed)).to_be_visible()
    expect(page.get_by_text("12 answers right and 0 wrong")).to_be_visible()
    answered = httpx.post(
        f"{site.url}api/ask", json={"question": QUESTIONS[0], "corpus": "ships"}, timeout=60
    )
    page.goto(f"{site.url}#/ask/{answered.headers['Probative-Run']}")
    expect(page.get_by_text("Guarantee: at most 20% of supported answers")).to_be_visible()


def test_labels_are_kept_when_the_page_is_loaded_again_and_can_be_changed(page: Page, site: Site) -> None:
    drawn(page, site)
    box = page.locator(".labelling")
    box.get_by_role("button", name="Wrong").press("w")  # the key of a button that has the focus
    expect(box).to_contain_text("11 labels missing")
    page.keyboard.press("r")
    expect(box).to_contain_text("10 labels missing")
    page.reload()
    expect(box).to_contain_text("Answer 3 of 12")
    expect(box).to_contain_text("10 labels missing")
    box.get_by_role("button", name="Previous").click()
    page.keyboard.press("p")
    expect(box).to_contain_text("Answer 1 of 12")
    expect(box.get_by_role("button", name="Wrong")).to_have_attribute("aria-pressed", "true")
    box.get_by_role("button", name="Wrong").click()  # taken back
    expect(box).to_contain_text("11 labels missing")
    expect(box).to_contain_text("Answer 1 of 12")
    # Keys do nothing while the focus is elsewhere, and none is taken from the browser.
    page.get_by_role("link", name="Documents", exact=True).focus()
    page.keyboard.press("r")
    box.get_by_role("button", name="Next").focus()
    page.keyboard.press("Control+p")
    expect(box).to_contain_text("11 labels missing")
    expect(box).to_contain_text("Answer 1 of 12")


def test_a_label_that_is_not_kept_is_not_shown(page: Page, site: Site, watch: Watch) -> None:
    drawn(page, site)
    box = page.locator(".labelling")
    page.route("**/calibration/labels", lambda route: route.abort())
    box.get_by_role("button", name="Right").click()
    expect(box.get_by_role("alert")).to_contain_text("The server does not answer.")
    watch.wait_for(page, "ERR_FAILED")
    expect(box.get_by_role("button", name="Right")).to_have_attribute("aria-pressed", "false")
    page.unroute_all()
    box.get_by_role("button", name="Right").click()
    expect(box).to_contain_text("11 labels missing")


def test_wrong_answers_leave_no_guarantee_and_a_curve(page: Page, site: Site) -> None:
    drawn(page, site)
    for key in "www" + 9 * "r":
        before = page.locator("progress").get_attribute("value")
        page.locator(".labelling .question").press(key)
        expect(page.locator("progress")).not_to_have_attribute("value", str(before))
    expect(page.get_by_text("No limit can be guaranteed")).to_be_visible()
    expect(page.get_by_role("heading", name="No guarantee")).to_be_visible()
    expect(page.locator(".figures tbody tr").first).to_contain_text("no")


def test_too_few_answers_are_counted_and_more_are_drawn(page: Page, site: Site) -> None:
    page.goto(site.url + ADDRESS)
    page.get_by_label("Questions to draw").fill("6")
    draw(page, QUESTIONS)
    # 0.8^11 is the first power below 0.1.
    expect(page.get_by_text("5 answers too few.")).to_be_visible()
    page.locator(".labelling").get_by_role("button", name="Right").click()
    expect(page.locator(".labelling")).to_contain_text("5 labels missing")
    page.get_by_role("button", name="Draw 11 questions in all").click()
    expect(page.locator(".labelling")).to_contain_text("10 labels missing")
    expect(page.get_by_text("answers too few")).to_have_count(0)


def test_a_draw_is_stopped_goes_on_and_is_discarded(page: Page, site: Site, gate: Gate) -> None:
    gate.opened.clear()
    page.goto(site.url + ADDRESS)
    draw(page, QUESTIONS)
    expect(page.locator(".working")).to_contain_text("Answering the questions")
    page.reload()
    page.get_by_role("button", name="Cancel").click()
    gate.opened.set()
    expect(page.get_by_text("This run was cancelled.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("The draw was stopped before all questions were answered.")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".labelling")).to_contain_text("12 labels missing")
    page.get_by_role("button", name="Discard the draw with its labels").click()
    page.get_by_role("button", name="Discard it for good").click()
    expect(page.get_by_role("button", name="Draw and answer")).to_be_visible()


def test_what_is_guaranteed_can_be_changed_before_the_first_label(page: Page, site: Site) -> None:
    drawn(page, site, alpha="0.05", delta="0.05")
    expect(page.get_by_text("47 answers too few.")).to_be_visible()
    page.get_by_label("Wrong at most").select_option("0.2")
    expect(page.get_by_text("answers too few")).to_have_count(1)  # 14 are needed at 95%
    page.get_by_label("Confidence").select_option("0.1")
    expect(page.get_by_text("answers too few")).to_have_count(0)
    page.locator(".labelling").get_by_role("button", name="Right").click()
    expect(page.get_by_label("Wrong at most")).to_have_count(0)


def test_marks_and_claims_are_shown_as_tests(page: Page, site: Site) -> None:
    page.goto(site.url + ADDRESS)
    expect(page.get_by_text("No supported answer over this corpus is marked yet")).to_be_visible()
    asked = httpx.post(f"{site.url}api/ask", json={"question": QUESTIONS[0], "corpus": "ships"}, timeout=60)
    run = asked.headers["Probative-Run"]
    httpx.put(f"{site.url}api/runs/{run}/marks", json={"right": True}, timeout=60).raise_for_status()
    page.reload()
    expect(page.get_by_text("1 of 1 supported answer that somebody marked is right")).to_be_visible()
    page.get_by_role("spinbutton", name="Claims").fill("6")
    page.get_by_role("button", name="Test", exact=True).click()
    claims = page.get_by_role("region", name="Claims made of the documents")
    expect(claims.get_by_role("row").filter(has_text="True claims that are believed")).to_be_visible()
    expect(claims.get_by_role("button", name="Test again")).to_be_visible()


def test_the_history_leads_to_the_corpus_of_a_run(page: Page, site: Site) -> None:
    drawn(page, site)
    page.goto(f"{site.url}#/runs")
    row = page.get_by_role("row").filter(has_text="Answers to label: ships")
    expect(row.get_by_role("link", name="Trace")).to_have_count(0)
    row.get_by_role("link", name="Answers to label: ships").click()
    expect(page.locator(".labelling")).to_contain_text("Answer 1 of 12")


def test_questions_are_only_text_and_the_page_fits_a_phone(open_page: OpenPage, site: Site) -> None:
    script = "<img src=x onerror=alert(1)>"
    page = open_page(ADDRESS, width=360)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    draw(page, [f"{question} {script}" for question in QUESTIONS])
    expect(page.locator(".labelling")).to_be_visible()
    assert_only_text(page, script)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_a_corpus_that_is_not_there_says_so(page: Page, site: Site, watch: Watch) -> None:
    page.goto(f"{site.url}#/calibrate?corpus=none")
    expect(page.get_by_role("alert")).to_contain_text("none")
    watch.wait_for(page, "404")
