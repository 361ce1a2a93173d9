"""A server whose verdicts follow rules, for the tests of Verify in a browser."""

from __future__ import annotations

import threading

from browsing import scripted_session
from playwright.sync_api import Page, expect
from verifying import by_overlap, by_words

from probative import Session
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedModel, ScriptedVerdict

TEXT = """# The mill 😀

The mill burnt down in 1890.[^fares] Tickets cost three crowns.[^fares] The wheel is made of oak.
Herons eat bread. The sails were sold in 1901. Was it a good mill?

[^fares]: fares.txt
"""
PASSAGES = """# Chronicle of Aske
The mill burnt down in 1890. The wheel is not made of oak.

# Letters
Long ago the wheel is made of oak.

# Birds
Herons eat fish. Herons do not eat bread.

# Fares
Tickets cost three crowns."""
MILL = {
    "chronicle.txt": "A chronicle 😀 of Aske. The mill burnt down in 1890. The wheel is not made of oak.\n",
    "letters/wheel.md": "# Letters\n\nLong ago the wheel is made of oak.\n",
    "fares.txt": "Tickets cost three crowns. Children pay nothing.\n",
}


class Gate:
    """Holds a verdict model back: each `open()` lets one more claim be judged."""

    def __init__(self) -> None:
        self._allowed = threading.Semaphore(0)
        self._seen: set[str] = set()
        self._lock = threading.Lock()

    def open(self, claims: int = 1) -> None:
        for _ in range(claims):
            self._allowed.release()

    def close(self) -> None:
        """Take back what a run that was cancelled has left."""
        while self._allowed.acquire(blocking=False):
            pass

    def judge(self, item: VerdictItem) -> VerdictScores:
        """Judge by words; the first reading of a claim waits until it is let through."""
        if "slowly" in item.claim:
            with self._lock:
                new = item.claim not in self._seen
                self._seen.add(item.claim)
            if new and not self._allowed.acquire(timeout=300):
                raise AssertionError("the gate was not opened")
        return by_words(item)


def ruled_session(gate: Gate) -> Session:
    """Return a session that judges by words, and claims with the word "slowly" when the gate is opened.

    Its model has the name of the embedded one, with which the page asks for one claim at a time.
    """
    return scripted_session(
        model=ScriptedModel(generate="", name="embedded"),
        policy=by_overlap(),
        verdict=ScriptedVerdict(gate.judge, name="ruled"),
    )


def start(page: Page, text: str = TEXT, passages: str | None = PASSAGES) -> None:
    """Begin to check a text against pasted passages, or the corpus if there are none."""
    page.get_by_label("Text", exact=True).fill(text)
    if passages is not None:
        page.get_by_role("tab", name="Pasted text").last.click()
        page.get_by_label("Passages").fill(passages)
    page.get_by_role("button", name="Check the text").click()


def check(page: Page, text: str = TEXT, passages: str | None = PASSAGES) -> None:
    """Check a text and wait for the result."""
    start(page, text, passages)
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    page.locator(".verify-result").wait_for()
    page.wait_for_url("**/#/verify/*")
