"""Markdown of documents, answers and checked texts is shown rendered, without HTML and without links."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from axe import load_axe, run_axe
from browsing import Site, assert_only_text, scripted_session, serve
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow
OpenPage = Callable[..., Page]

NOTES = """---
title: Harbour notes
---
# Harbour *notes*

The **Grey Heron** was `drawn`
by Marit Solberg.

#### Prices

| Rope | Price |
| --- | --: |
| hemp | **3.20** a metre |
| a \\| b | [here](javascript:window.hacked=1) |

- one
  - inner
- two

```
# no heading
<script>window.hacked = 1</script>
```

> Said <img src=x onerror=window.hacked=1> &lt;b&gt; 2 * 3 * 4 snake_case_name

![A boat](https://example.org/boat.png) <https://example.org/x> **unclosed
"""
LONG = "# Log\n\n```\nopen\n```\n\n" + "".join(
    f"## Day {n}\n\nIt *rained* on day {n}.\n\n" for n in range(5_000)
)
DRAFT = """## Findings

- Marit Solberg was **born** in Vindal.
- The Grey Heron carried the mail.

| Ship | Town |
| --- | --- |
| Grey Heron | Vindal |
"""
# What takes long if every mark looks for its other half.
SLOW = {
    "stars": "*a " * 6_000,
    "brackets": "[" * 19_000,
    "links": "[a](" * 4_900,
    "ticks": "".join("`" * n + "a" for n in range(1, 190)),
    "bars": "|" * 9_000 + "\n" + "|-" * 9_000 + "\n" + "|a" * 9_000,
    "quotes": ">" * 20_000,
    "lists": "\n".join(" " * (n % 40) + "- x" for n in range(1_000)),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    files = {"notes.md": NOTES, "long.md": LONG}
    answers = {"Grey Heron": "**Vindal**, on the `coast`"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(tmp_path_factory.mktemp("home")))
        with serve(tmp_path_factory.mktemp("data"), session=scripted_session(answers)) as opened:
            with httpx.Client(base_url=f"{opened.url}api", timeout=60) as client:
                client.post("/corpora", json={"name": "port"}).raise_for_status()
                for source, text in files.items():
                    query = {"source": source}
                    reply = client.post("/corpora/port/documents", params=query, content=text.encode())
                    reply.raise_for_status()
                while client.get("/corpora/port").json()["indexing"]:
                    pass
            yield opened


def opened(site: Site, open_page: OpenPage, source: str, cited: str, **options: Any) -> Page:
    text = {"notes.md": NOTES, "long.md": LONG}[source]
    start = text.index(cited)
    page = open_page(f"#/document/port?source={source}&char={start},{start + len(cited)}", **options)
    page.locator(".source-text mark").first.wait_for()
    return page


def test_a_markdown_document_is_rendered_and_no_html_of_it(site: Site, open_page: OpenPage) -> None:
    page = opened(site, open_page, "notes.md", "The **Grey Heron** was `drawn`\nby Marit Solberg.")
    shown = page.locator(".source-text")
    assert shown.locator("h3").all_inner_texts() == ["Harbour notes"]
    assert shown.locator("h4").all_inner_texts() == ["Prices"]
    # What is cited is marked without the signs around it.
    marks = shown.locator("mark")
    assert (
        "".join(marks.all_text_contents()).replace("[cited] ", "")
        == "The Grey Heron was drawnby Marit Solberg."
    )
    expect(shown.locator("strong mark")).to_have_text("Grey Heron")
    rows = [row.locator("th, td").all_inner_texts() for row in shown.locator("tr").all()]
    assert rows == [["Rope", "Price"], ["hemp", "3.20 a metre"], ["a | b", "herejavascript:window.hacked=1"]]
    expect(shown.locator("li li")).to_have_text("inner")
    expect(shown.locator("pre code")).to_contain_text("# no heading\n<script>window.hacked = 1</script>")
    assert_only_text(page, "Said <img src=x onerror=window.hacked=1> <b> 2 * 3 * 4 snake_case_name")
    expect(shown).to_contain_text("https://example.org/x **unclosed")
    assert shown.locator("a, img").count() == 0
    for options in ({}, {"width": 360, "dark": True}):
        page = opened(site, open_page, "notes.md", "hemp", **options)
        load_axe(page)
        assert run_axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_place_in_a_long_document_is_rendered_with_what_is_around_it(
    site: Site, open_page: OpenPage
) -> None:
    page = opened(site, open_page, "long.md", "It *rained* on day 2500.")
    expect(page.locator(".source-text mark").first).to_be_in_viewport()
    expect(page.locator(".source-text em mark")).to_have_text("rained")
    before = page.locator(".source-text h3").count()
    assert 100 < before < 3_000
    page.get_by_role("button", name="Show what follows").click()
    expect(page.locator(".source-text h3").nth(before)).to_be_attached()


def test_an_answer_of_a_model_that_writes_markdown_is_rendered(site: Site, open_page: OpenPage) -> None:
    passage = "The Grey Heron was built in **Vindal**, on the `coast`."
    request = {"question": "Where was the Grey Heron built?", "passages": [passage]}
    reply = httpx.post(f"{site.url}api/ask", json=request, timeout=120)
    assert "**Vindal**" in (reply.json()["answer"] or reply.json()["candidate"] or "")
    page = open_page(f"#/ask/{reply.headers['Probative-Run']}")
    shown = page.locator(".node-answer, .answer-text").first
    expect(shown.locator("strong, .no-answer").first).to_be_visible()
    assert "**" not in page.locator(".node-answer").inner_text()


def test_a_checked_text_is_rendered_with_its_claims(site: Site, open_page: OpenPage) -> None:
    request = {
        "text": DRAFT,
        "passages": ["Marit Solberg was born in Vindal.", "The Grey Heron carried the mail."],
    }
    reply = httpx.post(f"{site.url}api/verify", json=request, timeout=120).raise_for_status()
    page = open_page(f"#/verify/{reply.headers['Probative-Run']}")
    text = page.locator(".checked-text")
    expect(text.get_by_role("heading", name="Findings")).to_be_visible()
    claim = text.locator("li", has_text="born").locator("a.claim")
    expect(claim.first).to_contain_text("Marit Solberg was")
    expect(text.locator("li strong a.claim")).to_have_text("born")
    # A claim in several pieces has one sign.
    expect(text.locator("li", has_text="born").locator("sup")).to_have_count(1)
    claim.first.click()
    expect(claim.first).to_have_attribute("aria-current", "true")
    expect(claim.first).to_be_focused()


@pytest.mark.parametrize("kind", SLOW)
def test_hostile_marks_take_no_longer_than_others(site: Site, open_page: OpenPage, kind: str) -> None:
    page = open_page()
    script = """async (text) => {
      const { markdownNodes } = await import("/static/parts/markdown.js");
      return JSON.stringify(markdownNodes(text, { start: 0, end: text.length })).length;
    }"""
    page.set_default_timeout(20_000)
    assert page.evaluate(script, SLOW[kind]) > 0
