"""Reports of a verification: the page, SARIF and JUnit."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from probative.types import Verdict
from probative.verdict.judgement import Probabilities
from probative.verify.claims import UncheckedText
from probative.verify.verification import CheckedClaim, CitationCheck, EvidenceSentence, Verification
from probative.views.pipelines import junit, sarif
from probative.views.verification import segments_of
from probative.views.verification_page import page

TEXT = "# Mill\n\nIt <burnt> in 1890 [1]. It was\nold. Who knows?\x1b"
EVIDENCE = EvidenceSentence(
    text="It burnt in 1894 & fell.",
    source="a/log.txt",
    page=3,
    start=10,
    end=34,
    deciding=True,
    stance="contradicts",
    citation="a/log.txt#page=3&char=10,34",
)


def claim(words: str, verdict: Verdict, **values: object) -> CheckedClaim:
    start = TEXT.index(words)
    probabilities = Probabilities(supported=0.2, contradicted=0.5, insufficient=0.3)
    given = {"text": words, "claim": words, "verdict": verdict, "probabilities": probabilities, **values}
    return CheckedClaim.model_validate({"start": start, "end": start + len(words), **given})


@pytest.fixture
def verification() -> Verification:
    citation = CitationCheck(marker="[1]", start=27, end=30, target="A book", note="not among the sources")
    return Verification(
        text=TEXT,
        name="report.md",
        claims=(
            claim("It <burnt> in 1890", Verdict.CONTRADICTED, evidence=(EVIDENCE,), citations=(citation,)),
            claim("It was\nold", Verdict.SUPPORTED),
        ),
        unchecked=(UncheckedText(text="Who knows?", start=44, end=54, reason="a question"),),
    )


def test_segments_give_back_the_whole_text(verification: Verification) -> None:
    segments = segments_of(verification)
    assert "".join(segment.text for segment in segments) == TEXT
    assert [segment.number for segment in segments] == [None, 1, None, 2, None]


class Links(HTMLParser):
    """Collects what a page has and refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.identities: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        self.links += [value for name, value in given.items() if name in ("href", "src") and value]
        self.identities += [value for name, value in given.items() if name == "id" and value]


def test_the_page_has_text_and_evidence_and_needs_nothing_else(verification: Verification) -> None:
    made = page(verification)
    reader = Links()
    reader.feed(made)
    assert "script" not in reader.tags
    assert reader.links == ["#claim-1", "#claim-2", "#text-1", "#text-2"]
    assert {link[1:] for link in reader.links} == set(reader.identities)
    assert "It &lt;burnt&gt; in 1890" in made
    assert "It burnt in 1894 &amp; fell." in made
    assert "page 3" in made
    assert "cited: A book not among the sources" in made
    assert "✗ 1 Contradicted" in made
    assert "\x1b" not in made


@pytest.mark.parametrize(
    ("text", "source", "shown"),
    [
        ("**All prices** are in [crowns](a.md).", "prices.md", "All prices are in crowns."),
        ("| Oat loaf | 38 | *750 g* |", "prices.md", "Oat loaf · 38 · 750 g"),
        ("> - `oat` loaf", "prices.md", "oat loaf"),
        ("-5 degrees, 2 * 3 = 6.", "log.md", "-5 degrees, 2 * 3 = 6."),
        ("It is *not* Markdown.", "log.txt", "It is *not* Markdown."),
    ],
)
def test_evidence_of_a_markdown_file_is_shown_without_its_marks(text: str, source: str, shown: str) -> None:
    evidence = EVIDENCE.model_copy(update={"text": text, "source": source, "citation": None})
    checked = claim("It was\nold", Verdict.SUPPORTED, evidence=(evidence,))
    assert f">{shown}<div" in page(Verification(text=TEXT, claims=(checked,)))


def test_no_text_of_others_becomes_markup() -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&<!--"
    sentence = EvidenceSentence(text=evil, source=evil, deciding=True, stance="supports", date=evil)
    bad = claim("It <burnt> in 1890", Verdict.SUPPORTED, claim=evil, evidence=(sentence,), notes=(evil,))
    cited = CitationCheck(marker=evil, start=0, end=1, target=evil, note=evil)
    bad = bad.model_copy(update={"citations": (cited,)})
    unchecked = UncheckedText(text=evil, start=0, end=1, reason=evil)
    verification = Verification(
        text=TEXT + evil, name=evil, claims=(bad,), unchecked=(unchecked,), notes=(evil,), policy=evil
    )
    made = page(verification)
    reader = Links()
    reader.feed(made)
    assert not {"script", "img"} & set(reader.tags)
    assert made.count("&lt;script&gt;") == 14
    assert all(link.startswith("#") for link in reader.links)
    assert ElementTree.fromstring(junit(verification)).get("name") == evil
    (result, *_) = json.loads(sarif(verification, "1.0"))["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert not set('<>" ') & set(uri)


def test_every_verdict_has_a_sign_a_word_and_a_line_of_its_own(verification: Verification) -> None:
    made = page(verification)
    for sign, word in (("✓", "supported"), ("✗", "contradicted"), ("?", "insufficient")):
        assert f"{sign} " in made
        assert f".words a.{word}" in made
    assert "@media print" in made
    assert "prefers-color-scheme:dark" in made
    assert ":focus-visible" in made
    assert not any(word in made for word in ("http:", "https:", "url(", "@import"))


def test_sarif_places_what_is_wrong_and_what_decides(verification: Verification) -> None:
    (run,) = json.loads(sarif(verification, "1.0"))["runs"]
    contradicted, citation = run["results"]
    assert (contradicted["ruleId"], contradicted["level"]) == ("contradicted", "error")
    region = contradicted["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (3, 1, 19)
    assert TEXT[region["charOffset"] :].startswith("It <burnt>")
    related = contradicted["relatedLocations"][0]["physicalLocation"]
    assert related["artifactLocation"]["uri"] == "a/log.txt"
    assert citation["ruleId"] == "citation"
    assert {result["ruleId"] for result in run["results"]} <= {
        rule["id"] for rule in run["tool"]["driver"]["rules"]
    }


def test_sarif_warns_of_a_supported_claim_on_which_the_sources_disagree(verification: Verification) -> None:
    disputed = verification.claims[0].model_copy(
        update={"verdict": Verdict.SUPPORTED, "conflict": True, "citations": ()}
    )
    agreed = disputed.model_copy(update={"conflict": False})
    log = json.loads(sarif(verification.model_copy(update={"claims": (disputed, agreed)}), "1.0"))
    (result,) = log["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("conflict", "warning")


def test_sarif_has_what_the_schema_and_viewers_demand(verification: Verification) -> None:
    linked = verification.claims[0].citations[0].model_copy(update={"marker": "[log](http://example.org)"})
    claim = verification.claims[0].model_copy(update={"citations": (linked,)})
    log = json.loads(sarif(verification.model_copy(update={"claims": (claim,)}), "1.0"))
    assert log["version"] == "2.1.0"
    assert set(log) == {"$schema", "version", "runs"}
    (run,) = log["runs"]
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    for rule in run["tool"]["driver"]["rules"]:
        assert all(rule[name]["text"] for name in ("shortDescription", "fullDescription", "help"))
    for result in run["results"]:
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        assert "](" not in result["message"]["text"]  # a viewer would make a link of it
        region = result["locations"][0]["physicalLocation"]["region"]
        assert min(region[name] for name in ("startLine", "startColumn", "endLine", "endColumn")) >= 1
        assert (region["endLine"], region["endColumn"]) > (region["startLine"], region["startColumn"])
        assert region["charLength"] >= 0 <= region["charOffset"]
        for related in result["relatedLocations"]:
            place = related["physicalLocation"]["artifactLocation"]
            assert place["uriBaseId"] in run["originalUriBaseIds"]  # not a path of the repository


def test_junit_of_several_texts_has_their_sums(verification: Verification) -> None:
    root = ElementTree.fromstring(junit([verification, verification]))
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "4", "2")
    assert [suite.get("tests") for suite in root] == ["2", "2"]


def test_junit_fails_the_verdicts_that_are_named(verification: Verification) -> None:
    suite = ElementTree.fromstring(junit(verification))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == ["It <burnt> in 1890"]
    assert "a/log.txt#page=3&char=10,34" in "".join(suite.itertext())
    assert ElementTree.fromstring(junit(verification, ["supported"])).get("failures") == "1"
