"""Read e-mail messages (EML): who wrote to whom, when, about what, and the text."""

from __future__ import annotations

import email
import email.policy
from datetime import UTC
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

from probative.corpus.document import Document
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.file_content import FileContent
from probative.corpus.readers.markup import add_markup
from probative.corpus.readers.text_builder import TextBuilder, document_of
from probative.errors import UnreadableError

_SHOWN = ("From", "To", "Cc", "Date", "Subject")


def read_message(content: FileContent) -> Document:
    """Return the document of an e-mail: its headers and its text. Attachments are named in the notes."""
    message = email.message_from_bytes(content.data, policy=email.policy.default)
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
        builder.text,
        title=headers["Subject"],
        headings=builder.headings,
        date=_date(headers["Date"]),
        metadata={"author": headers["From"], "to": headers["To"], "subject": headers["Subject"]},
        notes=[f"attachments are not read: {', '.join(attached)}"] if attached else (),
    )


def _header(message: EmailMessage, name: str) -> str:
    """Return a header on one line; "" if it is missing or malformed."""
    try:
        return " ".join(str(message.get(name, "")).split())
    except (ValueError, IndexError, AttributeError):  # the parser of the standard library, on bad headers
        return ""


def _add_body(builder: TextBuilder, message: EmailMessage, content: FileContent) -> None:
    body = message.get_body(preferencelist=("plain", "html"))
    if body is None:
        return
    data = body.get_payload(decode=True)
    text = decode(data, content.source, body.get_content_charset()).text if isinstance(data, bytes) else ""
    if body.get_content_subtype() == "html":
        from selectolax.lexbor import LexborHTMLParser

        tree = LexborHTMLParser(text)
        if tree.body is not None:
            add_markup(builder, tree.body)
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
