"""What a corpus has, in figures and in words: the answer to "What is in here?", without a model."""

from __future__ import annotations

import re

from pydantic import computed_field

from probative.corpus.corpus import Corpus
from probative.text.labels import counted
from probative.types import Value
from probative.verdict.languages import NAMES

QUESTIONS = (
    "What can you do?",
    "What can I ask?",
    "What is in here?",
    "What's in here?",
    "What documents are there?",
    "Which documents are there?",
    "Which documents do you have?",
)
"""The questions that are answered with the contents; capitals, marks and spaces do not matter."""
LISTED = 20
_WORD = re.compile(r"[^\W_]+")


class ListedDocument(Value):
    """A document and its date, if it has one."""

    source: str
    date: str | None = None


class Contents(Value):
    """The documents of a corpus: how many, in which languages, of which dates, and the first by name.

    `undated` have no date; `unread` files could not be read.
    """

    corpus: str
    documents: int
    passages: int
    languages: dict[str, int]
    earliest: str | None
    latest: str | None
    undated: int
    unread: int
    listed: tuple[ListedDocument, ...]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def figures(self) -> str:
        """All but the list, in a sentence or two.

        >>> Contents(corpus="club", documents=3, passages=9, languages={"en": 2, "de": 1}, undated=1,
        ...     earliest="2024-05", latest="2025-01-02", unread=0, listed=()).figures
        '3 documents with 9 passages (English 2, German 1), from 2024-05 to 2025-01-02; 1 without a date.'
        """
        names = [f"{NAMES.get(code, code)} {number:,}" for code, number in self.languages.items()]
        text = f"{counted(self.documents, 'document')} with {counted(self.passages, 'passage')}"
        text += f" ({', '.join(names)})" if len(names) > 1 else ""
        if self.earliest is not None:
            same = self.earliest == self.latest
            text += f", of {self.earliest}" if same else f", from {self.earliest} to {self.latest}"
            text += f"; {self.undated:,} without a date" if self.undated else ""
        unread = f" {counted(self.unread, 'file')} could not be read." if self.unread else ""
        return f"{text}.{unread}"


def contents_of(name: str, corpus: Corpus) -> Contents:
    """Return what a corpus has."""
    dates = corpus.dates()
    known = sorted(date for date in dates.values() if date is not None)
    languages = sorted(corpus.documents_by_language().items(), key=lambda entry: -entry[1])
    return Contents(
        corpus=name,
        documents=len(dates),
        passages=len(corpus),
        languages=dict(languages),
        earliest=known[0] if known else None,
        latest=known[-1] if known else None,
        undated=len(dates) - len(known),
        unread=len(corpus.unread),
        listed=tuple(ListedDocument(source=name, date=dates[name]) for name in sorted(dates)[:LISTED]),
    )


def asks_for_contents(text: str) -> bool:
    """Return whether a message is one of `QUESTIONS`.

    >>> asks_for_contents("what is in here"), asks_for_contents("What is in the tea room?")
    (True, False)
    """
    return _folded(text) in _FORMS


def _folded(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


_FORMS = frozenset(map(_folded, QUESTIONS))
