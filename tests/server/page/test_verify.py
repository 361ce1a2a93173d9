"""Verify in a browser: verdicts in the text, evidence beside it, filters, keys, files, downloads."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browsing import Site, serve
from playwright.sync_api import Locator, Page, expect
from small_corpus import write
from verified import MILL, TEXT, Gate, check, ruled_session, start

from probative.corpus.corpus import Corpus
from probative.settings import Settings

pytestmark = pytest.mark.slow

CLAIMS = {
    "The mill burnt down in 1890.": "supported",
    "Tickets cost three crowns.": "supported",
    "The wheel is made of oak.": "contradicted",
    "Herons eat bread.": "contradicted",
    "The sails were sold in 1901.": "insufficient",
}


@pytest.fixture(scope="module")
def gate() -> Gate:
    return Gate()


@pytest.fixture(scope="module")
def site(gate: Gate, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = write(tmp_path_factory.mktemp("mill"), MILL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(tmp_path_factory.mktemp("home")))
        with (
            Corpus.open(folder, vectors=False, settings=Settings(cache=False)) as corpus,
            serve(
                tmp_path_factory.mktemp("data"), session=ruled_session(gate), corpora={"examples": corpus}
            ) as opened,
        ):
            yield opened


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    return open_page("#/verify")


def words(mark: Locator) -> str:
    """Return the words of a claim in the text, without what only screen readers get."""
    return str(mark.evaluate("mark => mark.firstChild.textContent"))


def test_every_claim_is_marked_at_its_place_with_its_verdict(page: Page) -> None:
    check(page)
    marks = page.locator(".checked-text .claim")
    found = {
        words(mark): (mark.get_attribute("class") or "").split()[1]
        for mark in (marks.nth(n) for n in range(5))
    }
    assert found == CLAIMS
    expect(page.locator(".counted")).to_contain_text("5 claims")
    expect(page.locator(".unchecked")).to_have_text("Was it a good mill?")
    expect(page.locator(".unchecked")).to_have_attribute("title", "Not checked: a question")
    # The words of a paragraph flow, although the text has short lines.
    assert not marks.nth(2).evaluate("mark => mark.nextSibling.textContent").strip()
    assert marks.nth(2).evaluate("mark => getComputedStyle(mark.parentElement).whiteSpace") == "normal"


def test_verdicts_have_a_word_and_a_sign_beside_their_colour(page: Page) -> None:
    check(page)
    mark = page.locator(".claim", has_text="Herons eat bread")
    expect(mark.locator("sup")).to_have_text("✗4")
    expect(mark.locator(".hidden")).to_have_text("(claim 4: Contradicted)")


def test_a_conflict_shows_both_sides(page: Page) -> None:
    check(page)
    page.locator(".claim", has_text="The wheel").click()
    detail = page.locator(".detail")
    expect(detail).to_contain_text("The sources disagree")
    expect(detail.locator(".quote.supports mark.deciding")).to_have_text("Long ago the wheel is made of oak.")
    expect(detail.locator(".quote.contradicts mark.conflict")).to_have_text("The wheel is not made of oak.")
    expect(page.get_by_role("button", name="Sources disagree 1")).to_be_visible()


def test_a_pasted_source_opens_at_the_sentence(page: Page) -> None:
    check(page)
    page.locator(".claim", has_text="Herons eat bread").click()
    page.get_by_role("button", name="Open the source here").first.click()
    expect(page.locator(".detail .source-title")).to_have_text("Birds")
    expect(page.locator(".detail mark.here")).to_contain_text("Herons do not eat bread.")
    page.get_by_role("button", name="Close the source").click()
    expect(page.locator(".detail .source")).to_have_count(0)


def test_a_document_of_a_corpus_opens_at_the_sentence(page: Page) -> None:
    check(page, passages=None)
    page.locator(".claim", has_text="The mill burnt").click()
    page.locator(".detail").get_by_role("button", name="Open the source here").first.click()
    # The document has a character of two UTF-16 units before the sentence.
    expect(page.locator(".detail mark.here")).to_have_text("[the sentence] The mill burnt down in 1890.")
    expect(page.locator(".detail .source")).to_contain_text("chronicle.txt")


def test_citations_have_their_own_verdicts(page: Page) -> None:
    check(page, passages=None)
    cited = page.locator(".checked-text .cited")
    assert [cited.nth(n).get_attribute("title") for n in range(2)] == [
        "its source does not say so",
        "its source says so",
    ]
    page.locator(".claim", has_text="The mill burnt").click()
    expect(page.locator(".detail .badge").first).to_contain_text("Supported")
    expect(page.locator(".citations .badge")).to_contain_text("Insufficient evidence")
    expect(page.locator(".citations")).to_contain_text("fares.txt does not say so.")
    page.get_by_role("button", name="Citation does not hold 1").click()
    expect(page.locator(".claim:not(.faded)")).to_have_count(1)


def test_a_filter_fades_the_other_claims_and_is_part_of_the_address(page: Page) -> None:
    check(page)
    page.get_by_role("button", name="Contradicted 2").click()
    expect(page).to_have_url(re.compile("filter=contradicted"))
    expect(page.locator(".claim.faded")).to_have_count(3)
    page.get_by_role("tab", name="As a list").click()
    expect(page.locator(".claim-list li")).to_have_count(2)
    page.reload()
    expect(page.get_by_role("button", name="Contradicted 2")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="All 5").click()
    expect(page.locator(".claim.faded")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("filter"))


def test_the_first_contradicted_claim_is_open_until_another_is_chosen(page: Page) -> None:
    check(page)
    expect(page.locator(".detail h2")).to_have_text("Claim 3")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".detail .claim-text")).to_have_text("Herons eat bread.")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".detail h2")).to_have_text("Claim 5")
    expect(page.get_by_role("button", name="Next")).to_be_disabled()


def test_keys_go_from_claim_to_claim(page: Page) -> None:
    check(page)
    page.locator(".claim").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".detail h2")).to_have_text("Claim 1")
    for key, number in (("j", 2), ("ArrowRight", 3), ("k", 2), ("ArrowLeft", 1), ("k", 1)):
        page.keyboard.press(key)
        expect(page.locator(".detail h2")).to_have_text(f"Claim {number}")
        expect(page.locator(f'.claim[data-claim="{number}"]')).to_be_focused()
    page.get_by_role("button", name="Contradicted 2").click()
    page.keyboard.press("j")
    expect(page.locator(".detail h2")).to_have_text("Claim 3")


def test_keys_stay_letters_in_the_form(page: Page) -> None:
    check(page)
    page.get_by_text("Change the text or the sources").click()
    page.get_by_label("Text", exact=True).fill("")
    page.get_by_label("Text", exact=True).press_sequentially("jk")
    expect(page.get_by_label("Text", exact=True)).to_have_value("jk")
    expect(page.locator(".detail h2")).to_have_text("Claim 3")


def test_claims_are_coloured_one_by_one(page: Page, gate: Gate) -> None:
    gate.close()
    start(page, "Herons eat fish slowly. Herons eat bread slowly. Herons eat mud slowly.", "Herons eat fish.")
    for done in range(1, 4):
        gate.open()
        expect(page.locator(".checked-text .claim")).to_have_count(done)
        if done < 3:
            expect(page.locator(".counted")).to_contain_text(f"{done} of 3 claims checked")
            expect(page.locator(".checked-text")).to_contain_text("Herons eat mud slowly.")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(page.locator(".counted")).to_contain_text("3 claims")


def test_evidence_can_be_read_while_claims_arrive(page: Page, gate: Gate) -> None:
    gate.close()
    start(page, "Herons eat fish quite slowly. Herons eat bread quite slowly.", "Herons eat fish.")
    gate.open()
    page.locator(".claim").first.click()
    expect(page.locator(".detail h2")).to_have_text("Claim 1")
    gate.open()
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(page.locator(".detail h2")).to_have_text("Claim 1")


def test_a_run_can_be_cancelled(page: Page, gate: Gate) -> None:
    start(page, "Herons sleep slowly. Herons wake slowly.", "Herons eat fish.")
    with page.expect_response("**/cancel"):
        page.get_by_role("button", name="Cancel").click()
    gate.open(2)
    page.wait_for_url("**/#/verify/*")
    run = page.url.split("/verify/")[1]
    expect(page.get_by_text("This run was cancelled.")).to_be_visible()
    assert page.request.get(page.url.split("#")[0] + f"api/runs/{run}").json()["state"] == "cancelled"


def test_a_file_is_checked_and_its_text_shown(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "brief.md"
    file.write_text(TEXT, encoding="utf-8")
    page.get_by_role("tab", name="File", exact=True).click()
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page.locator(".file-name")).to_have_text("brief.md")
    page.get_by_role("button", name="Check the text").click()
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(page.locator(".claim")).to_have_count(5)
    assert [words(page.locator(".claim").nth(n)) for n in range(5)] == list(CLAIMS)


def test_files_are_sources(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Nothing here. Herons do not eat bread.", encoding="utf-8")
    page.get_by_label("Text", exact=True).fill("Herons eat bread.")
    page.get_by_role("tab", name="Files").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".files .file-name")).to_have_text("notes.txt")
    page.get_by_role("button", name="Check the text").click()
    page.get_by_role("button", name="Open the source here").first.click()
    expect(page.locator(".detail mark.here")).to_contain_text("Herons do not eat bread.")


def test_the_reports_can_be_downloaded(page: Page) -> None:
    check(page)
    saved = {}
    for name in ("HTML", "JSON", "SARIF", "JUnit"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Download as {name}").click()
        saved[name] = Path(download.value.path()).read_text(encoding="utf-8")
    result = json.loads(saved["JSON"])["result"]
    assert {claim["text"]: claim["verdict"] for claim in result["claims"]} == CLAIMS
    assert json.loads(saved["SARIF"])["version"] == "2.1.0"
    assert ElementTree.fromstring(saved["JUnit"]).find(".//testcase") is not None
    assert "Herons eat bread." in saved["HTML"]
    assert "<script" not in saved["HTML"]


def test_the_address_of_a_result_can_be_shared(page: Page, open_page: Callable[..., Page]) -> None:
    check(page)
    page.locator(".claim", has_text="Herons eat bread").click()
    expect(page).to_have_url(re.compile("claim=4"))
    other = open_page("#" + page.url.split("#")[1])
    expect(other.locator(".detail .claim-text")).to_have_text("Herons eat bread.")
    expect(other.get_by_label("Text", exact=True)).to_have_value(TEXT)


def test_an_example_is_one_click_away(page: Page) -> None:
    page.locator(".example").first.click()
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(page.locator(".claim")).to_have_count(3)


def test_what_is_missing_in_the_form_is_said(page: Page) -> None:
    page.get_by_role("button", name="Check the text").click()
    expect(page.get_by_role("alert")).to_have_text("Paste a text first.")


def test_a_text_without_claims_says_so(page: Page) -> None:
    check(page, "Was it a good mill?")
    expect(page.locator(".detail")).to_contain_text("The text claims nothing that could be checked.")
    page.get_by_text("Not checked: 1").click()
    expect(page.locator(".unchecked-list li")).to_have_text("Was it a good mill? (a question)")


def test_a_run_of_another_kind_is_named(page: Page) -> None:
    made = page.request.post(
        page.url.split("#")[0] + "api/judge",
        data={"claim": "Herons eat fish.", "evidence": ["Herons eat fish."]},
        headers={"Prefer": "respond-async"},
    )
    page.goto(page.url.split("#")[0] + f"#/verify/{made.json()['id']}")
    expect(page.get_by_text("This run is of another kind")).to_be_visible()


def test_each_claim_is_marked_on_its_own(page: Page, site: Site) -> None:
    check(page)
    detail = page.locator(".detail")
    right, wrong = (detail.get_by_role("button", name=name) for name in ("Right", "Wrong"))
    right.click()
    expect(right).to_have_attribute("aria-pressed", "true")
    detail.get_by_role("button", name="Next").click()
    expect(right).to_have_attribute("aria-pressed", "false")
    wrong.click()
    expect(detail.locator(".marks")).to_contain_text("Kept: this verdict is wrong.")
    run = page.url.split("/verify/")[1].split("?")[0]
    marks = site.app.state.server.store.marks.of(run)
    assert sorted(mark.right for mark in marks) == [False, True]
    detail.get_by_role("button", name="Previous").click()
    expect(right).to_have_attribute("aria-pressed", "true")
