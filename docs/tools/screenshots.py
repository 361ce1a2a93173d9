"""Write the pictures of the page into docs/images: `python docs/tools/screenshots.py [NAME…]`.

It starts `probative serve --demo` on a free port, opens each view in Chromium as a reader would, and waits
for the real answers of the embedded model. A view adds a function to `SHOTS`: it gets a page that shows the
start, and leaves it as the picture shall show it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parent.parent / "images"
EXAMPLES = Path(__file__).parent.parent.parent / "examples"
REPORTS = Path(__file__).parent.parent / "bench"
BROWSERS = (os.environ.get("PROBATIVE_CHROMIUM"), "/usr/bin/chromium", "/usr/bin/google-chrome")
WIDTH, HEIGHT = 1200, 900
PATIENCE = 180_000  # milliseconds; the first run opens the model


def ask(page: Page) -> None:
    """An answer from a contract of the example corpus, its sentence, and the chain."""
    page.locator(".example", has_text="A figure in a contract").click()
    page.locator(".answer-text button.cite").first.click(timeout=PATIENCE)
    page.locator(".source-text mark.here").first.wait_for()
    show_down_to(page, ".chain")


def ask_chain(page: Page) -> None:
    """Two passages that belong together, drawn."""
    page.locator(".example", has_text="Two passages that belong together").click()
    page.locator(".chain path").first.wait_for(timeout=PATIENCE, state="attached")
    show_down_to(page, ".reasons")


def ask_missing(page: Page) -> None:
    """A question that no document answers."""
    page.locator(".example", has_text="What no document says").click()
    page.locator(".answer-text").wait_for(timeout=PATIENCE)
    show_down_to(page, ".chain")


def show_down_to(page: Page, selector: str) -> None:
    """Make the window as high as needed to show an element and all above it."""
    page.evaluate("scrollTo(0, 0)")
    bottom = page.locator(selector).evaluate("element => element.getBoundingClientRect().bottom")
    page.set_viewport_size({"width": WIDTH, "height": round(bottom) + 8})


def verify(page: Page) -> None:
    """A text with claims of each verdict; one that is contradicted, with its source opened at the place."""
    open_view(page, "Verify")
    page.get_by_label("Text", exact=True).fill((EXAMPLES / "briefing.md").read_text(encoding="utf-8"))
    page.get_by_role("button", name="Check the text").click()
    page.get_by_role("button", name="Copy link").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Open the source here").first.click()
    page.locator(".detail mark.here").wait_for()


def prove(page: Page) -> None:
    """Three sentences that prove a claim together, with what each adds."""
    open_view(page, "Prove")
    page.locator(".example").first.click()
    page.locator(".prove-result").wait_for(timeout=PATIENCE)
    page.evaluate("scrollTo(0, document.querySelector('.prove-result').offsetTop - 24)")


def open_view(page: Page, title: str) -> None:
    """Open a view by its entry in the navigation."""
    page.get_by_role("navigation").get_by_role("link", name=title).click()
    page.get_by_role("heading", name=title, level=1).wait_for()


def reason(page: Page) -> None:
    """A question that the graph does not answer directly, with its groups and connections drawn."""
    page.get_by_role("link", name="Reason").click()
    page.locator(".example").first.click()
    page.locator(".drawing-canvas canvas").first.wait_for(timeout=PATIENCE, state="attached")
    page.get_by_role("heading", name="Groups and connections").evaluate("heading => heading.scrollIntoView()")
    page.evaluate("scrollBy(0, -60)")


def runs(page: Page) -> None:
    """What was asked, with its verdicts and costs."""
    for label in ("Two passages that belong together", "What no document says"):
        page.get_by_role("link", name="Ask", exact=True).click()
        page.locator(".example", has_text=label).click()
        page.locator(".answer-text").wait_for(timeout=PATIENCE)
    page.get_by_role("link", name="Runs").click()
    page.locator("table.runs").wait_for()


def trace(page: Page) -> None:
    """The steps of an answer, one of them open."""
    ask(page)
    page.get_by_role("link", name="Trace").click()
    page.locator(".step summary", has_text="answer").last.click()


def bench(page: Page) -> None:
    """A kept report with the figures of the paper beside ours."""
    page.get_by_role("link", name="Bench").click()
    page.get_by_role("link", name="evidence", exact=True).click()
    page.locator(".figures").first.wait_for()


SHOTS: dict[str, Callable[[Page], None]] = {
    "ask": ask,
    "ask-chain": ask_chain,
    "ask-missing": ask_missing,
    "verify": verify,
    "prove": prove,
    "reason": reason,
    "runs": runs,
    "trace": trace,
    "bench": bench,
}


# Taken in dark, too.
DARK = ("ask",)


@contextmanager
def server() -> Iterator[str]:
    """Yield the address of a server with the example data."""
    command = [sys.executable, "-m", "probative", "serve", "--demo", "--port", "0", "--bench", str(REPORTS)]
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
                raise SystemExit("the server did not start")
        finally:
            process.terminate()


def take(browser: Browser, url: str, name: str, *, dark: bool = False) -> Path:
    """Return the file of one picture."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        device_scale_factor=1.5,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(url)
    page.locator("h1").wait_for()
    SHOTS[name](page)
    page.evaluate("document.activeElement.blur()")
    file = IMAGES / f"{name}{'-dark' if dark else ''}.png"
    page.screenshot(path=file)
    context.close()
    # A palette takes a third of the space and looks the same.
    Image.open(file).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)
    return file


def main(names: list[str]) -> None:
    """Take the named pictures, or all."""
    unknown = [name for name in names if name not in SHOTS]
    if unknown:
        raise SystemExit(f"no such picture: {', '.join(unknown)}; there are {', '.join(SHOTS)}")
    found = [path for path in BROWSERS if path and Path(path).exists()]
    if not found:
        raise SystemExit("there is no Chromium: install it or set PROBATIVE_CHROMIUM")
    with server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found[0], args=["--no-sandbox", "--disable-gpu"])
        for name in names or SHOTS:
            print(take(browser, url, name))
            if name in DARK:
                print(take(browser, url, name, dark=True))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
