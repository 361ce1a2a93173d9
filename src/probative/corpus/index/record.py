"""A passage as the word index stores it: everything but what its document has."""

from __future__ import annotations

import json

from probative.corpus.citation import Citation
from probative.corpus.passages import CorpusPassage
from probative.types import Value


class DocumentFacts(Value):
    """What the passages of a document share."""

    id: int
    source: str
    language: str = "en"
    date: str | None = None


def to_record(passage: CorpusPassage) -> bytes:
    """Return a passage as bytes. Sentences are stored as offsets from the start of the passage."""
    start = passage.start or 0
    spans = [offset - start for span in passage.sentences for offset in span]
    return json.dumps(
        [passage.title, passage.text, start, passage.page, spans], ensure_ascii=False, separators=(",", ":")
    ).encode("utf-8", "surrogatepass")


def from_record(record: bytes, document: DocumentFacts) -> CorpusPassage:
    """Return the passage that `to_record` stored.

    >>> passage = CorpusPassage(text="It rained.", source="a.txt", start=5, end=15, sentences=((5, 15),))
    >>> stored = from_record(to_record(passage), DocumentFacts(id=1, source="a.txt"))
    >>> stored.id, stored.sentences
    ('a.txt#char=5,15', ((5, 15),))
    """
    title, text, start, page, spans = json.loads(record.decode("utf-8", "surrogatepass"))
    end = start + len(text)
    offsets = [offset + start for offset in spans]
    # Everything was checked when it was written: validating it again would take most of a query's time.
    return CorpusPassage.model_construct(
        text=text,
        id=str(Citation(source=document.source, start=start, end=end, page=page)),
        title=title,
        source=document.source,
        start=start,
        end=end,
        page=page,
        language=document.language,
        date=document.date,
        sentences=tuple(zip(offsets[::2], offsets[1::2], strict=True)),
    )
