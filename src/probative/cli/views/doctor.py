"""The report of `doctor`: a line for each finding, with what to do about it."""

from __future__ import annotations

from probative.cli.views.terminal import plain, print_text
from probative.doctor import Report

MARKS = {"ok": "ok     ", "note": "note   ", "problem": "PROBLEM"}


def show_report(report: Report) -> None:
    """Print the findings."""
    for finding in report.findings:
        print_text(f"{MARKS[finding.state]}  {plain(finding.what)}")
        if finding.hint:
            print_text(f"         → {plain(finding.hint)}")
