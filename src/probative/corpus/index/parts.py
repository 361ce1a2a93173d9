"""Parts of a document: consecutive passages with the same date, language and metadata.

A document of records (JSON lines, a table) may have parts that filters tell apart. A part is stored like a
document of its own, under a number that is made of those of the document and the part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from probative.corpus.document import DateSource, Document
from probative.corpus.passages import CorpusPassage
from probative.types import Value

DOCUMENT = 2**32 - 1
"""The bits of a number that are the document; those above them are the part, from 1."""
PARTS_TABLE = """
create table if not exists parts (
    document integer not null,
    part integer not null,
    first integer not null,
    passages integer not null,
    language text not null,
    date text,
    date_source text,
    metadata text not null,
    primary key (document, part)
) without rowid;
"""


class DocumentPart(Value):
    """The passages of a part, from number `first` on, and what is known of them."""

    number: int
    first: int
    passages: int
    language: str
    date: str | None
    date_source: DateSource | None
    metadata: dict[str, str]


def number_of_part(document: int, part: int) -> int:
    """Return the number under which a part is stored.

    >>> number_of_part(7, 0), number_of_part(7, 2) & DOCUMENT
    (7, 7)
    """
    return part * (DOCUMENT + 1) + document


def part_of(number: int) -> int:
    """Return which part of its document a number means; 0 is the document itself.

    >>> part_of(number_of_part(7, 2)), part_of(7)
    (2, 0)
    """
    return number // (DOCUMENT + 1)


def parts_of(document: Document, passages: Sequence[CorpusPassage], first: int) -> Iterator[DocumentPart]:
    """Yield the parts of a document whose passages are numbered from `first` on; none if it is of a piece."""
    if not document.records:
        return
    for part, (_, group) in enumerate(groupby(passages, key=_facts), start=1):
        own = list(group)
        yield DocumentPart(
            number=part,
            first=first,
            passages=len(own),
            language=own[0].language,
            date=own[0].date,
            date_source=own[0].date_source,
            metadata=own[0].metadata,
        )
        first += len(own)


def _facts(passage: CorpusPassage) -> tuple[str, str | None, str | None, dict[str, str]]:
    return passage.language, passage.date, passage.date_source, passage.metadata
