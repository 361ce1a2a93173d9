"""The view Documents: corpora made, filled, renamed, deleted and had back; dates, problems and versions."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from browsing import Site, Watch, assert_only_text, serve
from playwright.sync_api import FilePayload, Page, expect

pytestmark = pytest.mark.slow
OpenPage = Callable[..., Page]

HERON = b"# Grey Heron\n\nDate: 2024-05-02\n\nThe Grey Heron was designed by Marit Solberg.\n"
SOLBERG = b"Marit Solberg was born in Vindal in 1868 and learned engineering.\n"
IMAGE = b"GIF89a" + bytes(100)
LEASE = " ".join(f"Clause {number} binds the tenant of the tea room." for number in range(40))
SCRIPT = "<img src=x onerror=alert(1)>"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with serve(tmp_path / "data") as opened:
        yield opened


def payload(name: str, data: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def create(page: Page, site: Site, name: str = "ships") -> None:
    page.goto(f"{site.url}#/documents")
    page.get_by_label("Name of a new corpus").fill(name)
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


def drop(page: Page, *files: FilePayload) -> None:
    """Add files and wait until they are read."""
    page.locator(".drop input").set_input_files(list(files))
    expect(page.get_by_text("Sending")).to_have_count(0)
    expect(page.locator(".working")).to_have_count(0)


def test_files_are_dropped_read_and_asked(page: Page, site: Site) -> None:
    create(page, site)
    expect(page.get_by_text("No documents yet.")).to_be_visible()
    drop(page, payload("heron.md", HERON), payload("solberg.txt", SOLBERG), payload("scan.png", IMAGE))
    expect(page.locator(".documents tbody tr")).to_have_count(2)
    heron = page.locator(".documents tbody tr").filter(has_text="heron.md")
    expect(heron).to_contain_text("Grey Heron")
    expect(heron).to_contain_text("2024-05-02stated in the text")
    expect(heron).to_contain_text(f"{len(HERON)} bytes, 1 passage")
    problems = page.get_by_role("region", name="Could not be read")
    expect(problems).to_contain_text("scan.png")
    expect(problems).to_contain_text("image")
    problems.get_by_role("button", name="Remove scan.png").click()
    problems.get_by_role("button", name="Remove for good").click()
    expect(problems).to_have_count(0)
    page.get_by_role("link", name="Ask these documents").click()
    page.reload()
    expect(page.get_by_role("combobox", name="Corpus")).to_have_value("ships")
    page.get_by_label("Question").fill("In which town was the engineer born who designed the Grey Heron?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".answer-text")).to_contain_text("Vindal")


# A folder as a browser gives it: its reader gives some entries at a time, and none at the end.
FOLDER = """() => import("/static/parts/dropped_files.js").then(async ({ filesBelow }) => {
  const file = (name) => ({ isFile: true, name, file: (take) => take(new File(["It rained."], name)) });
  const folder = (name, ...turns) => ({
    name, isDirectory: true, createReader: () => ({ readEntries: (take) => take(turns.shift() ?? []) }),
  });
  const inner = folder("old", [file("b.txt")]);
  const more = [inner, file("~$c.docx"), file("c.txt")];
  const dropped = folder("minutes", [file("a.txt"), file(".DS_Store")], more);
  return (await filesBelow(dropped, dropped.name)).map(({ file, path }) => [file.name, path]);
})"""


def test_a_folder_that_is_dropped_gives_its_files_with_their_paths(page: Page) -> None:
    assert page.evaluate(FOLDER) == [
        ["a.txt", "minutes/a.txt"],
        ["b.txt", "minutes/old/b.txt"],
        ["c.txt", "minutes/c.txt"],
    ]


def test_files_that_are_dropped_by_hand_are_sent(page: Page, site: Site) -> None:
    create(page, site)
    transfer = page.evaluate_handle(
        """() => {
          const transfer = new DataTransfer();
          transfer.items.add(new File(["It rained for a week."], "log.txt"));
          return transfer;
        }"""
    )
    page.dispatch_event(".drop", "drop", {"dataTransfer": transfer})
    expect(page.locator(".documents tbody tr")).to_contain_text("log.txt")


def test_a_date_is_set_and_taken_back_by_keyboard(page: Page, site: Site) -> None:
    create(page, site)
    drop(page, payload("heron.md", HERON))
    page.get_by_role("button", name="Change the date of heron.md").press("Enter")
    field = page.get_by_label("Date of heron.md")
    expect(field).to_be_focused()
    field.fill("2023-01")
    field.press("Enter")
    cell = page.locator(".documents td").first
    expect(cell).to_contain_text("2023-01set by you")
    page.get_by_role("button", name="Change the date of heron.md").press("Enter")
    page.get_by_role("button", name="Use its own").press("Enter")
    expect(cell).to_contain_text("2024-05-02stated in the text")


def test_the_older_of_two_versions_is_marked(page: Page, site: Site) -> None:
    create(page, site)
    first = f"Date: 2023-01-05\n\n{LEASE}".encode()
    drop(page, payload("a.txt", first), payload("b.txt", first.replace(b"2023-01-05", b"2025-02-01")))
    rows = page.locator(".documents tbody tr")
    expect(rows.first).to_contain_text("Superseded newer: b.txt")
    expect(rows.last).not_to_contain_text("Superseded")
    rows.first.get_by_role("link", name="b.txt").click()
    expect(page.get_by_role("heading", name="Document", exact=True)).to_be_visible()


def test_the_mails_of_a_conversation_are_linked(page: Page, site: Site) -> None:
    create(page, site)
    head = b"From: %b <a@example.org>\nDate: Sun, 0%d May 2026 10:00:00 +0200\nSubject: Tar\n"
    asked = head % (b"Ada", 3) + b"Message-ID: <a@x>\n\nIs there tar?\n"
    replied = head % (b"Bo", 4) + b"Message-ID: <b@x>\nIn-Reply-To: <a@x>\n\nThere is.\n"
    drop(page, payload("asked.eml", asked), payload("replied.eml", replied))
    row = page.locator(".documents tbody tr").filter(has_text="asked.eml").first
    row.get_by_text("Conversation with 1 other e-mail").click()
    expect(row.locator("details li")).to_have_text("2026-05-04 Bo <a@example.org> replied.eml")
    row.get_by_role("link", name="replied.eml").click()
    expect(page.locator("main")).to_contain_text("There is.")


def test_a_corpus_is_renamed_deleted_and_had_back(page: Page, site: Site) -> None:
    create(page, site)
    drop(page, payload("heron.md", HERON))
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("New name").fill("old ships")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1, name="old-ships")).to_be_visible()
    expect(page.locator(".documents tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Delete old-ships").click()
    page.get_by_role("button", name="Delete, kept for a day").click()
    deleted = page.get_by_role("region", name="Deleted")
    expect(deleted).to_contain_text("old-ships")
    expect(page.get_by_role("table")).to_have_count(0)
    deleted.get_by_role("button", name="Take back: old-ships").click()
    expect(page.get_by_role("table")).to_contain_text("1 document, 1 passage")
    expect(deleted).to_have_count(0)


def test_a_double_click_deletes_nothing(page: Page, site: Site) -> None:
    create(page, site)
    page.get_by_role("button", name="Delete ").dblclick()
    expect(page.get_by_role("button", name="Delete, kept for a day")).to_be_focused()
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("button", name="Delete ")).to_be_focused()


def test_files_may_be_dropped_beside_the_box(page: Page, site: Site) -> None:
    create(page, site)
    transfer = page.evaluate_handle(
        """() => {
          const transfer = new DataTransfer();
          transfer.items.add(new File(["It rained for a week."], "log.txt"));
          return transfer;
        }"""
    )
    page.dispatch_event("h1", "drop", {"dataTransfer": transfer})
    expect(page.locator(".documents tbody tr")).to_contain_text("log.txt")


def test_a_document_is_downloaded_read_again_and_removed(page: Page, site: Site) -> None:
    create(page, site)
    drop(page, payload("heron.md", HERON), payload("solberg.txt", SOLBERG))
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download heron.md").click()
    assert Path(waiting.value.path()).read_bytes() == HERON
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Export").click()
    assert waiting.value.suggested_filename == "ships.zip"
    assert zipfile.is_zipfile(waiting.value.path())
    page.get_by_role("button", name="Read heron.md again").click()
    expect(page.locator(".working")).to_have_count(0)
    page.get_by_role("button", name="Remove heron.md").click()
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("button", name="Remove heron.md")).to_be_focused()
    page.get_by_role("button", name="Remove heron.md").click()
    page.get_by_role("button", name="Remove for good").click()
    expect(page.locator(".documents tbody tr")).to_have_count(1)
    expect(page.locator("h1")).to_be_visible()


def test_a_name_that_cannot_be_used_says_why(page: Page, site: Site, watch: Watch) -> None:
    create(page, site, "ships")
    page.goto(f"{site.url}#/documents")
    page.get_by_label("Name of a new corpus").fill("ships")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("alert")).to_contain_text("the name 'ships' is taken")
    watch.wait_for(page, "409")
    page.goto(f"{site.url}#/documents/none")
    expect(page.get_by_role("alert")).to_contain_text("there is no corpus called 'none'")
    watch.wait_for(page, "404")


def test_names_and_titles_are_only_text(page: Page, site: Site) -> None:
    create(page, site)
    drop(page, payload(f"{SCRIPT}.md", f"# {SCRIPT}\n\nIt rained all day in Molde.\n".encode()))
    assert_only_text(page, SCRIPT)


def test_the_progress_is_shown_and_the_page_fits_a_phone(open_page: OpenPage, site: Site) -> None:
    httpx.post(f"{site.url}api/corpora", json={"name": "ships"}, timeout=60)
    indexing = {"done": 2, "total": 5, "source": "a-" + "very" * 30 + "-long-name.pdf"}
    page = open_page("#/documents/ships", width=360)

    def held(route) -> None:  # type: ignore[no-untyped-def]
        found = route.fetch()
        route.fulfill(response=found, json={**found.json(), "indexing": indexing})

    page.route(re.compile(r"api/corpora/ships$"), held)
    page.reload()
    expect(page.locator(".working")).to_contain_text("Reading 3 of 5: a-very")
    expect(page.get_by_label("Indexing")).to_have_attribute("value", "2")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.unroute_all()
    expect(page.locator(".working")).to_have_count(0)
    drop(page, payload("heron.md", HERON), payload("b.txt", SOLBERG))
    assert page.evaluate("document.documentElement.scrollWidth") == 360
