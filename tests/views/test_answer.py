"""An answer on a screen: what leads to it, and its level."""

from __future__ import annotations

import pytest

from probative.scope.checks import AnswerCheck
from probative.scope.result import Answer, ChainPassage, CitedSentence, Level
from probative.types import Verdict
from probative.views.html import notebook
from probative.views.terminal import show_result

BUILT = CitedSentence(index=0, text="Ida Brandt built the Gull.", start=11, end=37)
BORN = CitedSentence(index=4, text="Ida Brandt was born in Molde.", start=0, end=29, holds_answer=True)
ANSWER = Answer(
    question="In which town was the builder of the Gull born?",
    answer="Molde",
    verdict=Verdict.SUPPORTED,
    chain=(
        ChainPassage(index=0, text="It sailed. Ida Brandt built the Gull."),
        ChainPassage(index=4, text=BORN.text),
        ChainPassage(index=6, text="Gulls nest here."),
    ),
    citations=(4,),
    cited=(BORN,),
    leading=(BUILT,),
)


def shown(capsys: pytest.CaptureFixture[str], answer: Answer) -> list[str]:
    show_result(answer)
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_a_screen_shows_what_leads_to_the_cited_passages(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, ANSWER)
    assert lines[:2] == ["Molde [5] by way of [1]", "verdict: supported"]
    rows = lines[lines.index("the passages used") + 1 :]
    assert rows[:3] == [
        "[1] leads It sailed. Ida Brandt built the Gull.",
        "[5] cited Ida Brandt was born in Molde.",
        "[7] Gulls nest here.",
    ]
    # The cited sentence is the whole of its passage, which stands there already; the leading one is not.
    assert rows[3:] == ["what leads there", "[1] Ida Brandt built the Gull."]


def test_a_probable_candidate_has_its_way_too(capsys: pytest.CaptureFixture[str]) -> None:
    candidate = {"answer": None, "candidate": "Molde", "certainty": 0.62, "reason": "it is too uncertain"}
    probable = {"verdict": Verdict.INSUFFICIENT, "level": Level.PROBABLE}
    lines = shown(capsys, ANSWER.model_copy(update=candidate | probable))
    assert lines[:3] == [
        "probably Molde [5] by way of [1]",
        "not confirmed, 62% certain: it is too uncertain",
        "verdict: insufficient, probable",
    ]


def test_without_leading_sentences_nothing_is_said_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(shown(capsys, ANSWER.model_copy(update={"leading": ()})))
    assert "by way of" not in text
    assert "lead" not in text


@pytest.mark.parametrize(
    ("verdict", "words"),
    [(Verdict.INSUFFICIENT, "insufficient, not found"), (Verdict.CONTRADICTED, "contradicted, disputed")],
)
def test_the_level_stands_beside_a_verdict_that_has_another_name(
    capsys: pytest.CaptureFixture[str], verdict: Verdict, words: str
) -> None:
    assert f"verdict: {words}" in shown(capsys, Answer(question="Where?", answer=None, verdict=verdict))


def test_a_long_passage_begins_with_the_sentence_that_decides(capsys: pytest.CaptureFixture[str]) -> None:
    before = "It was a long winter. " * 30
    late = BORN.model_copy(update={"start": len(before), "end": len(before) + len(BORN.text)})
    passage = ChainPassage(index=4, text=before + BORN.text, source="log.txt", read_by="OCR")
    rows = shown(capsys, ANSWER.model_copy(update={"chain": (passage,), "cited": (late,), "leading": ()}))
    row = next(row for row in rows if row.startswith("[5]"))
    assert row.startswith("[5] cited … Ida Brandt was born in Molde.")


def test_text_of_a_picture_is_said_to_be_read_by_ocr(capsys: pytest.CaptureFixture[str]) -> None:
    place = "log.png#page=1&char=0,29"
    cited = BORN.model_copy(update={"citation": place})
    passage = ChainPassage(index=4, text=BORN.text, source="log.png", citation=place, read_by="OCR")
    answer = ANSWER.model_copy(update={"chain": (passage,), "cited": (cited,), "leading": ()})
    lines = shown(capsys, answer)
    assert "[5] cited log.png (read by OCR): Ida Brandt was born in Molde." in lines
    assert f"{place} (read by OCR)" in lines
    assert f"{place} (read by OCR)" in (notebook(answer) or "").replace("&amp;", "&")


def test_the_checks_are_listed_below_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    enough = AnswerCheck(name="complete", passed=True, text="the chain is enough", value=0.98, needed=0.5)
    close = AnswerCheck(name="certain", passed=False, text="it is too uncertain", value=0.596, needed=0.6)
    lines = shown(capsys, ANSWER.model_copy(update={"checks": (enough, close)}))
    at = lines.index("verdict: supported")
    assert lines[at + 1 : at + 3] == [
        "✓ the chain is enough 98%",
        "✗ it is too uncertain 59.6%, and 60.0% is needed",
    ]
