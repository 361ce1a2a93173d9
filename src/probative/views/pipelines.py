"""Verifications for pipelines: SARIF 2.1.0, which code-review tools show beside the lines of a text, and a
JUnit report with one test for each claim.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from probative.types import Verdict
from probative.verify.verification import CheckedClaim, EvidenceSentence, Verification
from probative.views.html import visible
from probative.views.verification import message_of

FAILING = (Verdict.CONTRADICTED, Verdict.INSUFFICIENT)
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# The base of the addresses of documents: they are relative to the corpus, not to the repository.
_CORPUS = "CORPUS"
_LEVELS = {Verdict.CONTRADICTED: "error", Verdict.INSUFFICIENT: "warning"}
_CITATION, _CONFLICT = "citation", "conflict"
# Each rule with what it means and what to do.
_RULES = {
    Verdict.CONTRADICTED.value: (
        "A source contradicts the claim.",
        "Compare the claim with the quoted sentence, and correct one of them.",
    ),
    Verdict.INSUFFICIENT.value: (
        "No source says whether the claim holds.",
        "Add a document that says it, or leave the claim out.",
    ),
    _CONFLICT: (
        "The claim is supported, but the sources disagree.",
        "Compare the quoted sentences, and say which of them holds.",
    ),
    _CITATION: (
        "The cited source does not say what is claimed, or is not there.",
        "Cite the document that says what is claimed.",
    ),
}


def sarif(verification: Verification | Sequence[Verification], version: str) -> str:
    """Return the claims of one or several texts that are not supported, those on which the sources
    disagree, and the citations that do not hold, as SARIF.

    >>> json.loads(sarif(Verification(text="It rained."), "1.0"))["runs"][0]["results"]
    []
    """
    texts = [verification] if isinstance(verification, Verification) else verification
    # GitHub asks for all of these descriptions.
    rules = [
        {
            "id": name,
            "shortDescription": {"text": meaning},
            "fullDescription": {"text": meaning},
            "help": {"text": advice},
        }
        for name, (meaning, advice) in _RULES.items()
    ]
    run = {
        "tool": {"driver": {"name": "probative", "version": version, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            _CORPUS: {"description": {"text": "The documents that claims are held against."}}
        },
        "results": [result for text in texts for result in _results(text)],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=1) + "\n"


def _results(verification: Verification) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = []
    for claim in verification.claims:
        if claim.verdict in _LEVELS:
            level = _LEVELS[claim.verdict]
            results.append(_result(verification, claim, claim.verdict.value, level, message_of(claim)))
        elif claim.conflict:
            results.append(_result(verification, claim, _CONFLICT, "warning", message_of(claim)))
        for citation in claim.citations:
            if citation.verdict is not Verdict.SUPPORTED:
                message = f"{citation.marker}: {citation.note or _RULES[_CITATION][0]}"
                results.append(_result(verification, claim, _CITATION, "note", message))
    return results


def _result(
    verification: Verification, claim: CheckedClaim, rule: str, level: str, message: str
) -> dict[str, Any]:
    first, column = line_and_column(verification.text, claim.start)
    last, end_column = line_and_column(verification.text, claim.end)
    region = {
        "startLine": first,
        "startColumn": column,
        "endLine": last,
        "endColumn": end_column,
        "charOffset": claim.start,
        "charLength": claim.end - claim.start,
    }
    location = {"artifactLocation": {"uri": _uri(verification.name or "text")}, "region": region}
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": _without_links(message)},
        "locations": [{"physicalLocation": location}],
        "relatedLocations": [_related(sentence) for sentence in claim.deciding if sentence.source],
    }


def _related(sentence: EvidenceSentence) -> dict[str, Any]:
    location: dict[str, Any] = {
        "artifactLocation": {"uri": _uri(sentence.source or ""), "uriBaseId": _CORPUS}
    }
    if sentence.start is not None and sentence.end is not None:
        location["region"] = {"charOffset": sentence.start, "charLength": sentence.end - sentence.start}
    return {"physicalLocation": location, "message": {"text": _without_links(sentence.text)}}


def _uri(name: str) -> str:
    """Return a file name as a URI reference.

    >>> _uri("minutes/May 2024.pdf")
    'minutes/May%202024.pdf'
    """
    return name if "://" in name else quote(name, safe="/%~")


def _without_links(text: str) -> str:
    """Return a text in which viewers find no link: SARIF reads ``[words](target)`` in a message as one.

    >>> _without_links("see [the log](https://example.org)")
    'see [the log] (https://example.org)'
    """
    return text.replace("](", "] (")


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    r"""Return the line and the column of a character, both from 1.

    >>> line_and_column("one\ntwo", 5)
    (2, 2)
    """
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def junit(
    verification: Verification | Sequence[Verification], failing: Collection[Verdict | str] = FAILING
) -> str:
    """Return a test suite in which the claims with the verdicts `failing` fail; of several texts, a suite
    for each.

    >>> print(junit(Verification(text="It rained.", name="note.md")).split("?>")[1].strip())
    <testsuite name="note.md" tests="0" failures="0" errors="0" skipped="0" time="0.000" />
    """
    failing_verdicts = {Verdict(verdict) for verdict in failing}
    if isinstance(verification, Verification):
        root = _suite(verification, failing_verdicts)
    else:
        suites = [_suite(text, failing_verdicts) for text in verification]
        totals = {
            name: str(sum(int(suite.get(name, 0)) for suite in suites)) for name in ("tests", "failures")
        }
        seconds = sum(text.usage.seconds for text in verification)
        root = ElementTree.Element("testsuites", totals, errors="0", time=f"{seconds:.3f}")
        root.extend(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(verification: Verification, failing: set[Verdict]) -> ElementTree.Element:
    text = verification.name or "text"
    suite = ElementTree.Element(
        "testsuite",
        name=visible(text),
        tests=str(len(verification.claims)),
        failures=str(len(verification.having(*failing))),
        errors="0",
        skipped="0",
        time=f"{verification.usage.seconds:.3f}",
    )
    for claim in verification.claims:
        line, _ = line_and_column(verification.text, claim.start)
        names = {"name": visible(claim.claim), "classname": visible(f"{text}:{line}")}
        case = ElementTree.SubElement(suite, "testcase", names, time="0")
        verdict = claim.verdict.value
        if claim.verdict in failing:
            outcome = ElementTree.SubElement(case, "failure", message=verdict, type=verdict)
        else:
            outcome = ElementTree.SubElement(case, "system-out")
        outcome.text = visible(message_of(claim))
    return suite
