"""Read plain text, Markdown and e-mail; the text of the first two is the file, character for character."""

from __future__ import annotations

import email
import re
from collections.abc import Sequence
from datetime import UTC
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import parsedate_to_datetime
from itertools import accumulate, pairwise
from typing import Any

from probative.corpus.documents.document import Document, Heading
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.html import add_markup, parse_html
from probative.corpus.readers.records import date_of
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of
from probative.errors import UnreadableError

# A line over a line of the same sign: "Fares" over "=====".
_UNDERLINED = re.compile(r"^(?P<text>[^\s\-=~].{0,118})\n(?P<line>=+|-+|~+)[ \t]*$", re.MULTILINE)
_LEVELS = {"=": 1, "-": 2, "~": 3}
_TITLE_LENGTH = 100


def read_text(content: FileContent) -> Document:
    """Return the document of a plain text file. Underlined lines are headings."""
    text, notes = decode(content.data, content.source)
    headings = [
        Heading(
            start=match.start(),
            end=match.start() + len(match["text"].rstrip()),
            level=_LEVELS[match["line"][0]],
            text=match["text"].rstrip(),
        )
        for match in _UNDERLINED.finditer(text.replace("\r\n", " \n"))
        if len(match["line"]) >= 3
    ]
    return document_of(
        content,
        text,
        title=headings[0].text if headings else _first_line(text),
        headings=headings,
        notes=notes,
    )


def _first_line(text: str) -> str:
    """Return the first line if it stands alone and does not read like a sentence; else ""."""
    lines = text.lstrip("\ufeff\r\n \t")[: 10 * _TITLE_LENGTH].splitlines()
    if not lines or len(lines) < 3 or lines[1].strip():
        return ""
    line = lines[0].strip()
    return line if len(line) <= _TITLE_LENGTH and not line.endswith((".", "!", "?", ":", ",", ";")) else ""


_FRONT_MATTER = re.compile(
    r"\ufeff?---[ \t]*\r?\n(?P<body>.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL
)
_FIELD = re.compile(r"(?P<key>[^\W\d][\w.-]*)[ \t]*:(?:[ \t]+(?P<value>\S.*))?")
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<value>\S.*)")
_LINK = re.compile(r"!?\[(?P<text>[^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*_`~]+|<[^>]+>|\s*\{[#.][^}]*\}\s*$")


def read_markdown(content: FileContent) -> Document:
    """Return the document of a Markdown file, with its headings and the fields of its front matter."""
    text, notes = decode(content.data, content.source)
    front = _FRONT_MATTER.match(text)
    fields = _fields(front["body"]) if front else {}
    start = front.end() if front and fields else 0
    headings = _markdown_headings(text, start)
    return document_of(
        content,
        text,
        title=fields.pop("title", ""),
        headings=headings,
        language=fields.pop("language", "") or fields.pop("lang", ""),
        date=date_of(fields),
        date_source="front matter",
        metadata={name: value for name, value in fields.items() if name != "date"},
        notes=notes,
        body=start if text[start:].strip() else 0,
    )


def _fields(front_matter: str) -> dict[str, str]:
    r"""Return the fields of a front matter; an empty dict if it is text between two rules.

    >>> _fields("title: 'Pier log'\ntags:\n  - boats\n  - nets\n# a comment"), _fields("It rained.")
    ({'title': 'Pier log', 'tags': 'boats, nets'}, {})
    """
    values_of: dict[str, list[str]] = {}
    key = ""
    for line in front_matter.splitlines():
        field, item = _FIELD.fullmatch(line.rstrip()), _ITEM.fullmatch(line.rstrip())
        if field is not None:
            key = field["key"].lower()
            values_of[key] = [_unquoted(field["value"] or "")]
        elif not line.strip() or line.lstrip().startswith("#"):
            continue
        elif key and (item is not None or line[0] in " \t"):
            values_of[key].append(_unquoted(line if item is None else item["value"]))
        else:
            return {}
    return {key: ", ".join(value for value in values if value) for key, values in values_of.items()}


def _unquoted(value: str) -> str:
    """Return a value without its quotation marks, and without the sign that lines follow."""
    value = value.strip()
    return "" if value in ("|", ">", "|-", ">-") else value.strip("'\"")


def _markdown_headings(text: str, start: int) -> list[Heading]:
    """Return the headings by the rules of CommonMark: not in code, quotes or lists."""
    from markdown_it import MarkdownIt

    body = text[start:]
    # The parser counts "\r\n" and "\r" as one line end, as `splitlines` does; other line breaks of Unicode it
    # does not know.
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", body)
    starts = [start, *accumulate((len(line) for line in lines), initial=start)][1:]
    headings: list[Heading] = []
    # Emphasis and links inside of lines are not needed, and take the parser very long for some files.
    tokens = MarkdownIt("commonmark").disable("inline").parse(body)
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open" or opening.level > 0 or opening.map is None:
            continue
        first, after = opening.map
        begin, end = starts[first], starts[min(after, len(lines))]
        shown = _MARKS.sub("", _LINK.sub(r"\g<text>", inline.content))
        end = begin + len(text[begin:end].rstrip())
        headings.append(
            Heading(start=begin, end=end, level=int(opening.tag[1]), text=" ".join(shown.split()))
        )
    return headings


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
        date=_header_date(headers["Date"]),
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


def _header_date(header: str) -> str | None:
    try:
        written = parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return None
    # The day at the sender's place: the date that the message itself shows.
    return (written if written.tzinfo else written.replace(tzinfo=UTC)).date().isoformat()
