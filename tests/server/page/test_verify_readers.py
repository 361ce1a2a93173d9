"""Verify for every reader: on a phone, in the dark, with a screen reader; and scripts stay text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from audits import CONTROLS_WITHOUT_A_NAME, HEADING_LEVELS, TEXTS_OF_LOW_CONTRAST
from browsing import Site, assert_only_text, serve
from playwright.sync_api import Page, expect
from small_corpus import write
from verified import PASSAGES, TEXT, Gate, check, ruled_session

from probative.corpus.corpus import Corpus
from probative.settings import Settings

pytestmark = pytest.mark.slow

IMAGE = "<img src=x onerror=window.hacked=1>"
SCRIPT = "<script>window.hacked=1</script>"
LINK = "javascript:window.hacked=1"
NAME = '"><img src=x onerror=window.hacked=1>.md'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = write(
        tmp_path_factory.mktemp("documents"),
        {"<svg onload=hacked=1>.txt": f"{SCRIPT} Herons eat {IMAGE} fish. Herons do not eat {LINK} bread.\n"},
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(tmp_path_factory.mktemp("home")))
        with (
            Corpus.open(folder, vectors=False, settings=Settings(cache=False)) as corpus,
            serve(
                tmp_path_factory.mktemp("data"), session=ruled_session(Gate()), corpora={"birds": corpus}
            ) as opened,
        ):
            yield opened


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_everything_without_scrolling_sideways(
    open_page: Callable[..., Page], dark: bool
) -> None:
    page = open_page("#/verify", width=360, dark=dark)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    check(page, TEXT, PASSAGES)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("tab", name="As a list").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_on_a_phone_a_claim_leads_to_its_evidence_and_back(open_page: Callable[..., Page]) -> None:
    page = open_page("#/verify", width=360)
    check(page, TEXT, PASSAGES)
    page.locator(".claim").first.click()
    expect(page.locator(".detail h2")).to_have_text("Claim 1")
    expect(page.locator(".detail h2")).to_be_in_viewport()
    page.get_by_role("button", name="Back to the text").click()
    expect(page.locator(".claim").first).to_be_focused()
    expect(page.locator(".claim").first).to_be_in_viewport()


@pytest.mark.parametrize("dark", [False, True])
def test_every_text_has_enough_contrast(open_page: Callable[..., Page], dark: bool) -> None:
    page = open_page("#/verify", dark=dark)
    check(page, TEXT, PASSAGES)
    for number in range(1, 6):
        page.locator(f'.claim[data-claim="{number}"]').click()
        page.locator(".detail details").first.evaluate("details => { details.open = true; }")
        assert page.evaluate(TEXTS_OF_LOW_CONTRAST) == []
    page.get_by_role("button", name="Supported 2").click()
    assert page.evaluate(TEXTS_OF_LOW_CONTRAST) == []


def test_every_control_has_a_name_and_headings_do_not_skip(open_page: Callable[..., Page]) -> None:
    page = open_page("#/verify")
    check(page, TEXT, PASSAGES)
    page.get_by_role("button", name="Open the source here").first.click()
    page.locator(".detail .source").wait_for()
    assert page.evaluate(CONTROLS_WITHOUT_A_NAME) == []
    levels = page.evaluate(HEADING_LEVELS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_end_is_told_politely(open_page: Callable[..., Page]) -> None:
    page = open_page("#/verify")
    check(page, TEXT, PASSAGES)
    counted = "5 claims: 2 supported, 1 insufficient evidence, 2 contradicted"
    expect(page.get_by_role("status").and_(page.locator(".announcer"))).to_have_text(counted)
    expect(page.locator(".counted")).to_have_text(counted)


def test_scripts_in_text_passages_and_titles_stay_text(open_page: Callable[..., Page]) -> None:
    page = open_page("#/verify")
    check(
        page,
        f"Herons eat {IMAGE} bread. Herons eat {SCRIPT} fish [x]({LINK}).",
        f"# {IMAGE}\nHerons do not eat {SCRIPT} bread.\n\n# {LINK}\nHerons eat {IMAGE} fish.",
    )
    expect(page.locator(".checked-text")).to_contain_text(IMAGE)
    expect(page.locator(".checked-text")).to_contain_text(LINK)
    # A link divides its claim into several marks.
    numbers = page.locator(".claim").evaluate_all("marks => marks.map((mark) => mark.dataset.claim)")
    for number in dict.fromkeys(numbers):
        page.locator(f'.claim[data-claim="{number}"]').first.click()
        expect(page.locator(".detail h2")).to_have_text(f"Claim {number}")
        for details in page.locator(".detail details").all():
            details.evaluate("details => { details.open = true; }")
        closed = page.get_by_role("button", name="Open the source here")
        while closed.count():
            closed.first.click()
        page.locator(".detail .source").first.wait_for()
        assert_only_text(page, IMAGE, SCRIPT)


def test_scripts_in_the_name_of_a_file_stay_text(open_page: Callable[..., Page]) -> None:
    page = open_page("#/verify")
    page.get_by_role("tab", name="File", exact=True).click()
    page.locator("input[type=file]").set_input_files(
        {"name": NAME, "mimeType": "text/markdown", "buffer": f"Herons eat {IMAGE} bread.".encode()}
    )
    expect(page.locator(".file-name")).to_contain_text("onerror=window.hacked=1>.md")
    page.get_by_role("button", name="Check the text").click()
    expect(page.locator(".claim")).to_have_count(1)
    assert_only_text(page, IMAGE)


def test_scripts_in_a_document_and_its_name_stay_text(open_page: Callable[..., Page]) -> None:
    page = open_page("#/verify")
    check(page, "Herons eat bread.", None)
    page.locator(".detail details").first.evaluate("details => { details.open = true; }")
    page.get_by_role("button", name="Open the source here").first.click()
    expect(page.locator(".source-text")).to_contain_text(SCRIPT)
    assert_only_text(page, SCRIPT, "<svg onload=hacked=1>")


def test_scripts_in_an_address_stay_text(open_page: Callable[..., Page], site: Site) -> None:
    page = open_page("#/verify")
    check(page, TEXT, PASSAGES)
    run = page.url.split("/verify/")[1].split("?")[0]
    page.goto(f"{site.url}#/verify/{run}?filter=__proto__&claim={IMAGE}")
    expect(page.locator(".detail h2")).to_have_text("Claim 3")
    assert_only_text(page)
