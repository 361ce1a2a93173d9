"""Pages in a real browser.

`open_page(width=…, dark=…)` gives a page of the server `site`; a test fails if one of its pages writes an
error to the console, breaks the content-security policy or asks another host. Tests that expect a refused
request say so: `watch.wait_for(page, "404")`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright")
pytest.importorskip("fastapi")

from browsing import ARGUMENTS, FERRIES, Site, Watch, browser_path, serve
from playwright.sync_api import Browser, Page, expect, sync_playwright
from small_corpus import write

from probative.corpus.corpus import Corpus
from probative.settings import Settings

OpenPage = Callable[..., Page]
# Milliseconds. Playwright itself gives an expectation 5 s, which a busy machine may need.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run a test of this folder again when it fails: a busy machine may draw a page too late."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of one file: while it is open, the thread has a running event loop, which tests
    of other files could not have.
    """
    path = browser_path()
    if path is None:
        pytest.skip("there is no Chromium: install it or set PROBATIVE_CHROMIUM")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS, timeout=2 * PATIENCE)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with the corpus `ferries`, the graph `herbs` and scripted models."""
    folder = write(tmp_path_factory.mktemp("ferries"), FERRIES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(tmp_path_factory.mktemp("home")))
        with (
            Corpus.open(folder, vectors=False, settings=Settings(cache=False)) as corpus,
            serve(tmp_path_factory.mktemp("data"), corpora={"ferries": corpus}) as opened,
        ):
            yield opened


@pytest.fixture
def watch(site: Site) -> Iterator[Watch]:
    watched = Watch(site.url)
    yield watched
    assert watched.unexpected == []


@pytest.fixture
def open_page(browser: Browser, site: Site, watch: Watch) -> Iterator[OpenPage]:
    contexts = []

    def opened(address: str = "", *, width: int = 1200, dark: bool = False, **options: Any) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            **options,
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        watch.follow(page)
        page.goto(site.url + address)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page()
