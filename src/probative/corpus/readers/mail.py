"""Read e-mail: a message with its attachments, and mailboxes of several messages."""

from __future__ import annotations

import email
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import parsedate_to_datetime
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any

from probative.corpus.documents.document import Document, Heading, Record
from probative.corpus.documents.threads import MESSAGE_ID, QUOTED_FROM, REFERENCES, message_ids
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.html import add_markup, parse_html
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of
from probative.errors import UnreadableError

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
# A list of 200 addresses. What stands behind is cut: the parser of the standard library takes time and memory
# that grow with the square of a header.
_MAX_HEADER = 10_000


class _ShortHeaders(EmailPolicy):
    """Cuts headers that are too long; one that cannot be parsed is empty."""

    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(list(sourcelines))
        return name, value[:_MAX_HEADER]

    def header_fetch_parse(self, name: str, value: str) -> Any:
        try:
            return super().header_fetch_parse(name, value)
        except (ValueError, IndexError, AttributeError, RecursionError, UnboundLocalError):
            return self.header_factory(name, "")


# A message may have messages attached, which have others attached.
_MAX_DEPTH = 3
_MAX_ATTACHED = 100
# The line that begins each message of a mailbox.
_FROM = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\r\n]+\r?\n")
_QUOTE_MARK = re.compile(r"^(?:> ?)+", re.MULTILINE)
# Quotes of several messages in turn; more of them are no conversation.
_MAX_QUOTES = 100


def read_message(content: FileContent) -> Document:
    """Return the document of an e-mail: its headers, its text and its attachments, each below its name."""
    message = _parsed(content.data)
    if message is None:
        raise UnreadableError("damaged", f"{content.source} is not an e-mail")
    builder = TextBuilder()
    notes = _add_message(builder, message, content)
    return document_of(
        content,
        builder,
        title=_header(message, "Subject"),
        date=_header_date(_header(message, "Date")),
        date_source="header",
        metadata=_metadata(message),
        notes=notes,
    )


def read_mailbox(content: FileContent) -> Document:
    """Return the document of a mailbox: each message below a heading with its subject, sender and date, and
    as a record with its own date and metadata. The date of the newest is that of the document.
    """
    lines = list(_FROM.finditer(content.data))
    ends = [line.start() for line in lines[1:]]
    builder, notes, dates = TextBuilder(), list[str](), list[str]()
    for line, end in zip_longest(lines, ends):
        message = _parsed(content.data[line.end() : end])
        if message is None:
            notes.append(f"the message at byte {line.end():,} cannot be read")
            continue
        date = _header_date(_header(message, "Date"))
        parts = (_header(message, "Subject") or "A message", _header(message, "From"), date)
        start, first = builder.next_offset, len(builder.records)
        builder.heading(", ".join(part for part in parts if part), 1)
        notes += _add_message(builder, message, content)
        own = Record(start=start, end=builder.length, date=date, metadata=_metadata(message))
        builder.records[first:] = _divided(own, builder.records[first:])
        dates += [date] if date else []
    if not builder.length:
        raise UnreadableError("damaged", f"{content.source} is not a mailbox")
    return document_of(content, builder, date=max(dates, default=None), date_source="header", notes=notes)


def _metadata(message: EmailMessage) -> dict[str, str]:
    references = _references(message)
    metadata = {
        "author": _header(message, "From"),
        "to": _header(message, "To"),
        "subject": _header(message, "Subject"),
        MESSAGE_ID: next(iter(message_ids(_raw_header(message, "message-id"))), ""),
        # The first and the last join a conversation; all of them could be longer than a value may be.
        REFERENCES: " ".join(dict.fromkeys((*references[:1], *references[-2:]))),
    }
    return {name: value for name, value in metadata.items() if value}


def _references(message: EmailMessage) -> tuple[str, ...]:
    """Return the ids of the messages before one in its conversation; the last is the one that it answers."""
    answered = message_ids(_header(message, "In-Reply-To"))[:1]
    before = message_ids(_header(message, "References"))
    return (*(each for each in before if each not in answered), *answered)


def _divided(own: Record, quotes: Sequence[Record]) -> list[Record]:
    """Return the records of a message: what it says itself, and what it quotes."""
    records, start = list[Record](), own.start
    for quote in quotes:
        records.append(own.model_copy(update={"start": start, "end": quote.start}))
        metadata = {**own.metadata, **quote.metadata}
        records.append(quote.model_copy(update={"date": own.date, "metadata": metadata}))
        start = quote.end
    records.append(own.model_copy(update={"start": start}))
    return [record for record in records if record.start < record.end]


def _parsed(data: bytes) -> EmailMessage | None:
    message = email.message_from_bytes(data, policy=_ShortHeaders())
    return message if isinstance(message, EmailMessage) and message.keys() else None


def _add_message(
    builder: TextBuilder, message: EmailMessage, content: FileContent, depth: int = 1
) -> list[str]:
    """Add the headers, the text and the attachments of a message; return notes."""
    headers = ((name, _header(message, name)) for name in _SHOWN)
    builder.paragraph("\n".join(f"{name}: {value}" for name, value in headers if value))
    _add_body(builder, message, content.source)
    notes = [
        f"the header {name} is cut after {_MAX_HEADER:,} characters"
        for name, value in message.raw_items()
        if name in _SHOWN and len(value) == _MAX_HEADER
    ]
    attached = list(message.iter_attachments())
    for part in attached[:_MAX_ATTACHED]:
        notes += _add_attached(builder, part, content, depth)
    left = [_name_of(part) for part in attached[_MAX_ATTACHED:]]
    return [*notes, *([f"attachments are not read: {', '.join(left)}"] if left else [])]


def _name_of(part: EmailMessage) -> str:
    return " ".join((part.get_filename() or part.get_content_type()).split())


def _add_attached(builder: TextBuilder, part: EmailMessage, around: FileContent, depth: int) -> list[str]:
    """Add an attachment below its name; return notes, such as why it is not read."""
    from probative.corpus.readers.formats import document_in, format_of

    name = _name_of(part)
    try:
        data = _data_of(part)
        content = replace(around, source=f"{around.source} › {name}", path=Path(name), data=data)
        is_message = part.get_content_maintype() == "message" or format_of(content) in ("email", "mailbox")
        message = _parsed(data) if is_message else None
        if is_message and (message is None or depth == _MAX_DEPTH):
            raise UnreadableError("too deep" if message else "damaged", name)
        document = None if message is not None else document_in(content)
    except UnreadableError as error:
        return [f"the attachment {name} is not read ({error.reason})"]
    builder.heading(f"Attachment: {name}", 2)
    if message is not None:
        return _add_message(builder, message, around, depth + 1)
    assert document is not None
    start = builder.next_offset
    builder.paragraph(document.text)
    builder.headings += [
        Heading(start=start + each.start, end=start + each.end, level=each.level + 2, text=each.text)
        for each in document.headings
    ]
    builder.add_tables(document.tables, start)
    return [f"{name}: {note}" for note in document.notes]


def _data_of(part: EmailMessage) -> bytes:
    """Return the bytes of an attachment; of an attached message, those of the message."""
    payload = part.get_payload(decode=True)
    if isinstance(payload, bytes):
        return payload
    inner: Any = part.get_payload()
    return inner[0].as_bytes() if isinstance(inner, list) and inner else b""


def _header(message: EmailMessage, name: str) -> str:
    """Return a header on one line; "" if it is missing or malformed."""
    return " ".join(str(message.get(name, "")).split())


def _raw_header(message: EmailMessage, name: str) -> str:
    """Return a header as it came: the parser changes ids that it thinks malformed, and other mails do not."""
    raw = next((str(value) for key, value in message.raw_items() if key.lower() == name), "")
    return raw.encode("ascii", "replace").decode()


def _add_body(builder: TextBuilder, message: EmailMessage, source: str) -> None:
    body = message.get_body(preferencelist=("plain", "html"))
    if body is None:
        return
    data = body.get_payload(decode=True)
    text = decode(data, source, body.get_content_charset()).text if isinstance(data, bytes) else ""
    if body.get_content_subtype() == "html":
        add_markup(builder, parse_html(text, source).body)
        return
    # Lines end in "\r\n" on the way; the text of a document has "\n".
    text = text.replace("\r\n", "\n")
    own, quoted = _without_quoted_end(text)
    _add_paragraphs(builder, own)
    for identity, part in _quotes(quoted, _references(message)):
        start = builder.next_offset
        # What another wrote before must not be taken for what the sender says.
        builder.heading("Quoted from an earlier message", 3)
        _add_paragraphs(builder, part)
        if identity:
            record = Record(start=start, end=builder.length, metadata={QUOTED_FROM: identity})
            builder.records.append(record)


def _quotes(quoted: str, references: Sequence[str]) -> list[tuple[str, str]]:
    r"""Return the ids of quoted messages, each with what is quoted: a mark more is one message earlier. The
    id is "" where it is not known.

    >>> _quotes("> Four.\n>\n>> Which platform?\n", ("1", "2"))
    [('2', 'Four.\n\n'), ('1', 'Which platform?\n')]
    >>> _quotes(">> Which platform?\n", ())
    [('', 'Which platform?\n')]
    """
    identity, marked = "", list[tuple[str, str]]()
    for line in quoted.splitlines(keepends=True):
        mark = _QUOTE_MARK.match(line)
        text = line[mark.end() :] if mark else line
        if mark and text.strip():
            depth = mark[0].count(">")
            identity = references[-depth] if depth <= len(references) else ""
        marked.append((identity, text))
    runs = [(key, "".join(text for _, text in run)) for key, run in groupby(marked, key=lambda each: each[0])]
    return runs if len(runs) <= _MAX_QUOTES else [("", "".join(text for _, text in marked))]


def _without_quoted_end(text: str) -> tuple[str, str]:
    r"""Return a text without the quoted lines at its end, and these. Quotes that are answered line by line
    stay where they are.

    >>> _without_quoted_end("Platform four.\n\n> Which platform?\n> And when?\n")
    ('Platform four.\n\n', '> Which platform?\n> And when?\n')
    >>> _without_quoted_end("> Which platform?\nFour.")
    ('> Which platform?\nFour.', '')
    """
    lines = text.splitlines(keepends=True)
    first = len(lines)
    while first and (lines[first - 1].startswith(">") or not lines[first - 1].strip()):
        first -= 1
    while first < len(lines) and not lines[first].startswith(">"):
        first += 1
    return "".join(lines[:first]), "".join(lines[first:])


def _add_paragraphs(builder: TextBuilder, text: str) -> None:
    for paragraph in text.split("\n\n"):
        builder.paragraph(paragraph.strip("\n"))


def _header_date(header: str) -> str | None:
    try:
        written = parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return None
    # The day at the sender's place: the date that the message itself shows.
    return (written if written.tzinfo else written.replace(tzinfo=UTC)).date().isoformat()
