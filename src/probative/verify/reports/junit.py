"""Verifications as a JUnit report, which pipelines show as tests: one test for each claim."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from xml.etree import ElementTree

from probative.html import escape
from probative.types import Verdict
from probative.verify.reports.segments import line_and_column, message_of
from probative.verify.verification import Verification

FAILING = (Verdict.CONTRADICTED, Verdict.INSUFFICIENT)


def junit(
    verification: Verification | Sequence[Verification], failing: Collection[Verdict | str] = FAILING
) -> str:
    """Return a test suite in which the claims with the verdicts `failing` fail; of several texts, a suite
    for each.

    >>> print(junit(Verification(text="It rained.", name="note.md")).split("?>")[1].strip())
    <testsuite name="note.md" tests="0" failures="0" errors="0" skipped="0" time="0.000" />
    """
    wanted = {Verdict(verdict) for verdict in failing}
    if isinstance(verification, Verification):
        root = _suite(verification, wanted)
    else:
        suites = [_suite(text, wanted) for text in verification]
        totals = {name: sum(int(suite.get(name, 0)) for suite in suites) for name in ("tests", "failures")}
        seconds = sum(text.usage.seconds for text in verification)
        root = ElementTree.Element(
            "testsuites",
            {name: str(number) for name, number in totals.items()},
            errors="0",
            time=f"{seconds:.3f}",
        )
        root.extend(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(verification: Verification, wanted: set[Verdict]) -> ElementTree.Element:
    failures = verification.having(*wanted)
    suite = ElementTree.Element(
        "testsuite",
        name=_clean(verification.name or "text"),
        tests=str(len(verification.claims)),
        failures=str(len(failures)),
        errors="0",
        skipped="0",
        time=f"{verification.usage.seconds:.3f}",
    )
    for claim in verification.claims:
        line, _ = line_and_column(verification.text, claim.start)
        case = ElementTree.SubElement(
            suite,
            "testcase",
            name=_clean(claim.claim),
            classname=_clean(f"{verification.name or 'text'}:{line}"),
            time="0",
        )
        if claim.verdict in wanted:
            failure = ElementTree.SubElement(
                case, "failure", message=claim.verdict.value, type=claim.verdict.value
            )
            failure.text = _clean(message_of(claim))
        else:
            ElementTree.SubElement(case, "system-out").text = _clean(message_of(claim))
    return suite


def _clean(text: str) -> str:
    """Return a text without the characters that XML cannot have."""
    from html import unescape

    return unescape(escape(text))
