"""The page as readers set their browsers: larger text, forced colours, less motion; and very long words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from kept_runs import keep, reasoning, triple
from playwright.sync_api import Page, expect
from whole_site import WholeSite, whole_site

from probative import Knowledge

pytestmark = pytest.mark.slow
OpenPage = Callable[..., Page]

WORD = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
# The elements that stand out of the page on the right.
WIDER = """() => [...document.querySelectorAll("body *")]
  .filter((element) => element.checkVisibility())
  .filter((element) => !element.closest(".scroll-x, .hidden, .lines, pre, .page-sheet"))
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.outerHTML.slice(0, 160))"""
MOVING = """() => [...document.querySelectorAll("*")]
  .filter((element) => getComputedStyle(element).transitionDuration !== "0s")
  .map((element) => element.outerHTML.slice(0, 160))"""
LOOKS = """(element) => {
  const { backgroundColor, borderBottomColor, outlineStyle } = getComputedStyle(element);
  return { ground: backgroundColor, line: borderBottomColor, outline: outlineStyle };
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholeSite]:
    yield from whole_site(tmp_path_factory)


def go(page: Page, address: str, there: str) -> None:
    page.evaluate("address => { location.hash = address; }", f"#/{address}")
    page.locator(f"main {there}").first.wait_for()


@pytest.mark.parametrize("width", [1280, 360])
def test_text_of_twice_the_size_fits(open_page: OpenPage, site: WholeSite, width: int) -> None:
    page = open_page(width=width)
    size = "parseFloat(getComputedStyle(document.querySelector('p')).fontSize)"
    page.locator(".example").first.wait_for()
    before = page.evaluate(size)
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    assert page.evaluate(size) == 2 * before
    views = {
        "ask/{answered}": ".answer-text",
        "ask/{contradicted}": ".contradiction",
        "ask/{asking}": ".working",
        "verify/{verified}": ".claim",
        "prove/{proved}": ".proof-step",
        "reason/{reasoned}": ".stage",
        "runs": "table",
        "runs/{answered}": ".step",
        "compare/{answered}/{plain}": "table",
        "bench/small": "svg.plot",
        "documents": "table",
        "documents/harbour": ".documents",
        "document/harbour?source=mast.pdf&page=1&char=0,32": "rect",
        "ask": ".example",
    }
    wider = {}
    for address, there in views.items():
        go(page, address.format(**site.runs), there)
        wider[address] = page.evaluate(WIDER)
        assert page.evaluate("document.documentElement.scrollWidth") == width or wider[address], address
    assert {address: found for address, found in wider.items() if found} == {}


def test_long_words_are_broken_on_a_phone(open_page: OpenPage, site: WholeSite) -> None:
    named = triple(f"{WORD}|{WORD}|{WORD}2")
    thought = reasoning(f"Is {WORD}?", answer=WORD, facts=(named,), knowledge=Knowledge(expert=(named,)))
    passage = {"title": WORD, "text": f"The mill of {WORD} burnt down in 1890."}
    asked = {"question": f"When did the mill of {WORD} burn down?", "passages": [passage]}
    text = f"The mill of {WORD} burnt down in 1890. {WORD} is {WORD}."
    runs = {
        "ask": (site.finish("ask", **asked), ".answer-text"),
        "verify": (site.finish("verify", text=text, passages=[passage]), ".claim"),
        "prove": (site.finish("prove", claim=f"The lens of {WORD}.", text=text, k=1), ".proof-step"),
        "reason": (
            keep(site, "reason", thought.question, {"question": WORD, "graph": "herbs"}, thought),
            ".badge",
        ),
    }
    page = open_page(width=360)
    for verb, (run, there) in runs.items():
        go(page, f"{verb}/{run}", there)
        page.locator("details").evaluate_all("all => all.forEach((one) => (one.open = true))")
        assert page.evaluate(WIDER) == [], verb
        assert page.evaluate("document.documentElement.scrollWidth") == 360, verb
    for address, there in ((f"runs/{runs['ask'][0]}", ".step"), ("runs", "table")):
        go(page, address, there)
        assert page.evaluate(WIDER) == [], address


def test_with_forced_colours_states_are_still_told_apart(open_page: OpenPage, site: WholeSite) -> None:
    page = open_page(f"#/verify/{site.runs['verified']}")
    page.emulate_media(forced_colors="active")
    pressed, other = (
        page.locator(f'.filter[aria-pressed="{is_pressed}"]').first for is_pressed in ("true", "false")
    )
    assert pressed.evaluate(LOOKS)["ground"] != other.evaluate(LOOKS)["ground"]
    selected, hidden = (
        page.locator(f'[role=tab][aria-selected="{is_selected}"]').last for is_selected in ("true", "false")
    )
    assert selected.evaluate(LOOKS)["line"] != hidden.evaluate(LOOKS)["line"]
    current, another = page.locator("nav [aria-current=page]"), page.locator("nav a").first
    assert current.evaluate(LOOKS)["ground"] != another.evaluate(LOOKS)["ground"]
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.locator(":focus").evaluate(LOOKS)["outline"] == "solid"
    go(page, f"ask/{site.runs['answered']}", "mark.deciding")
    mark, around = page.locator("mark.deciding").first, page.locator(".source-text")
    assert mark.evaluate(LOOKS)["ground"] != around.evaluate(LOOKS)["ground"]


@pytest.mark.parametrize(
    ("address", "there"),
    [
        ("documents/harbour", ".documents"),
        ("thread/{thread}", ".turn .source-text"),
        ("calibrate?corpus=ferries", ".labelling"),
    ],
)
def test_with_forced_colours_the_focus_and_the_buttons_are_seen(
    open_page: OpenPage, site: WholeSite, address: str, there: str
) -> None:
    page = open_page()
    page.emulate_media(forced_colors="active")
    go(page, address.format(**site.runs), there)
    button = page.locator("main button:visible").first
    page.keyboard.press("Tab")  # the focus is that of a keyboard
    button.focus()
    assert button.evaluate(LOOKS)["outline"] == "solid"
    borders = page.locator("main button:visible:not(.quiet, .cite)").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).borderTopStyle)"
    )
    assert "none" not in borders


def test_less_motion_means_none(open_page: OpenPage, site: WholeSite) -> None:
    page = open_page(f"#/prove/{site.runs['proved']}")
    page.locator(".proof-step").first.wait_for()
    assert page.evaluate(MOVING) == []
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(MOVING) != []


def test_a_letter_is_a_source_and_its_date_is_shown(open_page: OpenPage) -> None:
    page = open_page("#/verify")
    page.get_by_label("Text", exact=True).fill("The mill burnt down in 1890.")
    page.get_by_role("tab", name="Files").click()
    chooser = page.locator("input[type=file]")
    assert ".eml" in str(chooser.get_attribute("accept")).split(",")
    letter = (
        b"From: Ida Brandt <ida@example.org>\r\nTo: Archive <archive@example.org>\r\nSubject: The mill\r\n"
        b"Date: Tue, 04 Mar 2025 10:00:00 +0000\r\nContent-Type: text/plain\r\n\r\n"
        b"As you know, the mill burnt down in 1890.\r\n"
    )
    chooser.set_input_files({"name": "letter.eml", "mimeType": "message/rfc822", "buffer": letter})
    expect(page.locator(".file-name")).to_have_text("letter.eml")
    page.get_by_role("button", name="Check the text").click()
    expect(page.locator(".quote figcaption").first).to_contain_text("dated 2025-03-04")
