"""What stands beside an answer: the sentence that decides, how it was read, and the checks, which are the
same wherever they are shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from browsing import Site, serve
from playwright.sync_api import Page, expect
from scans import drawn, saved

from probative.scope.checks import AnswerCheck
from probative.scope.result import Answer
from probative.views.html import notebook
from probative.views.terminal import show_result

pytestmark = pytest.mark.slow

QUESTION = "In which town was the engineer born who designed the Grey Heron?"
DESIGNED = "The Grey Heron was designed by Marit Solberg."
BORN = "Marit Solberg was born in Vindal."
FILLER = "The town council met and talked about other things for a long time. " * 9


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(tmp_path_factory.mktemp("home")))
        with serve(tmp_path_factory.mktemp("data")) as opened:
            yield opened


def asked(site: Site, **request: object) -> tuple[str, Answer]:
    """Ask over REST; returns the id of the run and the answer."""
    reply = httpx.post(f"{site.url}api/ask", json={"question": QUESTION, **request}, timeout=120)
    return reply.headers["Probative-Run"], Answer.model_validate(reply.raise_for_status().json())


def long_passages() -> list[dict[str, str]]:
    return [
        {"title": "Grey Heron", "text": f"{FILLER}😀 {DESIGNED}"},
        {"title": "Marit Solberg", "text": f"{FILLER}{BORN}"},
    ]


def test_the_box_of_a_long_passage_shows_the_sentence_that_decides(
    site: Site, open_page: Callable[..., Page]
) -> None:
    run, answer = asked(site, passages=long_passages())
    assert answer.answer == "Vindal"
    for options in ({}, {"width": 360}):
        page = open_page(f"#/ask/{run}", **options)
        boxes = page.locator(".chain .node.passage")
        expect(boxes).to_have_count(2)
        for box, sentence in zip(boxes.all(), (DESIGNED, BORN), strict=True):
            text, mark = box.locator(".node-text"), box.locator(".node-text mark")
            expect(mark).to_have_text(re.compile(re.escape(sentence)))
            # The box cuts its text off: the mark is above that.
            bottom = text.evaluate("box => box.getBoundingClientRect().bottom")
            assert mark.evaluate("box => box.getBoundingClientRect().bottom") <= bottom + 1
            assert text.inner_text().startswith("… ")


def test_the_checks_are_the_same_on_screen_page_report_and_in_json(
    site: Site, open_page: Callable[..., Page], capsys: pytest.CaptureFixture[str]
) -> None:
    run, answer = asked(site, passages=long_passages())
    other, refused = asked(site, passages=long_passages()[:1])
    assert len(answer.checks) >= 4
    assert any(not check.passed for check in refused.checks)
    for found, identity in ((answer, run), (refused, other)):
        expected = [("✓" if each.passed else "✗", each.text, each.number) for each in found.checks]
        kept = httpx.get(f"{site.url}api/runs/{identity}/result").json()["checks"]
        assert [AnswerCheck.model_validate(each) for each in kept] == list(found.checks)
        assert rows_of(notebook(found) or "") == expected
        assert rows_on_screen(found, capsys) == expected
        page = open_page(f"#/ask/{identity}")
        page.locator(".reasons li").first.wait_for()
        shown = [on_page(each.inner_text()) for each in page.locator(".reasons li").all()]
        assert shown == [
            f"{sign} {text}{f' ({number})' if number else ''}" for sign, text, number in expected
        ]


def rows_of(report: str) -> list[tuple[str, ...]]:
    """The rows of the first table of a report."""
    table = report[report.index("<table") : report.index("</table>")]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in rows]
    return [tuple(re.sub(r"<[^>]+>", "", cell) for cell in row) for row in cells]


def rows_on_screen(answer: Answer, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, ...]]:
    capsys.readouterr()
    show_result(answer)
    found = re.findall(r"^ +([✓✗]) (.*?)(?:  +(\d.*?))? *$", capsys.readouterr().out, re.MULTILINE)
    return [tuple(row) for row in found]


def on_page(text: str) -> str:
    """A check of the page without the words for screen readers, and as the others begin."""
    sign, words = text[0], re.sub(r"^\s*(For:|Against:)\s*", "", text[1:])
    return f"{sign} {words[0].lower()}{words[1:]}"


def test_what_was_read_by_ocr_says_so_on_its_card_and_in_its_source(
    site: Site, open_page: Callable[..., Page]
) -> None:
    pytest.importorskip("rapidocr")
    query = {"source": "solberg.png"}
    with httpx.Client(base_url=f"{site.url}api", timeout=60) as client:
        if not client.get("/corpora/scans").is_success:  # it is there if the test runs again
            client.post("/corpora", json={"name": "scans"}).raise_for_status()
            picture = saved(drawn([DESIGNED, BORN]), "png")
            client.post("/corpora/scans/documents", params=query, content=picture).raise_for_status()
        while client.get("/corpora/scans").json()["indexing"]:
            pass
        document = client.get("/corpora/scans/document", params=query).raise_for_status().json()
    assert document["structure"]["ocr"] == [[0, len(document["text"])]]
    run, answer = asked(site, corpus="scans")
    assert {passage.read_by for passage in answer.chain} == {"OCR"}
    page = open_page(f"#/ask/{run}")
    expect(page.locator(".quote-place").first).to_contain_text("read by OCR")
    expect(page.locator(".chain .node.passage .node-kind").first).to_contain_text("read by OCR")
    expect(page.locator(".source header")).to_contain_text("Read by OCR")
