"""The switch between the small, the large and the own model: its times, its choice, and what is not here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe import load_axe, run_axe
from browsing import Site, serve
from playwright.sync_api import Page, expect

from probative import Session
from probative.settings import Settings

pytestmark = pytest.mark.slow
OpenPage = Callable[..., Page]
PASTED = "The Heron was built in Molde."


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    own = Settings(
        model="openai:little", base_url="http://127.0.0.1:9/v1", cache=False, home=tmp_path / "bare"
    )
    with serve(tmp_path / "data", session=Session(settings=own)) as opened:
        yield opened


def requests_to(page: Page, verb: str) -> list[dict[str, object]]:
    """Return a list that grows by the body of each request for a verb, which gets no run."""
    bodies: list[dict[str, object]] = []

    def take(route) -> None:  # type: ignore[no-untyped-def]
        bodies.append(json.loads(route.request.post_data))
        route.fulfill(status=202, json={"id": "none-of-these", "state": "queued"})

    page.route(f"**/api/{verb}", take)
    page.route(
        "**/api/runs/none-of-these**", lambda route: route.fulfill(json={"id": "x", "state": "cancelled"})
    )
    return bodies


def paste(page: Page) -> None:
    page.get_by_role("tab", name="Pasted text").last.click() if page.get_by_role("tab").count() else None
    page.get_by_label("Passages").fill(PASTED)


def test_the_choice_goes_with_the_request_and_stays_in_the_browser(page: Page) -> None:
    models = page.get_by_role("group", name="Model")
    expect(models.get_by_role("radio")).to_have_count(3)
    expect(models.get_by_role("radio", name="Own openai:little")).to_be_checked()
    expect(models).to_contain_text("about 21 s (estimate)")
    large = models.get_by_role("radio", name="Large")
    expect(large).to_be_disabled()
    expect(models).to_contain_text("not on this server; to get it: probative models pull large")
    bodies = requests_to(page, "ask")
    paste(page)
    page.get_by_label("Question").fill("Where was the Heron built?")
    models.get_by_role("radio", name="Own").press("ArrowRight")
    expect(models.get_by_role("radio", name="Small")).to_be_checked()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url("**#/ask/none-of-these")
    assert [body.get("model") for body in bodies] == ["embedded"]
    page.goto(page.url.split("#")[0] + "#/verify")
    page.reload()
    expect(models.get_by_role("radio", name="Small")).to_be_checked()
    expect(models).to_contain_text("about 1.5 s a claim (estimate)")
    models.get_by_role("radio", name="Own").check()
    page.reload()
    expect(models.get_by_role("radio", name="Own")).to_be_checked()


def test_the_models_fit_a_phone_and_axe_finds_nothing(open_page: OpenPage) -> None:
    page = open_page("", width=360)
    expect(page.get_by_role("group", name="Model")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    load_axe(page)
    assert run_axe(page) == []
    page.emulate_media(color_scheme="dark")
    assert run_axe(page, "rule", ["color-contrast"]) == []
