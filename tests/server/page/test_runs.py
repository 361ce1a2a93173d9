"""Runs, traces and comparisons in a browser."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from audits import CONTROLS_WITHOUT_A_NAME, HEADING_LEVELS, TEXTS_OF_LOW_CONTRAST
from browsing import Site, scripted_session, serve
from kept_runs import HOSTILE, answer, keep, reasoning, trace_of
from playwright.sync_api import Page, expect

from probative import Answer
from probative.scope.result import ChainPassage, Level
from probative.server.base.errors import ErrorDetail
from probative.server.runs.run import RunState
from probative.testing import ScriptedModel
from probative.trace import Step
from probative.types import Usage, Verdict
from probative.verbs.table import VERBS

pytestmark = pytest.mark.slow
OpenPage = Callable[..., Page]
PASSAGES = ["The Heron was built in Molde.", "Pines grow slowly."]


class Gate:
    """Holds a model back until it is opened."""

    def __init__(self) -> None:
        self.opened = threading.Event()

    def generate(self, _: object) -> str:
        self.opened.wait(300)
        return "Molde"


@pytest.fixture(scope="module")
def gate() -> Gate:
    return Gate()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, gate: Gate) -> Iterator[Site]:
    """A server whose model waits for the gate; a run that is cancelled waits, too."""
    session = scripted_session(model=ScriptedModel(generate=gate.generate))
    with (
        pytest.MonkeyPatch.context() as patch,
        serve(tmp_path_factory.mktemp("data"), session=session) as opened,
    ):
        patch.setattr("probative.server.runs.manager._PATIENCE", 300.0)
        yield opened
        gate.opened.set()


@pytest.fixture
def kept(site: Site) -> list[str]:
    """Two answers to one question, and one over a graph: their ids."""
    store = site.app.state.server.store
    for run in store.newest(200)[0]:
        store.delete(run.id)
    request = {"question": "Where was the Heron built?", "passages": PASSAGES}
    first = answer("Molde", "supported", PASSAGES[:1])
    second = answer("unknown", "insufficient", PASSAGES, missing=["node: Heron"], method="rag")
    trace = trace_of(["Who built the Heron?", "Where was it built? " + "long " * 400 + "needle"])
    over_graph = reasoning()
    return [
        keep(site, "ask", request["question"], request, first, trace),
        keep(site, "ask", request["question"], {**request, "method": "rag"}, second, trace),
        keep(
            site,
            "reason",
            over_graph.question,
            {"question": over_graph.question, "graph": "herbs"},
            over_graph,
        ),
    ]


def test_runs_are_listed_newest_first_and_filtered(open_page: OpenPage, site: Site, kept: list[str]) -> None:
    keep(site, "ask", "A failed one", {"question": "?"}, state=RunState.FAILED)
    page = open_page("#/runs")
    asked = "Where was the Heron built?"
    rows = page.locator("table.runs tbody th a")
    expect(rows).to_have_text(["A failed one", "Does willow bark ease a headache?", asked, asked])
    expect(page.get_by_role("status").filter(has_text="4 runs.")).to_be_visible()
    page.get_by_label("State").select_option("failed")
    expect(rows).to_have_text(["A failed one"])
    page.get_by_label("State").select_option("")
    page.get_by_label("Verdict").select_option(label="Insufficient evidence")
    expect(rows).to_have_text([asked])
    page.get_by_label("Verdict").select_option("")
    page.get_by_label("Words in the title").fill("headache WILLOW")
    expect(rows).to_have_text(["Does willow bark ease a headache?"])
    page.get_by_label("Words in the title").fill("nothing of this")
    expect(page.get_by_text("No run fits the filter.")).to_be_visible()
    page.get_by_role("link", name="Show all runs").click()
    expect(page.get_by_label("Words in the title")).to_have_value("")
    page.get_by_label("Type").select_option("reason")
    expect(rows).to_have_count(1)
    expect(page.locator("table.runs .badge")).to_contain_text("Extrapolated")
    page.get_by_role("link", name="Does willow bark ease a headache?", exact=True).click()
    expect(page.locator("h1")).to_have_text("Graph")


def test_a_filter_asks_the_server_and_its_address_can_be_shared(
    open_page: OpenPage, site: Site, kept: list[str]
) -> None:
    # More runs than one page has: the filter finds what was never loaded.
    for number in range(60):
        keep(site, "ask", f"Common question {number}", {"question": "?"}, answer("x", "supported", []))
    page = open_page("#/runs")
    rows = page.locator("table.runs tbody tr")
    expect(page.get_by_role("status").first).to_have_text("63 runs; the newest 50 are shown.")
    page.get_by_label("Words in the title").press_sequentially("heron")
    expect(page.get_by_role("status").first).to_have_text("2 runs fit the filter.")
    page.get_by_label("Verdict").select_option("supported")
    expect(rows).to_have_count(1)
    expect(page).to_have_url(re.compile(r"#/runs\?level=supported&text=heron$"))
    other = open_page("#/runs?level=supported&text=common")
    expect(other.get_by_role("status").first).to_have_text("60 runs fit the filter; the newest 50 are shown.")
    expect(other.get_by_label("Words in the title")).to_have_value("common")
    other.get_by_role("button", name="Show older runs").click()
    expect(other.locator("table.runs tbody tr")).to_have_count(60)
    expect(other.get_by_role("button", name="Show older runs")).to_have_count(0)


def test_a_run_is_deleted_by_keyboard_and_only_at_the_second_press(
    open_page: OpenPage, site: Site, kept: list[str]
) -> None:
    page = open_page("#/runs")
    page.get_by_role("button", name="Delete Does willow bark").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Delete for good")).to_be_focused()
    assert len(site.app.state.server.store.newest(200)[0]) == 3
    page.keyboard.press("Enter")
    expect(page.locator("table.runs tbody tr")).to_have_count(2)
    assert {run.id for run in site.app.state.server.store.newest(200)[0]} == set(kept[:2])


def test_the_list_fits_every_window_also_while_a_run_is_about_to_be_deleted(
    open_page: OpenPage, kept: list[str]
) -> None:
    page = open_page("#/runs")
    page.get_by_role("button", name="Delete Does willow bark").click()
    keep = page.get_by_role("button", name="Keep")
    for width in (360, 720, 780, 900, 1024, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        button, table = keep.bounding_box(), page.locator("table.runs").bounding_box()
        assert button is not None
        assert table is not None
        assert button["x"] + button["width"] <= table["x"] + table["width"], width


def test_a_run_that_works_is_cancelled(open_page: OpenPage, site: Site, gate: Gate, kept: list[str]) -> None:
    gate.opened.clear()  # a test before this one may have opened it
    page = open_page("#/runs")
    request = {"question": "Where is the Heron?", "passages": PASSAGES, "method": "rag"}
    headers = {"Prefer": "respond-async", "Content-Type": "application/json"}
    page.request.post(f"{site.url}api/ask", data=json.dumps(request), headers=headers)
    page.reload()
    row = page.locator("table.runs tbody tr").filter(has_text="Where is the Heron?")
    expect(row).to_contain_text("Running")
    row.get_by_role("button", name="Cancel Where is the Heron?").click()
    expect(row).to_contain_text("Cancelling…")
    (identity,) = site.app.state.server.manager.ids_in(RunState.RUNNING)
    assert site.app.state.server.manager.live(identity).cancelled.wait(
        60
    )  # the page says it before the server
    gate.opened.set()
    expect(row).to_contain_text("Cancelled")


def test_an_interrupted_run_says_so_and_runs_again_with_all_its_options(
    open_page: OpenPage, site: Site, gate: Gate, kept: list[str]
) -> None:
    gate.opened.set()
    request = {"question": "Where is the Heron?", "passages": PASSAGES, "method": "rag", "seed": 7}
    store = site.app.state.server.store
    run = keep(site, "ask", request["question"], request, state=RunState.CANCELLED)
    error = ErrorDetail(type="InterruptedRunError", message="the server was stopped during this run")
    store.finish(store.get(run).model_copy(update={"error": error}))
    page = open_page("#/runs")
    row = page.locator("table.runs tbody tr").first
    expect(row).to_contain_text("The server was stopped during this run.")
    row.get_by_role("link", name="Where is the Heron?", exact=True).click()
    expect(page.get_by_text("The server was stopped during this run.")).to_be_visible()
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_role("button", name="Run again")).to_be_visible()
    page.wait_for_url(lambda url: run not in url)
    again = page.url.rsplit("/", 1)[1]
    assert (store.get(again).request["seed"], store.get(again).request["method"]) == (7, "rag")
    page.get_by_role("link", name="Compare with the run before").click()
    expect(page.locator("h1")).to_have_text("Two runs compared")
    page.wait_for_url(f"**/#/compare/{run}/{again}")


def test_two_runs_are_compared_and_what_differs_is_marked(open_page: OpenPage, kept: list[str]) -> None:
    page = open_page("#/runs")
    boxes = page.get_by_role("checkbox", name="Compare: Where was the Heron built?")
    boxes.nth(1).check()
    boxes.nth(0).check()
    page.get_by_role("link", name="Compare", exact=True).click()
    page.wait_for_url(f"**/#/compare/{kept[0]}/{kept[1]}")
    expect(page.get_by_role("status").first).to_contain_text("The result differs in: verdict, answer, chain")
    expect(page.get_by_text("What was asked differs in: method.")).to_be_visible()
    changed = page.locator(".change-line")
    expect(changed.nth(0)).to_have_text(re.compile("Verdict .*Supported.*became.*Insufficient evidence"))
    expect(changed.nth(1)).to_have_text(re.compile("Answer Molde.*became unknown"))
    row = page.locator("tr", has=page.get_by_role("rowheader", name="Chain of evidence"))
    expect(row.locator("li.only")).to_have_count(1)
    expect(row.locator("li.only")).to_contain_text("only here Pines grow slowly.")
    page.get_by_label("Only what differs").check()
    expect(page.get_by_role("rowheader", name="Question")).to_have_count(0)


def test_only_runs_about_one_question_are_compared(open_page: OpenPage, kept: list[str]) -> None:
    page = open_page("#/runs")
    about_it = page.get_by_role("checkbox", name="Compare: Where was the Heron built?")
    expect(page.locator("td.choose input:disabled")).to_have_count(0)
    about_it.first.check()
    expect(about_it.nth(1)).to_be_enabled()
    expect(page.locator("td.choose input:disabled")).to_have_count(1)
    page = open_page(f"#/compare/{kept[0]}/{kept[2]}")
    expect(page.locator("main")).to_contain_text("These runs ask different things.")


def test_a_probable_answer_is_not_drawn_as_one_that_is_supported(open_page: OpenPage, site: Site) -> None:
    question = "Where was the Wren built?"
    passages = ({"text": "The Wren was built in Molde."},)
    found = Answer(
        question=question,
        answer=None,
        verdict=Verdict.INSUFFICIENT,
        level=Level.PROBABLE,
        candidate="Molde",
        certainty=0.7,
        chain=(ChainPassage(index=0, text=passages[0]["text"]),),
        citations=(0,),
    )
    run = keep(site, "ask", question, {"question": question, "passages": passages}, found)
    page = open_page(f"#/ask/{run}")
    expect(page.locator(".answer-text")).to_have_text(re.compile("probably Molde"))
    expect(page.locator(".answer .badge")).to_have_text("≈Probable, not confirmed")
    expect(page.locator(".answer-node")).to_contain_text("probably Molde")
    expect(page.locator(".answer")).to_have_css("border-top-style", "dashed")
    expect(page.locator("main")).to_contain_text("About 60% of such answers were right where the limit was")
    page = open_page("#/runs")
    page.get_by_label("Verdict").select_option(label="Probable, not confirmed")
    row = page.locator("table.runs tbody tr")
    expect(row).to_have_count(1)
    expect(row.locator("th .found")).to_have_text("Molde")
    expect(row.locator(".badge")).to_have_text("≈Probable, not confirmed")
    page.get_by_label("Verdict").select_option(label="Insufficient evidence")
    expect(page.locator("table.runs tr", has_text=question)).to_have_count(0)


@pytest.fixture
def added_verb(site: Site) -> Iterator[str]:
    """The name of a verb that the page does not know."""
    VERBS.add(replace(VERBS.load("annotate"), name="shout"))
    yield "shout"
    store = site.app.state.server.store
    for run in store.newest(200)[0]:
        store.delete(run.id)
    VERBS.remove("shout")


def test_runs_of_a_verb_that_the_page_does_not_know_are_listed_shown_and_compared(
    open_page: OpenPage, site: Site, kept: list[str], added_verb: str
) -> None:
    results = [{"loud": text, "verdict": "hoarse", "usage": Usage().to_dict()} for text in ("HEY", "HO")]
    trace = trace_of(["Say it: hey"])
    first, second = (keep(site, added_verb, "Say hey", {"word": "hey"}, result, trace) for result in results)
    page = open_page("#/runs")
    page.get_by_label("Type").select_option(label="Shout")
    rows = page.locator("table.runs tbody th")
    expect(rows).to_have_text(["Shout Say hey", "Shout Say hey"])
    expect(page.locator("table.runs .badge").first).to_have_text("hoarse")
    rows.nth(0).get_by_role("link").click()
    expect(page.locator("h1")).to_have_text("Say hey")
    expect(page.locator("details", has_text="The result").locator("pre")).to_contain_text('"loud": "HO"')
    page = open_page(f"#/compare/{first}/{second}")
    row = page.locator("tr", has=page.get_by_role("rowheader", name="loud"))
    expect(row.locator("td")).to_have_text(["HEY", "HO"])


def test_an_answer_that_is_gone_is_said(open_page: OpenPage, site: Site, kept: list[str]) -> None:
    request = {"question": "Where was the Heron built?", "passages": PASSAGES[1:]}
    gone = keep(site, "ask", request["question"], request, {**answer("", "insufficient", []), "answer": None})
    page = open_page(f"#/compare/{kept[0]}/{gone}")
    expect(page.locator(".change-line").nth(1)).to_have_text(re.compile("Answer Molde.*became no answer"))
    row = page.locator("tr", has=page.get_by_role("rowheader", name="Passages"))
    expect(row.locator("li.only")).to_have_text(["only here The Heron was built in Molde."])


def checked(text: str, verdict: str, deciding: str) -> dict[str, Any]:
    return {
        "text": text,
        "verdict": verdict,
        "evidence": [{"text": deciding, "source": "log", "deciding": True}],
    }


def verified(site: Site, *claims: dict[str, Any]) -> str:
    text = " ".join(claim["text"] for claim in claims)
    usage = Usage(calls=2, prompt_tokens=50, seconds=0.5).to_dict()
    result = {"claims": list(claims), "notes": [], "method": "policy", "usage": usage}
    return keep(site, "verify", text, {"text": text, "passages": PASSAGES}, result)


def test_two_verifications_show_the_verdicts_that_changed_first(open_page: OpenPage, site: Site) -> None:
    same = [checked(f"Fact {number} holds.", "supported", "A page.") for number in range(3)]
    first = verified(
        site,
        *same,
        checked("The mill burnt in 1910.", "supported", "It burnt in 1910."),
        checked("The harbour has two piers.", "supported", "Two piers."),
        checked("Nobody lives there.", "insufficient", "Unknown."),
        checked("The bridge is old.", "supported", "It is old."),
    )
    second = verified(
        site,
        *same,
        checked("The mill burnt in 1912.", "supported", "It burnt in 1912."),
        checked("The harbour has two piers.", "contradicted", "One pier."),
        checked("A ferry sails daily.", "supported", "Daily."),
        checked("The bridge is old.", "supported", "Built in 1600."),
    )
    page = open_page(f"#/compare/{first}/{second}")
    expect(page.get_by_role("status").first).to_have_text(
        "1 verdict changed, 1 claim was edited, 1 claim is only in the first, 1 claim is only in the second, "
        "1 verdict has another deciding sentence, 3 claims are the same."
    )
    changes = page.locator(".claim-changes > .changes > .change")
    expect(changes).to_have_count(5)
    expect(changes.nth(0)).to_have_text(re.compile("Supported.*became.*Contradicted.*two piers.*One pier"))
    expect(changes.nth(1).locator("mark")).to_have_text(["1910.", "1912."])
    expect(changes.nth(2)).to_contain_text("only in the first")
    expect(changes.nth(3)).to_contain_text("only in the second")
    expect(changes.nth(4)).to_contain_text("Built in 1600.")
    bars = page.get_by_role("list", name=re.compile("verdicts$"))
    expect(bars.nth(0)).to_have_text(re.compile("6 Supported.*1 Insufficient"))
    expect(bars.nth(1)).to_have_text(re.compile("6 Supported.*1 Contradicted"))
    assert page.evaluate(TEXTS_OF_LOW_CONTRAST) == []


def test_only_verifications_of_one_text_are_compared(
    open_page: OpenPage, site: Site, kept: list[str]
) -> None:
    first = verified(site, checked("The mill burnt in 1910.", "supported", "It burnt."))
    other = verified(site, checked("The harbour has two piers.", "supported", "Two piers."))
    page = open_page("#/runs")
    page.get_by_role("checkbox", name="Compare: The mill burnt in 1910.").check()
    expect(page.get_by_role("checkbox", name="Compare: The harbour has two piers.")).to_be_disabled()
    page = open_page(f"#/compare/{first}/{other}")
    expect(page.locator("main")).to_contain_text("These runs ask different things.")


def test_a_comparison_is_saved_as_a_page_of_its_own(
    open_page: OpenPage, site: Site, kept: list[str], tmp_path: Path
) -> None:
    question = "Where was the Heron built?"
    hostile = keep(site, "ask", question, {"question": HOSTILE}, answer(HOSTILE, "supported", [HOSTILE]))
    page = open_page(f"#/compare/{kept[0]}/{hostile}")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download as HTML").click()
    saved.value.save_as(tmp_path / "saved.html")
    text = (tmp_path / "saved.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert "<img" not in text
    assert "&lt;img src=x" in text
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download as JSON").click()
    saved.value.save_as(tmp_path / "saved.json")
    sides = json.loads((tmp_path / "saved.json").read_text(encoding="utf-8"))
    assert [side["run"]["id"] for side in sides] == [kept[0], hostile]


def test_a_trace_shows_each_prompt_and_output(open_page: OpenPage, kept: list[str]) -> None:
    page = open_page(f"#/runs/{kept[0]}")
    expect(page.locator("h1")).to_have_text("Where was the Heron built?")
    expect(page.locator(".call")).to_have_count(0)
    page.locator("summary", has_text="judgement").focus()
    page.keyboard.press("Enter")
    call = page.locator(".call")
    expect(call).to_contain_text("Who built the Heron?")
    expect(call).to_contain_text("reply to Who built the Heron?")
    expect(call).to_contain_text("4 tokens, 0.25 s")


def test_a_search_opens_what_it_finds_and_long_texts_are_folded(open_page: OpenPage, kept: list[str]) -> None:
    page = open_page(f"#/runs/{kept[0]}")
    page.get_by_role("button", name="Open all steps").click()
    expect(page.locator(".call")).to_have_count(2)
    assert "needle" not in page.locator("main").inner_text()
    page.get_by_role("button", name="Show all (").click()
    expect(page.locator("main")).to_contain_text("needle")
    page.get_by_role("button", name="Fold").click()
    page.get_by_label("Search prompts and outputs").fill("NEEDLE")
    expect(page.get_by_role("status").filter(has_text="1 call found")).to_be_visible()
    expect(page.locator(".call")).to_have_count(1)
    expect(page.locator(".call mark")).to_have_text("needle")
    page.get_by_label("Search prompts and outputs").fill("nowhere")
    expect(page.get_by_text("Nothing found")).to_be_visible()


def test_a_trace_of_thousands_of_calls_draws_some_of_them(open_page: OpenPage, site: Site) -> None:
    calls = trace_of([f"Prompt {number} " + "word " * 200 for number in range(1_001)]).steps[1].calls
    claims = tuple(Step(name="verdict", seconds=0.1, calls=calls[at : at + 10]) for at in range(0, 1_000, 10))
    trace = Step(name="verify", seconds=9, steps=(Step(name="evidence", seconds=1, calls=calls), *claims))
    run = keep(site, "verify", "A long text", {"text": "x"}, answer("", "supported", []), trace)
    page = open_page(f"#/runs/{run}")
    page.get_by_text("2,000 calls").wait_for()
    expect(page.locator(".step")).to_have_count(21)
    page.get_by_role("button", name="Show more steps (81 left)").click()
    expect(page.locator(".step")).to_have_count(102)
    page.locator("summary", has_text="evidence").click()
    expect(page.locator(".call")).to_have_count(20)
    # Each call is one line with what it is about, until it is opened.
    expect(page.locator(".call pre")).to_have_count(0)
    expect(page.locator(".call").nth(6)).to_contain_text("7. generate")
    expect(page.locator(".call").nth(6)).to_contain_text("→ reply to Prompt 7")
    page.locator(".call summary").nth(6).press("Enter")
    expect(page.locator(".call pre").first).to_contain_text("Prompt 7 word")
    page.get_by_role("button", name="Show more calls (980 left)").click()
    expect(page.locator(".call")).to_have_count(120)
    page.get_by_label("Search prompts and outputs").fill("prompt 1000 ")
    expect(page.get_by_role("status").filter(has_text="2 calls found")).to_be_visible()
    expect(page.locator(".call")).to_have_count(2)


def test_hostile_titles_prompts_and_errors_stay_text(open_page: OpenPage, site: Site) -> None:
    trace = trace_of([HOSTILE, HOSTILE], error=HOSTILE)
    run = keep(site, "ask", HOSTILE, {"question": HOSTILE}, answer(HOSTILE, "supported", [HOSTILE]), trace)
    page = open_page("#/runs")
    expect(page.get_by_role("link", name=HOSTILE, exact=True).first).to_be_visible()
    page.goto(f"{site.url}#/runs/{run}")
    page.get_by_role("button", name="Open all steps").click()
    expect(page.locator(".call pre").first).to_have_text(HOSTILE)
    page.goto(f"{site.url}#/compare/{run}/{run}")
    expect(page.get_by_role("rowheader", name="Answer")).to_be_visible()
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("view", ["runs", "trace", "compare"])
@pytest.mark.parametrize(("width", "dark"), [(1200, True), (360, False)])
def test_the_pages_are_readable(
    open_page: OpenPage, kept: list[str], view: str, width: int, dark: bool
) -> None:
    address = {"runs": "runs", "trace": f"runs/{kept[0]}", "compare": f"compare/{kept[0]}/{kept[1]}"}[view]
    page = open_page(f"#/{address}", width=width, dark=dark)
    page.locator("table.cards, .trace-tree").first.wait_for()
    if view == "trace":
        page.get_by_role("button", name="Open all steps").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(TEXTS_OF_LOW_CONTRAST) == []
    assert page.evaluate(CONTROLS_WITHOUT_A_NAME) == []
    levels = page.evaluate(HEADING_LEVELS)
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels) if view != "trace")
