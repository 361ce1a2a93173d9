"""Play a newcomer's first ten minutes on the page: `python docs/tools/newcomer.py [--to FOLDER]`.

It starts a server with empty folders, and then does in Chromium what someone does who has some documents and
reads no manual: makes a corpus, drops files on it, asks, asks further, looks at the page of the PDF, checks a
text, says that a claim is judged wrongly, and takes the report along as a Word document. Each step has a
picture and its seconds; a step that cannot be done ends the script with an error.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from screenshots import (
    EXAMPLES,
    HEIGHT,
    PATIENCE,
    WIDTH,
    browser_path,
    open_view,
    say_if_busy,
    server,
    shrink,
    wait_until_done,
)

FILES = (
    "contracts/rope-supply-contract.pdf",
    "letters/2025-02-24-brannock-delay.eml",
    "minutes/2025-01-21-board.md",
)
QUESTION = "How much does the supplier of the ropes pay for each full day of delay?"
FURTHER = "What is the price for both ropes in the contract?"
TEXT = "The supplier pays £450 for each full day of delay. The price of both ropes is £90,000."


def make_a_corpus(page: Page) -> None:
    """Make an empty corpus on the page of documents."""
    open_view(page, "Documents")
    page.get_by_label("Name of a new corpus").fill("ropes")
    page.get_by_role("button", name="Create").click()
    page.get_by_role("heading", name="ropes", level=1).wait_for()


def add_files(page: Page) -> None:
    """Give it files, and wait until they are read."""
    page.locator("input[type=file]").first.set_input_files([EXAMPLES / "corpus" / name for name in FILES])
    for name in FILES:
        page.get_by_role("row", name=Path(name).name).wait_for(timeout=PATIENCE)
    expect(page.get_by_role("progressbar", name="Indexing")).to_have_count(0, timeout=PATIENCE)


def ask(page: Page) -> None:
    """Ask these documents, and see the sentence."""
    page.get_by_role("link", name="Ask these documents").click()
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("button", name="Ask", exact=True).click()
    wait_until_done(page)
    expect(page.get_by_role("article", name="Result")).to_contain_text("£450")


def look_at_the_page(page: Page) -> None:
    """See the page of the PDF with the sentence marked on it."""
    page.locator(".answer-text button.cite").first.click()
    page.get_by_role("img", name=re.compile("^Page .* Marked: .*£450")).wait_for()


def ask_further(page: Page) -> None:
    """Ask a second question below the answer."""
    page.get_by_label("Ask further").fill(FURTHER)
    page.get_by_role("button", name="Send").click()
    page.wait_for_url("**/#/thread/**")
    expect(page.locator("main")).to_contain_text("£38,400", timeout=PATIENCE)


def check_a_text(page: Page) -> None:
    """Check two sentences against the same documents."""
    open_view(page, "Check a text")
    page.get_by_label("Text", exact=True).fill(TEXT)
    page.get_by_role("button", name="Check the text").click()
    wait_until_done(page)
    expect(page.locator("main")).to_contain_text("1 contradicted")


def mark_a_claim(page: Page) -> None:
    """Say that the verdict of the claim that is shown is right."""
    page.get_by_role("button", name="Right").first.click()
    page.get_by_text(re.compile("^Kept:")).first.wait_for()


def take_it_along(page: Page) -> None:
    """Download the report as a Word document."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as Word").click()
    assert download.value.path().stat().st_size > 10_000


STEPS: tuple[Callable[[Page], None], ...] = (
    make_a_corpus,
    add_files,
    ask,
    look_at_the_page,
    ask_further,
    check_a_text,
    mark_a_claim,
    take_it_along,
)


def main() -> None:
    """Do all steps, and print the seconds of each."""
    parser = argparse.ArgumentParser(description="Play a newcomer's first ten minutes on the page.")
    parser.add_argument("--to", type=Path, default=Path("newcomer"), help="the folder of the pictures")
    folder: Path = parser.parse_args().to
    folder.mkdir(parents=True, exist_ok=True)
    say_if_busy()
    with (
        tempfile.TemporaryDirectory() as data,
        server("--data", data) as url,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=browser_path(playwright), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB")
        page.set_default_timeout(PATIENCE)
        page.goto(url)
        for number, step in enumerate(STEPS, 1):
            began = time.monotonic()
            file = folder / f"{number}-{step.__name__.replace('_', '-')}.png"
            try:
                step(page)
            finally:
                page.screenshot(path=file)
                shrink(file)
            print(f"{time.monotonic() - began:5.1f} s  {step.__doc__}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
