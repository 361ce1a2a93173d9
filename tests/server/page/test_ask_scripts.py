"""Markup and scripts in questions, passages, titles, file names, documents and answers stay text."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsing import Site, assert_only_text, scripted_session, serve
from playwright.sync_api import Page, expect
from small_corpus import write

from probative.corpus.corpus import Corpus
from probative.settings import Settings

pytestmark = pytest.mark.slow

IMAGE = "<img src=x onerror=window.hacked=1>"
SCRIPT = "<script>window.hacked=1</script>"
LINK = "javascript:window.hacked=1"
NAME = '"><img src=x onerror=window.hacked=1>.txt'
ANSWER = f"Vindal {IMAGE}"
DOCUMENT = (
    f"{SCRIPT} The Grey Heron was designed by Marit Solberg. {LINK}\n\nMarit Solberg was born in {ANSWER}.\n"
)

ADD_SCRIPT = """() => {
  const script = document.createElement("script");
  script.textContent = "window.hacked = 1";
  document.body.append(script);
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory):
    folder = write(tmp_path_factory.mktemp("documents"), {"<svg onload=hacked=1>.txt": DOCUMENT})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(tmp_path_factory.mktemp("home")))
        with (
            Corpus.open(folder, vectors=False, settings=Settings(cache=False)) as corpus,
            serve(
                tmp_path_factory.mktemp("data"),
                session=scripted_session({"Grey Heron": ANSWER}),
                corpora={"documents": corpus},
            ) as opened,
        ):
            yield opened


def test_in_the_question_passages_titles_and_answer(page: Page) -> None:
    question = f"Where was {IMAGE} the engineer born who designed the Grey Heron {SCRIPT} {LINK}?"
    page.get_by_label("Question").fill(question)
    page.get_by_role("tab", name="Pasted text").click()
    page.get_by_label("Passages").fill(
        f"# {SCRIPT}\nThe Grey Heron was designed by Marit Solberg. {LINK}\n\n"
        f"# {LINK}\nMarit Solberg was born in {ANSWER}."
    )
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer-text").wait_for()
    for cite in page.locator("button.cite").all():
        cite.click()
    page.get_by_text("The chain as a list").click()
    page.get_by_text("Plain RAG beside it").click()
    page.get_by_role("button", name="Compare with plain RAG").click()
    page.locator("table.beside").wait_for()
    assert_only_text(page, question, SCRIPT, LINK, IMAGE)


def test_in_the_name_and_text_of_a_file(page: Page, tmp_path: Path) -> None:
    page.get_by_label("Question").fill("Where was the engineer born who designed the Grey Heron?")
    page.get_by_role("tab", name="Files").click()
    page.locator("input[type=file]").set_input_files(
        {"name": NAME, "mimeType": "text/plain", "buffer": DOCUMENT.encode()}
    )
    expect(page.locator(".file-name")).to_contain_text("onerror=window.hacked=1>.txt")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer-text").wait_for()
    page.locator("button.cite").first.click()
    assert_only_text(page, IMAGE)


def test_in_a_document_of_a_corpus_and_its_name(page: Page) -> None:
    page.get_by_label("Question").fill("Where was the engineer born who designed the Grey Heron?")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer-text").wait_for()
    page.locator("button.cite").first.click()
    expect(page.locator(".source-text")).to_contain_text(SCRIPT)
    assert_only_text(page, SCRIPT, "<svg onload=hacked=1>")


def test_in_an_address(page: Page, site: Site) -> None:
    page.goto(f"{site.url}#/{IMAGE}/{SCRIPT}?rag={LINK}")
    expect(page.get_by_role("heading", name="No such page")).to_be_visible()
    assert_only_text(page)


def test_a_script_in_the_page_would_be_refused(page: Page, watch) -> None:
    page.locator(".example, form").first.wait_for()
    page.evaluate(ADD_SCRIPT)
    assert page.evaluate("window.hacked") is None
    watch.wait_for(page, "Content Security Policy")
