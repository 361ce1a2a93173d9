"""Threads in a browser: follow-ups below an answer, read-as, rename, export, delete, undo, and contents."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browsing import FERRIES, Site, scripted_reader, scripted_session, serve, weigh_by_names
from playwright.sync_api import Browser, Page, expect
from small_corpus import write

from probative.corpus.corpus import Corpus
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.types import Request
from probative.settings import Settings
from probative.testing import ScriptedModel, ScriptedPolicy

pytestmark = pytest.mark.slow

QUESTION = "In which town was the engineer born who designed the Grey Heron?"
FOLLOW_UP = "And what did it carry?"
ALONE = "What did the Grey Heron carry?"
OpenPage = Callable[..., Page]


def rewriting_reader() -> ScriptedModel:
    """Return a reader that knows two answers and rewrites every follow-up."""
    reader = scripted_reader({"town": "Vindal", "carry": "the mail"})
    generate = reader._script
    assert callable(generate)

    def reply(request: Request) -> str:
        return ALONE if request.messages[0].content == "alone" else str(generate(request))

    reader._script = reply
    return reader


@pytest.fixture(scope="module")
def gate() -> Iterator[threading.Event]:
    """Holds every question back while it is closed."""
    event = threading.Event()
    event.set()
    yield event
    event.set()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, gate: threading.Event) -> Iterator[Site]:
    def weigh(state: PolicyState) -> PolicyScores:
        gate.wait(300)
        return weigh_by_names(state)

    folder = write(tmp_path_factory.mktemp("ferries"), FERRIES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(tmp_path_factory.mktemp("home")))
        with (
            Corpus.open(folder, vectors=False, settings=Settings(cache=False)) as corpus,
            serve(
                tmp_path_factory.mktemp("data"),
                session=scripted_session(model=rewriting_reader(), policy=ScriptedPolicy(weigh)),
                corpora={"ferries": corpus},
            ) as opened,
        ):
            yield opened


def ask(page: Page, question: str = QUESTION) -> None:
    page.get_by_label("Question").fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer-text").wait_for()


def follow(page: Page, question: str = FOLLOW_UP) -> None:
    page.get_by_label("Ask further").fill(question)
    page.get_by_role("button", name="Send").click()


def begun(page: Page) -> None:
    """Ask a question and a follow-up."""
    ask(page)
    follow(page)
    expect(page.locator(".turn .answer-text")).to_have_count(2)


def test_a_follow_up_is_answered_below_with_its_own_evidence(page: Page) -> None:
    begun(page)
    expect(page).to_have_url(re.compile("#/thread/"))
    expect(page.locator("h1")).to_have_text(QUESTION)
    first, second = page.locator(".turn").all()
    expect(first.locator(".answer-text")).to_contain_text("Vindal")
    expect(second.locator("h2.question")).to_have_text(FOLLOW_UP)
    expect(second.locator(".read-as")).to_have_text(f"Read as: {ALONE}")
    expect(second.locator(".answer-text")).to_contain_text("the mail")
    expect(second.locator(".answer .badge")).to_contain_text("Supported")
    expect(second.locator(".source-text mark").first).to_contain_text("carried the mail")
    second.get_by_role("link", name="The chain and the checks").click()
    expect(page.locator(".chain")).to_be_visible()
    page.get_by_role("link", name=QUESTION).click()
    expect(page).to_have_url(re.compile("#/thread/"))


def test_what_a_follow_up_finds_is_shown_while_it_runs(page: Page, gate: threading.Event) -> None:
    ask(page)
    gate.clear()
    try:
        follow(page)
        second = page.locator(".turn").nth(1)
        found = second.get_by_role("region", name="Found so far of answer 2")
        expect(found).to_contain_text("Nothing of this is checked yet.")
        expect(found.get_by_role("listitem").first).to_contain_text("carried the mail")
    finally:
        gate.set()
    expect(second.locator(".answer-text")).to_contain_text("the mail")
    expect(page.get_by_role("region", name="Found so far")).to_have_count(0)


def test_a_question_is_changed_and_asked_again_in_its_place(page: Page) -> None:
    begun(page)
    second = page.locator(".turn").nth(1)
    second.get_by_role("button", name="Change the question").focus()
    page.keyboard.press("Enter")
    field = second.get_by_label("Ask it like this")
    expect(field).to_be_focused()
    expect(field).to_have_value(ALONE)
    page.keyboard.press("Escape")
    expect(second.get_by_role("button", name="Change the question")).to_be_focused()
    page.keyboard.press("Enter")
    second.get_by_label("Ask it like this").fill("What did the Grey Heron carry for a week?")
    page.keyboard.press("Enter")
    expect(page.locator(".turn h2.question")).to_have_text(
        [QUESTION, "What did the Grey Heron carry for a week?"]
    )
    expect(page.locator(".turn").nth(1).locator(".answer-text")).to_contain_text("the mail")
    expect(page.locator(".read-as")).to_have_count(0)


def test_a_thread_is_renamed_by_keyboard_and_exported(page: Page) -> None:
    begun(page)
    page.get_by_role("button", name="Rename").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name of the thread")).to_be_focused()
    page.keyboard.type("The Heron and its mail")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("The Heron and its mail")
    expect(page.get_by_role("button", name="Rename")).to_be_focused()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the thread as Markdown").click()
    written = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert written.startswith("# The Heron and its mail\n")
    assert f"read as: {ALONE}" in written
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the thread as JSON").click()
    assert len(json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))["turns"]) == 2


def test_deleting_asks_once_and_can_be_undone(page: Page, site: Site) -> None:
    begun(page)
    page.get_by_role("button", name="Delete the thread").click()
    page.get_by_role("button", name="Keep").click()
    page.get_by_role("button", name="Delete the thread").click()
    page.get_by_role("button", name="Delete the thread", exact=True).click()
    expect(page.get_by_text("This thread is deleted.")).to_be_visible()
    expect(page.get_by_label("Ask further")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Ask further")).to_be_visible()


def test_the_history_lists_threads_and_brings_a_deleted_one_back(page: Page) -> None:
    begun(page)
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Name of the thread").fill("To be listed")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="History").click()
    entry = page.locator(".threads li").first
    expect(entry).to_contain_text("2 questions")
    runs = page.locator("table.runs tbody tr")
    runs.first.wait_for()
    before = runs.count()
    entry.get_by_role("button", name="Delete the thread “To be listed”").click()
    entry.get_by_role("button", name="Delete the thread", exact=True).click()
    expect(entry).to_contain_text("deleted")
    expect(runs).to_have_count(before - 2)
    entry.get_by_role("button", name="Undo").click()
    expect(runs).to_have_count(before)
    page.get_by_role("link", name="To be listed").click()
    expect(page.locator(".turn")).to_have_count(2)


def test_a_thread_that_does_not_exist_is_an_error_with_words(open_page: OpenPage, watch) -> None:
    page = open_page("#/thread/none")
    expect(page.get_by_role("alert")).to_contain_text("there is no thread 'none'")
    watch.wait_for(page, "404")


@pytest.mark.parametrize("question", ["What is in here?", "what can you do"])
def test_what_is_in_here_is_answered_without_a_run(page: Page, site: Site, question: str) -> None:
    store = site.app.state.server.store
    before = store.newest(1).total
    page.get_by_label("Question").fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()
    contents = page.locator(".contents")
    expect(contents.get_by_role("status")).to_have_text("3 documents with 3 passages.")
    expect(contents.locator("li")).to_have_text(["people/solberg.txt", "ships/heron.md", "weather.txt"])
    assert store.newest(1).total == before
    contents.get_by_role("link", name="weather.txt").click()
    expect(page.locator(".source-text")).to_have_text("It rained for a week.")


def test_what_is_in_here_is_answered_as_a_follow_up(page: Page) -> None:
    begun(page)
    follow(page, "What is in here?")
    expect(page.locator(".contents")).to_contain_text("3 documents")
    expect(page.locator(".turn")).to_have_count(2)


def test_a_phone_shows_a_thread_without_scrolling_sideways(open_page: OpenPage) -> None:
    page = open_page(width=360)
    begun(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_with_the_small_model_whole_questions_are_asked_for(browser: Browser, tmp_path: Path) -> None:
    model = scripted_reader({"town": "Vindal"}, name="embedded")
    with (
        Corpus.open(write(tmp_path / "ferries", FERRIES), vectors=False) as corpus,
        serve(tmp_path / "data", session=scripted_session(model=model), corpora={"ferries": corpus}) as site,
        browser.new_page() as page,
    ):
        page.goto(site.url)
        ask(page)
        expect(page.locator(".follow-up")).to_contain_text(
            "The model “embedded” does not rewrite follow-up questions. Write a whole question"
        )
        follow(page)
        second = page.locator(".turn").nth(1)
        expect(second.locator(".reason")).to_contain_text("“it” points at an earlier question")
        second.get_by_role("button", name="Change the question").click()
        second.get_by_label("Ask it like this").fill("In which town was Marit Solberg born?")
        second.get_by_role("button", name="Ask again").click()
        expect(page.locator(".turn").nth(1).locator(".answer-text")).to_contain_text("Vindal")


def test_an_answer_is_marked_right_or_wrong_and_the_mark_taken_back(page: Page, site: Site) -> None:
    ask(page)
    right = page.get_by_role("button", name="Right")
    wrong = page.get_by_role("button", name="Wrong")
    right.focus()
    page.keyboard.press("Enter")
    expect(right).to_have_attribute("aria-pressed", "true")
    expect(right).to_be_focused()
    expect(page.locator(".marks")).to_contain_text("Kept: this answer is right.")
    wrong.click()
    expect(right).to_have_attribute("aria-pressed", "false")
    expect(wrong).to_have_attribute("aria-pressed", "true")
    run = page.url.rsplit("/", 1)[1]
    assert [mark.right for mark in site.app.state.server.store.marks.of(run)] == [False]
    page.reload()
    expect(wrong).to_have_attribute("aria-pressed", "true")
    wrong.click()
    expect(page.locator(".marks")).not_to_contain_text("Kept")
    assert site.app.state.server.store.marks.of(run) == ()
