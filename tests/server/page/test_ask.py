"""Ask in a browser: the way to an answer, its evidence, by keyboard, on a phone, in the dark."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from audits import CONTROLS_WITHOUT_A_NAME, HEADING_LEVELS, TEXTS_OF_LOW_CONTRAST
from browsing import Site, Watch, serve
from playwright.sync_api import Browser, Page, Route, expect

from probative.calibration.kept import keep
from probative.corpus.corpus import Corpus
from probative.corpus.index.index_folder import SUGGESTIONS
from probative.corpus.readers.formats import read_suffixes
from probative.server.state.suggestions import Suggestions
from probative.settings import Settings

pytestmark = pytest.mark.slow

QUESTION = "In which town was the engineer born who designed the Grey Heron?"
PASTED = """# Grey Heron
The Grey Heron was designed by Marit Solberg and carried the mail.

It rained for a week.

# Marit Solberg
Marit Solberg was born in Vindal in 1868. She learned engineering from her uncle."""

DESIGNED = "The Grey Heron was designed by Marit Solberg and carried the mail."


def ask_pasted(page: Page, question: str = QUESTION, passages: str = PASTED) -> None:
    page.get_by_label("Question").fill(question)
    page.get_by_role("tab", name="Pasted text").click()
    page.get_by_label("Passages").fill(passages)
    page.get_by_role("button", name="Ask", exact=True).click()


def answer(page: Page) -> str:
    return page.locator(".answer-text").inner_text().split("\n")[0].split("[")[0].strip()


def test_an_example_is_one_click_away(page: Page) -> None:
    page.locator(".example", has_text="Two passages that belong together").click()
    page.locator(".answer-text").wait_for()
    assert answer(page) == "Vindal"
    expect(page).to_have_url(re.compile("#/ask/"))
    expect(page.locator(".answer .badge")).to_contain_text("Supported")


def test_pasted_passages_give_an_answer_with_its_sentence_marked(page: Page) -> None:
    ask_pasted(page)
    page.locator(".answer-text").wait_for()
    assert answer(page) == "Vindal"
    expect(page.locator(".source-text mark.deciding").first).to_contain_text(
        "Marit Solberg was born in Vindal in 1868."
    )


def test_a_citation_scrolls_to_its_sentence(page: Page) -> None:
    long = "Nothing happened on that day at sea. " * 120
    ask_pasted(page, passages=PASTED.replace("Marit Solberg was born", f"{long}Marit Solberg was born"))
    page.locator(".answer-text").wait_for()
    page.locator(".answer-text > button.cite").last.click()
    mark = page.locator(".source-text mark.here").first
    expect(mark).to_be_in_viewport()
    expect(mark).to_contain_text("Marit Solberg was born in Vindal")
    assert page.locator(".source-text").evaluate("box => box.scrollTop") > 100


def test_a_citation_of_a_corpus_opens_the_document(page: Page) -> None:
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer-text").wait_for()
    assert answer(page) == "Vindal"
    page.locator(".quotes li", has_text="born in Vindal").get_by_role("button").click()
    expect(
        page.locator(".source .place, .source-title").filter(has_text="people/solberg.txt").first
    ).to_be_visible()
    expect(page.locator(".source-text mark.here").first).to_be_visible()
    marked = page.locator(".source-text mark.here").all_inner_texts()
    # The text has a character of two UTF-16 units before the end of the sentence.
    assert (
        re.sub(r"\[.*?\]\s*", "", "".join(marked))
        == "Marit Solberg was born in Vindal in 1868 😀 and learned engineering."
    )


def test_a_dropped_file_is_read_and_asked(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text(
        "# Notes\n\nThe Grey Heron was designed by Marit Solberg.\n\nMarit Solberg was born in Vindal.\n"
    )
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("tab", name="Files").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".file-name")).to_have_text("notes.md")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer-text").wait_for()
    assert answer(page) == "Vindal"
    expect(page.locator(".source-text mark").first).to_be_visible()


def test_files_are_kept_for_the_next_question(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text("The Grey Heron was designed by Marit Solberg.\n\nMarit Solberg was born in Vindal.\n")
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("tab", name="Files").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".file-name")).to_have_text("notes.md")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer-text").wait_for()
    page.get_by_role("link", name="Ask", exact=True).click()
    expect(page.get_by_label("Question")).to_have_value("")
    expect(page.locator(".file-name")).to_have_text("notes.md")
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer-text").wait_for()
    assert answer(page) == "Vindal"
    page.get_by_role("link", name="Ask", exact=True).click()
    page.get_by_role("button", name="Remove notes.md").click()
    page.get_by_role("link", name="Check a text", exact=True).click()
    page.get_by_role("link", name="Ask", exact=True).click()
    expect(page.locator(".file-name")).to_have_count(0)


def test_the_file_chooser_offers_what_is_read(page: Page) -> None:
    page.get_by_role("tab", name="Files").click()
    offered = (page.locator("input[type=file]").get_attribute("accept") or "").split(",")
    assert offered == list(read_suffixes())


def test_files_of_a_corpus_that_could_not_be_read_are_shown(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "log.txt").write_text("The Grey Heron was designed by Marit Solberg.")
    (folder / "plan.png").write_bytes(b"GIF89a" + bytes(100))
    with (
        Corpus.open(folder, vectors=False, settings=Settings(cache=False)) as corpus,
        serve(tmp_path / "data", corpora={"harbour": corpus}) as opened,
        browser.new_page() as page,
    ):
        page.goto(opened.url)
        expect(page.locator(".picker")).to_contain_text("not read: 1 file (1 image): plan.png")
        page.get_by_text("Files that could not be read").click()
        expect(page.locator(".picker")).to_contain_text("plan.png is no document (image)")


def test_a_question_waits_for_the_files_that_are_still_read(page: Page, tmp_path: Path) -> None:
    held: list[Route] = []
    sent = re.compile("/api/uploads.name=second")
    page.route(sent, lambda route: held.append(route))
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("The Grey Heron was designed by Marit Solberg.")
    second.write_text("Marit Solberg was born in Vindal.")
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("tab", name="Files").click()
    with page.expect_request(sent):
        page.locator("input[type=file]").set_input_files([first, second])
    expect(page.locator(".file-name")).to_have_text("first.txt")
    page.get_by_role("tab", name="Pasted text").click()  # the reading goes on behind it
    page.get_by_role("tab", name="Files").click()
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("1 file is still being read.")
    assert "#/ask/" not in page.url
    held[0].continue_()
    expect(page.locator(".file-name")).to_have_text(["first.txt", "second.txt"])
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".announcer")).to_have_text("You can start now.")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer-text").wait_for()
    assert answer(page) == "Vindal"


def test_how_a_file_was_read_stands_beside_it(page: Page, watch: Watch, tmp_path: Path) -> None:
    guessed, lines, wrong = tmp_path / "old.txt", tmp_path / "notes.jsonl", tmp_path / "bin.pdf"
    guessed.write_bytes("Das Café öffnet früh – täglich, für Gäste.".encode("cp1252"))
    lines.write_text('{"text": "The Grey Heron carried the mail."}\nno JSON\n')
    wrong.write_bytes(b"\x00\x01\x02 no document")
    page.get_by_role("tab", name="Files").click()
    page.locator("input[type=file]").set_input_files([guessed, lines, wrong])
    expect(page.get_by_role("alert").locator("strong")).to_have_text("bin.pdf is not a PDF file")
    rows = page.locator(".files > li")
    expect(rows.filter(has_text="old.txt").locator(".file-notes li")).to_have_text(
        "the encoding was guessed: cp1252"
    )
    expect(rows.filter(has_text="notes.jsonl").locator(".file-notes li")).to_have_text("line 2 is not JSON")
    watch.wait_for(page, "400")


def test_what_is_missing_is_named(page: Page) -> None:
    ask_pasted(page, passages="It rained for a week.\n\nPines grow slowly.")
    page.locator(".answer-text").wait_for()
    assert answer(page) == "No answer"
    expect(page.locator(".answer .badge")).to_contain_text("Not found")
    expect(page.locator(".answer .missing, .answer .reason").first).to_be_visible()


def test_the_chain_is_drawn_and_listed(page: Page) -> None:
    ask_pasted(page)
    page.locator(".chain").wait_for()
    boxes = page.locator(".chain .node.passage").count()
    assert boxes == 2
    expect(page.locator(".chain path.line.cited, .chain path.line.leads")).to_have_count(boxes)
    assert page.locator(".chain path.line.carries").count() >= 3
    page.get_by_text("The chain as a list").click()
    expect(page.locator(".chain-list li").first).to_contain_text("carries: ")
    expect(page.locator(".chain-list li", has_text="[1]")).to_contain_text(f"It leads there: “{DESIGNED}”")
    expect(page.locator(".chain-list li", has_text="[3]")).to_contain_text("The answer rests on it.")


def test_the_legend_says_what_each_line_that_is_drawn_means(page: Page) -> None:
    ask_pasted(page)
    legend = page.get_by_role("list", name="What the lines mean").locator("li")
    expect(legend).to_have_count(4)
    drawn = page.locator(".chain path.line").evaluate_all("lines => lines.map(line => line.classList[1])")
    explained = page.locator(".legend path").evaluate_all("lines => lines.map(line => line.classList[1])")
    assert set(drawn) == set(explained) == {"carries", "cited", "bridge", "leads"}
    expect(legend.nth(3)).to_have_text("leads to the passage that the answer rests on")


def test_the_bridge_between_two_passages_is_drawn_and_named(page: Page) -> None:
    ask_pasted(page)
    expect(page.locator(".node-bridge")).to_have_text("Leads to [3] by Marit Solberg")
    ends = page.locator(".chain .node.passage").evaluate_all(
        "boxes => boxes.map((box) => box.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"
    )
    line = page.locator(".chain path.line.bridge").bounding_box()
    assert line is not None
    # From the foot of the upper box to the head of the lower one.
    assert ends[0][0] < line["y"] < ends[0][1]
    assert ends[1][0] < line["y"] + line["height"] < ends[1][1]
    page.set_viewport_size({"width": 360, "height": 800})
    expect(page.locator(".chain path.line")).to_have_count(0)
    words = page.get_by_role("list", name="What the lines mean").locator("li").all_inner_texts()
    assert words == ["the answer rests on this passage", "leads to the passage that the answer rests on"]


def test_the_costs_stand_below_answer_and_source_on_a_phone(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(width=360)
    ask_pasted(page)
    tops = [
        page.locator(part).first.evaluate("box => box.getBoundingClientRect().top")
        for part in (".answer-text", ".answer .quotes", ".source-text mark", ".done")
        if page.locator(part).first.wait_for(timeout=60_000) is None
    ]
    assert tops == sorted(tops)


def test_the_passage_that_leads_to_the_answer_is_quoted_and_opened(page: Page) -> None:
    ask_pasted(page)
    expect(page.locator(".answer-text .via")).to_have_text("by way of [1]")
    leading = page.locator(".answer .stack", has=page.get_by_role("heading", name="What leads there"))
    expect(leading.locator("q")).to_have_text(DESIGNED)
    expect(leading.locator(".quote-place")).to_contain_text("“Grey Heron”")
    leading.get_by_role("button", name="Show passage 1 in its source").click()
    expect(page.locator(".source-text mark.leading.here")).to_contain_text(DESIGNED)


def test_words_that_do_not_occur_are_said_where_the_chain_is_judged_complete(page: Page) -> None:
    ask_pasted(page, passages="The ferry is a work of Marit Solberg.\n\nMarit Solberg came from Vindal.")
    page.locator(".chain").wait_for()
    unmatched = page.locator(".chain .node.feature.unmatched")
    expect(unmatched.first).to_contain_text("not in these words")
    expect(page.locator("#chain-heading + .lead")).to_contain_text(
        f"The evidence model judges the chain complete. {unmatched.count()} of the "
    )
    reasons = page.locator(".reasons")
    expect(reasons).to_contain_text("The chain is enough")
    expect(reasons).not_to_contain_text("Every part of the question")


def test_each_check_of_the_answer_is_shown_with_one_number(page: Page) -> None:
    ask_pasted(page)
    expect(page.locator(".reasons")).to_contain_text("The verdict model finds the answer in the chain (98%)")


def test_plain_rag_stands_beside_it_and_in_the_address(page: Page) -> None:
    ask_pasted(page)
    expect(page.get_by_role("button", name="Compare with plain RAG")).to_have_count(0)
    page.get_by_text("Plain RAG beside it").click()
    page.get_by_role("button", name="Compare with plain RAG").click()
    table = page.locator("table.beside")
    expect(table.locator("tr", has_text="Answer").first).to_contain_text("Vindal")
    expect(table).to_contain_text("Tokens")
    expect(page).to_have_url(re.compile(r"\?rag="))
    page.reload()
    expect(page.locator("table.beside")).to_be_visible()


def test_the_address_shows_the_same_answer_to_another_reader(
    page: Page, open_page: Callable[..., Page], site: Site
) -> None:
    ask_pasted(page)
    page.locator(".answer-text").wait_for()
    page.wait_for_url("**/#/ask/*")
    other = open_page(page.url.removeprefix(site.url))
    other.locator(".answer-text").wait_for()
    assert answer(other) == "Vindal"


def test_exports_are_downloaded(page: Page) -> None:
    ask_pasted(page)
    for kind, part in (("HTML", "Vindal"), ("JSON", '"verdict"')):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"Download as {kind}").click()
        assert waiting.value.suggested_filename.endswith(kind.lower())
        assert part in Path(waiting.value.path()).read_text(encoding="utf-8")


def test_an_empty_form_says_what_to_do(page: Page) -> None:
    page.get_by_label("Question").fill("Why?")
    page.get_by_role("tab", name="Pasted text").click()
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("Paste at least one passage.")


def test_a_run_that_does_not_exist_is_an_error_with_words(
    open_page: Callable[..., Page], watch: Watch
) -> None:
    page = open_page("#/ask/0000000000")
    expect(page.get_by_role("alert")).to_contain_text("This run is not here.")
    expect(page.get_by_role("alert")).to_contain_text("Only the newest runs are kept.")
    watch.wait_for(page, "404")


def test_the_keyboard_is_enough(page: Page) -> None:
    page.locator(".example").first.wait_for()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Question")).to_be_focused()
    page.keyboard.type(QUESTION)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("tab", name="Corpus")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Pasted text")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.insert_text(PASTED)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.locator(".answer-text").wait_for()
    for _ in range(30):
        if page.evaluate("document.activeElement.matches('.answer-text .cite')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".source-text")).to_be_focused()
    expect(page.locator(".source-text mark.here").first).to_be_in_viewport()


def test_the_documents_stand_beside_the_question(page: Page) -> None:
    where, question = page.get_by_role("group", name="Where to look"), page.get_by_label("Question")
    where.wait_for()
    beside, box = where.bounding_box(), question.bounding_box()
    assert beside
    assert box
    assert beside["x"] > box["x"] + box["width"]
    button = page.get_by_role("button", name="Ask", exact=True).bounding_box()
    assert button
    assert button["x"] == box["x"]
    assert button["y"] > box["y"] + box["height"]


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_everything_without_scrolling_sideways(
    open_page: Callable[..., Page], dark: bool
) -> None:
    page = open_page(width=360, dark=dark)
    ask_pasted(page)
    page.get_by_text("Plain RAG beside it").click()
    page.get_by_role("button", name="Compare with plain RAG").click()
    page.locator("table.beside").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    # On a phone there is no room for lines: each passage says what it carries.
    assert page.locator(".chain path").count() == 0
    expect(page.locator(".node-carries").first).to_contain_text("Carries: ")


@pytest.mark.parametrize("dark", [False, True])
def test_every_text_has_enough_contrast(open_page: Callable[..., Page], dark: bool) -> None:
    page = open_page(dark=dark)
    page.locator(".example").first.wait_for()
    assert page.evaluate(TEXTS_OF_LOW_CONTRAST) == []
    ask_pasted(page)
    page.locator(".answer-text").wait_for()
    assert page.evaluate(TEXTS_OF_LOW_CONTRAST) == []


def test_the_theme_switch_wins_over_the_system_and_is_kept(page: Page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_label("Theme").select_option("dark")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    page.locator(".example").first.wait_for()
    assert page.evaluate(ground) == dark


def test_a_suggested_question_is_one_click_away_while_the_field_is_empty(page: Page, site: Site) -> None:
    corpus = site.app.state.server.catalog.corpus("ferries")
    kept = Suggestions(questions=(QUESTION,), version=corpus.version, model="scripted")
    keep(corpus.path, SUGGESTIONS, kept)
    page.reload()
    offered = page.get_by_role("group", name="To begin with").get_by_role("button")
    expect(offered).to_have_text(["What is in here?", QUESTION])
    page.get_by_label("Question", exact=True).fill("W")
    expect(offered).to_have_count(0)
    page.get_by_label("Question", exact=True).fill("")
    page.get_by_role("tab", name="Files").click()
    expect(offered).to_have_count(0)
    page.get_by_role("tab", name="Corpus").click()
    offered.first.click()
    expect(page.locator(".contents")).to_contain_text("3 documents")
    expect(page.get_by_label("Question", exact=True)).to_be_focused()
    page.get_by_label("Question", exact=True).fill("")
    expect(offered).to_have_count(2)
    for _ in range(3):  # the button “Ask”, and both questions
        page.keyboard.press("Tab")
    expect(offered.last).to_be_focused()
    page.keyboard.press("Enter")
    page.locator(".answer-text").wait_for()
    assert answer(page) == "Vindal"


def test_every_control_has_a_name_and_headings_do_not_skip(page: Page) -> None:
    ask_pasted(page)
    page.locator(".answer-text").wait_for()
    assert page.evaluate(CONTROLS_WITHOUT_A_NAME) == []
    levels = page.evaluate(HEADING_LEVELS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_both_sides_of_a_contradiction_are_shown(page: Page) -> None:
    bridge = "The bridge at Karsund was opened in {} and has three arches."
    passages = "\n\n".join((bridge.format(1938), "It rained for a week.", bridge.format(1953)))
    ask_pasted(page, "When was the bridge at Karsund opened?", passages)
    sides = page.locator(".contradiction .side")
    expect(sides).to_have_count(2)
    expect(sides.first).to_contain_text("says 1938")
    expect(sides.last).to_contain_text("says 1953")
    sides.last.get_by_role("button").click()
    expect(page.locator(".source-text mark.conflict.here")).to_contain_text("opened in 1953")


def test_the_legend_says_nothing_of_an_answer_that_is_not_given(page: Page) -> None:
    bridge = "The bridge at Karsund was opened in {} and has three arches."
    passages = "\n\n".join((bridge.format(1938), "It rained for a week.", bridge.format(1953)))
    ask_pasted(page, "When was the bridge at Karsund opened?", passages)
    expect(page.locator(".chain .answer-node")).to_contain_text("No answer")
    expect(page.locator(".chain path.line.cited").first).to_be_attached()
    legend = page.get_by_role("list", name="What the lines mean")
    expect(legend).to_contain_text("the passage carries this part of the question")
    expect(legend).not_to_contain_text("the answer rests on")
