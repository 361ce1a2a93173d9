"""Read e-mail messages (EML): who wrote to whom, when, about what, and the text."""

from __future__ import annotations

import email
from collections.abc import Sequence
from datetime import UTC
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import parsedate_to_datetime
from typing import Any

from probative.corpus.documents.document import Document
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
        except (ValueError, IndexError, AttributeError, RecursionError):
            return self.header_factory(name, "")


def read_message(content: FileContent) -> Document:
    """Return the document of an e-mail: its headers and its text. Attachments are named in the notes."""
    message = email.message_from_bytes(content.data, policy=_ShortHeaders())
    if not isinstance(message, EmailMessage) or not message.keys():
        raise UnreadableError("damaged", f"{content.source} is not an e-mail")
    headers = {name: _header(message, name) for name in _SHOWN}
    builder = TextBuilder()
    shown = "\n".join(f"{name}: {value}" for name, value in headers.items() if value)
    builder.paragraph(shown)
    _add_body(builder, message, content)
    attached = [part.get_filename() or part.get_content_type() for part in message.iter_attachments()]
    return document_of(
        content,
        builder,
        title=headers["Subject"],
        date=_date(headers["Date"]),
        date_source="header",
        metadata={"author": headers["From"], "to": headers["To"], "subject": headers["Subject"]},
        notes=_notes(message, attached),
    )


def _notes(message: EmailMessage, attached: Sequence[str]) -> list[str]:
    cut = [name for name, value in message.raw_items() if name in _SHOWN and len(value) == _MAX_HEADER]
    return [
        *([f"attachments are not read: {', '.join(attached)}"] if attached else ()),
        *(f"the header {name} is cut after {_MAX_HEADER:,} characters" for name in cut),
    ]


def _header(message: EmailMessage, name: str) -> str:
    """Return a header on one line; "" if it is missing or malformed."""
    return " ".join(str(message.get(name, "")).split())


def _add_body(builder: TextBuilder, message: EmailMessage, content: FileContent) -> None:
    body = message.get_body(preferencelist=("plain", "html"))
    if body is None:
        return
    data = body.get_payload(decode=True)
    text = decode(data, content.source, body.get_content_charset()).text if isinstance(data, bytes) else ""
    if body.get_content_subtype() == "html":
        add_markup(builder, parse_html(text, content.source).body)
        return
    # Lines end in "\r\n" on the way; the text of a document has "\n".
    for paragraph in text.replace("\r\n", "\n").split("\n\n"):
        builder.paragraph(paragraph.strip("\n"))


def _date(header: str) -> str | None:
    try:
        written = parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return None
    # The day at the sender's place: the date that the message itself shows.
    return (written if written.tzinfo else written.replace(tzinfo=UTC)).date().isoformat()
