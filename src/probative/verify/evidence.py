"""Choose what is read for a claim: the best sentences of all sources, by the evidence policy and BM25."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from probative.corpus.documents.document import Citation, reader_of
from probative.corpus.documents.places import Place
from probative.engine.search import Search, probabilities, weigh
from probative.models.task_prompts import Line
from probative.text import english
from probative.text.dates import Date
from probative.text.definitions import header_of
from probative.text.sentences import split_sentences
from probative.text.words import bm25, clean, nearest, standardised, words
from probative.types import Passage, ReadBy
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
    place: Place
    start: int
    end: int
    title: str
    date: str | None
    before: str = ""
    definitions: tuple[str, ...] = ()
    read_by: ReadBy | None = None

    @property
    def key(self) -> tuple[str, int]:
        return self.origin, self.start

    @property
    def titled(self) -> str:
        """The sentence with the title of its passage before it."""
        return f"{self.title}: {self.text}" if self.title else self.text

    def evidence(self, stance: Stance | None = None, *, deciding: bool = False) -> EvidenceSentence:
        citation = self.source and Citation.at(self.place, self.source, self.start, self.end)
        return EvidenceSentence(
            text=self.text,
            source=self.source,
            page=self.place.page,
            start=self.start,
            end=self.end,
            deciding=deciding,
            stance=stance,
            title=self.title or None,
            date=self.date,
            citation=str(citation) if citation else None,
            read_by=self.read_by,
        )


def candidates_of(passages: Iterable[Passage]) -> list[Candidate]:
    """Return the sentences of passages, each sentence of a source once.

    >>> passage = Passage(text="It rained. We left.", source="log.txt", start=100, end=119)
    >>> [(candidate.text, candidate.start) for candidate in candidates_of([passage])]
    [('It rained.', 100), ('We left.', 111)]
    """
    first: dict[tuple[str, int], Candidate] = {}
    for passage in passages:
        for candidate in _of_passage(passage):
            first.setdefault(candidate.key, candidate)
    return list(first.values())


def _of_passage(passage: Passage) -> list[Candidate]:
    offset = passage.start or 0
    given: Sequence[tuple[int, int]] = getattr(passage, "sentences", ())
    spans = [(start - offset, end - offset) for start, end in given]
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
                place=Place(page=getattr(passage, "page", None)),
                start=offset + start,
                end=offset + end,
                title=short_title(passage.title or ""),
                date=getattr(passage, "date", None),
                definitions=getattr(passage, "definitions", ()),
                read_by=reader_of(getattr(passage, "metadata", {})),
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


# Weight of BM25 next to the policy's log-probability; as for the method `learned` of prove.
LEXICAL = 0.6

Weigher = Callable[[str, Sequence[Candidate]], Search[list[float]]]
"""Returns the value of each sentence for a claim, in nats; higher is better."""


def prefilter(statement: str, candidates: Sequence[Candidate], n: int) -> list[Candidate]:
    """Return the n sentences that share most words with a claim, in their order."""
    rows = nearest(words(statement), [candidate.titled for candidate in candidates], n)
    return [candidates[row] for row in rows]


def weigh_by_policy(statement: str, candidates: Sequence[Candidate]) -> Search[list[float]]:
    """Return log P(sentence) of the evidence policy, plus BM25 in standard deviations."""
    from probative.models.evidence_policy import PolicyState

    state = PolicyState(statement, (), tuple(candidate.titled for candidate in candidates))
    (scores,) = yield from weigh([state], step="evidence")
    shares, _, _ = probabilities(scores)
    lexical = standardised(bm25(words(statement), [words(candidate.titled) for candidate in candidates]))
    return [
        math.log(max(share, 1e-9)) + LEXICAL * score for share, score in zip(shares, lexical, strict=True)
    ]


def best(candidates: Sequence[Candidate], values: Mapping[tuple[str, int], float], n: int) -> list[Candidate]:
    """Return the n sentences with the highest values, in the order of their sources and texts."""
    ranked = sorted(candidates, key=lambda candidate: -values[candidate.key])
    return sorted(ranked[:n], key=lambda candidate: candidate.key)


def with_places(
    candidates: Iterable[Candidate], place_at: Callable[[str, int, int], Place | None]
) -> tuple[Candidate, ...]:
    """Return sentences that know their own place, not only the page on which their passage begins."""

    def own(each: Candidate) -> Place | None:
        return place_at(each.source, each.start, each.end) if each.source else None

    return tuple(replace(each, place=own(each) or each.place) for each in candidates)


def read_date(text: str) -> Date | None:
    """Return the date of a document as numbers.

    >>> read_date("2025-02-24"), read_date("2025"), read_date("")
    ((2025, 2, 24), (2025, 0, 0), None)
    """
    parts = [int(part) for part in text[:10].split("-") if part.isdigit()]
    if not parts or len(text.partition("-")[0]) != 4:
        return None
    year, month, day = (*parts, 0, 0)[:3]
    return year, month, day


def lines_of(candidates: Sequence[Candidate], texts: Sequence[str]) -> list[Line]:
    """Return the texts of sentences below the headers of their passages."""
    return [
        Line(text, header_of(candidate.title, candidate.date, candidate.definitions))
        for candidate, text in zip(candidates, texts, strict=True)
    ]


def texts_of(candidates: Sequence[Candidate]) -> list[str]:
    """Return sentences as they are read: before one that begins with a pronoun, the sentence
    before it; days and months without a year get that of their document.
    """
    texts: list[str] = []
    shown = {candidate.text for candidate in candidates}
    for candidate in candidates:
        text = candidate.text
        if english.needs_sentence_before(text) and candidate.before and candidate.before not in shown:
            text = f"{candidate.before} {text}"
        date = read_date(candidate.date or "")
        texts.append(english.with_years(text, date) if date is not None else text)
    return texts
