"""Sentences that may be evidence, each with its place in its source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from probative.corpus.documents.citation import Citation
from probative.text.cleaning import clean
from probative.text.sentences import split_sentences
from probative.types import Passage

if TYPE_CHECKING:
    from probative.verify.verification import EvidenceSentence, Stance

# A longer title is cut: it is read with every sentence.
MAX_TITLE = 80
_TITLE_MARK = " › "


@dataclass(frozen=True)
class Candidate:
    """A sentence of a passage. `origin` tells sources apart, also those without a name; `before` is the
    sentence before it in its passage.
    """

    text: str
    origin: str
    source: str | None
    page: int | None
    start: int
    end: int
    title: str
    date: str | None
    before: str = ""

    @property
    def key(self) -> tuple[str, int]:
        """Identifies the sentence."""
        return self.origin, self.start

    @property
    def titled(self) -> str:
        """The sentence with the title of its passage before it."""
        return f"{self.title}: {self.text}" if self.title else self.text

    @property
    def known(self) -> tuple[str, ...]:
        """What is known of the sentence beside its text: its title, its date and the name of its source."""
        return self.title, self.date or "", self.source or ""

    def evidence(self, stance: Stance | None = None, *, deciding: bool = False) -> EvidenceSentence:
        """Return the sentence as a result has it."""
        from probative.verify.verification import EvidenceSentence

        return EvidenceSentence(
            text=self.text,
            source=self.source,
            page=self.page,
            start=self.start,
            end=self.end,
            deciding=deciding,
            stance=stance,
            title=self.title or None,
            date=self.date,
            citation=self._citation(),
        )

    def _citation(self) -> str | None:
        if self.source is None:
            return None
        return str(Citation(source=self.source, page=self.page, start=self.start, end=self.end))


def candidates_of(passages: Iterable[Passage]) -> list[Candidate]:
    """Return the sentences of passages, each sentence of a source once.

    >>> passage = Passage(text="It rained. We left.", source="log.txt", start=100, end=119)
    >>> [(candidate.text, candidate.start) for candidate in candidates_of([passage])]
    [('It rained.', 100), ('We left.', 111)]
    """
    found: dict[tuple[str, int], Candidate] = {}
    for passage in passages:
        for candidate in _of_passage(passage):
            found.setdefault(candidate.key, candidate)
    return list(found.values())


def _of_passage(passage: Passage) -> list[Candidate]:
    offset = passage.start or 0
    spans: list[tuple[int, int]] = [
        (start - offset, end - offset) for start, end in getattr(passage, "sentences", ())
    ]
    if not spans:
        split = split_sentences(passage.text, getattr(passage, "language", None))
        spans = [(sentence.start or 0, sentence.end or 0) for sentence in split]
    origin = passage.source or passage.id or passage.text
    candidates: list[Candidate] = []
    for start, end in spans:
        text = clean(passage.text[start:end])
        if not text:
            continue
        candidates.append(
            Candidate(
                text=text,
                origin=origin,
                source=passage.source or passage.id,
                page=getattr(passage, "page", None),
                start=offset + start,
                end=offset + end,
                title=short_title(passage.title or ""),
                date=getattr(passage, "date", None),
                before=candidates[-1].text if candidates else "",
            )
        )
    return candidates


def short_title(title: str) -> str:
    """Return a title of at most `MAX_TITLE` characters: of headings, the first and the last.

    >>> short_title("Rules › The emergency brake › How the brake is tested each morning by two people › When")
    'Rules › When'
    """
    title = clean(title)
    if len(title) <= MAX_TITLE:
        return title
    parts = title.split(_TITLE_MARK)
    title = _TITLE_MARK.join((parts[0], parts[-1])) if len(parts) > 2 else title
    return title if len(title) <= MAX_TITLE else title[:MAX_TITLE].rsplit(" ", 1)[0]
