"""A citation: source, page and characters of a piece of text as one string, and the text around it."""

from __future__ import annotations

import re
from typing import Self

from probative.corpus.documents.document import DateSource, Document, FactsOfPlaces
from probative.errors import InputError
from probative.text.labels import counted
from probative.types import Value

_FORM = re.compile(r"(?P<source>.+)#(?:page=(?P<page>\d+)&)?char=(?P<start>\d+),(?P<end>\d+)", re.DOTALL)
# A name may have any characters. Those that would break a line, and percent signs that would be read as an
# escape, are escaped; everything else stays as people read it.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|%(?=[0-9A-Fa-f]{2})")
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


class Citation(Value):
    """The characters from `start` to `end` of a source. The form follows RFC 5147.

    `page` is given for formats with pages, for people; the offsets alone identify the place, and must be on
    that page.

    >>> str(Citation(source="minutes/may.pdf", page=3, start=120, end=188))
    'minutes/may.pdf#page=3&char=120,188'
    >>> Citation.parse("log.txt#char=0,10")
    Citation(source='log.txt', start=0, end=10, page=None)
    """

    source: str
    start: int
    end: int
    page: int | None = None

    def __str__(self) -> str:
        page = f"page={self.page}&" if self.page is not None else ""
        return f"{_UNSAFE.sub(_escape, self.source)}#{page}char={self.start},{self.end}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the citation that a string describes; raises `InputError`."""
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise InputError(
                f"{text!r} is not a citation", hint="write it as SOURCE#page=3&char=120,188; page is optional"
            )
        start, end = int(match["start"]), int(match["end"])
        if start > end:
            raise InputError(f"the citation ends before it starts: char={start},{end}")
        page = int(match["page"]) if match["page"] else None
        source = _ESCAPED.sub(_unescape, match["source"])
        return cls(source=source, start=start, end=end, page=page)

    @classmethod
    def of(cls, document: Document, start: int, end: int) -> Self:
        """Return the citation of some characters of a document."""
        return cls(source=document.source, start=start, end=end, page=document.page_at(start))

    def check(self, document: Document) -> None:
        """Raise `InputError` if the document does not have these characters, or not on this page."""
        page, length = document.page_at(self.start), len(document.text)
        if self.end > length:
            what = f"{self.source} has {counted(length, 'character')}, the citation ends at {self.end:,}"
        elif self.page is None or self.page == page:
            return
        elif self.page > len(document.pages):
            pages = counted(len(document.pages), "page") if document.pages else "no pages"
            what = f"{self.source} has {pages}, the citation names page {self.page}"
        else:
            what = f"char={self.start},{self.end} of {self.source} is on page {page}, not on page {self.page}"
        raise InputError(
            what,
            hint="the file has changed since it was cited, or the citation was altered; page is optional",
        )


def _escape(match: re.Match[str]) -> str:
    text = match.group()
    try:
        # Names that are not valid UTF-8 reach Python as lone surrogates.
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raw = text.encode("utf-8", "surrogatepass")  # no file has such a name
    return "".join(f"%{byte:02X}" for byte in raw)


def _unescape(match: re.Match[str]) -> str:
    return bytes.fromhex(match.group().replace("%", "")).decode("utf-8", "surrogateescape")


CONTEXT = 300


class Surroundings(Value):
    """The cited `text` with what stands before and after it in the same document."""

    citation: str
    source: str
    title: str
    headings: tuple[str, ...]
    page: int | None
    date: str | None
    date_source: DateSource | None
    before: str
    text: str
    after: str


def surroundings(document: Document, citation: Citation, context: int = CONTEXT) -> Surroundings:
    """Return the cited text with up to `context` characters on each side, whole words only.

    Raises `InputError` if the document does not have these characters.

    >>> document = Document(source="a.txt", title="Log", text="It rained all day. We left. The boat was wet.")
    >>> shown = surroundings(document, Citation.parse("a.txt#char=19,27"), context=10)
    >>> shown.before, shown.text, shown.after
    (' all day. ', 'We left.', ' The boat ')
    """
    if context < 0:
        raise InputError(f"context must be at least 0, got {context}")
    citation.check(document)
    text, start, end = document.text, citation.start, citation.end
    first, last = max(0, start - context), min(len(text), end + context)
    before, after = text[first:start], text[end:last]
    if first > 0 and " " in before and not text[first - 1].isspace() and not before[0].isspace():
        before = before[before.index(" ") + 1 :]
    if last < len(text) and " " in after and not text[last].isspace() and not after[-1].isspace():
        after = after[: after.rindex(" ")]
    facts = FactsOfPlaces(document).between(start, end)
    return Surroundings(
        citation=str(Citation.of(document, start, end)),
        source=document.source,
        title=document.title,
        headings=tuple(heading.text for heading in document.headings_at(start)),
        page=document.page_at(start),
        date=facts.date,
        date_source=facts.date_source,
        before=before,
        text=text[start:end],
        after=after,
    )
