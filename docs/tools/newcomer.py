"""Play a newcomer's first ten minutes on the page: `python docs/tools/newcomer.py [--to FOLDER]`.

It starts a server with empty folders, and then does in Chromium what someone does who has some documents and
reads no manual: makes a corpus, drops files on it, asks, looks at the page of the PDF, asks further, checks a
text, says that a claim is judged wrongly, takes the report along as a Word document, labels some answers, and
exports the corpus. Each step has a picture and its seconds; a step that cannot be done ends the script with
an error. The last line is the time from the click on "Ask" to the first passage that is shown.
"""

from __future__ import annotations

import argparse
import base64
import re
import tempfile
import time
import zipfile
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
# With the answers that are right.
OWN_QUESTIONS = {
    QUESTION: "£450",
    FURTHER: "£38,400",
    "For how long does the supplier guarantee the new ropes?": "sixty months",
}
TEXT = "The supplier pays £450 for each full day of delay. The price of both ropes is £90,000."


# Gives the files of a drop to the page, as a file manager would.
TRANSFER = """(files) => {
  const transfer = new DataTransfer();
  for (const [name, data] of files) {
    transfer.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], name));
  }
  return transfer;
}"""
# Notes when the first click comes and when the first passage is shown.
WATCH = """() => {
  addEventListener("click", () => { window.clicked ??= performance.now(); }, { capture: true });
  new MutationObserver(() => {
    if (document.querySelector(".found li")) window.shown ??= performance.now();
  }).observe(document.body, { childList: true, subtree: true });
}"""
FIRST_PASSAGE = "() => (window.shown ? (window.shown - window.clicked) / 1000 : null)"


def make_a_corpus(page: Page) -> None:
    """Make an empty corpus on the page of documents."""
    open_view(page, "Documents")
    page.get_by_label("Name of a new corpus").fill("ropes")
    page.get_by_role("button", name="Create").click()
    page.get_by_role("heading", name="ropes", level=1).wait_for()


def drop_files(page: Page) -> None:
    """Drop files on it, and wait until they are read."""
    paths = [EXAMPLES / "corpus" / name for name in FILES]
    files = [[path.name, base64.b64encode(path.read_bytes()).decode()] for path in paths]
    page.dispatch_event(".drop", "drop", {"dataTransfer": page.evaluate_handle(TRANSFER, files)})
    for name in FILES:
        page.get_by_role("row", name=Path(name).name).wait_for(timeout=PATIENCE)
    expect(page.get_by_role("progressbar", name="Indexing")).to_have_count(0, timeout=PATIENCE)


def ask(page: Page) -> None:
    """Ask these documents, and see the sentence."""
    page.get_by_role("link", name="Ask these documents").click()
    page.get_by_label("Question").fill(QUESTION)
    page.evaluate(WATCH)
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
    """Say that the verdict of the claim that is shown is wrong."""
    page.get_by_role("button", name="Wrong", exact=True).first.click()
    page.get_by_text("Kept: this verdict is wrong.").wait_for()


def take_it_along(page: Page) -> None:
    """Download the report as a Word document."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as Word").click()
    assert download.value.path().stat().st_size > 10_000


def calibrate(page: Page) -> None:
    """Draw own questions over the documents, and say of each supported answer whether it is right."""
    open_view(page, "Documents")
    page.get_by_role("link", name="ropes", exact=True).click()
    page.get_by_role("link", name="Calibrate", exact=True).click()
    page.get_by_role("radio", name="Your own").check()
    page.get_by_label("Questions", exact=True).fill("\n".join(OWN_QUESTIONS))
    page.get_by_label("Wrong at most").select_option("0.2")
    page.get_by_role("button", name="Draw and answer").click()
    box = page.locator(".labelling")
    box.wait_for(timeout=PATIENCE)
    while box.get_by_text("All are labelled").count() == 0:
        is_right = (
            OWN_QUESTIONS[box.locator(".question").inner_text()] in box.locator(".answer-text").inner_text()
        )
        with page.expect_response("**/calibration/labels"):
            box.get_by_role("button", name="Right" if is_right else "Wrong").click()
        page.wait_for_timeout(200)


def export_the_corpus(page: Page) -> None:
    """Download the corpus with its files, marks, threads and labels."""
    open_view(page, "Documents")
    page.get_by_role("link", name="ropes", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    with zipfile.ZipFile(download.value.path()) as packed:
        names = packed.namelist()
    assert {"marks-verify.jsonl", "labels.jsonl"} <= {*names}, names
    assert any(name.startswith("threads/") for name in names), names


STEPS: tuple[Callable[[Page], None], ...] = (
    make_a_corpus,
    drop_files,
    ask,
    look_at_the_page,
    ask_further,
    check_a_text,
    mark_a_claim,
    take_it_along,
    calibrate,
    export_the_corpus,
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
        first_passage: float | None = None
        for number, step in enumerate(STEPS, 1):
            began = time.monotonic()
            file = folder / f"{number:02}-{step.__name__.replace('_', '-')}.png"
            try:
                step(page)
            finally:
                page.screenshot(path=file)
                shrink(file)
            print(f"{time.monotonic() - began:5.1f} s  {step.__doc__}", flush=True)
            if step is ask:
                first_passage = page.evaluate(FIRST_PASSAGE)
        browser.close()
    if first_passage is None:
        raise SystemExit("no passage was shown before the answer")
    print(f"{first_passage:5.2f} s  from the click on Ask to the first passage", flush=True)


if __name__ == "__main__":
    main()
