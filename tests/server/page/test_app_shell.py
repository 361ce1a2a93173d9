"""What all views share: the token, a run that is cancelled, and the navigation."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Site, Watch, scripted_session, serve
from playwright.sync_api import Page, Route, expect

from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.testing import ScriptedPolicy

pytestmark = pytest.mark.slow

TOKEN = "a-token-of-this-test"


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Opens the way for a model that waits."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def site(tmp_path: Path, gate: threading.Event, request: pytest.FixtureRequest) -> Iterator[Site]:
    def weigh(state: PolicyState) -> PolicyScores:
        gate.wait(300)
        return PolicyScores((0.0,) * len(state.candidates), 9.0 if state.chosen else -9.0, -9.0)

    session = scripted_session(policy=ScriptedPolicy(weigh))
    options = getattr(request, "param", {})
    with serve(tmp_path / "data", session=session, **options) as opened:
        yield opened
        gate.set()


def start(page: Page) -> None:
    page.get_by_label("Question").fill("Where was the Grey Heron built?")
    page.get_by_label("Passages").fill("The Grey Heron was built in Vindal.")
    page.get_by_role("button", name="Ask", exact=True).click()


def test_a_run_can_be_cancelled(page: Page, gate: threading.Event) -> None:
    start(page)
    with page.expect_response("**/cancel"):
        page.get_by_role("button", name="Cancel").click()
    gate.set()
    expect(page.get_by_text("This run was cancelled.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("This run was cancelled.")).to_be_visible()
    cancelled = page.url
    page.get_by_role("button", name="Run again").click()
    page.locator(".answer-text").wait_for()
    expect(page).not_to_have_url(cancelled)


def test_a_run_goes_on_while_the_page_is_closed(
    page: Page, site: Site, gate: threading.Event, open_page
) -> None:
    start(page)
    page.get_by_role("button", name="Cancel").wait_for()
    page.wait_for_url("**/#/ask/*")
    address = page.url.removeprefix(site.url)
    page.close()
    gate.set()
    again = open_page(address)
    expect(again.locator(".answer-text")).to_contain_text("Vindal")


def test_a_run_that_ends_before_it_is_cancelled_shows_its_result(
    page: Page, site: Site, gate: threading.Event, watch: Watch
) -> None:
    held: list[Route] = []
    page.route("**/events", lambda route: held.append(route))  # the page does not hear of the end
    start(page)
    page.get_by_role("button", name="Cancel").wait_for()
    manager, end = site.app.state.server.manager, time.monotonic() + 180
    while not held or manager.state().running or manager.state().waiting:
        assert time.monotonic() < end, (manager.state(), held)
        page.wait_for_timeout(20)
        if held:  # the page has asked for the events of a run that is under way
            gate.set()
    page.get_by_role("button", name="Cancel").click()
    watch.wait_for(page, "409")
    held[0].continue_()
    expect(page.locator(".answer-text")).to_contain_text("Vindal")
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("site", [{"token": TOKEN}], indirect=True)
def test_the_token_is_asked_for_once(page: Page, gate: threading.Event, watch: Watch) -> None:
    gate.set()
    page.get_by_label("Token").fill("another-token-than-that")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_text("This token is not the right one.")).to_be_visible()
    page.get_by_label("Token").fill(TOKEN)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Ask")).to_be_visible()
    watch.wait_for(page, "401")
    page.reload()
    start(page)
    expect(page.locator(".answer-text")).to_contain_text("Vindal")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download as JSON").click()
    assert "Vindal" in Path(waiting.value.path()).read_text(encoding="utf-8")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="API description").click()
    assert "/api/ask" in Path(waiting.value.path()).read_text(encoding="utf-8")


def test_the_navigation_opens_every_view_and_tells_which(page: Page) -> None:
    for name in ("Documents", "Check a text", "Proof", "Graph", "History", "Advanced", "Ask"):
        page.get_by_role("navigation").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("nav [aria-current=page]")).to_have_text(name)
        expect(page).to_have_title(f"{name} · Probative")


def test_no_view_scrolls_sideways_on_a_phone(open_page) -> None:
    page = open_page(width=360)
    for view in ("ask", "documents", "verify", "prove", "reason", "runs", "bench"):
        page.evaluate(f"location.hash = '#/{view}'")
        expect(page.locator("nav [aria-current=page]")).to_have_attribute("href", f"#/{view}")
        page.get_by_role("heading", level=1).wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == 360, view
