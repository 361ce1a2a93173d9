"""Bench reports that an operator registered. The server shows them and knows nothing of how they are made.

The command line hands them over: nothing below it may import `probative.bench`.
"""

from __future__ import annotations

from typing import Protocol

from probative.types import Value


class BenchReports(Protocol):
    """Reports by name, as `probative.bench.reports.ReportIndex` has them."""

    def list(self) -> Value:
        """Return what each report is about."""

    def report(self, name: str) -> Value:
        """Return a report; raises `KeyError` if no report has this name."""

    def compare(self, first: str, second: str) -> Value:
        """Compare two reports; raises `KeyError`, or `InputError` if they cannot be compared."""


class NoReport(Value):
    """The list of a server without reports."""

    reports: tuple[()] = ()
    unreadable: tuple[()] = ()


class NoReports:
    """What a server without registered reports has.

    >>> NoReports().list().to_dict()
    {'reports': [], 'unreadable': []}
    """

    def list(self) -> NoReport:
        return NoReport()

    def report(self, name: str) -> Value:
        raise KeyError(name)

    def compare(self, first: str, second: str) -> Value:
        raise KeyError(first)
