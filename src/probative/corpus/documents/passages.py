"""Passages of a document: whole sentences of one section, with its headings as the title; and quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from pydantic import Field

from probative.corpus.documents.document import (
    MAX_TITLE,
    Citation,
    DateSource,
    Document,
    FactsOfPlaces,
    Heading,
    short,
)
from probative.errors import InputError
from probative.text.definitions import MAX_DEFINITIONS, Definition, definitions_in, needed_definitions
from probative.text.sentences import split_sentences
from probative.types import SentencePassage

# About 200 tokens: an encoder of 256 tokens reads it whole with its title, and a chain of four of them fits
# the window of the embedded reader.
MAX_CHARACTERS = 900
TITLE_MARK = " › "
# What stands between the title of a page and the name of its site or chapter.
_TITLE_PARTS = re.compile(r"\s+[-–—|·•:»›/]+\s+|:\s+")
# Where a sentence ends in any case: an empty line, a list item, a row of a table, an underlined heading.
_BLOCK = re.compile(
    r"\n[ \t\r]*\n\s*|\n(?=[ \t>]*(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+\S)"
    r"|\n(?=[ \t]*\|)|(?<=\|)[ \t\r]*\n"
)
_ONLY_MARKS = re.compile(r"[\W_]*")

Span = tuple[int, int]


class CorpusPassage(SentencePassage):
    """A passage of a document. `id` is its citation; `sentences` has the offsets of each sentence in the
    text of the document; `page` is the page on which it starts. `date` with its source, `language` and
    `metadata` are those of its record, if it has its own, and of the document. `definitions` say what words
    of it mean that the document defines elsewhere ("the Supplier = Alden Ropes Ltd").
    """

    page: int | None = None
    language: str = "en"
    date: str | None = None
    date_source: DateSource | None = None
    sentences: tuple[Span, ...] = ()
    definitions: tuple[str, ...] = ()
    metadata: dict[str, str] = Field(default_factory=dict)

    def own_sentences(self) -> tuple[str, ...]:
        """Return the sentences as the document has them, or as they were cleaned."""
        first = self.start or 0
        return self.sentence_texts or tuple(
            self.text[start - first : end - first] for start, end in self.sentences
        )


def passages_of(document: Document, max_characters: int = MAX_CHARACTERS) -> tuple[CorpusPassage, ...]:
    r"""Return the passages of a document, in its order. Every sentence is in exactly one of them.

    A passage has as many whole sentences of one section as fit into `max_characters`, and ends with a
    paragraph where it can. A longer sentence is a passage of its own.

    >>> text = "# Ferries\n\nIt rained. We left.\n\n## Fares\n\nA ticket is 3 crowns."
    >>> ferries = Heading(start=0, end=9, level=1, text="Ferries")
    >>> fares = Heading(start=32, end=40, level=2, text="Fares")
    >>> document = Document(source="a.md", title="Ferries", text=text, headings=(ferries, fares))
    >>> for passage in passages_of(document):
    ...     print(passage.id, passage.title, passage.text, sep=" · ")
    a.md#char=11,30 · Ferries · It rained. We left.
    a.md#char=42,63 · Ferries › Fares · A ticket is 3 crowns.
    """
    if max_characters < 1:
        raise InputError(f"max_characters must be at least 1, got {max_characters}")
    facts = FactsOfPlaces(document)
    defined = definitions_in(document.text)
    return tuple(
        _passage(document, group, document.title if facts.is_untitled(group[0][0]) else title, facts, defined)
        for title, blocks in _sections(document)
        for part in facts.parts(blocks)
        for group in _groups(part, max_characters)
    )


def sentences_of(document: Document) -> tuple[Span, ...]:
    r"""Return the offsets of every sentence of a document outside of its headings.

    >>> sentences_of(Document(source="a.txt", text="It rained. We left.\n- early\n- wet"))
    ((0, 10), (11, 19), (20, 27), (28, 33))
    """
    return tuple(span for _, blocks in _sections(document) for block in blocks for span in block)


def _sections(document: Document) -> Iterator[tuple[str, list[list[Span]]]]:
    """Yield each section that has text: its title and the sentences of each block."""
    path: list[Heading] = []
    ends = [*(heading.start for heading in document.headings), len(document.text)]
    first = _blocks(document, document.body, ends[0])
    if first:
        yield document.title, first
    following = (*document.headings[1:], None)
    for heading, after, end in zip(document.headings, following, ends[1:], strict=False):
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
        blocks = _blocks(document, heading.end, end)
        if blocks:
            yield _title(document.title, path), blocks
        elif after is None or after.level <= heading.level:
            # A heading without text below it says something itself.
            yield _title(document.title, path[:-1]), [[(heading.start, heading.end)]]


def section_names(title: str, headings: Iterable[str]) -> list[str]:
    """Return the title of a document and the headings of a section, each said once.

    >>> section_names("Ropes – The Gazette", ["ROPES", "Prices", "Prices"])
    ['Ropes – The Gazette', 'Prices']
    >>> section_names("Ropes", ["Ropes: prices and sizes"])
    ['Ropes', 'Ropes: prices and sizes']
    """
    names = [title] if title else []
    keys = {_key(part) for part in (title, *_TITLE_PARTS.split(title))}
    for heading in headings:
        if (key := _key(heading)) and key not in keys:
            names.append(heading)
            keys.add(key)
    return names


def _key(name: str) -> str:
    """Return a name as it is compared: its letters and digits."""
    return " ".join(re.findall(r"\w+", name.casefold()))


def _title(title: str, path: Sequence[Heading]) -> str:
    """Return the title of a section: that of the document, and the headings above it that say more."""
    names = section_names(title, (short(heading.text) for heading in path))
    while len(TITLE_MARK.join(names)) > MAX_TITLE and len(names) > 2:
        names.pop(1)
    return TITLE_MARK.join(names)


def _blocks(document: Document, start: int, end: int) -> list[list[Span]]:
    """Return the sentences of each block between two offsets."""
    text = document.text[start:end]
    cuts = [0, *(match.end() for match in _BLOCK.finditer(text)), len(text)]
    blocks: list[list[Span]] = []
    for begin, after in pairwise(cuts):
        piece = text[begin:after]
        if _ONLY_MARKS.fullmatch(piece):  # rules, fences and the line below a heading
            continue
        offset = start + begin
        spans = [
            (offset + sentence.start, offset + sentence.end)
            for sentence in split_sentences(piece, document.language)
            if sentence.start is not None and sentence.end is not None
        ]
        blocks.append([span for span in spans if not _ONLY_MARKS.fullmatch(document.text[span[0] : span[1]])])
    return [block for block in blocks if block]


def _groups(blocks: Sequence[list[Span]], max_characters: int) -> Iterator[list[Span]]:
    """Yield the sentences of each passage."""
    group: list[Span] = []
    for block in blocks:
        fits = bool(group) and block[-1][1] - group[0][0] <= max_characters
        # A block that would be cut starts a passage, if the passage before it is not short.
        if group and not fits and group[-1][1] - group[0][0] >= max_characters // 2:
            yield group
            group = []
        for span in block:
            if group and span[1] - group[0][0] > max_characters:
                yield group
                group = []
            group.append(span)
    if group:
        yield group


def _passage(
    document: Document,
    spans: Sequence[Span],
    title: str,
    facts_of_places: FactsOfPlaces,
    defined: Sequence[Definition],
) -> CorpusPassage:
    start, end = spans[0][0], spans[-1][1]
    # A passage that has the definition itself needs no second copy of it, however the copy is cut or spaced.
    elsewhere = [each for each in defined if not start <= each.start < each.end <= end]
    needed = needed_definitions(elsewhere, document.text[start:end])
    facts = facts_of_places.between(start, end)
    citation = Citation.of(document, start, end)
    return CorpusPassage(
        text=document.text[start:end],
        id=str(citation),
        title=title or None,
        source=document.source,
        start=start,
        end=end,
        page=citation.page,
        sentences=tuple(spans),
        definitions=tuple(map(str, needed[:MAX_DEFINITIONS])),
        **facts._asdict(),
    )


_CELL = re.compile(r"\s+\|\s+")
# What may stand between two words of a quote: white space with emphasis, quotation marks of e-mails, bars of
# tables and marks of footnotes.
_BETWEEN = r"(?:[*_`]|\[\^?\w{1,4}\])*(?:\s|[>|])+(?:[*_`>])*"
# Marks that texts write in several ways.
_SAME = {mark: f"[{marks}]" for marks in ("'’‘", '"“”„', "-‐‑–") for mark in marks}


def find_quote(document: Document, quote: str) -> tuple[int, int] | None:
    r"""Return the characters of the first place where a document has a quote; None if it has not.

    A quote of a row of a table has its cells in order, separated by " | "; cells may be left out. The whole
    row is returned then.

    >>> text = "The **rent** is\n40 crowns.[2]\n\nboat: Gull; berth: 4; rent: 40"
    >>> document = Document(source="a.md", text=text)
    >>> find_quote(document, "The rent is 40 crowns."), find_quote(document, "Gull | 40")
    ((0, 26), (31, 61))
    """
    cells = [cell for cell in _CELL.split(quote.strip().strip("|").strip()) if cell]
    if not cells:
        return None
    if len(cells) == 1:
        match = re.search(_pattern(cells[0]), document.text)
        return match.span() if match else None
    row = re.compile(
        r"(?:^|.*?(?<!\w))" + r"(?!\w).*?(?<!\w)".join(map(_pattern, cells)) + r"(?!\w)", re.DOTALL
    )
    return next((span for span in sentences_of(document) if row.match(document.text[slice(*span)])), None)


def _pattern(words: str) -> str:
    """Return a pattern for words in this order."""
    return _BETWEEN.join(_word(word) for word in words.split())


def _word(word: str) -> str:
    return "".join(_SAME.get(letter) or re.escape(letter) for letter in word)


def locate(quote: str, text: str, start: int = 0, end: int | None = None) -> tuple[int, int] | None:
    r"""Return the offsets of a quote between two offsets of a text; None if it is not there.

    Spaces, line breaks and control characters do not count, on either side.

    >>> locate("It rained all day.", "Log:\nIt rained\nall  day. We left.")
    (5, 24)
    >>> locate("It snowed.", "It rained.") is None
    True
    """
    stop = len(text) if end is None else min(end, len(text))
    offsets = [offset for offset in range(start, stop) if _counts(text[offset])]
    letters = "".join(text[offset] for offset in offsets)
    quoted = "".join(letter for letter in quote if _counts(letter))
    at = letters.find(quoted) if quoted else -1
    return None if at < 0 else (offsets[at], offsets[at + len(quoted) - 1] + 1)


def _counts(letter: str) -> bool:
    return letter.isprintable() and not letter.isspace()
