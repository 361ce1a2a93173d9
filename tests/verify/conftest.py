"""A session that verifies by rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from verifying import by_overlap, ruled_by_words

import probative


@pytest.fixture
def session() -> Iterator[probative.Session]:
    """A session whose policy chooses by words in common, and whose verdict model judges by words."""
    with probative.Session(policy=by_overlap(), verdict=ruled_by_words()) as opened:
        yield opened
