"""A citation in its surroundings: the words before and after it, and the headings above it."""

from __future__ import annotations

from probative.corpus.citation import Citation
from probative.corpus.document import DateSource, Document
from probative.corpus.passage_facts import FactsOfPlaces
from probative.errors import InputError
from probative.types import Value

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
