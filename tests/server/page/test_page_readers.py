"""The page for those who listen to it or use the keyboard alone: what is said, and where the focus is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from whole_site import QUESTION, WholeSite, whole_site

pytestmark = pytest.mark.slow
OpenPage = Callable[..., Page]

# Keeps all that the live region of the page says.
LISTEN = """() => {
  window.heard = [];
  const region = document.querySelector(".announcer");
  const hear = () => region.textContent && window.heard.push(region.textContent);
  new MutationObserver(hear).observe(region, { childList: true, characterData: true, subtree: true });
}"""
# The elements that Tab reaches, in the order of the page, each with a number to know it by.
NUMBER_STOPS = """() =>
  [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
  .filter((element) => element.tabIndex >= 0 && !element.disabled)
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .map((element, number) => (element.dataset.stop = number))"""
# The element that has the focus: its number, and whether one can see that it has it.
STOP = """() => {
  const element = document.activeElement;
  const drawn = element.matches("[type=file]") ? element.labels[0] : element;
  const { outlineStyle, outlineWidth } = getComputedStyle(drawn);
  const seen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  return { number: element.dataset.stop ?? null, seen, html: element.outerHTML.slice(0, 120) };
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholeSite]:
    yield from whole_site(tmp_path_factory)


def heard(page: Page) -> list[str]:
    said: list[str] = page.evaluate("window.heard")
    return said


def test_an_answer_is_read_in_order(open_page: OpenPage, site: WholeSite) -> None:
    page = open_page(f"#/ask/{site.runs['answered']}")
    expect(page.locator("main")).to_match_aria_snapshot(f"""
      - heading "Ask" [level=1]
      - article "Result":
        - region "{QUESTION}":
          - heading "{QUESTION}" [level=2]
          - paragraph:
            - text: Vindal
            - button "Show passage 3 in its source"
          - paragraph: /Supported \\d+% certain/
          - heading "The sentence it rests on" [level=3]
          - list:
            - listitem:
              - button "Show passage 3 in its source"
              - text: /Marit Solberg was born in Vindal in 1868\\. holds the answer/
        - region "Source":
          - heading "Source" [level=2]
          - article:
            - region "Text of Marit Solberg":
              - mark: "[cited sentence] Marit Solberg was born in Vindal in 1868."
        - region "The chain of evidence":
          - heading "The question asks for" [level=3]
          - list:
            - listitem: /asked for town/
            - listitem: /name or thing Grey Heron/
          - heading "Evidence" [level=3]
          - list:
            - listitem:
              - button "Show passage 1 in its source"
              - mark: /The Grey Heron was designed by/
              - text: /Leads to \\[3\\] by/
              - strong: Marit Solberg
              - text: "/Carries: town; Grey Heron; Marit Solberg/"
          - heading "Answer" [level=3]
          - list:
            - listitem: Supported Vindal
        - region "Why “Supported”"
    """)


def test_a_refusal_is_read_in_order(open_page: OpenPage, site: WholeSite) -> None:
    page = open_page(f"#/ask/{site.runs['refused']}")
    expect(page.locator("main")).to_match_aria_snapshot("""
      - article "Result":
        - region "Who painted the portrait of Ida?":
          - heading "Who painted the portrait of Ida?" [level=2]
          - paragraph: No answer
          - paragraph: Not found
    """)


def test_checked_claims_are_read_with_their_verdicts_and_evidence(
    open_page: OpenPage, site: WholeSite
) -> None:
    page = open_page(f"#/verify/{site.runs['verified']}")
    expect(page.locator("main")).to_match_aria_snapshot("""
      - region "Result":
        - paragraph:
          - strong: 5 claims
          - text: /2 supported, 1 insufficient evidence, 2 contradicted/
        - group "Show only":
          - button "All 5" [pressed]
          - button "Contradicted 2"
        - tabpanel "In the text":
          - heading "The mill 😀" [level=3]
          - paragraph:
            - 'link "The mill burnt down in 1890. (claim 1: Supported)"'
            - 'link "The wheel is made of oak. (claim 3: Contradicted)"'
        - complementary "Evidence":
          - heading "Claim 3" [level=2]
          - paragraph: The wheel is made of oak.
          - paragraph: Contradicted probability 80%
          - heading "The sources disagree" [level=3]
          - heading "Says so" [level=4]
          - figure "Letters":
            - blockquote:
              - mark: Long ago the wheel is made of oak.
          - heading "Says otherwise" [level=4]
          - figure "Chronicle of Aske":
            - blockquote:
              - mark: The wheel is not made of oak.
            - button "Open the source here"
    """)


def test_a_proof_is_read_in_order(open_page: OpenPage, site: WholeSite) -> None:
    page = open_page(f"#/prove/{site.runs['proved']}")
    expect(page.locator("main")).to_match_aria_snapshot("""
      - region "Result":
        - heading "The lens was made in Paris." [level=2]
        - paragraph: /Supported Together, the chosen sentences support the claim/
        - figure:
          - blockquote: The lens was made in Paris.
        - group "Replay":
          - status: 2 of 2 sentences
        - heading "Text" [level=2]
        - region "The text":
          - mark: The lens was made in Paris. (chosen 1, decides)
          - mark: Ida Brandt studied in Paris. (chosen 2)
        - heading "What each sentence adds" [level=2]
        - list:
          - listitem:
            - button "Show step 1"
            - paragraph: The lens was made in Paris.
    """)


def test_a_graph_is_read_as_a_table(open_page: OpenPage, site: WholeSite) -> None:
    page = open_page(f"#/reason/{site.runs['reasoned']}")
    expect(page.locator("main")).to_match_aria_snapshot("""
      - region "Answer":
        - heading "Answer" [level=2]
        - paragraph: Does willow bark ease a headache?
        - paragraph: "yes"
        - paragraph: /Extrapolated The graph does not state it/
        - paragraph:
          - meter "Strength": "0.58"
        - heading "What decided it" [level=3]
      - region "The answer in three stages"
      - region "Groups and connections":
        - figure:
          - img /Drawing of 3 groups of entities and 6 connections. The table of connections has the same/
        - region "Connections":
          - table "Connections between entities":
            - rowgroup:
              - row:
                - columnheader "Kind"
                - columnheader "From"
                - columnheader "Relation"
                - columnheader "To"
            - rowgroup:
              - row:
                - cell "read in the graph decided it"
                - rowheader "willow bark"
                - cell "contains"
                - cell "salicin"
                - cell:
                  - 'button "Show in the drawing: willow bark, contains, salicin"'
    """)


def test_the_end_of_a_run_is_said_once_and_the_focus_is_not_lost(page: Page) -> None:
    page.evaluate(LISTEN)
    page.get_by_label("Question").fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".announcer")).to_have_text("Answer: Vindal. Supported.")
    # What is done is said at most once before: the run is over in no time.
    assert len(heard(page)) <= 2
    expect(page.get_by_role("heading", level=1, name="Ask")).to_be_focused()
    page.get_by_text("Plain RAG beside it").press("Enter")
    page.get_by_role("button", name="Compare with plain RAG").press("Enter")
    expect(page.locator(".announcer")).to_have_text("Plain RAG. Answer: Vindal. Supported.")
    expect(page.get_by_role("heading", name="Beside plain RAG")).to_be_focused()


def test_the_clock_of_a_run_goes_on_and_is_not_said(open_page: OpenPage, site: WholeSite) -> None:
    page = open_page("#/nothing")
    page.clock.install()
    page.evaluate(LISTEN)
    page.evaluate("address => { location.hash = address; }", f"#/ask/{site.runs['asking']}")
    clock = page.get_by_role("timer")
    expect(clock).to_have_text(re.compile(r"\d+ tokens, \d+ s$"))
    page.clock.run_for(65_000)
    expect(clock).to_have_text(re.compile(r"\d+ tokens, \d+ min \d+ s$"))
    expect(page.locator(".announcer")).to_have_text("Searching the documents…")
    # Each step is said at most once, whatever the clock shows.
    assert len(set(heard(page))) == len(heard(page))
    assert not any(re.search(r"\d", said) for said in heard(page))
    expect(page.get_by_role("progressbar", name="Progress")).to_be_visible()


def test_what_is_found_is_shown_while_a_question_runs(open_page: OpenPage, site: WholeSite) -> None:
    page = open_page(f"#/ask/{site.runs['asking']}")
    found = page.get_by_role("region", name="Found so far")
    expect(found).to_contain_text("Nothing of this is checked yet.")
    expect(found.get_by_role("listitem").first).to_have_text(
        "Grey HeronThe Grey Heron was designed by Marit Solberg and carried the mail.ships/heron.md"
    )
    page.evaluate("address => { location.hash = address; }", f"#/ask/{site.runs['answered']}")
    expect(page.get_by_role("article", name="Result")).to_be_visible()
    expect(found).to_have_count(0)


def test_a_citation_leads_to_its_sentence_and_back(open_page: OpenPage, site: WholeSite) -> None:
    page = open_page(f"#/ask/{site.runs['answered']}")
    cite = page.locator(".answer-text button.cite").first
    cite.press("Enter")
    source = page.get_by_role("region", name="Text of Marit Solberg")
    expect(source).to_be_focused()
    expect(source).to_have_accessible_description(
        "[cited sentence] Marit Solberg was born in Vindal in 1868."
    )
    page.keyboard.press("Escape")
    expect(cite).to_be_focused()
    # A passage that is cited as a whole has no mark, and is opened all the same.
    whole = page.locator(".chain button.cite").first
    whole.press("Enter")
    expect(page.get_by_role("region", name="Text of Grey Heron")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Back to the citation")).to_be_focused()
    page.keyboard.press("Enter")
    expect(whole).to_be_focused()


def test_a_claim_leads_to_its_evidence_and_back(open_page: OpenPage, site: WholeSite) -> None:
    page = open_page(f"#/verify/{site.runs['verified']}")
    page.evaluate(LISTEN)
    claim = page.locator('.claim[data-claim="4"]')
    claim.press("Enter")
    expect(page.get_by_role("heading", name="Claim 4")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(claim).to_be_focused()
    page.keyboard.press("k")
    # The claim is read because it has the focus; its evidence is said.
    said = "Says otherwise: The wheel is not made of oak. Says so: Long ago the wheel is made of oak."
    expect(page.locator(".announcer")).to_have_text(said)
    page.get_by_role("button", name="Next").press("Enter")
    expect(page.locator(".announcer")).to_have_text(
        "Claim 4: Herons eat bread. Contradicted. Says otherwise: Herons do not eat bread."
    )
    page.get_by_role("button", name="Open the source here").first.press("Enter")
    expect(page.locator(".source-text")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Close the source")).to_be_focused()


def test_another_view_begins_at_its_heading(page: Page) -> None:
    page.locator(".example").first.wait_for()
    for name in ("Check a text", "History"):
        page.get_by_role("navigation").get_by_role("link", name=name).press("Enter")
        expect(page.get_by_role("heading", level=1, name=name)).to_be_focused()


def test_a_run_that_is_kept_after_all_keeps_the_focus(open_page: OpenPage) -> None:
    page = open_page("#/runs")
    delete = page.get_by_role("table").get_by_role("button", name="Delete").first
    delete.press("Enter")
    expect(page.get_by_role("button", name="Delete for good")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(delete).to_be_focused()


@pytest.mark.parametrize(
    ("address", "there"),
    [
        ("ask", ".example"),
        ("ask/{answered}", ".source-text"),
        ("verify/{verified}", ".quote"),
        ("prove/{proved}", ".proof-step"),
        ("reason/{reasoned}", ".drawing-canvas svg"),
        ("runs", "table"),
        ("runs/{answered}", ".step"),
        ("bench/small", ".compare-with"),
        ("documents", "table"),
        ("documents/harbour", ".documents"),
        ("thread/{thread}", ".turn .source-text"),
        ("calibrate?corpus=ferries", ".labelling"),
    ],
)
def test_the_tab_key_goes_through_everything_and_out(
    open_page: OpenPage, site: WholeSite, address: str, there: str
) -> None:
    page = open_page(f"#/{address.format(**site.runs)}")
    page.locator(f"main {there}").first.wait_for()
    expected = [str(number) for number in page.evaluate(NUMBER_STOPS)]
    reached: list[str] = []
    # Chromium adds stops of its own for boxes that scroll; after the last stop comes the first again.
    for _ in range(len(expected) + 10):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop["number"] is None:
            continue
        if stop["number"] in reached:
            break
        assert stop["seen"], stop["html"]
        reached.append(stop["number"])
    assert reached == expected
