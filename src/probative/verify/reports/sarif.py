"""Verifications in SARIF 2.1.0, which code-review tools show beside the lines of a text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from probative.types import Verdict
from probative.verify.reports.segments import line_and_column, message_of
from probative.verify.verification import CheckedClaim, EvidenceSentence, Verification

# The base of the addresses of documents: they are relative to the corpus, not to the repository.
_CORPUS = "CORPUS"
_LEVELS = {Verdict.CONTRADICTED: "error", Verdict.INSUFFICIENT: "warning"}
_CITATION = "citation"
_RULES = {
    Verdict.CONTRADICTED.value: "A source contradicts the claim.",
    Verdict.INSUFFICIENT.value: "No source says whether the claim holds.",
    _CITATION: "The cited source does not say what is claimed, or is not there.",
}
_HELP = {
    Verdict.CONTRADICTED.value: "Compare the claim with the quoted sentence, and correct one of them.",
    Verdict.INSUFFICIENT.value: "Add a document that says it, or leave the claim out.",
    _CITATION: "Cite the document that says what is claimed.",
}
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(verification: Verification | Sequence[Verification], version: str) -> str:
    """Return the claims of one or several texts that are not supported, and the citations that do not hold,
    as SARIF.

    >>> json.loads(sarif(Verification(text="It rained."), "1.0"))["runs"][0]["results"]
    []
    """
    texts = [verification] if isinstance(verification, Verification) else verification
    results = [result for text in texts for result in _results(text)]
    driver = {"name": "probative", "version": version, "rules": [_rule(name) for name in _RULES]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            _CORPUS: {"description": {"text": "The documents that claims are held against."}}
        },
        "results": results,
    }
    return (
        json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1)
        + "\n"
    )


def _rule(name: str) -> dict[str, Any]:
    """Return a rule with the descriptions that GitHub asks for."""
    text = {"text": _RULES[name]}
    return {"id": name, "shortDescription": text, "fullDescription": text, "help": {"text": _HELP[name]}}


def _results(verification: Verification) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = []
    for claim in verification.claims:
        if claim.verdict in _LEVELS:
            results.append(_result(verification, claim, claim.verdict.value, _LEVELS[claim.verdict]))
        results += [
            _result(verification, claim, _CITATION, "note", f"{citation.marker}: {_why(citation.note)}")
            for citation in claim.citations
            if citation.verdict is not Verdict.SUPPORTED
        ]
    return results


def _why(note: str) -> str:
    return note or _RULES[_CITATION]


def _result(
    verification: Verification, claim: CheckedClaim, rule: str, level: str, message: str | None = None
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
    place = {"artifactLocation": {"uri": _uri(verification.name or "text")}, "region": region}
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": _plain(message or message_of(claim))},
        "locations": [{"physicalLocation": place}],
        "relatedLocations": [_related(sentence) for sentence in claim.deciding if sentence.source],
    }


def _uri(name: str) -> str:
    """Return a file name as a URI reference.

    >>> _uri("minutes/May 2024.pdf")
    'minutes/May%202024.pdf'
    """
    return name if "://" in name else quote(name, safe="/%~")


def _related(sentence: EvidenceSentence) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(sentence.source or ""), "uriBaseId": _CORPUS}}
    if sentence.start is not None and sentence.end is not None:
        place["region"] = {"charOffset": sentence.start, "charLength": sentence.end - sentence.start}
    return {"physicalLocation": place, "message": {"text": _plain(sentence.text)}}


def _plain(text: str) -> str:
    """Return a text in which viewers find no link: SARIF reads ``[words](target)`` in a message as one.

    >>> _plain("see [the log](https://example.org)")
    'see [the log] (https://example.org)'
    """
    return text.replace("](", "] (")
