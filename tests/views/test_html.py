"""Results in a notebook: their text is escaped, the markup is well-formed, and what matters is in it."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import pytest

from probative import (
    Answer,
    Answers,
    BadLine,
    ChainPassage,
    Check,
    Conflict,
    EntityGroup,
    Features,
    Graph,
    ImportReport,
    Knowledge,
    Member,
    Node,
    PassageJudgement,
    Proof,
    ProofSentence,
    Reasoning,
    RunnerUp,
    Step,
    Trace,
    Triple,
    Usage,
    Verdict,
)
from probative.graph.summary import EntityLookup, GraphInfo, Hub, Near, RelationShare
from probative.mcse.result import Stop
from probative.scope.result import CitedSentence, Level
from probative.trace import Call
from probative.verdict.judgement import Probabilities
from probative.views import html
from probative.views.blocks import Bar, Span

HOSTILE = "<script>alert('x')</script> & \"quoted\" </td> \x1b[31m \x00 \u202e"


def proof(text: str = "The lamp was lit in 1871.") -> Proof:
    other = RunnerUp(index=4, text=text, score=-9.0, gain=0.5)
    sentence = ProofSentence(
        index=3, text=text, score=-8.0, alone=-5.0, joint=-5.0, gain=4.0, runners_up=(other,)
    )
    return Proof(
        claim=text,
        evidence=(sentence,),
        verdict=Verdict.SUPPORTED,
        probabilities=Probabilities(supported=0.91, contradicted=0.05, insufficient=0.04),
        deciding=3,
        method="mcse",
        k=1,
        model=text,
        without_evidence=-9.0,
        curve=(4.0,),
        stops=(Stop(complete=0.25, nothing=0.5),),
        notes=(text,),
        usage=Usage(calls=3, scored_tokens=1200),
    )


def learned_proof(text: str = "The lamp was lit in 1871.") -> Proof:
    sentence = ProofSentence(index=3, text=text, score=-0.2, probability=0.8)
    return Proof(claim=text, evidence=(sentence,), method="learned", k="auto", policy=text)


def features(text: str) -> Features:
    return Features(intent=text, nodes=(Node(text=f"{text} node"),))


def answer(text: str = "Ida Brandt") -> Answer:
    conflict = Conflict(index=1, other=2, says=text, instead=text, text=text, other_text=text)
    return Answer(
        question=text,
        answer=text,
        verdict=Verdict.CONTRADICTED,
        chain=(
            ChainPassage(index=1, text=text, title=text, carries=(f"intent: {text}",), probability=0.7),
            ChainPassage(index=5, text=text),
        ),
        citations=(1,),
        features=features(text),
        missing=(f"node: {text} node",),
        conflicts=(conflict,),
        completeness=0.6,
        notes=(text,),
    )


def check(text: str = "The mill burnt down.") -> Check:
    judgement = PassageJudgement(index=2, text=text, carries=(f"intent: {text}",))
    return Check(
        question=text,
        complete=False,
        answerable=0.5,
        missing=(f"node: {text} node",),
        features=features(text),
        judgements=(judgement,),
        notes=(text,),
    )


def reasoning(text: str = "willow bark") -> Reasoning:
    triple = Triple(head=text, relation=text, tail=text)
    return Reasoning(
        question=text,
        form="yes-no",
        answer=text,
        answers=Answers(a=text, ac=text),
        knowledge=Knowledge(affirmative=(triple,) * 15, counterfactual=(triple,), expert=(triple,)),
        groups=(EntityGroup(members=(Member(name=text), Member(name=text, cosine=0.5))),),
        rationale=text,
        notes=(text,),
    )


def report(text: str = "lamps.tsv") -> ImportReport:
    return ImportReport(
        source=text,
        format=text,
        lines=9,
        edges=5,
        entities=4,
        relations=2,
        duplicates=1,
        self_loops=0,
        merged=0,
        named=0,
        malformed=1,
        examples=(BadLine(line=3, why=text),),
        seconds=0.1,
        notes=(text,),
    )


def info(text: str = "calls at") -> GraphInfo:
    return GraphInfo(
        entities=4,
        relations=2,
        edges=5,
        self_loops=0,
        median_degree=1.0,
        mean_degree=1.5,
        largest_degree=3,
        top_relations=(RelationShare(name=text, edges=4, share=0.8),),
        hubs=(Hub(name=text, edges=3),),
        embedded=(),
        fingerprint="f",
        report=None,
    )


def lookup(text: str = "quay") -> EntityLookup:
    triple = Triple(head=text, relation=text, tail=text)
    return EntityLookup(
        query=text,
        name=text,
        out_count=1,
        in_count=0,
        edges=(triple,),
        near=(Near(name=text, cosine=0.4),),
        notes=(text,),
    )


def step(text: str = "strength") -> Step:
    call = Call(verb=text, model=text, request={"prompt": text}, result={"text": text})
    failed = Call(verb="score", model=text, request={}, error=text)
    return Step(name=text, seconds=0.1, calls=(call, failed) * 15, steps=(Step(name=text, seconds=0.0),))


VIEWS: list[Callable[..., Any]] = [
    proof,
    learned_proof,
    answer,
    check,
    reasoning,
    report,
    info,
    lookup,
    step,
    Usage,
]


class Elements(HTMLParser):
    """Collects the elements and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def read(result: Any) -> Elements:
    elements = Elements()
    elements.feed(result._repr_html_())
    return elements


@pytest.mark.parametrize("make", VIEWS)
def test_a_view_is_well_formed_and_has_neither_scripts_nor_handlers(make: Callable[..., Any]) -> None:
    markup = make()._repr_html_()
    assert ElementTree.fromstring(markup).tag == "div"  # XML is stricter than a browser
    elements = read(make())
    allowed = {"div", "span", "b", "i", "table", "tbody", "tr", "th", "td", "details", "summary", "pre"}
    assert elements.elements <= allowed
    assert elements.attributes <= {"style"}


@pytest.mark.parametrize("make", [make for make in VIEWS if make is not Usage])
def test_hostile_text_is_shown_as_text(make: Callable[..., Any]) -> None:
    markup = make(HOSTILE)._repr_html_()
    ElementTree.fromstring(markup)
    assert "<script" not in markup
    assert not any(hidden in markup for hidden in ("\x1b", "\x00", "\u202e"))
    assert "<script>alert('x')</script> & \"quoted\" </td>" in read(make(HOSTILE)).text


def test_a_proof_shows_its_evidence_its_verdict_and_its_cost() -> None:
    text = read(proof()).text
    assert "The lamp was lit in 1871." in text
    assert "✓ Supported" in text
    assert "+4.00" in text
    assert "1,200 scored tokens" in text
    assert "0.80" in read(learned_proof()).text


def test_an_answer_shows_what_it_rests_on_and_what_contradicts_it() -> None:
    text = read(answer()).text
    assert "✗ Disputed" in text
    assert "Ida Brandt" in text
    assert "[2] says Ida Brandt, [3] says Ida Brandt" in text  # passages are numbered from 1 for people
    assert "missing" in text
    none = answer().model_copy(update={"answer": None, "verdict": Verdict.INSUFFICIENT})
    assert "No answer" in read(none).text


@pytest.mark.parametrize(
    ("verdict", "level", "words"),
    [
        (Verdict.SUPPORTED, Level.SUPPORTED, "Ida Brandt [2] ✓ Supported"),
        (
            Verdict.INSUFFICIENT,
            Level.PROBABLE,
            "probably Ida Brandt [2] ≈ Probable, not confirmed 62% certain",
        ),
        (Verdict.INSUFFICIENT, Level.NOT_FOUND, "No answer ? Not found"),
        (Verdict.CONTRADICTED, Level.DISPUTED, "No answer ✗ Disputed"),
    ],
)
def test_an_answer_has_its_level_in_the_words_of_the_page(verdict: Verdict, level: Level, words: str) -> None:
    given = (
        {"answer": "Ida Brandt"} if level is Level.SUPPORTED else {"answer": None, "candidate": "Ida Brandt"}
    )
    shown = {**given, "verdict": verdict, "level": level, "certainty": 0.62}
    text = read(answer().model_copy(update=shown)).text
    assert words in text
    guess = "The nearest guess was “Ida Brandt” [2] (62% certain). It is not given as an answer."
    assert (guess in text) == words.startswith("No answer")


def test_a_downloaded_page_has_solid_colours_and_a_notebook_translucent_ones() -> None:
    markup = answer()._repr_html_()
    assert (
        "background:var(--contradicted-ground,rgba(220,60,50,.22));color:var(--contradicted,inherit)"
        in markup
    )
    style = files("probative.views").joinpath("page.css").read_text(encoding="utf-8")
    for name in ("supported", "contradicted", "insufficient", "neutral"):
        assert style.count(f"--{name}:") == style.count(f"--{name}-ground:") == 2  # light and dark


def test_an_answer_quotes_the_sentences_that_lead_to_it_and_marks_them_otherwise() -> None:
    chain = (
        ChainPassage(index=0, text="It sailed. Ida Brandt built the Gull."),
        ChainPassage(index=4, text="Ida Brandt was born in Molde."),
    )
    led = CitedSentence(index=0, text="Ida Brandt built the Gull.", start=11, end=37)
    cited = CitedSentence(index=4, text=chain[1].text, start=0, end=len(chain[1].text), holds_answer=True)
    found = Answer(
        question="Where?",
        answer="Molde",
        verdict=Verdict.SUPPORTED,
        chain=chain,
        citations=(4,),
        cited=(cited,),
        leading=(led,),
    )
    text = read(found).text
    assert "[5] by way of [1]" in text
    assert text.index("What leads there") < text.index("Ida Brandt built the Gull.")
    assert "In the passages: the answer rests on it leads there" in text
    markup = found._repr_html_()
    assert html.rendered("It sailed. ", Span(led.text, "neutral")) in markup
    assert html.rendered(Span(cited.text, "good")) in markup
    without = found.model_copy(update={"leading": ()})
    assert "by way of" not in read(without).text
    assert "In the passages" not in read(without).text


CONTRACT = "contracts/rope.pdf#page=2&char=1323,1349"


def placed(**changes: Any) -> Answer:
    text = "The rope costs 90 crowns."
    passage = ChainPassage(
        index=1, text=text, title="Rope", source="rope.pdf", citation="rope.pdf#page=2&char=0,25"
    )
    fields: dict[str, Any] = {
        "question": "What does the rope cost?",
        "answer": "90 crowns",
        "verdict": Verdict.SUPPORTED,
        "chain": (passage, ChainPassage(index=2, text="It is hemp.", source="hemp.txt")),
        "citations": (1,),
        "cited": (CitedSentence(index=1, text=text, start=0, end=25, citation=CONTRACT),),
        "leading": (CitedSentence(index=2, text="It is hemp.", start=0, end=11, citation="a.md#char=3,14"),),
    }
    return Answer(**{**fields, **changes})


def test_the_place_of_a_sentence_stands_below_it() -> None:
    text = read(placed()).text
    assert f"The rope costs 90 crowns.{CONTRACT}" in text
    assert "It is hemp.a.md#char=3,14" in text
    assert "rope.pdf#page=2&amp;char=1323,1349" in placed()._repr_html_()


def test_a_sentence_without_a_place_of_its_own_has_that_of_its_passage() -> None:
    found = placed()
    cited, leading = (
        tuple(sentence.model_copy(update={"citation": None}) for sentence in sentences)
        for sentences in (found.cited, found.leading)
    )
    text = read(placed(cited=cited, leading=leading)).text
    assert "The rope costs 90 crowns.rope.pdf#page=2&char=0,25" in text
    assert "It is hemp.hemp.txt" in text
    # An answer that cites whole passages says where they stand among the evidence, and only there.
    whole = read(placed(cited=(), leading=())).text
    assert whole.count("rope.pdf#page=2&char=0,25") == 1
    assert "hemp.txt" not in whole


def test_both_sides_of_a_conflict_have_their_places() -> None:
    sides = Conflict(index=1, other=0, says="90", instead="80", text="It is 90.", other_text="It is 80.")
    known = sides.model_copy(update={"citation": CONTRACT, "other_citation": "list.csv#char=4,13"})
    text = read(placed(conflicts=(known,))).text
    assert f"It is 90.{CONTRACT}" in text
    assert "It is 80.list.csv#char=4,13" in text
    uploaded = ("list.csv#char=0,40", "rope.pdf#page=2&char=0,25", "hemp.txt#char=0,11")
    text = read(placed(conflicts=(sides,), retrieved=uploaded, passages=3)).text
    assert "It is 90.rope.pdf#page=2&char=0,25" in text
    assert "It is 80.list.csv#char=0,40" in text
    # With passages of other kinds among them, the citations are not counted as the passages are.
    mixed = read(placed(conflicts=(sides,), retrieved=uploaded, passages=4)).text
    assert "list.csv" not in mixed


def test_places_are_shown_as_text() -> None:
    sides = Conflict(index=1, other=9, says="90", instead="80", text="a", other_text="b")
    hostile = sides.model_copy(update={"citation": HOSTILE, "other_citation": HOSTILE})
    quoted = CitedSentence(index=2, text="It is hemp.", start=0, end=11, citation=HOSTILE)
    markup = placed(conflicts=(hostile,), cited=(quoted,), leading=(quoted,))._repr_html_()
    ElementTree.fromstring(markup)
    assert "<script" not in markup
    assert markup.count("&lt;script&gt;") == 4


def test_nothing_is_said_to_carry_an_answer_that_is_not_given() -> None:
    none = read(placed(answer=None, candidate="90 crowns", verdict=Verdict.CONTRADICTED)).text
    assert "answer rests on" not in none
    assert "In the passages: leads there" in none


def test_a_check_and_a_reasoning_show_their_outcome() -> None:
    assert "incomplete" in read(check()).text
    text = read(reasoning()).text
    assert "Counterfactual knowledge (1)" in text
    assert "… and 3 more" in text


def test_only_the_first_calls_of_a_step_are_shown() -> None:
    assert "… and 10 more calls" in read(step()).text


def test_a_trace_is_shown_as_its_root() -> None:
    with Trace("run") as trace:
        pass
    assert "run: 0 calls" in read(trace).text


def test_a_graph_shows_itself_through_its_summary() -> None:
    from probative.graph.summary import summary

    text = read(summary(Graph.from_triples([("ferry", "calls at", "quay")]))).text
    assert "2 entities, 1 relations, 1 edges" in text
    assert "calls at" in text


def test_markup_passes_and_text_is_escaped_once() -> None:
    assert html.tag("p", html.tag("b", "a & b"), " <i>") == "<p><b>a &amp; b</b> &lt;i&gt;</p>"
    assert html.escape(html.escape("<")) == "&lt;"
    assert html.rendered(Bar(-1.0, 0.0)) == html.rendered(Bar(0.0, 5.0))
    assert "width:5.0em" in html.rendered(Bar(1.0, 2.0))
