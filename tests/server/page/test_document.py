"""The address of a citation opens its document with the sentence marked."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from browsing import Site, Watch
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

QUESTION = "In which town was the engineer born who designed the Grey Heron?"


def test_a_citation_of_a_chat_completion_opens_its_sentence(
    site: Site, open_page: Callable[..., Page]
) -> None:
    body = {"model": "probative/ferries", "messages": [{"role": "user", "content": QUESTION}]}
    reply = httpx.post(f"{site.url}v1/chat/completions", json=body, timeout=120).json()
    message = reply["choices"][0]["message"]
    assert message["content"].startswith("Vindal [1]")
    places = [annotation["url_citation"]["url"] for annotation in message["annotations"]]
    born = next(place for place in places if "solberg" in place)
    assert born.startswith(site.url)
    page = open_page(born.removeprefix(site.url))
    expect(page.get_by_role("heading", name="Document", exact=True)).to_be_visible()
    mark = page.locator("mark.cited")
    expect(mark).to_contain_text("Marit Solberg was born in Vindal in 1868 😀 and learned engineering.")
    expect(mark).to_be_in_viewport()


def test_a_document_that_is_not_there_is_said(
    site: Site, open_page: Callable[..., Page], watch: Watch
) -> None:
    page = open_page("#/document/ferries?source=../../etc/passwd&char=0,9")
    expect(page.get_by_role("alert")).to_contain_text("there is no document")
    watch.wait_for(page, "404")
