"""Results as Markdown: what a page shows, without markup in the words of others."""

from __future__ import annotations

from probative import Answer, ChainPassage, Conflict, Triple, Verdict
from probative.types import Value
from probative.verify.verification import Verification
from probative.views.blocks import Bar, Code, Folded, Notes, Picture, Table, columns, page, screen
from probative.views.markdown import markdown, rendered


def test_an_answer_has_its_evidence_and_both_sides() -> None:
    answer = Answer(
        question="How many seats?",
        answer=None,
        candidate="40",
        verdict=Verdict.CONTRADICTED,
        chain=(ChainPassage(index=0, text="It has 40 seats.", source="a.txt", carries=("node: it",)),),
        citations=(0,),
        conflicts=(
            Conflict(index=0, other=1, says="40", instead="44", text="It has 40.", other_text="It has 44."),
        ),
    )
    text = markdown(answer) or ""
    assert text.startswith("How many seats?\n\nNo answer **✗ Disputed**\n\n")
    assert "The nearest guess was “40” \\[1\\]. It is not given as an answer." in text
    assert (
        "**conflict** \\[1\\] says 40, \\[2\\] says 44\n\n- \\[1\\] It has 40. (a.txt)\n- \\[2\\] It has 44."
        in text
    )
    assert "| \\[1\\] | **It has 40 seats.** (a.txt) | node: it |  |" in text


def test_words_of_others_are_no_markup() -> None:
    bad = "![x](http://example.org/x.png) <b>*a*</b> | \x1b\u202e\n# title"
    text = markdown(Verification(text=f"# One\n{bad}")) or ""
    assert text.startswith("> \\# One\n> !\\[x\\](http://example.org/x.png) \\<b\\>\\*a\\*\\</b\\> \\|")
    assert "> \\# title" in text
    assert not {"\x1b", "\u202e"} & set(text)


def test_tables_fences_and_bars() -> None:
    table = Table([("a", Bar(1.0, 2.0))], columns("name", "share", right=[1]))
    assert rendered(table) == "| name | share |\n| --- | --: |\n| a | █████ |"
    assert rendered(Folded("Call", (Code("a```b"),))) == "### Call\n\n````\na```b\n````"
    assert rendered(Notes(["late"]), Picture("<svg/>")) == "> **note** late"
    assert rendered(page("only here"), screen("not here")) == ""


def test_what_has_no_view_has_no_markdown() -> None:
    assert markdown(Value()) is None
    assert markdown(Triple(head="a", relation="b", tail="c")) is None
