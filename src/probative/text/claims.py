"""What a claim says about values: a limit in time, a ratio of two counts, the decade of an age.

A language reads them from a claim (`TextAnalyzer.claimed_…`); `probative.verdict.computation` compares them
with the values of the evidence.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from probative.text.dates import Date


class DateLimit(NamedTuple):
    """Something happened after a date (`later`), or before it."""

    date: Date
    later: bool


class Ratio(NamedTuple):
    """There are `factor` times as many of `first` as of `second`."""

    factor: Fraction
    first: str
    second: str
