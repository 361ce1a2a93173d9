"""What a list of documents shows of each: its size, its date, and whether there is a newer version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from probative.corpus.documents.document import DateSource
from probative.corpus.documents.duplicates import Duplicate
from probative.corpus.documents.threads import ThreadMail, threads
from probative.corpus.index.catalog import Catalog
from probative.types import Value


class DocumentSummary(Value):
    """A document of a corpus. `bytes` is the size of its file, `pages` the number of its pages or slides.

    `same_as` is the document that it repeats nearly word for word; `superseded_by` is one that it repeats so
    and that has a later date. `thread` has the other e-mails of its conversation.
    """

    source: str
    title: str
    bytes: int
    pages: int
    passages: int
    language: str
    date: str | None
    date_source: DateSource | None
    same_as: str | None = None
    superseded_by: str | None = None
    thread: tuple[ThreadMail, ...] = ()
    notes: tuple[str, ...] = ()


def summaries(catalog: Catalog, sources: Sequence[str]) -> list[DocumentSummary]:
    """Return what is known of some documents; those that an update removes meanwhile are left out."""
    files, duplicates = catalog.files(), catalog.duplicates()
    same_as = {each.source: each.original for each in duplicates}
    newer = superseded(catalog.dates(), duplicates)
    conversations = threads([mail[:3] for mail in catalog.mails()], sources)
    listed = []
    for source in sources:
        file, document = files.get(source), catalog.document(source)
        if file is None or document is None:
            continue
        listed.append(
            DocumentSummary(
                source=source,
                title=document.title,
                bytes=file.size,
                pages=len(document.pages) or len(document.slides),
                passages=file.passages,
                language=document.language,
                date=document.date,
                date_source=document.date_source,
                same_as=same_as.get(source),
                superseded_by=newer.get(source),
                thread=conversations[source],
                notes=document.notes,
            )
        )
    return listed


def superseded(dates: Mapping[str, str | None], duplicates: Iterable[Duplicate]) -> dict[str, str]:
    """Return each document of which there is a newer version, with the newest: nearly the same text, and a
    date that is surely later. "2026" is not surely later than "2026-05".

    >>> pair = Duplicate(source="b.md", original="a.md", similarity=0.9)
    >>> superseded({"a.md": "2025-03", "b.md": "2026"}, [pair])
    {'a.md': 'b.md'}
    >>> superseded({"a.md": "2026-03", "b.md": "2026"}, [pair])
    {}
    """
    families: dict[str, list[str]] = {}
    for each in duplicates:
        families.setdefault(each.original, [each.original]).append(each.source)
    newer: dict[str, str] = {}
    for members in families.values():
        dated = {source: date for source in members if (date := dates.get(source)) is not None}
        newest = max(dated, key=lambda source: dated[source], default="")
        for source, date in dated.items():
            if date < dated[newest] and not dated[newest].startswith(date):
                newer[source] = newest
    return newer
