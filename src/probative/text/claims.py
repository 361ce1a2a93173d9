"""What a claim says about values: a limit in time, a ratio of two counts, the decade of an age, a trend; and
the parts of a sentence that claims several things.

A language reads them from a claim (`english.claimed_…`); `probative.verdict.computation` compares them
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


class Trend(NamedTuple):
    """Something rises (`direction` 1), falls (-1) or stays (0).

    `thing` has the stems of the words that name it, and `measure` what it is measured by ("rent"; "" if the
    claim does not say). `years` and `periods` ("month") are those that the claim names.
    """

    thing: frozenset[str]
    measure: str
    direction: int
    future: bool
    years: frozenset[str]
    periods: frozenset[str]


class ClaimPart(NamedTuple):
    """A part of a sentence that claims something by itself: its characters, and it as a sentence."""

    start: int
    end: int
    text: str
