"""Write the pictures of the page into docs/images: `python docs/tools/screenshots.py [--to FOLDER] [NAME…]`.

It starts `probative serve --demo` on a free port, opens each view in Chromium as a reader would, and waits
for the real answers of the embedded model. It needs the extras `serve` and `dev` and any Chromium: that of
$PROBATIVE_CHROMIUM, of the system, or of Playwright. The pictures show what the answers really cost, so take
them on a machine that does nothing else; the script says so if it is busy.

A view adds a function to `SHOTS`: it gets a page that shows the start, and leaves it as the picture shall
show it. Every picture begins at the top of the page.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, FilePayload, Page, Playwright, sync_playwright

DOCS = Path(__file__).resolve().parent.parent
EXAMPLES = DOCS.parent / "examples"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WIDTH, HEIGHT = 1200, 900
MARGIN = 12  # pixels below the last element of a picture
PATIENCE = 600_000  # milliseconds; a slow machine may take minutes for an answer


def ask(page: Page) -> None:
    """An answer from a contract of the example corpus, with its sentence in the source."""
    run_example(page, "Ask", "A figure in a contract")
    page.locator(".answer-text button.cite").first.click()
    page.locator(".page-marks rect.here").first.wait_for(state="attached")
    show_down_to(page, ".answer-layout")


def ask_empty(page: Page) -> None:
    """The first view: one field, what it searches, and examples."""
    open_view(page, "Ask")
    show_down_to(page, ".example")


def page_of_a_pdf(page: Page) -> None:
    """The page of a PDF in its own view, with the cited sentence marked on it."""
    run_example(page, "Ask", "A figure in a contract")
    page.locator(".answer-text button.cite").first.click()
    page.get_by_role("link", name="Link to this page").click()
    page.locator(".page-marks rect.here").first.wait_for(state="attached")
    show_down_to(page, "article.source")


def thread(page: Page) -> None:
    """A second question below an answer, each with its own evidence."""
    run_example(page, "Ask", "A figure in a contract")
    page.get_by_label("Ask further").fill("What is the price for both ropes in the contract?")
    page.get_by_role("button", name="Send").click()
    page.locator(".turn .answer").nth(1).wait_for(timeout=PATIENCE)
    page.locator(".turn .page-sheet").nth(1).wait_for()
    show_down_to(page, ".follow-up")


def ask_chain(page: Page) -> None:
    """Two passages that belong together, drawn."""
    run_example(page, "Ask", "Two passages that belong together")
    show_down_to(page, ".reasons")


def ask_missing(page: Page) -> None:
    """A question that no document answers."""
    run_example(page, "Ask", "What no document says")
    show_down_to(page, ".legend")


def verify(page: Page) -> None:
    """A text with claims of each verdict; one that is contradicted, with its source opened at the place."""
    open_view(page, "Check a text")
    page.get_by_label("Text", exact=True).fill((EXAMPLES / "briefing.md").read_text(encoding="utf-8"))
    page.get_by_role("button", name="Check the text").click()
    wait_until_done(page)
    page.get_by_role("button", name="Open the source here").first.click()
    page.locator(".detail .here").wait_for()
    show_down_to(page, ".detail .source")


def documents(page: Page) -> None:
    """A corpus that was just made, with one file that cannot be read."""
    open_view(page, "Documents")
    page.get_by_label("Name of a new corpus").fill("contracts")
    page.get_by_role("button", name="Create").click()
    files: list[FilePayload] = [
        {"name": file.name, "mimeType": "application/octet-stream", "buffer": file.read_bytes()}
        for file in sorted((EXAMPLES / "corpus" / "contracts").iterdir())
    ]
    # A format without a reader, whatever is installed.
    files.append({"name": "site-plan.gif", "mimeType": "image/gif", "buffer": b"GIF89a" + bytes(100)})
    page.locator(".drop input").set_input_files(files)
    page.locator(".documents tbody tr").nth(len(files) - 2).wait_for()
    page.locator(".working").wait_for(state="detached")
    show_down_to(page, ".documents")


def calibrate(page: Page) -> None:
    """The guarantee that follows from labels, which are those of the known answers, and the last answer."""
    lines = (EXAMPLES / "corpus-questions.jsonl").read_text(encoding="utf-8").splitlines()[:20]
    known = {entry["question"]: [entry["answer"], *entry["aliases"]] for entry in map(json.loads, lines)}
    open_view(page, "Documents")
    page.get_by_role("link", name="examples", exact=True).click()
    page.get_by_role("link", name="Calibrate", exact=True).click()
    page.get_by_role("radio", name="Your own").check()
    page.get_by_label("Questions", exact=True).fill("\n".join(known))
    page.get_by_label("Wrong at most").select_option("0.2")
    page.get_by_label("Confidence").select_option("0.1")
    page.get_by_role("button", name="Draw and answer").click()
    box = page.locator(".labelling")
    box.wait_for(timeout=PATIENCE)
    while box.locator("button[aria-pressed=true]").count() == 0:
        said = box.locator(".answer-text").inner_text().lower()
        answers = known[box.locator(".question").inner_text()]
        is_right = any(answer.lower() in said or said in answer.lower() for answer in answers)
        with page.expect_response("**/calibration/labels"):
            box.get_by_role("button", name="Right" if is_right else "Wrong").click()
        page.wait_for_timeout(200)
    show_down_to(page, ".labelling")


def prove(page: Page) -> None:
    """Three sentences that prove a claim together, with what each adds."""
    run_example(page, "Proof")
    show_down_to(page, ".prove-result .text-and-detail")


def reason(page: Page) -> None:
    """A question that the graph does not answer directly, with its groups and connections drawn."""
    run_example(page, "Graph")
    page.locator(".drawing-canvas svg").first.wait_for(state="attached")
    show_down_to(page, ".drawing-canvas")


def runs(page: Page) -> None:
    """What was asked, with its verdicts and costs."""
    for view, label in (
        ("Graph", ""),
        ("Proof", ""),
        ("Ask", "A figure in a contract"),
        ("Ask", "What no document says"),
        ("Ask", "Two passages that belong together"),
    ):
        run_example(page, view, label)
    open_view(page, "History")
    page.locator("table.runs").wait_for()
    show_down_to(page, "table.runs")


def trace(page: Page) -> None:
    """The steps of an answer, one of them open."""
    run_example(page, "Ask", "Two passages that belong together")
    page.get_by_role("link", name="Trace").click()
    page.locator(".step summary", has_text="answer").last.click()
    page.locator(".call .output").first.wait_for()
    show_down_to(page, ".call .output")


def bench(page: Page) -> None:
    """A kept report of a finished run: its findings, its main figures drawn, and its first table."""
    open_view(page, "Advanced", "Studies")
    page.get_by_role("link", name="retrieval", exact=True).click()
    page.locator(".bar-list .interval").first.wait_for()
    show_down_to(page, ".figures")


# In the order in which they are taken: the list of runs comes first, while it has nothing but its own.
SHOTS: dict[str, Callable[[Page], None]] = {
    "runs": runs,
    "ask-empty": ask_empty,
    "ask": ask,
    "ask-page": page_of_a_pdf,
    "thread": thread,
    "ask-chain": ask_chain,
    "ask-missing": ask_missing,
    "verify": verify,
    "documents": documents,
    "calibrate": calibrate,
    "prove": prove,
    "reason": reason,
    "trace": trace,
    "bench": bench,
}
# Taken in dark, too.
DARK = ("ask-chain",)


def open_view(page: Page, entry: str, title: str = "") -> None:
    """Open a view by its entry in the navigation; its title may be another one."""
    page.get_by_role("navigation").get_by_role("link", name=entry, exact=True).click()
    page.get_by_role("heading", name=title or entry, level=1, exact=True).wait_for()


def run_example(page: Page, view: str, label: str = "") -> None:
    """Start an example of a view, by default its first one, and wait for the result."""
    open_view(page, view)
    page.locator(".example", has_text=label).first.click()
    wait_until_done(page)


def wait_until_done(page: Page) -> None:
    """Wait until the run of this page has its cost; a run that fails ends the script with its error."""
    page.locator(".runbar .done, .runbar .notice").first.wait_for(timeout=PATIENCE)
    if (failed := page.locator(".runbar .notice")).count():
        raise SystemExit(f"a run did not succeed: {failed.first.inner_text()}")


def show_down_to(page: Page, selector: str) -> None:
    """Make the window as high as needed to show an element and all above it."""
    page.evaluate("document.activeElement.blur()")
    # Some boxes are as high as the window allows: let them grow before they are measured.
    page.set_viewport_size({"width": WIDTH, "height": 4 * HEIGHT})
    page.evaluate("scrollTo(0, 0)")
    bottom = page.locator(selector).first.evaluate("element => element.getBoundingClientRect().bottom")
    page.set_viewport_size({"width": WIDTH, "height": round(bottom) + MARGIN})


def settle(page: Page) -> None:
    """Wait for fonts and pictures, for the end of all progress, and until two frames are painted."""
    page.wait_for_load_state("networkidle")
    page.wait_for_function("!document.querySelector('progress, [aria-busy=true], [role=timer]')")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@contextmanager
def server(*arguments: str) -> Iterator[str]:
    """Yield the address of a server with these arguments."""
    command = [sys.executable, "-m", "probative", "serve", "--port", "0", *arguments]
    # Without the cache the costs are those of a first run.
    surroundings = {**os.environ, "PROBATIVE_CACHE": "0"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=surroundings) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.startswith("serving on "):
                    yield line.split()[2]
                    break
            else:
                raise SystemExit("the server did not start; its error is above")
        finally:
            process.terminate()


@contextmanager
def opened(browser: Browser, url: str, *, dark: bool = False) -> Iterator[Page]:
    """Yield a page that shows the start, the same on every machine."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        device_scale_factor=1.5,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="UTC",
    )
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(url)
    page.locator(".example").first.wait_for()
    yield page
    context.close()


def warm_up(browser: Browser, url: str) -> None:
    """Let the server open its models with a run that is deleted again, so that no picture shows that time."""
    for view, label in (("Ask", "Two passages that belong together"), ("Graph", "")):
        with opened(browser, url) as page:
            run_example(page, view, label)
            run = page.url.rsplit("/", 1)[-1]
            deleted = page.evaluate(
                "id => fetch(`api/runs/${id}`, { method: 'DELETE' }).then((reply) => reply.ok)", run
            )
            if not deleted:
                raise SystemExit("the run that opens the models could not be deleted")


def take(browser: Browser, url: str, name: str, folder: Path, *, dark: bool = False) -> None:
    """Take one picture, and say where it is."""
    began = time.monotonic()
    file = folder / f"{name}{'-dark' if dark else ''}.png"
    with opened(browser, url, dark=dark) as page:
        SHOTS[name](page)
        settle(page)
        page.screenshot(path=file)
    shrink(file)
    size = file.stat().st_size / 1000
    print(f"{file}: {size:.0f} kB, {time.monotonic() - began:.0f} s", flush=True)


def shrink(file: Path) -> None:
    """Give a picture a palette: it takes 40% of the space, and 98% of its pixels stay as they are."""
    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(file, optimize=True)


def browser_path(playwright: Playwright) -> str:
    """Return the browser to use."""
    named = [os.environ.get("PROBATIVE_CHROMIUM"), *map(shutil.which, BROWSERS)]
    for path in (*named, playwright.chromium.executable_path):
        if path and Path(path).exists():
            return path
    raise SystemExit("there is no Chromium: install it or set PROBATIVE_CHROMIUM")


def say_if_busy() -> None:
    """Print a warning if other programs use the processors."""
    cores = os.cpu_count() or 1
    if hasattr(os, "getloadavg") and (load := os.getloadavg()[0]) > cores / 2:
        print(f"the machine is busy (load {load:.1f}, {cores} cores): the pictures will show long times")


def main() -> None:
    """Take the named pictures, or all."""
    parser = argparse.ArgumentParser(description="Write the pictures of the page.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SHOTS)}; by default all")
    parser.add_argument("--to", type=Path, default=DOCS / "images", help="the folder of the pictures")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.names if name not in SHOTS]
    if unknown:
        parser.error(f"no such picture: {', '.join(unknown)}; there are {', '.join(SHOTS)}")
    chosen.to.mkdir(parents=True, exist_ok=True)
    say_if_busy()
    with server("--demo", "--bench", str(DOCS / "bench")) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(playwright), args=["--no-sandbox", "--disable-gpu"]
        )
        print(f"{url} serves the examples; its models are being opened", flush=True)
        warm_up(browser, url)
        for name in [name for name in SHOTS if not chosen.names or name in chosen.names]:
            take(browser, url, name, chosen.to)
            if name in DARK:
                take(browser, url, name, chosen.to, dark=True)
        browser.close()


if __name__ == "__main__":
    main()
