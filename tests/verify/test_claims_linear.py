"""Texts with very many citations or amounts are read in steps that grow with their length.

Calls are counted, and the characters that patterns look at: both are the same on every machine.
"""

from __future__ import annotations

import cProfile
import re
from collections.abc import Callable
from typing import Any

import pytest

from probative.text.english import quantities
from probative.text.english.quantities import quantities_in
from probative.text.english.statements import date_spans
from probative.verify import claims
from probative.verify.claims import claims_of
from probative.verify.references import masked, references_of

SOURCES = "\n\n## Sources\n\n[1] The log\n"
TEXTS: dict[str, Callable[[int], str]] = {
    "numbers": lambda n: "The ferry left the quay [1]. " * n + SOURCES,
    "numbers behind full stops": lambda n: "The ferry left the quay. [1] " * n + SOURCES,
    "one chain": lambda n: "The ferry left the quay " + "[1]" * n + "." + SOURCES,
    "links in brackets": lambda n: "The ferry left the quay ([log](a.txt)). " * n,
    "one bracket of links": lambda n: f"It left ({', '.join(['[log](a.txt)'] * n)}).",
    "footnotes": lambda n: "It left.[^a] " * n + "\n\n" + "".join(f"[^a{i}]: log\n" for i in range(n)),
    "lists of sources": lambda n: "## Sources\n\n[1] The log\n\nIt left.\n\n" * n,
}


class Counted:
    """A pattern that counts the characters that it is given to look at."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self.characters = 0

    def __getattr__(self, name: str) -> Any:
        def called(text: str, start: int = 0, end: int | None = None) -> Any:
            end = len(text) if end is None else end
            if name == "search":
                self.characters += max(0, end - start)
            return getattr(self._pattern, name)(text, start, end)

        return called


def calls(work: Callable[[], object]) -> int:
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(int(entry.callcount) for entry in profile.getstats())


@pytest.mark.parametrize("kind", TEXTS)
def test_citations_take_steps_in_proportion(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = Counted(claims._SENTENCE_END)
    monkeypatch.setattr(claims, "_SENTENCE_END", ends)
    claims_of(TEXTS[kind](2))  # imports are not counted
    steps, characters = [], []
    for count in (200, 400):
        ends.characters = 0
        steps.append(calls(lambda count=count: claims_of(TEXTS[kind](count))))  # type: ignore[misc]
        characters.append(ends.characters)
    assert steps[1] < 2.2 * steps[0]
    assert characters[1] <= 2.2 * characters[0]


@pytest.mark.parametrize(
    "text", ["It costs 70 euros less 10 euros for members ", "a weekly fee of 9 euros and "]
)
def test_amounts_look_at_few_characters_before_them(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Counted(quantities._BEFORE)
    monkeypatch.setattr(quantities, "_BEFORE", before)
    characters = []
    for count in (100, 200):
        before.characters = 0
        assert quantities_in(text * count)
        characters.append(before.characters)
    assert characters[1] < 2.2 * characters[0]


def test_many_dates_take_calls_in_proportion() -> None:
    steps = [calls(lambda count=count: date_spans("on 3 May 2024 " * count)) for count in (200, 400)]  # type: ignore[misc]
    assert steps[1] < 2.2 * steps[0]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It burnt ([log](a.txt), [map](b.txt)).", "It burnt                             ."),
        ("It burnt ([log](a.txt); see [map](b.txt)).", "It burnt (            ; see  map        )."),
        ("It burnt (see [log](a.txt)).", "It burnt (see  log        )."),
        ("It burnt, [log](a.txt), and [map](b.txt).", "It burnt,  log        , and  map        ."),
    ],
)
def test_only_brackets_without_words_lose_their_links(text: str, shown: str) -> None:
    assert masked(text, references_of(text).citations) == shown
