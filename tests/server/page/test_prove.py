"""Prove in a browser: the sentences light up in order, with what each adds, in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from audits import CONTROLS_WITHOUT_A_NAME, EVENT_ATTRIBUTES, HEADING_LEVELS, TEXTS_OF_LOW_CONTRAST
from browsing import Site, scripted_session, serve
from playwright.sync_api import Page, expect
from verifying import ruled_by_words

from probative.testing import ScriptedModel

pytestmark = pytest.mark.slow

CLAIM = "The lens was made in Paris."
TEXT = (
    "Gulls nest 😀 here. The lens was made in Paris. Ida Brandt studied in Paris. Tickets cost four pounds."
)
IMAGE = "<img src=x onerror=window.hacked=1>"


def believe(prompt: str, claim: str) -> float:
    """Score the claim by the sentences of the prompt before it."""
    gains = {"The lens was": 4.0, "Ida Brandt": 2.0, "Gulls": 0.0, "Tickets": -1.0}
    return -20.0 + sum(gain for words, gain in gains.items() if words in prompt)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(tmp_path_factory.mktemp("home")))
        session = scripted_session(model=ScriptedModel(score=believe), verdict=ruled_by_words())
        with serve(tmp_path_factory.mktemp("data"), session=session) as opened:
            yield opened


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    return open_page("#/prove")


def prove(page: Page, claim: str = CLAIM, text: str = TEXT, sentences: str = "2") -> None:
    page.get_by_label("Claim").fill(claim)
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_label("Number of sentences").select_option(sentences)
    page.get_by_role("button", name="Find the evidence").click()
    page.locator(".prove-result").wait_for()


def lit(page: Page) -> list[str]:
    """Return the sentences that are lit, in the order of the text."""
    return [str(mark.evaluate("m => m.firstChild.textContent")) for mark in page.locator("mark.lit").all()]


def test_the_chosen_sentences_are_lit_at_their_place(page: Page) -> None:
    prove(page)
    # The text has a character of two UTF-16 units before the sentences.
    assert lit(page) == ["The lens was made in Paris.", "Ida Brandt studied in Paris."]
    expect(page.locator("mark.lit sup").first).to_have_text("1")
    expect(page.locator("mark.decides")).to_contain_text("The lens was made in Paris.")


def test_each_sentence_says_in_words_what_it_adds(page: Page) -> None:
    prove(page, sentences="3")
    steps = page.locator(".proof-step")
    expect(steps.nth(0)).to_contain_text("This sentence makes the claim much easier to believe.")
    expect(steps.nth(1)).to_contain_text("Together with the first, this sentence makes the claim")
    expect(steps.nth(2)).to_contain_text("Together with the first two, this sentence changes almost nothing.")
    assert "-20" not in page.locator(".prove-result").inner_text()


def test_the_verdict_and_the_sentence_that_decides_come_first(page: Page) -> None:
    prove(page)
    conclusion = page.locator(".conclusion")
    expect(conclusion.locator(".badge")).to_contain_text("Supported")
    expect(conclusion).to_contain_text("; the first one weighed most:")
    expect(conclusion.locator("blockquote")).to_have_text("The lens was made in Paris.")


def test_runners_up_are_told_in_words(page: Page) -> None:
    prove(page)
    page.get_by_text("Runners-up").first.click()
    others = page.locator(".runners-up").first
    expect(others).to_contain_text("Ida Brandt studied in Paris.")
    expect(others).to_contain_text("would have made the claim")
    expect(others.locator("li", has_text="Tickets")).to_contain_text("harder to believe")


def test_the_numbers_are_one_click_away(page: Page) -> None:
    prove(page)
    table = page.get_by_role("table")
    expect(table).to_be_hidden()
    page.get_by_text("The numbers behind the words").click()
    row = table.locator("tr", has_text="The lens was").first
    expect(row).to_contain_text("−16.00")
    expect(row).to_contain_text("+4.00")
    expect(page.locator(".proof-numbers")).to_contain_text("about 400 times as probable to the model")


def test_keys_step_back_and_forth(page: Page) -> None:
    prove(page)
    page.get_by_role("button", name="Previous").focus()
    for key, shown in (("ArrowLeft", 1), ("k", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("j", 2), ("j", 2)):
        page.keyboard.press(key)
        expect(page.get_by_role("status").filter(has_text="of 2 sentences")).to_have_text(
            f"{shown} of 2 sentences"
        )
        assert len(lit(page)) == shown
    page.get_by_role("button", name="Show step 1").click()
    assert lit(page) == ["The lens was made in Paris."]


def test_a_result_is_shown_whole_and_plays_when_asked(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()
    prove(page)
    assert len(lit(page)) == 2
    # Far enough in the future: until the clock is stopped, it goes on.
    page.clock.pause_at(page.evaluate("Date.now()") + 600_000)
    page.get_by_role("button", name="Replay").click()
    assert lit(page) == []
    page.clock.run_for(500)
    assert lit(page) == ["The lens was made in Paris."]
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(5_000)
    assert lit(page) == ["The lens was made in Paris."]
    page.get_by_role("button", name="Replay").click()
    page.clock.run_for(5_000)
    assert len(lit(page)) == 2


def test_a_contradiction_is_shown_against_the_claim(page: Page) -> None:
    prove(page, text="The lens was not made in Paris. Gulls nest here.", sentences="1")
    expect(page.locator(".conclusion .badge")).to_contain_text("Contradicted")
    expect(page.locator(".conclusion")).to_contain_text("The chosen sentence says otherwise.")
    expect(page.locator(".conclusion .quote.contradicts")).to_have_text("The lens was not made in Paris.")


def test_another_method_has_words_of_its_own(page: Page) -> None:
    page.locator("summary", has_text="Advanced").click()
    page.get_by_label("How sentences are chosen").select_option("bm25")
    prove(page)
    expect(page.locator(".proof-step").first).to_contain_text("The first choice of the method bm25.")
    expect(page.get_by_role("heading", name="The chosen sentences")).to_be_visible()


def test_as_many_sentences_as_help(page: Page) -> None:
    prove(page, sentences="auto")
    assert lit(page) == ["The lens was made in Paris.", "Ida Brandt studied in Paris."]


def test_the_text_can_come_from_a_file(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "lens.md"
    file.write_text("The lens was made in Paris.", encoding="utf-8")
    page.get_by_text("Take the text from a file").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_label("Text", exact=True)).to_have_value("The lens was made in Paris.")


def test_an_example_is_one_click_away_and_its_address_can_be_shared(
    page: Page, open_page: Callable[..., Page]
) -> None:
    page.locator(".example").first.click()
    page.locator(".prove-result").wait_for()
    expect(page.locator("mark.lit")).to_have_count(3)
    page.wait_for_url("**/#/prove/*")
    other = open_page("#" + page.url.split("#")[1])
    expect(other.locator("mark.lit")).to_have_count(3)
    claim = page.locator(".conclusion h2").inner_text()
    expect(other.get_by_label("Claim")).to_have_value(claim)


def test_the_reports_can_be_downloaded(page: Page) -> None:
    prove(page)
    saved = {}
    for name in ("HTML", "JSON"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Download as {name}").click()
        saved[name] = Path(download.value.path()).read_text(encoding="utf-8")
    assert json.loads(saved["JSON"])["result"]["claim"] == CLAIM
    assert CLAIM in saved["HTML"]


def test_what_is_missing_in_the_form_is_said(page: Page) -> None:
    page.get_by_role("button", name="Find the evidence").click()
    expect(page.get_by_role("alert")).to_have_text("Write a claim first.")
    page.get_by_label("Claim").fill(CLAIM)
    page.get_by_role("button", name="Find the evidence").click()
    expect(page.get_by_role("alert")).to_have_text("Paste a text first.")


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_everything_in_both_themes_with_enough_contrast(
    open_page: Callable[..., Page], dark: bool
) -> None:
    page = open_page("#/prove", width=360, dark=dark)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    prove(page, sentences="3")
    for details in page.locator(".prove-result details").all():
        details.evaluate("details => { details.open = true; }")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate(TEXTS_OF_LOW_CONTRAST) == []


def test_every_control_has_a_name_and_headings_do_not_skip(page: Page) -> None:
    prove(page)
    assert page.evaluate(CONTROLS_WITHOUT_A_NAME) == []
    levels = page.evaluate(HEADING_LEVELS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_scripts_in_claim_and_text_stay_text(page: Page) -> None:
    prove(
        page,
        f"The lens {IMAGE} was made.",
        f"The lens was {IMAGE} made. {IMAGE} Gulls <script>hacked=1</script>.",
    )
    for details in page.locator(".prove-result details").all():
        details.evaluate("details => { details.open = true; }")
    expect(page.locator(".proof-text")).to_contain_text(IMAGE)
    expect(page.locator(".conclusion")).to_contain_text(IMAGE)
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script").count() == 0
    assert page.evaluate(EVENT_ATTRIBUTES) == []
