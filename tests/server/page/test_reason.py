"""Reason in a browser: the form, the drawing with its table and filters, and the stages."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from audits import CONTROLS_WITHOUT_A_NAME, HEADING_LEVELS, TEXTS_OF_LOW_CONTRAST
from browsing import Site
from kept_runs import HOSTILE, group, keep, reasoning, triple
from playwright.sync_api import Page, expect

from probative import Answers, Knowledge

pytestmark = pytest.mark.slow
OpenPage = Callable[..., Page]


@pytest.fixture
def kept(site: Site) -> str:
    """The address of an answer with all kinds of connections."""
    result = reasoning()
    request = {"question": result.question, "graph": "herbs"}
    return f"#/reason/{keep(site, 'reason', result.question, request, result)}"


def connections(page: Page) -> list[str]:
    """Return the rows of the table of connections."""
    rows = page.locator("table.connections tbody tr").all()
    return [" ".join(row.locator("td, th").all_inner_texts()[:4]).replace("\n", " ") for row in rows]


def drawn(page: Page) -> bytes:
    """Return the picture of the drawing, once it does not change any more."""
    canvas = page.locator(".drawing-canvas")
    canvas.locator("svg").wait_for()
    picture = b""
    while (following := canvas.screenshot()) != picture:
        picture = following
        page.wait_for_timeout(200)
    return picture


def wait_for_another_drawing(page: Page, before: bytes) -> None:
    """Wait until the drawing, which follows at the next frame, is another one."""
    end = time.monotonic() + 60
    while page.locator(".drawing-canvas").screenshot() == before:
        assert time.monotonic() < end, "the drawing stays as it was"
        page.wait_for_timeout(50)


def test_pasted_triples_are_reasoned_over(open_page: OpenPage) -> None:
    page = open_page("#/reason")
    page.get_by_role("tab", name="Pasted triples").click()
    page.get_by_role("textbox", name="Triples").fill("willow bark | contains | salicin\nsalicin\teases\tpain")
    expect(page.get_by_text("2 triples.")).to_be_visible()
    page.get_by_role("textbox", name="Question").fill("Does willow bark contain salicin?")
    page.get_by_role("button", name="Ask the graph", exact=True).click()
    page.locator(".graph-answer .answer-text").wait_for()
    expect(page).to_have_url(re.compile("#/reason/"))
    expect(page.locator(".graph-answer .answer-text")).to_have_text("yes")
    expect(page.locator(".graph-answer .badge")).to_contain_text("Read in the graph")
    expect(page.locator(".announcer")).to_have_text("Answer: yes. Read in the graph.")
    expect(page.locator(".graph-facts li")).to_contain_text("willow bark contains salicin")
    page.reload()
    expect(page.locator(".graph-answer .answer-text")).to_have_text("yes")
    page.get_by_text("Change the question or the graph").click()
    expect(page.get_by_role("textbox", name="Triples")).to_have_value(
        "willow bark\tcontains\tsalicin\nsalicin\teases\tpain"
    )


def test_choices_and_the_method_are_folded_apart(open_page: OpenPage) -> None:
    page = open_page("#/reason")
    page.locator("summary", has_text="Choices").click()
    expect(page.get_by_label("Kind of answer")).to_be_visible()
    expect(page.get_by_label("Method")).to_be_hidden()
    page.locator("summary", has_text="Advanced").click()
    expect(page.get_by_label("Method")).to_be_visible()


def test_a_line_that_is_no_triple_is_told_before_anything_is_sent(open_page: OpenPage) -> None:
    page = open_page("#/reason")
    page.get_by_role("textbox", name="Question").fill("Does moss grow?")
    page.get_by_role("tab", name="Pasted triples").click()
    page.get_by_role("textbox", name="Triples").fill("moss | grows in | shade\nmoss")
    expect(page.get_by_text("Line 2 has 1 part; a triple has three.")).to_be_visible()
    page.get_by_role("button", name="Ask the graph", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("Correct or remove the line that is no triple first.")
    assert page.url.endswith("#/reason")


def test_the_kinds_of_connections_are_told_apart_and_filtered(open_page: OpenPage, kept: str) -> None:
    page = open_page(kept)
    expect(page.locator("table.connections tbody tr")).to_have_count(6)
    assert connections(page) == [
        "●read in the graph decided it willow bark contains salicin",
        "●read in the graph decided it salicin eases pain",
        "↔similar decided it headache similar 0.50 pain",
        "≈extrapolated willow bark eases pain",
        "≈extrapolated foxglove contains salicin",
        "✗counterfactual foxglove not eases headache",
    ]
    expect(page.locator(".line-sample.similar")).to_have_count(1)
    page.get_by_label("similar (1)").uncheck()
    page.get_by_label("extrapolated (2)").uncheck()
    page.get_by_label("undecided (1)").check()
    expect(page.locator("table.connections tbody tr")).to_have_count(4)
    assert [row.split(" ")[0] for row in connections(page)] == [
        "●read",
        "●read",
        "✗counterfactual",
        "?undecided",
    ]
    expect(page.get_by_role("img", name="3 groups of entities and 4 connections")).to_be_visible()


def test_a_connection_is_found_in_the_drawing_by_keyboard(open_page: OpenPage, kept: str) -> None:
    page = open_page(kept)
    show = page.get_by_role("button", name="Show in the drawing: salicin, eases, pain")
    show.focus()
    before = drawn(page)
    page.keyboard.press("Enter")
    expect(show).to_have_attribute("aria-pressed", "true")
    wait_for_another_drawing(page, before)  # the others fade
    page.keyboard.press("Enter")
    expect(show).to_have_attribute("aria-pressed", "false")


def test_the_stages_say_what_each_kind_of_knowledge_changed(open_page: OpenPage, kept: str) -> None:
    stages = open_page(kept).locator(".stage")
    expect(stages).to_have_count(3)
    expect(stages.nth(0)).to_contain_text("maybe")
    expect(stages.nth(1)).to_contain_text("Changed from “maybe”")
    expect(stages.nth(2)).to_contain_text("Changed from “no”")


def test_one_stage_with_knowledge_is_said_and_a_stage_without_an_answer_is_shown(
    open_page: OpenPage, site: Site
) -> None:
    answers = Answers(ace="yes")
    known = Knowledge(expert=(triple("willow bark|contains|salicin"),))
    request = {"question": "Does it?", "graph": "herbs"}
    alone = keep(site, "reason", "Does it?", request, reasoning(answers=answers, knowledge=known))
    unread = keep(site, "reason", "Does it?", request, reasoning(answers=answers))
    page = open_page(f"#/reason/{alone}")
    expect(page.get_by_text("given in one stage, with what the graph states (1 connection")).to_be_visible()
    page.goto(f"{site.url}#/reason/{unread}")
    expect(page.locator(".stage").first).to_contain_text("No answer at this stage")


def test_a_drawing_is_made_of_the_colours_of_the_theme(open_page: OpenPage, kept: str) -> None:
    page = open_page(kept)
    light = drawn(page)
    page.get_by_label("Theme").select_option("dark")
    wait_for_another_drawing(page, light)
    assert drawn(page) != light


def test_hostile_names_stay_text(open_page: OpenPage, site: Site) -> None:
    bad = triple(f"{HOSTILE}|{HOSTILE}|salicin")
    result = reasoning(
        HOSTILE,
        answer=HOSTILE,
        facts=(bad,),
        knowledge=Knowledge(expert=(bad,), affirmative=(triple(f"salicin|eases|{HOSTILE}2"),)),
        groups=(group(HOSTILE, "moss"), group("salicin")),
        notes=(HOSTILE,),
    )
    request = {"question": HOSTILE, "triples": [[HOSTILE, HOSTILE, "salicin"]]}
    page = open_page(f"#/reason/{keep(site, 'reason', HOSTILE, request, result)}")
    expect(page.locator(".graph-answer .answer-text")).to_have_text(HOSTILE)
    expect(page.locator("table.connections tbody th").first).to_have_text(HOSTILE)
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize(("width", "dark"), [(1200, False), (1200, True), (360, False), (360, True)])
def test_the_page_is_readable(open_page: OpenPage, kept: str, width: int, dark: bool) -> None:
    page = open_page(kept, width=width, dark=dark)
    page.locator(".stage").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(TEXTS_OF_LOW_CONTRAST) == []
    assert page.evaluate(CONTROLS_WITHOUT_A_NAME) == []
    levels = page.evaluate(HEADING_LEVELS)
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
