"""The reports in three domains, their documents and their labelled claims agree with each other."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from example_corpus import one_line, plain_document

from probative.bench.data.own import FOLDER

REPORTS = FOLDER / "reports"
DOCUMENTS = REPORTS / "documents"
DOMAINS = ("clinic", "software", "excavation")
CLAIMS: list[dict[str, Any]] = [
    json.loads(line) for line in (REPORTS / "claims.jsonl").read_text(encoding="utf-8").splitlines()
]
IDS = [claim["id"] for claim in CLAIMS]
DECIDING = {"supported": {"supports"}, "contradicted": {"contradicts"}, "insufficient": set()}


def _read(report: str) -> str:
    return (REPORTS / report).read_text(encoding="utf-8")


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_domain_has_eight_documents_of_moderate_length(domain: str) -> None:
    files = sorted((DOCUMENTS / domain).iterdir())
    assert len(files) == 8
    assert {".md", ".csv", ".html"} <= {path.suffix for path in files} <= {".md", ".txt", ".csv", ".html"}
    lengths = {path.name: len(re.findall(r"\w+", path.read_text(encoding="utf-8"))) for path in files}
    assert {name: length for name, length in lengths.items() if not 150 <= length <= 400} == {}


@pytest.mark.parametrize("domain", DOMAINS)
def test_half_of_the_claims_of_a_report_are_supported(domain: str) -> None:
    verdicts = Counter(claim["verdict"] for claim in CLAIMS if claim["report"] == f"{domain}.md")
    assert verdicts == {"supported": 15, "contradicted": 9, "insufficient": 6}


def test_the_claims_have_unique_ids_and_known_fields() -> None:
    assert len(CLAIMS) == len(set(IDS)) == 90
    fields = {"id", "report", "claim", "verdict", "kind", "evidence", "cited", "citation_holds"}
    assert [claim["id"] for claim in CLAIMS if set(claim) != fields] == []


def test_a_kind_belongs_to_one_verdict() -> None:
    verdicts = {claim["kind"]: claim["verdict"] for claim in CLAIMS}
    assert [claim["id"] for claim in CLAIMS if verdicts[claim["kind"]] != claim["verdict"]] == []


@pytest.mark.parametrize("claim", CLAIMS, ids=IDS)
def test_a_claim_is_quoted_once_and_its_evidence_is_in_the_documents(claim: dict[str, Any]) -> None:
    assert _read(claim["report"]).count(claim["claim"]) == 1
    evidence = claim["evidence"]
    missing = [each for each in evidence if not plain_document(each["source"], DOCUMENTS).has(each["quote"])]
    assert missing == []
    assert {each["source"].split("/")[0] for each in evidence} <= {claim["report"].removesuffix(".md")}
    stances = {each["stance"] for each in evidence}
    assert stances >= DECIDING[claim["verdict"]]
    assert claim["verdict"] == "contradicted" or stances == DECIDING[claim["verdict"]]


@pytest.mark.parametrize("claim", CLAIMS, ids=IDS)
def test_the_citation_after_a_claim_is_the_labelled_one(claim: dict[str, Any]) -> None:
    text = _read(claim["report"])
    rest = text.split(claim["claim"])[1]
    citation = re.match(r" (?:\[(\d)\]|\(\[[^\]]+\]\(documents/([^)]+)\)\))", rest)
    if citation is None:
        assert (claim["cited"], claim["citation_holds"]) == (None, None)
        return
    number, link = citation.groups()
    listed = dict(re.findall(r"^\[(\d)\] .*\(([\w/.-]+)\)$", text, flags=re.MULTILINE))
    assert claim["cited"] == (link or listed[number])
    supporting = {each["source"] for each in claim["evidence"] if each["stance"] == "supports"}
    assert claim["citation_holds"] == (claim["cited"] in supporting)


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_report_cites_existing_documents_in_two_ways(domain: str) -> None:
    text = _read(f"{domain}.md")
    links = re.findall(r"\]\(documents/([^)]+)\)", text)
    listed = re.findall(r"^\[\d\] .*\(([\w/.-]+)\)$", text, flags=re.MULTILINE)
    assert links
    assert listed
    assert [name for name in links + listed if not (DOCUMENTS / name).is_file()] == []
    assert 680 <= len(one_line(text).split()) <= 900
